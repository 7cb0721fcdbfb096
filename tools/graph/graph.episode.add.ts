import { z } from 'zod';
import { episode, episodeId, episodeName, episodeSource } from '../../contracts/graph/episodes.ts';
import { episodeKinds } from '../../contracts/graph/graph.ts';
import { moment } from '../../contracts/times.ts';
import { defineTool, type Alias } from '../catalogue/define.ts';
import { groupId } from './group.ts';

const input = z.object({
  name: episodeName.describe('Title of the episode'),
  episode_body: z.string().describe('What happened or was said; JSON as a string when source is json'),
  source: episodeSource.default('text').describe('message: lines "speaker: text"'),
  source_description: z.string().max(2_000).default('').describe('Where it comes from'),
  kind: z.enum(episodeKinds).default('memory').describe('memory: what was experienced; knowledge: what is known'),
  said_at: moment.optional().describe('When it was said, ISO 8601; default: now'),
  uuid: episodeId.optional().describe('Known again under it: another body replaces what was said'),
  group_id: groupId,
});
const output = z.object({ episode, existed: z.boolean() });

type Input = z.input<typeof input>;
type Output = z.infer<typeof output>;

/** Both names do the same, except for the recorded kind of the episode. */
const added = (name: string, kind: 'memory' | 'knowledge', description: string): Alias<Input, Output> => ({
  name,
  system: 'agentic-rag',
  description,
  input: z.object({
    name: episodeName,
    episode_body: z.string().describe('The text; JSON as a string when source is json'),
    source: episodeSource.default('text').describe('message: lines "speaker: text"'),
    source_description: z.string().max(2_000).default(''),
    uuid: z.string().max(64).optional(),
    group_id: z.string().max(256).optional().describe('Always your tenant'),
  }),
  toInput: (args) => ({ ...args, kind }) as Input,
  toAnswer: ({ episode: { episode_id: uuid, name: title, status, position } }) => ({ uuid, name: title, status, position }),
  toText: ({ episode: { episode_id: uuid, name: title, status, position } }) =>
    status === 'queued'
      ? `Episode added: ${uuid} ("${title}"). It is number ${position} in the queue and will be in the graph shortly.`
      : `Episode added: ${uuid} ("${title}"). Its processing is ${status}.`,
});

export default defineTool({
  name: 'graph.episode.add',
  title: 'Tell the graph',
  description:
    'Stores an episode (text, JSON or a conversation); its entities and dated facts join the graph shortly after, in the order of adding. graph.episode.get tells when.',
  effect: 'write',
  idempotent: false,
  external: false,
  approval: 'A0',
  scopes: ['graph:write'],
  latency: 'L1',
  input,
  output,
  intents: ['add an episode', 'add knowledge to the graph', 'record what happened', 'note a fact with its date', 'add a conversation'],
  aliases: [
    added('add_memory', 'memory', 'Add an episode to memory: its entities and facts join the knowledge graph.'),
    added('add_episode', 'knowledge', 'Ingest knowledge as an episode: its entities and facts join the knowledge graph.'),
  ],
  async handler({ name, episode_body, source, source_description, kind, said_at, uuid, group_id }, { caller, services, callKey }) {
    const {
      episode: stored,
      existed,
      warnings,
      refs,
    } = await services.graph.episodes.add(caller, {
      name,
      body: episode_body,
      source,
      sourceDescription: source_description,
      kind,
      saidAt: said_at,
      uuid,
      callKey,
    });
    return { data: { episode: stored, existed }, refs, warnings: [...warnings, ...services.graph.groupWarnings(caller, group_id)] };
  },
});
