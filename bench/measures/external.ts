/** Tools of other MCP servers: called directly and through the product, and the effect of many tools on lists and searches. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Agent, request } from 'undici';
import { thinCaller, type Caller } from '../clients.ts';
import { eventually, type Context } from '../context.ts';
import { rate, spreadText, type Line, type Section } from '../report.ts';
import { median, spread, takeTurns, timed } from '../stats.ts';

const wide = 32;
const goalShare = 0.25;
const goalTimes = 2.5;
const servers = 20;
const toolsEach = 25;
const listGoal = 200;
const searchGoal = 20;

interface Upstream {
  base: string;
  stop(): void;
}

async function startUpstream(count: number, tools: number): Promise<Upstream> {
  const child = spawn(process.execPath, [fileURLToPath(new URL('../upstream.ts', import.meta.url)), String(count), String(tools)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { base: `http://127.0.0.1:${line.toString().trim()}`, stop: () => void child.kill('SIGKILL') };
}

/** A minimal client: sends the same request as the product. */
function directCaller(url: string): { echo(text: string): Promise<void>; close(): Promise<void> } {
  const agent = new Agent({ connections: 64 });
  const version = '2026-07-28';
  let id = 0;
  return {
    async echo(text) {
      id += 1;
      const answer = await request(url, {
        dispatcher: agent,
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': version,
          'mcp-method': 'tools/call',
          'mcp-name': 'echo',
        },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id,
          method: 'tools/call',
          params: {
            name: 'echo',
            arguments: { text },
            _meta: {
              'io.modelcontextprotocol/protocolVersion': version,
              'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
              'io.modelcontextprotocol/clientCapabilities': {},
            },
          },
        }),
      });
      const body = await answer.body.text();
      if (answer.statusCode !== 200 || !body.includes(text)) throw new Error(`HTTP ${answer.statusCode}: ${body.slice(0, 300)}`);
    },
    close: () => agent.close(),
  };
}

const echoed = async (caller: Caller, tool: string, text: string): Promise<void> => {
  const data = await caller.ok<{ content: { text: string }[] }>(tool, { text });
  if (data.content[0]?.text !== text) throw new Error('it says something else');
};

/** Requests per second of `wide` callers, and how many failed. */
async function load(count: number, call: (i: number) => Promise<void>): Promise<{ rate: number; errors: number }> {
  let next = 0;
  let errors = 0;
  const took = await timed(() =>
    Promise.all(
      Array.from({ length: wide }, async () => {
        for (let i = next++; i < count; i = next++) await call(i).catch(() => (errors += 1));
      }),
    ),
  );
  return { rate: count / (took / 1000), errors };
}

async function measureCalls(context: Context, caller: Caller, upstream: Upstream): Promise<Line[]> {
  const direct = directCaller(`${upstream.base}/0/mcp`);
  const through = (text: string): Promise<void> => echoed(caller, 'external.s0.echo', text);
  try {
    const turns = context.quick ? { rounds: 5, block: 40, warmUp: 100 } : { rounds: 15, block: 60, warmUp: 400 };
    const one = await takeTurns({ product: () => through('hello'), direct: () => direct.echo('hello') }, turns);
    const count = context.quick ? 1_000 : 4_000;
    const runs = { product: [] as number[], direct: [] as number[] };
    let errors = 0;
    for (let round = 0; round < (context.quick ? 2 : 5); round += 1) {
      const mine = await load(count, (i) => through(`n${i}`));
      const theirs = await load(count, (i) => direct.echo(`n${i}`));
      runs.product.push(mine.rate);
      runs.direct.push(theirs.rate);
      errors += mine.errors + theirs.errors;
    }
    const [product, bare] = [spread(one.product), spread(one.direct)];
    const [productRate, directRate] = [median(runs.product), median(runs.direct)];
    return [
      {
        path: 'echo over Streamable HTTP, one caller',
        product: spreadText(product),
        floor: spreadText(bare),
        ratio: product.p50 / bare.p50,
        goal: `p50 ≤ ${goalTimes} ×`,
        met: product.p50 <= goalTimes * bare.p50,
        figures: { product, floor: bare },
      },
      {
        path: `  ${wide} callers`,
        product: rate(productRate),
        floor: rate(directRate),
        ratio: productRate / directRate,
        goal: `≥ ${goalShare} ×`,
        met: productRate >= goalShare * directRate,
        figures: { product: runs.product, floor: runs.direct },
      },
      { path: '  errors', product: String(errors), floor: '', goal: '0', met: errors === 0, figures: { errors } },
    ];
  } finally {
    await direct.close();
  }
}

async function measureMany(context: Context, caller: Caller, main: Upstream, doomed: Upstream): Promise<Line[]> {
  for (let n = 1; n < servers; n += 1) {
    const url = n === 1 ? `${doomed.base}/0/mcp` : `${main.base}/${n}/mcp`;
    await caller.ok('external.server.add', { name: `s${n}`, url, approval: 'A0', approve_all: true, timeout_ms: 5_000 });
  }
  doomed.stop();
  await request(`${main.base}/2/mode?hang`, { method: 'POST' }).then(({ body }) => body.dump());
  await request(`${main.base}/3/mode?reset`, { method: 'POST' }).then(({ body }) => body.dump());
  // A client keeps calling the three servers.
  let over = false;
  const asking = [1, 2, 3].map(async (n) => {
    while (!over) {
      await caller.call(`external.s${n}.echo`, { text: 'x' }).catch(() => {});
      await new Promise((done) => setTimeout(done, 50));
    }
  });
  try {
    const turns = context.quick ? { rounds: 4, block: 5, warmUp: 5 } : { rounds: 10, block: 10, warmUp: 10 };
    const queries = ['translate an invoice', 'find a parcel by its number', 'share the playlist', 'archive old contracts', 'book a flight'];
    let asked = 0;
    // The first search computes the tools' vectors, which is not part of a search's cost.
    await caller.ok('system.tool.search', { query: queries[0] });
    if (context.stack.modelDir !== null) {
      const made = async (): Promise<boolean> =>
        readdirSync(join(context.stack.dir, 'cache')).some((name) => /^vectors-.*json$/.test(name));
      await eventually("the tools' vectors", () => made().catch(() => false), 300_000);
    }
    const times = await takeTurns(
      {
        list: () => caller.list(),
        search: () => caller.ok('system.tool.search', { query: queries[asked++ % queries.length] }),
        call: () => echoed(caller, 'external.s7.echo', 'hello'),
      },
      turns,
    );
    const found = await caller.ok<{ tools: { name: string }[] }>('system.tool.search', { query: 'translate an invoice' });
    if (!found.tools.some(({ name }) => /^external[.-]/.test(name))) throw new Error('the search does not find external tools');
    const listed = (await caller.list()).filter((tool) => /^external[.-]s\d/.test((tool as { name: string }).name)).length;
    const line = (path: string, name: keyof typeof times, goal: number | null): Line => {
      const took = spread(times[name]);
      return {
        path,
        product: spreadText(took),
        floor: '',
        goal: goal === null ? '' : `p95 ≤ ${goal} ms`,
        ...(goal === null ? {} : { met: took.p95 <= goal }),
        figures: { product: took },
      };
    };
    return [
      {
        path: `${servers} servers, 3 of them dead, hanging or resetting: tools listed`,
        product: String(listed),
        floor: '',
        goal: `${servers * toolsEach}`,
        met: listed === servers * toolsEach,
        figures: { listed },
      },
      line('  tools/list, profile all', 'list', listGoal),
      line('  system.tool.search', 'search', searchGoal),
      line('  a call of a healthy one', 'call', null),
    ];
  } finally {
    over = true;
    await Promise.all(asking);
  }
}

export async function measureExternal(context: Context): Promise<Section> {
  const { runtime } = context.stack;
  const key = await context.stack.key({ tenant: 'external', role: 'admin', kind: 'human', name: 'caller' });
  const caller = thinCaller(`${runtime.mcp}/p/all`, key);
  const [main, doomed] = await Promise.all([startUpstream(servers, toolsEach), startUpstream(1, toolsEach)]);
  try {
    await caller.ok('external.server.add', { name: 's0', url: `${main.base}/0/mcp`, approval: 'A0', approve_all: true, concurrency: 64 });
    await eventually('the first call', async () => !(await caller.call('external.s0.echo', { text: 'x' })).error);
    context.say('calls');
    const calls = await measureCalls(context, caller, main);
    context.say('many servers');
    return {
      title: 'Tools of other MCP servers',
      lines: [...calls, ...(await measureMany(context, caller, main, doomed))],
      notes: [
        'Upstream: the official SDK in a process of its own. Floor: the same request sent to it directly; ledger and policy on.',
        'Rates: medians of several runs, in turns.',
      ],
    };
  } finally {
    await caller.close();
    main.stop();
    doomed.stop();
  }
}
