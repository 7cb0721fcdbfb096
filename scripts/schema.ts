/** Reads the tables from prisma/schema: row types, and a comparison with a migrated database. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { getSchema, type Attribute, type BlockAttribute, type Field, type Model } from '@mrleebo/prisma-ast';

export interface Column {
  name: string;
  /** Postgres' name: `text[]`, `timestamp with time zone`. */
  type: string;
  nullable: boolean;
  /** The database sets a value if an insert does not. */
  hasDefault: boolean;
}
export interface Table {
  name: string;
  columns: Column[];
  /** Columns of the primary key. */
  key: string[];
  /** Columns of further unique indexes. */
  unique: string[][];
}

const folder = resolve(import.meta.dirname, '../prisma/schema');

const scalars: Record<string, string> = {
  String: 'text',
  Int: 'integer',
  BigInt: 'bigint',
  Float: 'double precision',
  Decimal: 'numeric',
  Boolean: 'boolean',
  DateTime: 'timestamp without time zone',
  Json: 'jsonb',
  Bytes: 'bytea',
};
const native: Record<string, string> = {
  Timestamptz: 'timestamp with time zone',
  Date: 'date',
  Real: 'real',
  SmallInt: 'smallint',
  Uuid: 'uuid',
  Decimal: 'numeric',
};
/** As node-postgres returns it; unlisted types are text. */
const inTypeScript: Record<string, string> = {
  integer: 'number',
  smallint: 'number',
  real: 'number',
  'double precision': 'number',
  boolean: 'boolean',
  'timestamp with time zone': 'Date',
  date: 'Date',
  jsonb: 'unknown',
  bytea: 'Buffer',
  interval: 'unknown',
};

/** The tables that prisma/schema describes, by name. */
export function describedTables(): Table[] {
  const models = readdirSync(folder)
    .flatMap((file) => getSchema(readFileSync(join(folder, file), 'utf8')).list)
    .filter((block): block is Model => block.type === 'model');
  const names = new Set(models.map(({ name }) => name));
  return models.map((model) => tableOf(model, names)).toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function tableOf(model: Model, models: ReadonlySet<string>): Table {
  const fields = model.properties.filter((property): property is Field => property.type === 'field');
  const own = fields.filter(({ fieldType }) => typeof fieldType !== 'string' || !models.has(fieldType));
  const columnOf = new Map(own.map((field) => [field.name, textArgument(attribute(field, 'map')) ?? field.name]));
  const blocks = model.properties.filter((property): property is BlockAttribute => property.type === 'attribute');
  const lists = (name: string): string[][] =>
    blocks.filter((block) => block.name === name).map((block) => fieldsOf(block).map((field) => columnOf.get(field)!));
  const marked = (name: string): string[][] => own.filter((field) => attribute(field, name)).map((field) => [columnOf.get(field.name)!]);
  return {
    name: textArgument(blocks.find(({ name }) => name === 'map')) ?? model.name,
    columns: own.map((field) => ({
      name: columnOf.get(field.name)!,
      type: typeOf(field),
      nullable: field.optional === true,
      hasDefault: attribute(field, 'default') !== undefined,
    })),
    key: [...lists('id'), ...marked('id')][0] ?? [],
    unique: [...lists('unique'), ...marked('unique')],
  };
}

const attribute = (field: Field, name: string): Attribute | undefined =>
  field.attributes?.find((one) => one.name === name && one.group === undefined);

function typeOf(field: Field): string {
  const [given] = field.attributes?.filter(({ group }) => group === 'db') ?? [];
  const { fieldType } = field;
  const type =
    typeof fieldType === 'object' ? String(fieldType.params?.[0]).replaceAll('"', '') : given ? native[given.name] : scalars[fieldType];
  if (type === undefined) throw new Error(`${field.name}: a type that scripts/schema.ts does not know`);
  return field.array ? `${type}[]` : type;
}

const textArgument = (given: Pick<Attribute, 'args'> | undefined): string | undefined => {
  const value = given?.args?.[0]?.value;
  return typeof value === 'string' ? value.replaceAll('"', '') : undefined;
};

/** The names in `@@id([a, b])`. */
function fieldsOf({ args }: BlockAttribute): string[] {
  for (const { value } of args) {
    const named = value as { type?: string; value?: unknown } | null;
    const list = (named?.type === 'keyValue' ? named.value : named) as { type?: string; args?: (string | { name: string })[] } | null;
    if (list?.type === 'array') return list.args!.map((one) => (typeof one === 'string' ? one : one.name));
  }
  return [];
}

/** The source of prisma/rows.ts: one line per table. */
export function rowTypes(): string {
  const lines = describedTables().map(({ name, columns }) => {
    const fields = columns.map((column) => `${column.name}: ${scriptType(column)}`);
    return `  ${name}: { ${fields.join('; ')} };`;
  });
  return `/** Written by \`npm run gen\` from prisma/schema. Do not edit. */

/** The rows of each table, as they are read. */
export interface Tables {
${lines.join('\n')}
}

/** Some columns of a table: a name that it does not have does not compile. */
export type Columns<T extends keyof Tables, C extends keyof Tables[T]> = Pick<Tables[T], C>;
`;
}

function scriptType({ type, nullable }: Column): string {
  const array = type.endsWith('[]');
  const one = inTypeScript[array ? type.slice(0, -2) : type] ?? 'string';
  return `${one}${array ? '[]' : ''}${nullable && one !== 'unknown' ? ' | null' : ''}`;
}

type Query = (text: string) => Promise<{ rows: Record<string, unknown>[] }>;

/** The tables of a database, without those of the migrations. */
export async function actualTables(query: Query): Promise<Table[]> {
  const { rows } = await query(
    `select c.relname as name,
       (select json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod), 'nullable', not a.attnotnull,
          'hasDefault', a.atthasdef or a.attidentity <> '') order by a.attnum)
        from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
       coalesce((select json_agg(json_build_object('primary', i.indisprimary, 'columns',
          (select json_agg(a.attname order by k.n) from unnest(i.indkey) with ordinality k(attnum, n)
           join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum where k.n <= i.indnkeyatts)))
        from pg_index i where i.indrelid = c.oid and i.indisunique and i.indpred is null and i.indexprs is null), '[]') as indexes
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition and c.relname <> '_prisma_migrations' order by 1`,
  );
  return (rows as { name: string; columns: Column[]; indexes: { primary: boolean; columns: string[] }[] }[]).map(
    ({ name, columns, indexes }) => ({
      name,
      columns,
      key: indexes.find(({ primary }) => primary)?.columns ?? [],
      unique: indexes.filter(({ primary }) => !primary).map((index) => index.columns),
    }),
  );
}

/** @returns the differences between the description and the database, one sentence each */
export function differences(described: readonly Table[], actual: readonly Table[]): string[] {
  const there = new Map(actual.map((table) => [table.name, table]));
  const known = new Set(described.map(({ name }) => name));
  return [
    ...actual.filter(({ name }) => !known.has(name)).map(({ name }) => `${name}: the database has it, the schema does not`),
    ...described.flatMap((table) => {
      const other = there.get(table.name);
      return other ? differencesOf(table, other) : [`${table.name}: the schema has it, the database does not`];
    }),
  ];
}

function differencesOf(table: Table, actual: Table): string[] {
  const there = new Map(actual.columns.map((column) => [column.name, column]));
  const known = new Set(table.columns.map(({ name }) => name));
  const told: string[] = [];
  for (const { name } of actual.columns) if (!known.has(name)) told.push(`${table.name}.${name}: the database has it, the schema does not`);
  for (const column of table.columns) {
    const other = there.get(column.name);
    const at = `${table.name}.${column.name}`;
    if (!other) told.push(`${at}: the schema has it, the database does not`);
    else {
      if (!sameType(column.type, other.type)) told.push(`${at}: ${column.type} in the schema, ${other.type} in the database`);
      if (column.nullable !== other.nullable) told.push(`${at}: nullable only in the ${column.nullable ? 'schema' : 'database'}`);
      if (column.hasDefault !== other.hasDefault) told.push(`${at}: a default only in the ${column.hasDefault ? 'schema' : 'database'}`);
    }
  }
  if (table.key.join() !== actual.key.join()) {
    told.push(`${table.name}: its key is (${table.key.join(', ')}) in the schema, (${actual.key.join(', ')}) in the database`);
  }
  const keys = (of: Table): string[] => of.unique.map((columns) => columns.join(', ')).toSorted();
  for (const one of keys(table)) if (!keys(actual).includes(one)) told.push(`${table.name}: (${one}) is unique only in the schema`);
  for (const one of keys(actual)) if (!keys(table).includes(one)) told.push(`${table.name}: (${one}) is unique only in the database`);
  return told;
}

/** `numeric` matches any precision. */
const sameType = (a: string, b: string): boolean => a === b || (a === 'numeric' && b.startsWith('numeric'));
