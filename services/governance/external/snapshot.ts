/** All of a tenant's external tools at one moment, from their rows. */
import type { McpDefinition } from '../../../adapters/mcp/types.ts';
import type { Row } from '../../../adapters/postgres/database.ts';
import type { ExternalToolEntry, ToolFlag, ToolState } from '../../../contracts/governance/external.ts';
import type { Columns } from '../../../prisma/rows.ts';
import { changesOf, effectOf, flagsOf, isIdempotent, listedForms, spellings, toolNames } from './rules.ts';
import { checkOf, tooMuch, type Check } from './schema.ts';
import type { ServerRow } from './servers.ts';

export interface ToolRow
  extends Row, Columns<'external_tools', 'server' | 'name' | 'hash' | 'pinned_hash' | 'pinned_by' | 'pinned_at' | 'gone_at'> {
  definition: McpDefinition;
  pinned_definition: McpDefinition | null;
}

/** A callable tool of another server. */
export interface ExternalTool {
  /** `external.{server}.{tool}` */
  name: string;
  /** The name in lists: a short form if the name is too long for clients. */
  listedAs: string;
  server: string;
  /** The server's own name. */
  tool: string;
  state: ToolState;
  /** The approved definition; for an unapproved tool the current one. */
  definition: McpDefinition;
  effect: 'read' | 'write' | 'destructive';
  idempotent: boolean;
  approval: 'A0' | 'A1' | 'A2';
  enabled: boolean;
  hash: string;
  row: ToolRow;
  check: Check;
}

/** All of a tenant's tools at one moment; a new object for each snapshot. */
export interface Snapshot {
  byName: ReadonlyMap<string, ExternalTool>;
  /** By other unambiguous spellings: the short form, and underscores for dots. */
  bySpelling: ReadonlyMap<string, ExternalTool>;
  /** Those that can be called. */
  callable: readonly ExternalTool[];
  servers: ReadonlyMap<string, ServerRow>;
}

export const flagsIn = (definition: McpDefinition, names: ReadonlySet<string>): ToolFlag[] => {
  const why = tooMuch(definition.inputSchema);
  return [
    ...flagsOf(definition, names),
    ...(why === null || why === 'refers to itself'
      ? []
      : [{ kind: 'schema' as const, what: `its input schema ${why}; it is not checked here` }]),
  ];
};

export const entryOf = (tool: ExternalTool, flags: ToolFlag[]): ExternalToolEntry => ({
  name: tool.name,
  server: tool.server,
  tool: tool.tool,
  state: tool.state,
  effect: tool.effect,
  description: tool.row.definition.description ?? '',
  hash: tool.hash,
  flags,
  changes: tool.state === 'changed' && tool.row.pinned_definition ? changesOf(tool.row.pinned_definition, tool.row.definition) : [],
  approved_by: tool.row.pinned_by,
  approved_at: tool.row.pinned_at?.toISOString() ?? null,
});

export function snapshotOf(rows: ToolRow[], servers: ServerRow[]): Snapshot {
  const byServer = Map.groupBy(rows, (row) => row.server);
  const tools: ExternalTool[] = [];
  for (const server of servers) {
    const own = byServer.get(server.name) ?? [];
    const names = toolNames(
      server.name,
      own.map(({ name }) => name),
    );
    for (const row of own) tools.push(toolOf(row, server, names.get(row.name)!));
  }
  const listed = listedForms(tools.map(({ name }) => name));
  for (const tool of tools) tool.listedAs = listed.get(tool.name)!;
  return {
    byName: new Map(tools.map((tool) => [tool.name, tool])),
    bySpelling: spellings(tools),
    callable: tools.filter(({ state, enabled }) => state === 'approved' && enabled),
    servers: new Map(servers.map((server) => [server.name, server])),
  };
}

function toolOf(row: ToolRow, server: ServerRow, name: string): ExternalTool {
  const definition = row.pinned_definition ?? row.definition;
  const effect = effectOf(definition);
  let check: Check | undefined;
  return {
    name,
    listedAs: name,
    server: row.server,
    tool: row.name,
    state: row.gone_at ? 'gone' : row.pinned_hash === null ? 'waiting' : row.pinned_hash === row.hash ? 'approved' : 'changed',
    definition,
    effect,
    idempotent: isIdempotent(definition),
    approval: effect === 'read' && server.approval === 'A1' ? 'A0' : server.approval,
    enabled: server.enabled,
    hash: row.hash,
    row,
    // Schemas are compiled on first use.
    check: (args, called) => (check ??= checkOf(definition.inputSchema))(args, called),
  };
}
