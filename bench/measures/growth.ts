/** Paths of the product in a tenant with many records, and in one with ten times as many. */
import pg from 'pg';
import { thinCaller, type Caller } from '../clients.ts';
import type { Context } from '../context.ts';
import { ms, spreadText, type Line, type Section } from '../report.ts';
import { spread, takeTurns, timed, type Spread } from '../stats.ts';

/** How much slower ten times the records may make each path, at p95. */
export const growthGoal = 1.5;

/** Below two milliseconds more, the ratio is only noise. */
export const isWithin = (many: Spread, few: Spread): boolean => many.p95 / few.p95 <= growthGoal || many.p95 - few.p95 < 2;

export interface Growing {
  title: (size: number) => string;
  /** What is counted, in the plural. */
  what: string;
  sizes: { whole: [few: number, many: number]; quick: [few: number, many: number] };
  /** Where the records are, for their size. */
  tables: string[];
  /** Writes the records of a tenant; `asked`: how often each path will be asked. */
  seed: (tenant: string, size: number, tools: { owner: Owner; thin: Caller; context: Context; asked: number }) => Promise<void>;
  /** A call for each path, made anew for each tenant. */
  paths: (thin: Caller) => Record<string, () => Promise<unknown>>;
  note: string;
}

/** Runs a statement as the owner of the database. `$1` is the tenant, if there are values. */
export type Owner = <T extends pg.QueryResultRow>(statement: string, values?: unknown[]) => Promise<T[]>;

export async function measureGrowthOf(context: Context, { title, what, sizes, tables, seed, paths, note }: Growing): Promise<Section> {
  const { runtime } = context.stack;
  const [few, many] = context.quick ? sizes.quick : sizes.whole;
  const [rounds, block, warmUp] = context.quick ? [5, 8, 8] : [10, 10, 15];
  const owner = ownerOf(runtime.database_owner_url);
  const notes: string[] = [];
  const tenants: { thin: Caller; name: string }[] = [];
  try {
    for (const size of [few, many]) {
      const name = `growth-${size}`;
      const thin = thinCaller(runtime.mcp, await context.stack.key({ tenant: name, role: 'admin', kind: 'agent', name: 'reader' }));
      tenants.push({ thin, name });
      context.say(`growth: writing ${size} ${what}`);
      const before = await sizeOf(owner, tables);
      const written = await timed(() => seed(name, size, { owner, thin, context, asked: rounds * block + warmUp }));
      const bytes = ((await sizeOf(owner, tables)) - before) / size;
      notes.push(`${size} ${what}: written in ${(written / 1_000).toFixed(1)} s, ${bytes.toFixed(0)} bytes each with their indexes.`);
    }
    await owner('vacuum analyze');
    const times = await takeTurns(
      Object.fromEntries(tenants.flatMap(({ thin, name }) => Object.entries(paths(thin)).map(([path, ask]) => [`${name}/${path}`, ask]))),
      { rounds, block, warmUp },
    );
    const [first, last] = tenants as [(typeof tenants)[number], (typeof tenants)[number]];
    const lines = Object.keys(paths(first.thin)).map((path): Line => {
      const floor = spread(times[`${first.name}/${path}`]!);
      const product = spread(times[`${last.name}/${path}`]!);
      const ratio = product.p95 / floor.p95;
      const met = isWithin(product, floor);
      const figures: Record<string, Spread> = { product, floor };
      return { path, product: spreadText(product), floor: `p95 ${ms(floor.p95)} ms`, ratio, goal: `p95 ≤ ×${growthGoal}`, met, figures };
    });
    notes.push(`Floor: the same with ${few} ${what}. ${note}`);
    return { title: title(many), lines, notes };
  } finally {
    await Promise.allSettled(tenants.map(({ thin }) => thin.close()));
  }
}

const ownerOf =
  (connectionString: string): Owner =>
  async (statement, values) => {
    const owner = new pg.Client({ connectionString });
    await owner.connect();
    try {
      if (values) await owner.query(`select set_config('app.tenant', $1, false)`, [values[0]]);
      return (await owner.query(statement, values)).rows;
    } finally {
      await owner.end();
    }
  };

/** Bytes of tables with their indexes. */
async function sizeOf(owner: Owner, tables: string[]): Promise<number> {
  const names = tables.map((table) => `'${table}'::regclass`).join(', ');
  const rows = await owner<{ bytes: number }>(`select sum(pg_total_relation_size(t))::float8 as bytes from unnest(array[${names}]) t`);
  return rows[0]!.bytes;
}
