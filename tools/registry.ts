import type { Database } from '../adapters/postgres/database.ts';
import { hashOf } from '../contracts/ids.ts';
import type { Catalogue } from './catalogue.ts';
import { approvalText } from './define.ts';

/**
 * Writes the registry of tools into the database: a new version of a definition when its contract changed.
 * @returns the current version of each tool, which ledger entries name.
 */
export async function registerTools(db: Database, catalogue: Catalogue): Promise<Map<string, number>> {
  const versions = new Map<string, number>();
  const known = await db.query<{ name: string; version: number; schema_hash: string }>(
    'select distinct on (name) name, version, schema_hash from tool_definitions order by name, version desc',
  );
  for (const tool of catalogue.tools) {
    const input = catalogue.jsonSchema(tool.input);
    const output = catalogue.jsonSchema(tool.output);
    const aliases = tool.aliases.map((alias) => alias.name);
    const contract = {
      input,
      output,
      description: tool.description,
      effect: tool.effect,
      approval: tool.approval,
      scopes: tool.scopes,
      aliases: tool.aliases.map((alias) => [alias.name, catalogue.jsonSchema(alias.input)]),
    };
    const hash = hashOf(contract);
    const last = known.find((row) => row.name === tool.name);
    if (last?.schema_hash === hash) {
      versions.set(tool.name, last.version);
      continue;
    }
    const version = (last?.version ?? 0) + 1;
    // Two api processes starting at once write the same row.
    await db.query(
      `insert into tool_definitions (name, version, schema_hash, title, description, effect, approval, scopes, aliases, input_schema, output_schema)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) on conflict do nothing`,
      [
        tool.name,
        version,
        hash,
        tool.title,
        tool.description,
        tool.effect,
        approvalText(tool),
        tool.scopes,
        aliases,
        JSON.stringify(input),
        JSON.stringify(output),
      ],
    );
    versions.set(tool.name, version);
  }
  return versions;
}
