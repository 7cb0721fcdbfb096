import { z } from 'zod';
import { episodeKinds, episodeSources } from './graph.ts';
import { words } from '../knowledge/knowledge.ts';

/** Maximum characters of an episode's body. */
export const maxEpisode = 200_000;

/** Ids of episodes are UUIDs; a caller may bring one. Not a pattern, so that it costs no tokens in tool lists. */
export const episodeId = z
  .string()
  .refine((id) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id), 'must be a UUID')
  .transform((id) => id.toLowerCase());

export const episodeName = words(512);
export const episodeSource = z.enum(episodeSources);
export const episodeStatuses = ['queued', 'done', 'failed'] as const;

export const episode = z.object({
  episode_id: z.string(),
  kind: z.enum(episodeKinds),
  name: z.string(),
  source: episodeSource,
  source_description: z.string(),
  /** When it was said; facts without their own date hold from then on. */
  said_at: z.string(),
  status: z.enum(episodeStatuses),
  /** Position in the queue; 1 is next. Null: not queued. */
  position: z.number().nullable(),
  /** Set when it failed. */
  error: z.string().nullable(),
  created_by: z.string(),
  created_at: z.string(),
});
export type Episode = z.infer<typeof episode>;

/** Counts of deleted rows when a graph is cleared. */
export const graphCounts = z.object({ episodes: z.number(), nodes: z.number(), facts: z.number(), relations: z.number() });
export type GraphCounts = z.infer<typeof graphCounts>;

/** Supported names of Graphiti's tools; also accepted with the prefix `graphiti_`. */
export const graphitiTools: readonly string[] = [
  'add_memory',
  'add_episode',
  'search_nodes',
  'search_facts',
  'delete_episode',
  'clear_graph',
];
