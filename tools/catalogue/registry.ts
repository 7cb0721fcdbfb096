import type { Database } from '../../adapters/postgres/database.ts';
import { AppError } from '../../contracts/errors.ts';
import { hashOf } from '../../contracts/ids.ts';
import { Catalogue } from './catalogue.ts';
import { approvalText, type AnyTool } from './define.ts';
import { passedOn } from '../graph/graphiti.ts';

type Query = Database['query'];

/** All tools that any settings can expose, so that one registry serves all processes. */
function definitionsOf(tools: readonly AnyTool[]) {
  const catalogue = new Catalogue(tools);
  return [...tools, ...tools.flatMap(passedOn)].map((tool) => {
    const input = catalogue.jsonSchema(tool.input);
    const output = catalogue.jsonSchema(tool.output);
    const contract = {
      input,
      output,
      description: tool.description,
      effect: tool.effect,
      approval: tool.approval,
      scopes: tool.scopes,
      aliases: tool.aliases.map((alias) => [alias.name, catalogue.jsonSchema(alias.input)]),
    };
    return { tool, input, output, hash: hashOf(contract) };
  });
}

/**
 * Writes the registry of tools. A changed contract creates a new version of the definition.
 * @param query a query as the database's owner, because the application may only read the registry
 */
export async function registerTools(query: Query, tools: readonly AnyTool[]): Promise<void> {
  const known = await query<{ name: string; version: number; schema_hash: string }>(
    'select distinct on (name) name, version, schema_hash from tool_definitions order by name, version desc',
  );
  const last = new Map(known.map((row) => [row.name, row]));
  for (const { tool, input, output, hash } of definitionsOf(tools)) {
    const former = last.get(tool.name);
    if (former?.schema_hash === hash) continue;
    await query(
      `insert into tool_definitions (name, version, schema_hash, title, description, effect, approval, scopes, aliases, input_schema, output_schema)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
      [
        tool.name,
        (former?.version ?? 0) + 1,
        hash,
        tool.title,
        tool.description,
        tool.effect,
        approvalText(tool),
        tool.scopes,
        tool.aliases.map((alias) => alias.name),
        JSON.stringify(input),
        JSON.stringify(output),
      ],
    );
  }
}

/**
 * The version of each tool in this code; ledger entries contain it.
 * @throws AppError CONFLICT when the database was not migrated to this code
 */
export async function toolVersions(query: Query, tools: readonly AnyTool[]): Promise<Map<string, number>> {
  const rows = await query<{ name: string; version: number; schema_hash: string }>(
    'select name, version, schema_hash from tool_definitions order by version',
  );
  const registered = new Map(rows.map((row) => [`${row.name} ${row.schema_hash}`, row.version]));
  const versions = new Map<string, number>();
  const missing: string[] = [];
  for (const { tool, hash } of definitionsOf(tools)) {
    const version = registered.get(`${tool.name} ${hash}`);
    if (version === undefined) missing.push(tool.name);
    else versions.set(tool.name, version);
  }
  if (missing.length === 0) return versions;
  throw new AppError('CONFLICT', `The database was not migrated to this version: ${missing.length} tools are not in its registry.`, {
    hint: 'Run `node deploy/migrate.ts` with DATABASE_OWNER_URL; `signalbox up` does it at each start.',
    details: { missing: missing.slice(0, 10) },
  });
}
