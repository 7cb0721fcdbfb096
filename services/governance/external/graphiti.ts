/**
 * Graphiti's own MCP server behind the names of its tools. Each tenant is one of its groups, whatever group a caller
 * names. Operations that the server cannot restrict to a group are refused.
 */
import type { McpClients, McpDefinition, McpServer } from '../../../adapters/mcp/types.ts';
import type { Caller } from '../../../contracts/caller.ts';
import { AppError } from '../../../contracts/errors.ts';
import type { Artifacts } from '../../substrate/index.ts';
import { answerOf, type ExternalAnswer } from './answers.ts';

/** Our names, and their names in versions of that server, best first. */
const spellings: Record<string, string[]> = {
  add_memory: ['add_memory', 'add_episode'],
  add_episode: ['add_episode', 'add_memory'],
  search_nodes: ['search_nodes', 'search_memory_nodes'],
  search_facts: ['search_facts', 'search_memory_facts'],
  delete_episode: ['delete_episode'],
  clear_graph: ['clear_graph'],
};

/** How long its tool list is cached, in ms. */
const believed = 60_000;
/** Maximum episodes searched for the one to delete. */
const mostEpisodes = 1_000;

type Fields = Record<string, unknown>;

export class GraphitiPass {
  private readonly deps: { mcp: McpClients; artifacts: Artifacts };
  private readonly server: McpServer;
  private known: { at: number; tools: Promise<McpDefinition[]> } | null = null;

  constructor(url: string, deps: { mcp: McpClients; artifacts: Artifacts }) {
    this.deps = deps;
    this.server = {
      key: ':platform/graphiti',
      version: url,
      target: { transport: url.replace(/[?#].*$/, '').endsWith('/sse') ? 'sse' : 'http', url, headers: {}, trusted: true },
      timeoutMs: 120_000,
      concurrency: 16,
    };
  }

  /**
   * @param name one of the six names of contracts/graph/episodes.ts
   * @throws AppError as other external calls do; FORBIDDEN where the server would affect other groups
   */
  async call(caller: Caller, name: string, args: Fields, signal?: AbortSignal): Promise<ExternalAnswer> {
    const tool = await this.find(spellings[name] ?? [name]);
    if (!tool) throw lacking(name);
    if (name === 'delete_episode') await this.assertOwn(caller, String(args['uuid'] ?? args['episode_id'] ?? ''), signal);
    else if (!takesGroup(tool)) {
      throw new AppError(
        'FORBIDDEN',
        `This Graphiti's ${tool.name} does not say which group it is for: it could touch another tenant's graph.`,
        {
          hint: 'A newer version of its MCP server accepts group_id or group_ids.',
          details: { reason: 'no_group' },
        },
      );
    }
    const result = await this.deps.mcp.call(this.server, { tool: tool.name, arguments: inGroup(tool, args, caller.tenant), signal });
    return await answerOf(caller, this.deps.artifacts, name, result);
  }

  /** Deletion needs only the id, so it could delete others' episodes: check first that it belongs to the tenant. */
  private async assertOwn(caller: Caller, uuid: string, signal?: AbortSignal): Promise<void> {
    const lister = await this.find(['get_episodes']);
    if (!lister || !takesGroup(lister)) {
      throw new AppError('FORBIDDEN', 'This Graphiti does not tell whose an episode is, so none is deleted.', {
        hint: 'A newer version of its MCP server has get_episodes.',
        details: { reason: 'no_group' },
      });
    }
    const { content, structuredContent } = await this.deps.mcp.call(this.server, {
      tool: lister.name,
      arguments: inGroup(lister, { max_episodes: mostEpisodes, last_n: mostEpisodes }, caller.tenant),
      signal,
    });
    const listed = uuidsIn([structuredContent, ...content.map((block) => parsed(block['text']))]);
    if (uuid !== '' && listed.has(uuid)) return;
    throw new AppError('NOT_FOUND', `No episode "${uuid}" among the last ${mostEpisodes} of your graph.`, {
      hint: 'The answer that added it has its uuid.',
    });
  }

  private async find(names: string[]): Promise<McpDefinition | undefined> {
    if (!this.known || Date.now() - this.known.at > believed) {
      const tools = this.deps.mcp.tools(this.server).then((answer) => answer.tools);
      this.known = { at: Date.now(), tools };
      tools.catch(() => (this.known = null));
    }
    const tools = await this.known.tools;
    return names.map((name) => tools.find((tool) => tool.name === name)).find((tool) => tool !== undefined);
  }
}

const fieldsOf = ({ inputSchema }: McpDefinition): Fields => (inputSchema['properties'] ?? {}) as Fields;
const takesGroup = (tool: McpDefinition): boolean => ['group_id', 'group_ids'].some((field) => field in fieldsOf(tool));

/** Only fields that the tool has; the group is always the tenant's. */
function inGroup(tool: McpDefinition, args: Fields, tenant: string): Fields {
  const fields = fieldsOf(tool);
  const { group_id: _one, group_ids: _many, ...others } = args;
  return {
    ...Object.fromEntries(Object.entries(others).filter(([key, value]) => key in fields && value !== undefined)),
    ...('group_id' in fields ? { group_id: tenant } : {}),
    ...('group_ids' in fields ? { group_ids: [tenant] } : {}),
  };
}

function uuidsIn(value: unknown, found = new Set<string>(), depth = 0): Set<string> {
  if (value === null || typeof value !== 'object' || depth > 8) return found;
  for (const [key, inner] of Object.entries(value)) {
    if ((key === 'uuid' || key === 'episode_uuid') && typeof inner === 'string') found.add(inner);
    uuidsIn(inner, found, depth + 1);
  }
  return found;
}

function parsed(text: unknown): unknown {
  try {
    return typeof text === 'string' ? JSON.parse(text) : null;
  } catch {
    return null;
  }
}

const lacking = (name: string): AppError =>
  new AppError('NOT_FOUND', `The Graphiti that is set up has no tool for ${name}.`, { hint: 'GRAPHITI_MCP_URL names its address.' });
