/** Search in a tenant with many passages, in one with ten times as many, and in the first beside the second. */
import { createEmbedders } from '../../adapters/models/embedder.ts';
import { thinCaller, type Caller } from '../clients.ts';
import { eventually, type Context } from '../context.ts';
import { ms, spreadText, type Line, type Section } from '../report.ts';
import { spread, takeTurns, timed, type Spread } from '../stats.ts';
import { growthGoal, isWithin } from './growth.ts';
import { makeCollection } from './knowledge-collection.ts';

const loadedWithin = 900_000;
const sizes = { whole: [100_000, 1_000_000], quick: [20_000, 200_000] } as const;

interface Made {
  thin: Caller;
  paths: Record<string, () => Promise<unknown>>;
}

export async function measureGrowthOfSearch(context: Context): Promise<Section> {
  const { stack, quick, say } = context;
  const [few, many] = quick ? sizes.quick : sizes.whole;
  const title = `Search in ${many} passages`;
  if (!stack.modelDir) return { title, lines: [], notes: ['Not measured: there is no embedding model.'] };
  const turns = quick ? { rounds: 5, block: 8, warmUp: 8 } : { rounds: 10, block: 10, warmUp: 15 };
  const embedder = createEmbedders(stack.modelDir, 1);
  const notes: string[] = [];
  const callers: Caller[] = [];
  const wordIndexBytes = async (): Promise<number> => {
    const answer = await fetch(`${stack.runtime.api}/metrics`, { headers: { 'x-api-key': stack.runtime.api_key } });
    const told = /^signalbox_word_index_bytes (\d+)/m.exec(await answer.text())?.[1];
    if (told === undefined) throw new Error(`/metrics does not tell the size of word indexes (${answer.status})`);
    return Number(told);
  };
  const seed = async (size: number): Promise<Made> => {
    const tenant = `passages-${size}`;
    const thin = thinCaller(stack.runtime.mcp, await stack.key({ tenant, role: 'admin', kind: 'agent', name: 'reader' }));
    callers.push(thin);
    let made: Awaited<ReturnType<typeof makeCollection>> | undefined;
    const written = await timed(
      async () => (made = await makeCollection(stack.runtime.database_owner_url, { tenant, chunks: size, embedder }, say)),
    );
    const paths = pathsOf(thin, made!.queries);
    const before = await wordIndexBytes();
    const loaded = await timed(async () => {
      await paths['index.chunk.search']();
      // Until then, words are searched in Postgres.
      await eventually('the word index is loaded', async () => (await wordIndexBytes()) > before, loadedWithin);
    });
    const mb = ((await wordIndexBytes()) - before) / 1e6;
    notes.push(
      `${size} passages: written and indexed in ${(written / 1_000).toFixed(0)} s; word index of ${mb.toFixed(0)} MB, in memory after ${(loaded / 1_000).toFixed(1)} s.`,
    );
    return { thin, paths };
  };
  try {
    const small = await seed(few);
    const alone = await takeTurns(small.paths, turns);
    const large = await seed(many);
    const times = await takeTurns(
      Object.fromEntries(
        Object.entries({ small, large }).flatMap(([name, { paths }]) =>
          Object.entries(paths).map(([path, ask]) => [`${name}/${path}`, ask]),
        ),
      ),
      turns,
    );
    const lines = Object.keys(small.paths).flatMap((path) => {
      const floor = spread(alone[path]!);
      return [
        lineOf(`${path}, ${many} passages`, spread(times[`large/${path}`]!), floor),
        lineOf(`${path}, ${few} passages beside them`, spread(times[`small/${path}`]!), floor),
      ];
    });
    notes.push(
      `Floor: the same with ${few} passages before the others were written. One caller; no query comes twice. Vectors of all tenants share an index.`,
    );
    return { title, lines, notes };
  } finally {
    await Promise.allSettled(callers.map((caller) => caller.close()));
    await embedder.close();
  }
}

function pathsOf(thin: Caller, queries: readonly string[]) {
  let asked = 0;
  const search = (mode: string) => async () => {
    const query = queries[asked++ % queries.length]!;
    const { hits } = await thin.ok<{ hits: unknown[] }>('index.chunk.search', { query, mode });
    if (hits.length < 10) throw new Error(`only ${hits.length} passages were found for "${query}"`);
  };
  return { 'index.chunk.search': search('hybrid'), 'index.chunk.search, by meaning': search('semantic') };
}

function lineOf(path: string, product: Spread, floor: Spread): Line {
  return {
    path,
    product: spreadText(product),
    floor: `p95 ${ms(floor.p95)} ms`,
    ratio: product.p95 / floor.p95,
    goal: `p95 ≤ ×${growthGoal}`,
    met: isWithin(product, floor),
    figures: { product, floor },
  };
}
