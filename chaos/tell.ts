/** Events to a webhook, messages, and briefs of feeds on this machine, during kills. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CarefulCaller } from './caller.ts';
import type { Evidence, Invariant } from './checks.ts';
import { followed, pause, type Load } from './load.ts';
import type { Random } from './random.ts';

/** Event types that the other actors cause. */
const types = ['ingestion.completed', 'signal.corrected', 'opportunity.status_changed', 'report.generated', 'brief.generated'];
const feeds = ['north', 'south'];

/** The messages that arrived, in order. This server is not killed, and sometimes answers 503. */
export interface Outbox {
  url: string;
  /** Ids of events. */
  events: string[];
  /** Ids of messages by their titles. */
  messages: Map<string, Set<string>>;
  close(): void;
}

export async function receiver(random: Random): Promise<Outbox> {
  let issue = 0;
  const told: Outbox = { url: '', events: [], messages: new Map(), close: () => server.close() };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (request.method === 'GET') {
        issue += 1;
        return response.writeHead(200, { 'content-type': 'application/rss+xml' }).end(paper(`${told.url}${request.url}`, issue));
      }
      // Before it stores anything, because a refused message has not arrived.
      if (random.chance(0.1)) return response.writeHead(503).end();
      const body = JSON.parse(Buffer.concat(chunks).toString()) as { id: string; data: { title: string } };
      if (request.url === '/events') told.events.push(body.id);
      else told.messages.set(body.data.title, (told.messages.get(body.data.title) ?? new Set()).add(body.id));
      // The message is stored, but the answer is lost.
      if (random.chance(0.1)) return request.socket.destroy();
      return response.writeHead(204).end();
    });
  });
  await new Promise<void>((heard) => server.listen(0, '127.0.0.1', heard));
  server.unref();
  told.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return told;
}

/** The last articles of a feed that has a new one each time. */
const paper = (address: string, issue: number): string =>
  `<rss version="2.0"><channel><title>${address}</title>${[0, 1, 2]
    .map((i) => Math.max(1, issue - i))
    .map(
      (n) =>
        `<item><title>Ferry ${n} is late</title><link>${address}/${n}</link><description>Ferry ${n} was late by ${n} minutes.</description></item>`,
    )
    .join('')}</channel></rss>`;

/** Subscribes to events and adds the feeds. A person does this, because agents would need approval. */
export async function subscribed(person: CarefulCaller, { url }: Outbox): Promise<void> {
  const ok = async (tool: string, args: object): Promise<void> => {
    const { data, reason } = await person.write(tool, args);
    if (!data) throw new Error(`${tool} was refused: ${reason}`);
  };
  await ok('event.subscription.save', { target: 'webhook', url: `${url}/events`, types, description: 'chaos' });
  for (const feed of feeds) await ok('feed.source.save', { feed_id: feed, url: `${url}/${feed}` });
}

/** Sends messages one by one, each with its key until it is answered. */
export async function teller({ caller, journal, winding }: Load, { url }: Outbox, random: Random): Promise<void> {
  for (let n = 0; !winding.down; n += 1) {
    const title = `Message ${n}`;
    const { data, reason } = await caller.write<{ notification_id: string }>('notification.message.send', {
      channel: 'webhook',
      recipient: `${url}/messages`,
      message: { title, body: `Number ${n}.` },
    });
    if (!data) throw new Error(`notification.message.send was refused: ${reason}`);
    journal.messages.set(data.notification_id, title);
    await pause(random.between(100, 800));
  }
}

/** Creates today's brief again and again. */
export async function newsreader({ caller, journal, winding }: Load, random: Random): Promise<void> {
  while (!winding.down) {
    const { data, reason } = await caller.write<{ job_id: string }>('authoring.brief.run', {});
    if (!data) throw new Error(`authoring.brief.run was refused: ${reason}`);
    const job = await followed(caller, data);
    if (job.status !== 'completed')
      journal.violations.push(`A brief (${data.job_id}) ended as ${job.status}: ${JSON.stringify(job.error)}`);
    journal.briefs.add(data.job_id);
    await pause(random.between(300, 1_500));
  }
}

/** Each event was delivered, and the first deliveries are in order. */
export async function eventsTold({ db, tenant, told }: Pick<Evidence, 'db' | 'tenant' | 'told'>): Promise<Invariant> {
  const { rows } = await db.query<{ seq: string; type: string }>(
    `select o.seq::text, o.type from outbox o join event_subscriptions s on s.tenant_id = $1 and s.description = 'chaos'
     where o.tenant_id = $1 and o.type = any($2) and o.created_at > s.created_at`,
    [tenant, types],
  );
  const placeOf = (id: string): number => Number.parseInt(id.slice(4, 15), 36);
  const first = [...new Set(told.events)].map(placeOf);
  const arrived = new Set(first);
  const breaches = rows.filter(({ seq }) => !arrived.has(Number(seq))).map(({ seq, type }) => `lost: event ${seq} (${type}) was not told`);
  first.forEach((place, i) => i > 0 && place < first[i - 1]! && breaches.push(`event ${place} was told after ${first[i - 1]}`));
  return {
    name: `events are told in their order, none lost (${told.events.length - first.length} repeated)`,
    checked: rows.length,
    breaches,
  };
}

/** Each acknowledged message arrived with a single id, by which a receiver detects repeats. */
export async function messagesTold({ journal, db, tenant, told }: Evidence): Promise<Invariant> {
  const { rows } = await db.query<{ id: string; status: string }>('select id, status from notifications where tenant_id = $1', [tenant]);
  const status = new Map(rows.map((row) => [row.id, row.status]));
  const breaches: string[] = [];
  for (const [id, title] of journal.messages) {
    const ids = told.messages.get(title);
    if (status.get(id) !== 'delivered') breaches.push(`${id} ("${title}") was acknowledged and is ${status.get(id)}`);
    if (ids?.size !== 1) breaches.push(`${!ids ? 'lost' : 'doubled'}: "${title}" arrived under ${ids?.size ?? 0} ids`);
  }
  if (rows.length !== journal.messages.size) breaches.push(`${rows.length} messages are kept, and ${journal.messages.size} were sent`);
  return { name: 'every message arrives, and once for who knows its id', checked: journal.messages.size, breaches };
}

/** Even with repeated briefs of a day, each article and each version exists once, and no run stays open. */
export async function briefsMade({ journal, db, tenant }: Evidence): Promise<Invariant> {
  const { rows } = await db.query<{ doubled: string; versions: number; gaps: number; open: number; articles: number }>(
    `select (select count(*) from (select 1 from articles where tenant_id = $1 group by canonical_url having count(*) > 1) d)::text as doubled,
       (select count(*)::int from briefs where tenant_id = $1) as versions,
       (select coalesce(max(version), 0) - count(*)::int from briefs where tenant_id = $1) as gaps,
       (select count(*)::int from ingestion_logs where tenant_id = $1 and status = 'running') as open,
       (select count(*)::int from articles where tenant_id = $1) as articles`,
    [tenant],
  );
  const row = rows[0]!;
  const breaches: string[] = [];
  if (row.doubled !== '0') breaches.push(`doubled: ${row.doubled} addresses have more than one article`);
  if (row.gaps !== 0) breaches.push(`versions of the brief are not counted through: ${row.gaps} away`);
  if (row.open > 0) breaches.push(`${row.open} runs are still logged as running`);
  if (journal.briefs.size > 0 && row.versions === 0) breaches.push('briefs were made, and none is there');
  return {
    name: `briefs and their articles are there once (${row.versions} versions, ${row.articles} articles)`,
    checked: journal.briefs.size,
    breaches,
  };
}
