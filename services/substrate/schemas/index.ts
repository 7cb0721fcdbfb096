import type { Database, Row } from '../../../adapters/postgres/database.ts';
import type { Caller } from '../../../contracts/caller.ts';
import { AppError } from '../../../contracts/errors.ts';
import { derivedId, hashOf } from '../../../contracts/ids.ts';
import type { RegisteredSchema, SchemaSummary } from '../../../contracts/substrate/schemas.ts';
import { down, keysetPage, matching, up, type Page, type Paging } from '../../kernel/paging.ts';
import type { Columns } from '../../../prisma/rows.ts';
import { noteEvent } from '../../kernel/outbox.ts';
import { Service } from '../../kernel/service.ts';
import { Checker, type Checked } from './checker.ts';
import { checkSchema } from './rules.ts';

type Query = Database['query'];

interface SummaryRow extends Row, Columns<'registered_schemas', 'id' | 'name' | 'version' | 'created_by' | 'created_at'> {}

interface SchemaRow extends SummaryRow {
  json_schema: Record<string, unknown>;
}

/** JSON Schemas by name and version. Versions are immutable. */
export class SchemasService extends Service {
  private readonly checker = new Checker();

  /**
   * Registers a version. The same content again is a no-op.
   * @throws AppError VALIDATION_ERROR (an invalid or forbidden schema), CONFLICT (the version exists with other
   * content)
   */
  async register(
    { tenant, principal }: Pick<Caller, 'tenant' | 'principal'>,
    wanted: { name: string; version: string; schema: Record<string, unknown> },
  ): Promise<{ schema_id: string; existed: boolean }> {
    const { name, version, schema } = wanted;
    checkSchema(schema);
    await this.checker.compile(schema);
    const id = derivedId('schema', tenant, name, version);
    return await this.db.transaction(async (query) => {
      const made = await query(
        `insert into registered_schemas (tenant_id, id, name, version, json_schema, created_by) values ($1, $2, $3, $4, $5, $6)
         on conflict do nothing returning 1`,
        [tenant, id, name, version, JSON.stringify(schema), principal],
      );
      if (made.length > 0) {
        await noteEvent(query, tenant, 'schema.registered', id, { name, version });
        return { schema_id: id, existed: false };
      }
      const row = await schemaRow(query, tenant, name, version);
      if (hashOf(row.json_schema) === hashOf(schema)) return { schema_id: row.id, existed: true };
      throw new AppError('CONFLICT', `Version ${version} of "${name}" is registered with other content.`, {
        hint: 'A version never changes: register the new content under another one.',
        details: { schema_id: row.id, name, version },
      });
    });
  }

  /** @param version default: the newest. @throws AppError NOT_FOUND */
  async get(tenant: string, name: string, version: string | undefined): Promise<RegisteredSchema> {
    const row = await schemaRow(this.db.query, tenant, name, version);
    return { ...view(row), json_schema: row.json_schema };
  }

  /** By name, newest version first. */
  async list(tenant: string, { prefix, ...paging }: { prefix?: string | undefined } & Paging): Promise<Page<SchemaSummary>> {
    const list = {
      select: 'id, name, version, created_by, created_at',
      from: 'registered_schemas',
      ...matching({ 'tenant_id = $': tenant, 'starts_with(name, $)': prefix }),
      order: [up('name collate "C"'), down('created_at', 'timestamptz'), down('id')],
    };
    return await keysetPage(this.db.query, list, paging, view);
  }

  /**
   * @param version default: the newest
   * @throws AppError NOT_FOUND, VALIDATION_ERROR (validation takes too much time or memory)
   */
  async validate(tenant: string, name: string, version: string | undefined, instance: unknown): Promise<Checked & { version: string }> {
    const row = await schemaRow(this.db.query, tenant, name, version);
    return { ...(await this.checker.check(`${tenant}/${row.id}`, row.json_schema, instance)), version: row.version };
  }

  /** Terminates the validating threads. */
  close(): Promise<void> {
    return this.checker.close();
  }
}

const view = (row: SummaryRow): SchemaSummary => ({
  schema_id: row.id,
  name: row.name,
  version: row.version,
  created_by: row.created_by,
  created_at: row.created_at.toISOString(),
});

async function schemaRow(query: Query, tenant: string, name: string, version: string | undefined): Promise<SchemaRow> {
  const [row] = await query<SchemaRow>(
    `select * from registered_schemas where tenant_id = $1 and name = $2 and ($3::text is null or version = $3)
     order by created_at desc, id desc limit 1`,
    [tenant, name, version ?? null],
  );
  if (row) return row;
  throw new AppError('NOT_FOUND', version === undefined ? `No schema is called "${name}".` : `"${name}" has no version ${version}.`, {
    hint: 'schema.definition.list shows names and versions.',
  });
}
