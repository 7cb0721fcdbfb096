/** Feeds on this machine become a brief, which is sent to a webhook on this machine. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Agent } from './agent.ts';
import { listenNearby } from './nearby.ts';
import { expect, type Tell } from './narrate.ts';

interface Item {
  title: string;
  path: string;
  summary: string;
}

/** Two papers: both have the same story, and one has another one. */
const papers: Record<string, Item[]> = {
  harbour: [
    {
      title: 'Ferry operator Norrland retires paper timetables after outage',
      path: 'timetables',
      summary:
        'Ferry operator Norrland retires its paper timetables after a four hour outage of its booking system stranded 1,200 passengers on Friday. The company expects to lose 3 million kronor in refunds. Port staff will carry tablets from March, which means that small harbours need mobile coverage first.',
    },
    {
      title: 'A cake contest fills the town hall',
      path: 'cakes',
      summary: 'Forty bakers brought cakes to the town hall on Sunday. The winner layered rhubarb with almond.',
    },
  ],
  coast: [
    {
      title: 'Norrland ferries give up paper timetables after booking outage',
      path: 'paper-timetables-gone',
      summary:
        'Norrland, the ferry operator, gives up paper timetables after its booking system failed for four hours and stranded 1,200 passengers. Refunds will cost the company 3 million kronor.',
    },
    {
      title: 'Booking systems of six ports now share one status page',
      path: 'status-page',
      summary:
        'Six ports put the state of their booking systems on one status page that passengers can subscribe to. Operators say that calls to their desks fell by 40 percent in the trial.',
    },
  ],
};

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** Each run has its own addresses, because a brief does not repeat stories of the last days. */
const rss = (address: string, name: string, items: Item[], run: string): string =>
  `<?xml version="1.0"?><rss version="2.0"><channel><title>${name}</title><link>${address}/${name}</link>${items
    .map(
      ({ title, path, summary }) =>
        `<item><title>${escaped(title)}</title><link>${address}/${name}/${path}-${run}</link><pubDate>${new Date(Date.now() - 3_600_000).toUTCString()}</pubDate><category>Ferries</category><description>${escaped(summary)}</description></item>`,
    )
    .join('')}</channel></rss>`;

interface Hook {
  headers: IncomingMessage['headers'];
  body: string;
}

/** Whether a webhook was signed with this secret (Standard Webhooks). */
function isSigned({ headers, body }: Hook, secret: string): boolean {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const mac = createHmac('sha256', key).update(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`).digest('base64');
  const given = String(headers['webhook-signature']).replace('v1,', '');
  return given.length === mac.length && timingSafeEqual(Buffer.from(given), Buffer.from(mac));
}

interface Brief {
  version: number;
  highlights: { title: string; significance: string; evidence: { url: string }[] }[];
  sources: { feed_id: string; ok: boolean }[];
}

export async function news(me: Agent, run: string, tell: Tell): Promise<void> {
  const hooks: Hook[] = [];
  const events: Hook[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const name = request.url?.split('/')[1] ?? '';
      let body = '';
      for await (const chunk of request) body += String(chunk);
      if (request.method === 'POST') (name === 'events' ? events : hooks).push({ headers: request.headers, body });
      const paper = papers[name];
      if (request.method === 'POST') response.writeHead(204).end();
      else if (paper) response.writeHead(200, { 'content-type': 'application/rss+xml' }).end(rss(address, name, paper, run));
      else response.writeHead(500).end();
    })();
  });
  const address = await listenNearby(server);
  const feed = (name: string): string => `tour-${run}-${name}`;
  const names = [...Object.keys(papers), 'dead'];
  const before = await me.ok<Record<string, unknown>>('authoring.brief.configure');
  const undo: (() => Promise<unknown>)[] = [
    // Recipients are shown without their secret parts, so former ones could not be restored; the tour expects none.
    () => me.ok('authoring.brief.configure', { topics: before['topics'], sources: before['sources'], recipients: [] }),
  ];
  try {
    for (const name of names) {
      const saved = await me.call('feed.source.save', { feed_id: feed(name), url: `${address}/${name}` });
      if (saved.error?.details?.['reason'] === 'private_address') {
        return tell('Feeds on this machine are not read: addresses inside a network are refused unless PRIVATE_TARGETS lists them.');
      }
      expect(!saved.error, `the feed is saved (${saved.error?.message})`);
      undo.push(() => me.ok('feed.source.remove', { feed_id: feed(name) }));
    }
    expect((before['recipients'] as unknown[]).length === 0, 'nobody else gets this brief: authoring.brief.configure has recipients');
    await me.ok('authoring.brief.configure', {
      topics: [{ name: 'ferries', keywords: ['ferry', 'port', 'booking system', 'passengers'] }],
      sources: names.map(feed),
      recipients: [{ channel: 'webhook', recipient: `${address}/hook` }],
    });
    const { secret } = await me.ok<{ secret: string }>('notification.webhook.set_secret', { url: `${address}/hook` });
    undo.push(() => me.ok('notification.webhook.remove_secret', { url: `${address}/hook` }));
    const { subscription } = await me.ok<{ subscription: { subscription_id: string; secret?: string } }>('event.subscription.save', {
      target: 'webhook',
      url: `${address}/events`,
      types: ['brief.generated'],
      description: `tour ${run}`,
    });
    undo.push(() => me.ok('event.subscription.remove', { subscription_id: subscription.subscription_id }));

    // Notifies explicitly: the schedule notifies readers once per day, and this may be today's second tour.
    const brief = await made(me, { notify: true });
    const told = brief.highlights.filter(({ title }) => title.includes('timetables'));
    const [lead] = told;
    expect(
      lead !== undefined && told.length === 1 && lead.evidence.filter(({ url }) => url.endsWith(run)).length === 2,
      `the story of both papers is told once, with both as evidence (${JSON.stringify(brief.highlights)})`,
    );
    expect(!brief.highlights.some(({ title }) => title.includes('cake')), 'cakes are no news for those who follow ferries');
    const lost = brief.sources.filter(({ ok }) => !ok).map(({ feed_id }) => feed_id);
    expect(lost.length === 1 && lost[0] === feed('dead'), `the dead feed is reported (${lost.join(', ')})`);
    tell(`Three feeds, one of them dead: ${brief.highlights.length} stories, the one in both papers told once.`);
    tell(`${lead.title}: “${lead.significance}”`);

    await until(() => hooks.length > 0 && events.length > 0, 'the webhooks are told');
    expect(isSigned(hooks[0]!, secret), 'the notification is signed');
    expect(JSON.parse(events[0]!.body).type === 'brief.generated', 'the subscription hears of the brief');
    const again = await made(me, {});
    expect(again.version === brief.version, `made again, it is the same version (${brief.version}, ${again.version})`);
    expect(hooks.length === 1, `nobody is told twice (${hooks.length})`);
    tell(
      `A webhook got the message, signed, and another one the event ${events[0]!.headers['webhook-id']}. Run again: same brief, no second message.`,
    );
  } finally {
    for (const step of undo.toReversed()) await step().catch((error: unknown) => tell(`Not undone: ${String(error)}`));
    server.close();
    server.closeAllConnections();
  }
}

async function made(me: Agent, wanted: { notify?: boolean }): Promise<Brief> {
  const started = await me.ok<{ job_id: string }>('authoring.brief.run', wanted);
  const { job } = await me.ok<{ job: { status: string } }>('system.job.get', { job_id: started.job_id, wait_seconds: 60 });
  expect(job.status === 'completed', `the brief is made (${job.status})`);
  return await me.ok<Brief>('authoring.brief.get');
}

async function until(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (const end = Date.now() + 60_000; !(await holds()); await sleep(100)) expect(Date.now() < end, what);
}
