/** An export of many rows: what it needs in memory does not grow with them. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import { writeExport } from '../../services/governance/exports/records.ts';
import { testStack, type TestStack } from '../setup/stack.ts';

const rows = 220_000;
const megabyte = 1024 * 1024;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const live = (): number => {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};

let stack: TestStack;
beforeAll(async () => {
  stack = await testStack({ model: false, workers: false });
  await stack.caller();
  await asTenant('acme', () =>
    stack.db.query(
      `insert into entity_history (tenant_id, entity_id, event, data, by_whom)
       select 'acme', 'ent_' || i, 'renamed', jsonb_build_object('from', repeat(md5(i::text), 16), 'to', i), 'test' from generate_series(1, $1::int) i`,
      [rows],
    ),
  );
}, 120_000);
afterAll(() => stack?.stop());

it.each(['json', 'csv'] as const)(
  'of 220,000 rows as %s',
  async (format) => {
    const id = `job_${format}`;
    const spec = { type: 'entities', format, range: { from: null, to: null }, key_id: 'key' };
    await asTenant('acme', () =>
      stack.services.jobs.open('acme', { id, kind: 'export', title: id, workflowId: `export/acme/${id}`, spec, createdBy: 'pm' }),
    );
    collect();
    const before = live();
    const rss = process.memoryUsage().rss;
    let [most, told] = [rss, 0];
    const held: number[] = [];
    const tell = (done: number, total: number): void => {
      expect(total).toBe(rows);
      // A look at what is really held, each tenth of the way; between them garbage waits for the collector.
      if (Math.floor((done * 10) / rows) > Math.floor((told * 10) / rows)) {
        collect();
        held.push((live() - before) / megabyte);
      }
      most = Math.max(most, process.memoryUsage().rss);
      told = done;
    };
    const started = performance.now();
    const written = await asTenant('acme', () =>
      writeExport(stack, { tenant: 'acme', id }, { signal: new AbortController().signal, tell }),
    );
    const seconds = (performance.now() - started) / 1_000;
    expect(told).toBe(rows);
    expect(written.row_counts['entity_history']).toBe(rows);
    if (format === 'json') expect(written.size_bytes).toBeGreaterThan(100 * megabyte);
    const [early, late] = [Math.max(...held.slice(0, 5)), Math.max(...held.slice(5))];
    console.info(
      `${format}: ${rows} rows, ${Math.round(written.size_bytes / megabyte)} MB in ${seconds.toFixed(1)} s; held +${held.map((mb) => mb.toFixed(0)).join(' ')} MB, process +${Math.round((most - rss) / megabyte)} MB`,
    );
    expect(Math.max(early, late)).toBeLessThan(64);
    expect(late - early).toBeLessThan(12);
  },
  120_000,
);
