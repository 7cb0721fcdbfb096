/** Health probes: one after the other, and many at once. */
import { openDatabase } from '../../adapters/postgres/database.ts';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import { thinCaller } from '../clients.ts';
import type { Context } from '../context.ts';
import { ms, spreadText, type Section } from '../report.ts';
import { each, spread, takeTurns, timed } from '../stats.ts';

const p95Goal = 200;
const probes = 32;

export async function measureHealth(context: Context): Promise<Section> {
  const { runtime } = context.stack;
  const tenant = 'health';
  const thin = thinCaller(runtime.mcp, await context.stack.key({ tenant, role: 'admin', name: 'prober' }));
  const db = await openDatabase(runtime.database_url, { max: 1 });
  try {
    const times = await takeTurns(
      { product: () => thin.ok('system.health.get', {}), bare: () => asTenant(tenant, () => db.query('select 1')) },
      context.quick ? { rounds: 4, block: 10, warmUp: 10 } : { rounds: 10, block: 25, warmUp: 50 },
    );
    const crowd: number[] = [];
    await each(context.quick ? 160 : 640, probes, async () => void crowd.push(await timed(() => thin.ok('system.health.get', {}))));
    const [product, bare, together] = [spread(times.product), spread(times.bare), spread(crowd)];
    return {
      title: 'Health of the system',
      lines: [
        {
          path: 'system.health.get',
          product: spreadText(product),
          floor: `p50 ${ms(bare.p50)} ms`,
          ratio: product.p50 / bare.p50,
          goal: `p95 ≤ ${p95Goal} ms`,
          met: product.p95 <= p95Goal,
          figures: { product, floor: bare },
        },
        {
          path: `  asked by ${probes} at once`,
          product: spreadText(together),
          floor: '',
          goal: '',
          figures: { product: together },
        },
      ],
      notes: ['Floor: an empty statement in one process, tenant set. One look at what all tenants share serves everybody for a second.'],
    };
  } finally {
    await thin.close();
    await db.close();
  }
}
