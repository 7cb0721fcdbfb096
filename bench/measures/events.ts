/** Two hundred followers of events, with the api killed once; compared with one reader of plain LISTEN/NOTIFY. */
import pg from 'pg';
import { openSource, type Source } from '../../test/setup/event-source.ts';
import { eventually, type Context } from '../context.ts';
import { memoryOf } from '../processes.ts';
import { rate, spreadText, type Line, type Section } from '../report.ts';
import { median, spread, type Spread } from '../stats.ts';

const tenant = 'events';
const perKey = 20;
/** Pause between two events, in ms. */
const pace = 10;

const insert = `insert into outbox (tenant_id, type, subject, data) values ($1, 'agent.status_changed', $2, $3)`;
/** Finds the number in an event's text without parsing it: two hundred parsers would distort the measurement. */
const numberIn = (text: string): number => Number(/"n":(\d+)/.exec(text)?.[1]);

export async function measureEvents(context: Context): Promise<Section> {
  const { stack, quick } = context;
  const [subscribers, events] = quick ? [60, 300] : [200, 1_000];
  const writer = await connect(stack.runtime.database_url, tenant);
  const keys = await Promise.all(
    Array.from({ length: Math.ceil(subscribers / perKey) }, (_, i) => stack.key({ tenant, name: `reader-${i}` })),
  );
  const pids = () => ({ api: stack.runtime.pids['api'] ?? 0 });
  const before = memoryOf(pids())['api']!.pss;
  context.say(`events: ${subscribers} subscribers`);
  const heardAt: number[][] = Array.from({ length: subscribers }, () => []);
  const sources = Array.from({ length: subscribers }, (_, i) =>
    openSource(`${stack.runtime.api}/api/agents/v1/events`, {
      key: keys[i % keys.length]!,
      retryMs: 200,
      onEvent: ({ data }) => void (heardAt[i]![numberIn(data)] ??= performance.now()),
    }),
  );
  try {
    await Promise.all(sources.map(({ ready }) => ready));
    context.say(`events: ${events} events`);
    const steady = await send(writer, 0, events);
    await allHave(sources, events);
    const told = spread(latencies(heardAt, steady, 0));
    const during = memoryOf(pids())['api']!.pss;

    context.say(`events: ${events} more, the api killed in between`);
    let killedAt = 0;
    let readyAt = 0;
    const kill = async (): Promise<void> => {
      await eventually('some are heard', async () => sources.every(({ heard }) => heard.length > events + events / 4));
      const pid = pids().api;
      killedAt = performance.now();
      process.kill(pid, 'SIGKILL');
      await eventually('the api is back', async () => pids().api !== pid, 120_000);
      readyAt = performance.now();
    };
    const [sent] = await Promise.all([send(writer, events, events), kill()]);
    await allHave(sources, 2 * events);
    const back = Math.max(...heardAt.map((times) => Math.min(...times.filter((at) => at > killedAt + 500)))) - killedAt;
    const wrong = sources.filter(({ heard }) => heard.some(({ data }, i) => numberIn(data) !== i)).length;
    const doubled = sources.reduce((sum, { heard }) => sum + heard.length - new Set(heard.map(({ id }) => id)).size, 0);

    const floor = await plainNotify(stack.runtime.database_url, Math.min(events, 500));
    const trigger = await triggerCost(context);
    const lines: Line[] = [
      {
        path: `an event, from its insert to each of ${subscribers} streams, ${1_000 / pace} a second`,
        product: spreadText(told),
        floor: `${spreadText(floor)} (LISTEN, then select, one reader)`,
        ratio: told.p50 / floor.p50,
        goal: '',
        figures: { told, floor },
      },
      {
        path: `${events} events, the api killed with -9: subscribers that lack one or have two out of order / doubled`,
        product: `${wrong} / ${doubled}`,
        floor: '',
        goal: '0 / 0',
        met: wrong + doubled === 0,
        figures: { subscribers, events: 2 * events, wrong, doubled, writtenOver: sent.at(-1)! - sent[0]! },
      },
      {
        path: 'from the kill until the last subscriber hears again / until the api is ready',
        product: `${(back / 1_000).toFixed(1)} s / ${((readyAt - killedAt) / 1_000).toFixed(1)} s`,
        floor: '',
        goal: '',
        figures: { backMs: back, readyMs: readyAt - killedAt },
      },
      {
        path: `memory of the api with ${subscribers} streams (PSS)`,
        product: `${(during / 2 ** 20).toFixed(0)} MB`,
        floor: `${(before / 2 ** 20).toFixed(0)} MB without`,
        goal: '',
        figures: { before, during, perStream: (during - before) / subscribers },
      },
      trigger,
    ];
    return {
      title: 'Events',
      lines,
      notes: ['Subscribers share one process with the writer; it is part of what the streams are measured with.'],
    };
  } finally {
    for (const source of sources) source.close();
    await writer.end();
  }
}

async function connect(url: string, as: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`select set_config('app.tenant', $1, false)`, [as]);
  return client;
}

/** Writes events at a constant rate. @returns the time at which each was sent to Postgres, by its number */
async function send(writer: pg.Client, from: number, count: number): Promise<number[]> {
  const sent: number[] = [];
  const begun = performance.now();
  for (let i = 0; i < count; i += 1) {
    const left = begun + i * pace - performance.now();
    if (left > 0) await new Promise((resolve) => setTimeout(resolve, left));
    sent[from + i] = performance.now();
    await writer.query(insert, [tenant, `agt_${i % 7}`, JSON.stringify({ n: from + i })]);
  }
  return sent;
}

const allHave = (sources: Source[], count: number): Promise<unknown> =>
  eventually(`all have ${count}`, async () => sources.every(({ heard }) => heard.length >= count), 120_000);

const latencies = (heardAt: number[][], sent: number[], from: number): number[] =>
  heardAt.flatMap((times) => times.slice(from).flatMap((at, n) => (sent[from + n] === undefined ? [] : [at - sent[from + n]!])));

/** The time that Postgres alone needs to notify one reader. */
async function plainNotify(url: string, count: number): Promise<Spread> {
  const [writer, reader] = [await connect(url, 'floor'), await connect(url, 'floor')];
  try {
    await writer.query('create temporary table sent (n int)');
    const times: number[] = [];
    let sentAt = 0;
    let seen = (): void => {};
    await reader.query('listen bench_floor');
    reader.on('notification', () => {
      void reader.query(`select count(*) from outbox where tenant_id = 'floor' and seq > 0`).then(() => {
        times.push(performance.now() - sentAt);
        seen();
      });
    });
    for (let i = 0; i < count; i += 1) {
      const heard = new Promise<void>((resolve) => (seen = resolve));
      sentAt = performance.now();
      await writer.query('begin');
      await writer.query('insert into sent values ($1)', [i]);
      await writer.query(`select pg_notify('bench_floor', 'x')`);
      await writer.query('commit');
      await heard;
    }
    return spread(times);
  } finally {
    await Promise.all([writer.end(), reader.end()]);
  }
}

const told = ['followed', 'unfollowed', 'silent'] as const;

/** Concurrent commits of events: with followers, without followers, and without the trigger that notifies. */
async function triggerCost({ stack, say, quick }: Context): Promise<Line> {
  const [writers, count, rounds] = quick ? [16, 400, 1] : [16, 1_600, 3];
  const owner = await connect(stack.runtime.database_owner_url, 'cost');
  const clients = await Promise.all(Array.from({ length: writers }, () => connect(stack.runtime.database_url, 'cost')));
  say(`events: ${writers} writers, with and without notices`);
  const rates: Record<(typeof told)[number], number[]> = { followed: [], unfollowed: [], silent: [] };
  const one = async (client: pg.Client): Promise<void> => {
    for (let i = 0; i < count / writers; i += 1) await client.query(insert, ['cost', `agt_${i}`, '{}']);
  };
  try {
    for (let round = 0; round < rounds; round += 1) {
      for (const state of told) {
        await owner.query(`alter table outbox ${state === 'silent' ? 'disable' : 'enable'} trigger tell_events`);
        await clients[0]!.query(
          `insert into event_followers (tenant_id, until) values ('cost', now() + $1::interval)
           on conflict (tenant_id) do update set until = excluded.until`,
          [state === 'followed' ? '1 hour' : '-1 hour'],
        );
        const begun = performance.now();
        await Promise.all(clients.map(one));
        rates[state].push((count * 1_000) / (performance.now() - begun));
      }
    }
  } finally {
    await owner.query('alter table outbox enable trigger tell_events');
    await Promise.all([owner, ...clients].map((client) => client.end()));
  }
  const [followed, unfollowed, silent] = told.map((state) => median(rates[state])) as [number, number, number];
  return {
    path: `events committed by ${writers} writers at once, nobody following / somebody following`,
    product: `${rate(unfollowed)} / ${rate(followed)}`,
    floor: `${rate(silent)} without the trigger`,
    ratio: unfollowed / silent,
    goal: '',
    figures: { rates },
  };
}
