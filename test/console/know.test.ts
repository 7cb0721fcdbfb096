/** Search with its reasons, documents and citations, entities with their neighbourhood, and questions by keyboard. */
import type { FastifyInstance } from 'fastify';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { Caller } from '../../contracts/caller.ts';
import type { Neighbourhood, ReviewCase } from '../../contracts/graph/graph.ts';
import type { Trajectory } from '../../contracts/knowledge/trajectory.ts';
import { launchBrowser, openPage, serveConsole, signIn } from '../setup/browser.ts';
import { seedEntity, seedSignal } from '../setup/graph.ts';
import { testStack, type TestStack } from '../setup/stack.ts';
import { hostile } from './hostile.ts';
import { seedDocument, seedFact, seedHub, seedKnowledge, seedQuestion } from './seed-know.ts';

const viewport = { width: 1440, height: 900 };
const median = (times: number[]): number => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]!;
const patience = process.env['CI'] ? 1.5 : 1;

/** Waits for a condition, also on a busy machine. */
// oxlint-disable-next-line vitest/require-awaited-expect-poll -- its callers await it
const poll = <T>(probe: () => T | Promise<T>) => expect.poll(probe, { timeout: 20_000 });
/** Of each element, in order. @param js a function of the browser */
const each = <T>(page: Page, selector: string, js: string): Promise<T[]> =>
  page.evaluate<T[]>(`[...document.querySelectorAll(${JSON.stringify(selector)})].map(${js})`);

describe.skipIf(inject('chromium') === null)('knowledge', () => {
  let stack: TestStack;
  let app: FastifyInstance;
  let url: string;
  let browser: Browser;
  beforeAll(async () => {
    stack = await testStack({ model: false });
    ({ url, app } = await serveConsole(stack));
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await app?.close();
    await stack?.stop();
  });
  const who = (tenant: string): Promise<Caller & { apiKey: string }> => stack.caller({ tenant, role: 'pm', kind: 'human', name: 'ann' });
  const settled = async (page: Page): Promise<void> => {
    await page.getByRole('heading', { level: 1 }).waitFor();
    await poll(() => page.locator('[aria-busy=true]').count()).toBe(0);
  };

  it('shows the scores and ranks of the trajectory, and removes a filter with one change of the address', async () => {
    const ann = await who('search');
    for (let i = 0; i < 8; i += 1) {
      await seedSignal(stack, ann.tenant, {
        title: `Call ${i}`,
        text: `${'Invoices are exported. '.repeat(1 + (i % 3))}Number ${i} is about ${i % 2 ? 'weirs' : 'sluices'}.`,
      });
    }
    const { page, context, faults } = await openPage(browser, { viewport });
    await signIn(page, url, ann.apiKey, '/console/search');
    await page.getByRole('searchbox').waitFor();
    const answered = page.waitForResponse((response) => response.url().endsWith('index.answer.explain'));
    await page.keyboard.press('/');
    // At once: a rest between two words would be a search for the first.
    await page.keyboard.insertText('exported invoices');
    const { trajectory } = ((await (await answered).json()) as { data: { trajectory: Trajectory } }).data;
    const list = page.getByRole('list', { name: 'Passages found' });
    await poll(() => list.locator('[data-retriever=words]').count()).toBe(trajectory.sources.length);
    await poll(() => new URL(page.url()).search).toBe('?q=exported+invoices');
    expect(trajectory.sources.length).toBeGreaterThan(4);
    const told = ({ score, scores }: Trajectory['sources'][number]) => ({
      words: `${scores!['bm25']}, rank ${scores!['bm25_rank']}`,
      all: String(score),
    });
    const shown = async () => {
      const [words, all] = await Promise.all([
        list.locator('[data-retriever=words]').allInnerTexts(),
        list.locator('[data-retriever=all]').allInnerTexts(),
      ]);
      return words.map((text, i) => ({ words: text, all: all[i] }));
    };
    await poll(shown).toEqual(trajectory.sources.map(told));
    // The words of the query are marked, in whatever form.
    expect(new Set(await list.locator('mark').allInnerTexts())).toEqual(new Set(['Invoices', 'exported']));

    await page.getByRole('button', { name: 'Why this order' }).click();
    const table = page.getByRole('region', { name: 'Sources with the scores of each retriever' });
    expect((await table.locator('tbody tr').first().locator('td').allInnerTexts()).slice(2, 5)).toEqual([
      String(trajectory.sources[0]!.score),
      String(trajectory.sources[0]!.scores!['bm25']),
      String(trajectory.sources[0]!.scores!['bm25_rank']),
    ]);
    expect(await page.getByText(trajectory.steps[0]!.thought).count()).toBe(1);

    await page.getByLabel('By', { exact: true }).selectOption('semantic');
    await page.getByRole('list', { name: 'Chosen filters' }).getByRole('button').waitFor();
    await page.evaluate(
      `window.moves = 0; for (const name of ['pushState', 'replaceState']) { const old = history[name]; history[name] = function (state, title, to) { if (to && new URL(to, location.href).href !== location.href) window.moves += 1; return old.apply(this, arguments); }; }`,
    );
    await page.getByRole('list', { name: 'Chosen filters' }).getByRole('button').click();
    await poll(() => new URL(page.url()).searchParams.has('mode')).toBe(false);
    await poll(shown).toEqual(trajectory.sources.map(told));
    expect(await page.evaluate('window.moves')).toBe(1);

    // By keyboard: down, open beside the list, down again takes it along.
    await page.getByRole('heading', { name: 'Search', exact: true }).click();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Passage' }).waitFor();
    await poll(() => new URL(page.url()).searchParams.get('open')).toBe(trajectory.sources[0]!.id);
    await page.keyboard.press('j');
    await poll(() => new URL(page.url()).searchParams.get('open')).toBe(trajectory.sources[1]!.id);
    expect(faults.filter((fault) => !fault.includes('401'))).toEqual([]);
    await context.close();
  });

  it('opens a citation at its passage in a long document, and marks what is quoted', async () => {
    const ann = await who('reading');
    const bodies = Array.from({ length: 120 }, (_, i) => ({
      heading: `Chapter ${Math.floor(i / 10)}`,
      body: `Passage ${i}: the   weir\n is repaired, as number ${i} says, and then the keeper goes home.`,
    }));
    const id = await seedDocument(stack, ann.tenant, 'The weir', bodies);
    const excerpt = '… the weir is repaired, as number 87 says …';
    await asTenant(ann.tenant, async () => {
      await stack.db.query(
        `insert into drafts (tenant_id, id, kind, type, audience, title, spec, status, job_id, created_by) values ($1, 'draft_w', 'artifact', 'brd', 'internal', 'Weirs', '{}', 'ready', 'job_w', 'x')`,
        [ann.tenant],
      );
      await stack.db.query(
        `insert into draft_sources (tenant_id, draft_id, number, ref, kind, excerpt, occurred_at, weight) values ($1, 'draft_w', 3, $2, 'passage', $3, now(), 1)`,
        [ann.tenant, `${id}#87`, excerpt],
      );
    });
    const { page, context } = await openPage(browser, { viewport });
    await signIn(page, url, ann.apiKey, `/console/documents/${id}#87`);
    const marked = page.locator('mark[data-mark=quote]');
    await marked.first().waitFor();
    const words = async () => (await marked.allTextContents()).join('').replaceAll(/\s+/g, ' ');
    expect(await words()).toBe(excerpt.replaceAll('…', '').trim());
    const target = page.getByRole('article', { name: 'Passage 87' });
    expect(await target.getAttribute('aria-current')).toBe('true');
    const inView = `(() => { const { top, bottom } = document.getElementById('87').getBoundingClientRect(); return top >= 0 && bottom <= innerHeight; })()`;
    await poll(() => page.evaluate(inView)).toBe(true);
    await target.getByText('Weirs').waitFor();
    // What the address quotes wins.
    await page.goto(`${url}/console/documents/${id}?quote=${encodeURIComponent('keeper goes home')}#3`);
    await poll(words).toBe('keeper goes home');
    // `p` goes to the next citation, and the outline to its chapter; back returns.
    await page.goto(`${url}/console/documents/${id}#80`);
    await page.getByRole('article', { name: 'Passage 80' }).waitFor();
    await page.keyboard.press('p');
    await poll(() => new URL(page.url()).hash).toBe('#87');
    await page.getByRole('navigation', { name: 'Outline' }).getByRole('link', { name: 'Chapter 2' }).click();
    await page.getByRole('article', { name: 'Passage 20' }).waitFor();
    expect(new URL(page.url()).hash).toBe('#20');
    await page.goBack();
    await poll(() => new URL(page.url()).hash).toBe('#87');
    await page.getByRole('article', { name: 'Passage 87' }).waitFor();

    // Deleted: it says so, instead of nothing.
    await asTenant(ann.tenant, () => stack.db.query(`update documents set status = 'retired' where tenant_id = $1`, [ann.tenant]));
    await page.goto(`${url}/console/documents/${id}#87`);
    await page.getByText('"The weir" was deleted.').waitFor();
    await context.close();
  });

  it('answers 30 questions by keyboard, each with the next at once; what is undone is as it was', async () => {
    const ann = await who('reviews');
    const n = 32;
    for (let i = 0; i < n; i += 1) {
      const [a, b] = [`Customer ${String.fromCharCode(65 + i)}${i} Holding`, `Customer ${String.fromCharCode(65 + i)}${i} Holdings`];
      const [left, right] = [
        await seedEntity(stack, ann.tenant, { type: 'customer', name: a }),
        await seedEntity(stack, ann.tenant, { type: 'customer', name: b }),
      ];
      await seedSignal(stack, ann.tenant, { text: `${a} calls.`, mentions: { [left]: a } });
      await seedSignal(stack, ann.tenant, { text: `${b} writes.`, mentions: { [right]: b } });
      await seedQuestion(stack, ann.tenant, { id: left, name: a }, { id: right, name: b });
    }
    const state = () =>
      asTenant(ann.tenant, async () => ({
        entities: await stack.db.query(
          'select id, status, merged_into, signal_count, mention_count from entities where tenant_id = $1 order by id',
          [ann.tenant],
        ),
        names: await stack.db.query('select key, entity_id from entity_aliases where tenant_id = $1 order by key', [ann.tenant]),
        mentions: await stack.db.query('select id, entity_id from entity_mentions where tenant_id = $1 order by id', [ann.tenant]),
      }));
    const before = await state();
    const { page, context, faults } = await openPage(browser, { viewport });
    await signIn(page, url, ann.apiKey, '/console/reviews');
    const side = page.getByRole('heading', { level: 3 }).first();
    await side.waitFor();
    // The matcher's opinion is hidden until there is an answer.
    expect(await page.getByRole('list', { name: 'Match weights' }).count()).toBe(0);
    expect(await page.getByText(/becomes a part of/).innerText()).toMatch(/1 mention moves/);

    const pressed: { names: string; answer: 'confirmed' | 'rejected' }[] = [];
    const times: number[] = [];
    for (let i = 0; i < 30; i += 1) {
      const names = await side.innerText();
      const yes = i % 3 !== 0;
      const began = performance.now();
      await page.keyboard.press(yes ? 'y' : 'n');
      await expect.poll(() => side.innerText(), { interval: 10, timeout: 15_000 }).not.toBe(names);
      times.push(performance.now() - began);
      pressed.push({ names: names.replace(/^A\s*/, ''), answer: yes ? 'confirmed' : 'rejected' });
    }
    console.log(`next question after ${Math.round(median(times))} ms (median of 30), worst ${Math.round(Math.max(...times))} ms`);
    expect(median(times)).toBeLessThan(300 * patience);
    await expect.poll(() => page.locator('[data-decision]').getByText('being carried out').count(), { timeout: 60_000 }).toBe(0);
    await page.getByText('30 of 32 answered').waitFor();
    await page.getByText(/the matcher agrees with \d+ of 30/).waitFor();

    const decided = async () => {
      const found: Record<string, string> = {};
      for (const status of ['confirmed', 'rejected'] as const) {
        for (const { feedback_id } of (
          await stack.ok<{ items: { feedback_id: string }[] }>(ann, 'entity.review.list', { status, limit: 100 })
        ).items) {
          const { evidence: _, ...rest } = (await stack.ok<{ review: ReviewCase }>(ann, 'entity.review.get', { feedback_id })).review;
          found[rest.a.name] = rest.status;
        }
      }
      return found;
    };
    expect(await decided()).toEqual(Object.fromEntries(pressed.map(({ names, answer }) => [names, answer])));

    // All are taken back, one after the other, and the graph is as it was.
    for (let i = 30; i > 0; i -= 1) {
      await page.keyboard.press('u');
      await expect.poll(() => page.locator('[data-decision]').getByText('undone').count(), { timeout: 20_000 }).toBe(31 - i);
    }
    expect(await state()).toEqual(before);
    expect(await decided()).toEqual({});
    await page.getByText('0 of 32 answered').waitFor();
    expect(faults.filter((fault) => !fault.includes('401'))).toEqual([]);
    await context.close();
  });

  it('shows the weights as a waterfall with the same numbers as the table and the server', async () => {
    const ann = await who('weights');
    const [a, b] = [
      { id: await seedEntity(stack, ann.tenant, { type: 'customer', name: 'Tailspin Toys' }), name: 'Tailspin Toys' },
      { id: await seedEntity(stack, ann.tenant, { type: 'customer', name: 'Tailspn Toys' }), name: 'Tailspn Toys' },
    ];
    const feedback_id = await seedQuestion(stack, ann.tenant, a, b);
    const { review } = await stack.ok<{ review: ReviewCase }>(ann, 'entity.review.get', { feedback_id });
    const { page, context } = await openPage(browser, { viewport });
    await signIn(page, url, ann.apiKey, '/console/reviews');
    await page.getByRole('button', { name: 'Show it for this review' }).click();
    const signed = (weight: number): string => `${weight > 0 ? '+' : weight < 0 ? '−' : ''}${Math.abs(weight).toFixed(1)}`;
    const expected = Object.fromEntries(
      [
        ['before comparing', review.match!.prior.weight],
        ...review.match!.features.map(({ name, weight }) => [name, weight] as const),
        ['total', review.match!.weight],
      ].map(([name, weight]) => [name, signed(weight as number)]),
    );
    const figure = page.getByRole('figure', { name: 'Match weights' });
    const bars = figure.locator('[data-weight]');
    await bars.first().waitFor();
    const drawn = await each<[string, string]>(page, '[data-weight]', '(one) => [one.dataset.weight, one.textContent]');
    expect(Object.fromEntries(drawn)).toEqual(expected);
    await figure.getByRole('button', { name: 'As table' }).click();
    const rows = await each<[string, string]>(
      page,
      'figure[aria-label="Match weights"] tbody tr',
      '(row) => [row.cells[0].textContent, row.cells[2].textContent]',
    );
    expect(Object.fromEntries(rows)).toEqual(expected);
    await context.close();
  });

  it('draws a hub of 5,000 within bounds and time; expanding, collapsing and undoing give the same picture', async () => {
    const ann = await who('hub');
    const hub = await seedHub(stack, ann.tenant, 'Fabrikam', 5_000);
    const neighbour = `ent_${hub.slice(-6)}00003`;
    await seedFact(stack, ann.tenant, {
      id: 'fact_h',
      subject: hub,
      predicate: 'owns',
      object: neighbour,
      statement: 'x',
      from: '2024-02-01',
      to: '2025-06-01',
    });
    const { page, context, faults } = await openPage(browser, { viewport });
    await signIn(page, url, ann.apiKey, '/console/entities');
    const nodes = page.locator('[data-node]');
    const times: number[] = [];
    for (let i = 0; i < 5; i += 1) {
      await page.goto(`${url}/console/entities/${hub}`);
      await settled(page);
      const began = performance.now();
      await page.getByRole('button', { name: 'Neighbourhood' }).click();
      await nodes.first().waitFor();
      times.push(performance.now() - began);
    }
    // What the server takes for the most that it gives.
    const asked = performance.now();
    expect((await stack.ok<Neighbourhood>(ann, 'graph.neighbourhood.get', { entity_id: hub, depth: 2, limit: 300 })).entities).toHaveLength(
      300,
    );
    console.log(`300 entities around a hub of 5,000 read in ${Math.round(performance.now() - asked)} ms`);
    console.log(`first drawing of a hub of 5,000 after ${Math.round(median(times))} ms (median of 5)`);
    expect(median(times)).toBeLessThan(1_500 * patience);
    const picture = () => each<string>(page, '[data-node]', '(one) => one.dataset.node + one.getAttribute("transform")');
    await settled(page);
    const first = await picture();
    expect(first.length).toBeLessThanOrEqual(300);
    const table = async () => {
      const figure = page.getByRole('figure', { name: 'Neighbourhood' });
      await figure.getByRole('button', { name: 'As table' }).click();
      const rows = await each<string[]>(
        page,
        'figure[aria-label="Neighbourhood"] tbody tr',
        '(row) => [...row.cells].map((cell) => cell.textContent)',
      );
      await figure.getByRole('button', { name: 'As table' }).click();
      await nodes.first().waitFor();
      return rows;
    };

    // The table has the connections that the server tells, as they hold today.
    const around = await stack.ok<Neighbourhood>(ann, 'graph.neighbourhood.get', { entity_id: hub, depth: 1, limit: 60 });
    const names = new Map(around.entities.map(({ entity_id, name }) => [entity_id, name]));
    const today = around.edges.filter(({ held }) => held === null);
    expect((await table()).map((row) => row.slice(0, 4))).toEqual(
      today.map(({ source, target, kind, passages }) => [
        names.get(source),
        kind.replaceAll('_', ' '),
        names.get(target),
        String(passages),
      ]),
    );
    // On a day in the past the fact is among them; the day is in the address.
    await page.getByLabel('Facts valid on, as date').fill('2024-06-01');
    await poll(() => new URL(page.url()).searchParams.get('at')).toBe('2024-06-01');
    expect((await table()).filter((row) => row[1] === 'owns')).toEqual([
      ['Fabrikam', 'owns', 'Fabrikam neighbour 3', '1', '2024-02-01 – 2025-06-01'],
    ]);
    await page.getByRole('button', { name: 'Now' }).click();

    // Arrow keys choose, and the chosen one is announced.
    const graph = page.getByRole('listbox', { name: /Entities of the neighbourhood/ });
    await graph.focus();
    await page.keyboard.press('ArrowRight');
    const option = graph.getByRole('option', { selected: true });
    await poll(() => option.getAttribute('aria-label')).toMatch(/^Fabrikam neighbour \d+, \w+, \d+ mentions?$/);
    expect(await graph.getAttribute('aria-activedescendant')).toBe(await option.getAttribute('id'));
    const chosen = new URL(page.url()).searchParams.get('of');
    expect(await page.getByRole('list', { name: 'Entities of the picture' }).locator('[aria-pressed=true]').innerText()).toContain(
      names.get(chosen!),
    );

    // Up to the bound, and all the way back.
    await page
      .getByRole('list', { name: 'Entities of the picture' })
      .getByRole('button', { name: /^Fabrikam customer/ })
      .click();
    await page.getByRole('heading', { level: 1 }).click();
    await page.keyboard.press('e');
    await poll(() => nodes.count()).toBe(first.length + 25);
    await page.keyboard.press('x');
    await poll(picture).toEqual(first);
    await page.keyboard.press('u');
    await poll(() => nodes.count()).toBe(first.length + 25);
    await page.keyboard.press('u');
    await poll(picture).toEqual(first);
    for (let count = first.length; count < 300;) {
      count = Math.min(300, count + 25);
      await page.keyboard.press('e');
      await poll(() => nodes.count()).toBe(count);
    }
    await page.keyboard.press('e');
    await page.getByText('The picture shows at most 300 entities').waitFor();
    expect(await nodes.count()).toBe(300);
    await page.keyboard.press('x');
    await poll(picture).toEqual(first);
    expect(faults.filter((fault) => !fault.includes('401'))).toEqual([]);
    await context.close();
  });

  it('keeps what is shown in the address: reload, back, forward and another browser show the same', async () => {
    const ann = await who('address');
    await seedKnowledge(stack, hostile, ann.tenant);
    const { page, context } = await openPage(browser, { viewport });
    const other = await openPage(browser, { viewport });
    await signIn(page, url, ann.apiKey, '/console/entities');
    await signIn(other.page, url, ann.apiKey);
    const seen = async (one: Page): Promise<string> => {
      await settled(one);
      return (await one.locator('main').innerText()).replaceAll(/\d+ (s|min) ago|just now|in \d+ ms/g, '');
    };
    /** `ready`: what is read last, without a sign that it is being read. */
    const ways: [path: string, ready: (page: Page) => Locator, act: (page: Page) => Promise<unknown>, expected: RegExp][] = [
      ['/console/entities', (p) => p.getByText(/\d open reviews?/), (p) => p.getByLabel('Type').selectOption('customer'), /type=customer/],
      ['/console/sources', (p) => call(p), (p) => call(p).click(), /id=source_/],
      [
        '/console/search?q=invoices',
        (p) => p.getByRole('button', { name: 'Why this order' }),
        (p) => p.getByLabel('Code').selectOption('yes'),
        /code=yes/,
      ],
      ['/console/reviews', (p) => different(p), (p) => different(p).click(), /status=rejected/],
    ];
    const call = (p: Page): Locator => p.getByRole('button', { name: 'Call 1' });
    const different = (p: Page): Locator => p.getByRole('button', { name: 'Different', exact: true }).first();
    for (const [path, ready, act, expected] of ways) {
      await page.goto(url + path);
      await ready(page).first().waitFor();
      const before = await seen(page);
      await act(page);
      await poll(() => page.url()).toMatch(expected);
      await poll(() => seen(page)).not.toBe(before);
      await other.page.goto(page.url());
      // Former results stay until the new ones are there, without a sign: they are when another browser shows the same.
      await poll(async () => (await seen(page)) === (await seen(other.page))).toBe(true);
      const after = await seen(page);
      await page.reload();
      await poll(() => seen(page)).toBe(after);
      await poll(() => seen(other.page)).toBe(after);
      await page.goBack();
      await poll(() => seen(page)).toBe(before);
      await page.goForward();
      await poll(() => seen(page)).toBe(after);
    }
    await context.close();
    await other.context.close();
  });

  it('shows hostile texts of sources, entities, passages and history as chips, and obeys none', async () => {
    const ann = await who('hostile');
    const addresses = await seedKnowledge(stack, hostile, ann.tenant);
    const { page, context, faults } = await openPage(browser, { viewport });
    await signIn(page, url, ann.apiKey);
    let chips = 0;
    for (const address of addresses) {
      await page.goto(url + address);
      await settled(page);
      expect(await page.locator('img[src="x"]').count()).toBe(0);
      expect(await page.locator('main').innerText()).not.toMatch(/[\u202e\u200b]|\u{e0041}/u);
      chips += await page.getByText('U+202E').count();
    }
    expect(chips).toBeGreaterThan(8);
    expect(faults.filter((fault) => !fault.includes('401'))).toEqual([]);
    await context.close();
  });

  it('takes a dropped file in, and offers no writing to a key that only reads', async () => {
    const ann = await who('files');
    const { page, context } = await openPage(browser, { viewport });
    await signIn(page, url, ann.apiKey, '/console/sources');
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'weirs.md', mimeType: 'text/markdown', buffer: Buffer.from('# Weirs\n\nA weir slows the river down.') });
    await page.getByText(/weirs\.md (ingested|is being read)/).waitFor({ timeout: 30_000 });
    await page.getByRole('button', { name: 'weirs.md' }).waitFor({ timeout: 30_000 });
    const reader = await stack.caller({ tenant: ann.tenant, role: 'readonly', kind: 'human', name: 'rob' });
    const { page: other, context: second } = await openPage(browser, { viewport });
    await signIn(other, url, reader.apiKey, '/console/sources?add=yes');
    await other.getByRole('button', { name: 'weirs.md' }).click();
    await other.getByRole('link', { name: 'Open the document' }).waitFor();
    for (const name of ['Choose files', 'Delete', 'Ingest']) expect(await other.getByRole('button', { name }).count()).toBe(0);
    await other.goto(`${url}/console/reviews`);
    await settled(other);
    expect(await other.getByRole('button', { name: /^Same/ }).count()).toBeLessThanOrEqual(1);
    await context.close();
    await second.close();
  });
});
