/** Signals, insight, opportunities, drafts and briefs, as a product manager uses them. */
import type { FastifyInstance } from 'fastify';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { Caller } from '../../contracts/caller.ts';
import type { Draft, RecountedFigure, TracedDraft } from '../../contracts/authoring/authoring.ts';
import type { ReportSchedule } from '../../contracts/authoring/report-schedules.ts';
import type { OpportunityDetails } from '../../contracts/signals/opportunities.ts';
import type { SignalFacets } from '../../services/signals/facets.ts';
import type { Matrix } from '../../services/signals/insight/matrix.ts';
import type { Trends } from '../../services/signals/insight/trends.ts';
import { launchBrowser, openPage, serveConsole, signIn } from '../setup/browser.ts';
import { testStack, type TestStack } from '../setup/stack.ts';
import { hostile } from './hostile.ts';
import { fillInsight, writeByHand, type SeededInsight } from './seed-insight.ts';

type Known = Caller & { apiKey: string };

/** As the screens show text from outside: with direction marks and invisible characters as chips. */
const shown = (text: string): string =>
  text.replaceAll(
    /[\u200b\u202a-\u202e\u{e0000}-\u{e007f}]/gu,
    (mark) => `U+${mark.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`,
  );

describe.skipIf(inject('chromium') === null)('evidence', () => {
  let stack: TestStack;
  let app: FastifyInstance;
  let url: string;
  let browser: Browser;
  let ann: Known;
  let seeded: SeededInsight;
  beforeAll(async () => {
    stack = await testStack({ workers: false, model: false });
    ({ url, app } = await serveConsole(stack));
    browser = await launchBrowser();
    ann = await stack.caller({ name: 'ann', kind: 'human' });
    seeded = await fillInsight(stack, 'acme', hostile);
  }, 240_000);
  afterAll(async () => {
    await browser?.close();
    await app?.close();
    await stack?.stop();
  });

  /** A page signed in at an address; what it said on its console must stay empty. */
  async function at(path: string, who: Known = ann, context: Parameters<typeof openPage>[1] = {}) {
    const opened = await openPage(browser, { viewport: { width: 1440, height: 900 }, ...context });
    await signIn(opened.page, url, who.apiKey, path);
    await opened.page.getByRole('heading', { level: 1 }).waitFor();
    await settled(opened.page);
    // Without a session the first question is refused.
    opened.faults.length = 0;
    return opened;
  }
  const settled = async (page: Page): Promise<void> =>
    await expect.poll(() => page.locator('[aria-busy=true]').count(), { timeout: 15_000 }).toBe(0);
  const focus = (page: Page): Promise<string> =>
    page.evaluate(`document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? ''`);
  const table = (page: Page, name: string): Promise<string[][]> =>
    page
      .getByRole('region', { name: `${name}, as table` })
      .locator('tbody tr')
      .evaluateAll((rows) => rows.map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent ?? '')));

  describe('a draft', () => {
    it('leads from a figure to the passage in two steps; the link says what the tools say', async () => {
      const { blocks, sources } = await stack.ok<TracedDraft>(ann, 'authoring.statement.list', { draft_id: seeded.report });
      const statement = blocks.flatMap(({ statements }) => statements).find((each) => each.figures.length > 0 && each.sources.length > 1)!;
      const own = statement.sources.map((number) => sources.find((source) => source.number === number)!);
      const { page, context, faults } = await at(`/console/drafts/${seeded.report}`);
      const said = page.locator(`[data-statement="${statement.ordinal}"]`);
      // First: the figure's statement.
      await said.locator('strong').first().click();
      await expect.poll(() => page.locator('section[aria-label=Sources] [data-passage]').count()).toBe(own.length);
      expect(
        await page
          .locator('section[aria-label=Sources] [data-passage]')
          .evaluateAll((links) => links.map((link) => link.getAttribute('data-passage'))),
      ).toEqual(own.map(({ citation }) => citation));
      expect(await page.locator('section[aria-label=Sources] blockquote').allInnerTexts()).toEqual(
        own.map(({ excerpt }) => shown(excerpt)),
      );
      for (const { how, n } of statement.figures) await page.getByText(`${n}: ${how}`).first().waitFor();
      // Second: its passage.
      await page.locator('section[aria-label=Sources] [data-passage]').nth(1).click();
      const [document, ordinal] = own[1]!.citation!.split('#');
      await page.waitForURL((to) => to.pathname === `/console/documents/${document}` && to.hash === `#${ordinal}`);
      const marked = async (): Promise<string> => (await page.locator('[aria-current=true] [data-mark=quote]').allInnerTexts()).join('');
      await expect.poll(marked, { timeout: 10_000 }).toBe(shown(own[1]!.excerpt));
      const { passage } = await stack.ok<{ passage: { text: string; start: number; end: number } }>(ann, 'signal.record.get', {
        signal_id: own[1]!.ref,
      });
      expect(passage.text.slice(passage.start, passage.end)).toBe(own[1]!.excerpt);
      // By the keyboard: back, down, Enter.
      await page.goBack();
      await said.waitFor();
      await said.focus();
      await page.keyboard.press('Enter');
      const [first, place] = own[0]!.citation!.split('#');
      await page.waitForURL((to) => to.pathname === `/console/documents/${first}` && to.hash === `#${place}`);
      await expect.poll(marked, { timeout: 10_000 }).toBe(shown(own[0]!.excerpt));
      expect(faults).toEqual([]);
      await context.close();
    });

    it('is walked by arrow keys, and keeps the statement in its address', async () => {
      const { page, context } = await at(`/console/drafts/${seeded.report}`);
      await page.locator('[data-statement="0"]').focus();
      for (let i = 0; i < 3; i += 1) await page.keyboard.press('ArrowDown');
      expect(await page.evaluate(`document.activeElement.dataset.statement`)).toBe('3');
      await expect.poll(() => new URL(page.url()).searchParams.get('at')).toBe('3');
      await page.reload();
      await expect.poll(() => page.locator('[data-statement][aria-pressed=true]').getAttribute('data-statement')).toBe('3');
      await context.close();
    });

    it('counts a number again as the tool does, and shows what it counts', async () => {
      const { blocks } = await stack.ok<TracedDraft>(ann, 'authoring.statement.list', { draft_id: seeded.report });
      const { ordinal } = blocks.flatMap(({ statements }) => statements).find((each) => each.figures.some(({ of }) => of === 'customers'))!;
      const { figures } = await stack.ok<{ figures: RecountedFigure[] }>(ann, 'authoring.figure.count', {
        draft_id: seeded.report,
        ordinal,
        limit: 20,
      });
      const { page, context } = await at(`/console/drafts/${seeded.report}?at=${ordinal}`);
      await page.getByRole('button', { name: 'Count again' }).click();
      for (const [i, { n, now, statements }] of figures.entries()) {
        expect(now).toBe(n);
        const figure = page.locator(`[data-figure="${i}"]`);
        await figure.getByText(`Counted again: ${n}, the same.`).waitFor();
        await figure.locator('summary').click();
        expect(await figure.locator('blockquote').allInnerTexts()).toEqual(statements.map(({ text }) => shown(text)));
      }
      await context.close();
    });

    it('has gaps for the person by name, and is copied with its sources or without', async () => {
      const { draft } = await stack.ok<{ draft: Draft }>(ann, 'authoring.draft.get', { draft_id: seeded.prd });
      const { draft: plain } = await stack.ok<{ draft: Draft }>(ann, 'authoring.draft.get', { draft_id: seeded.prd, sources: false });
      const { page, context } = await at(`/console/drafts/${seeded.prd}`, ann, { permissions: ['clipboard-read', 'clipboard-write'] });
      expect(draft.to_fill_by_pm.length).toBeGreaterThan(0);
      for (const name of draft.to_fill_by_pm) await page.getByRole('region', { name: `To be written: ${name}` }).waitFor();
      for (const [button, text] of [
        ['Copy with sources', draft.content],
        ['Copy without', plain.content],
      ] as const) {
        await page.getByRole('button', { name: button }).click();
        await expect.poll(() => page.evaluate<string>('navigator.clipboard.readText()')).toBe(text);
      }
      const saved = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Save as Markdown' }).click();
      expect((await saved).suggestedFilename()).toMatch(/^product-requirements.*\.md$/);
      await context.close();
    });

    it('is made here, shows its stages, and appears when it is ready, without a reload', async () => {
      const { page, context } = await at('/console/drafts');
      await page.getByText('Live', { exact: true }).waitFor();
      await page.getByText('Create a report or an artifact').click();
      await page.getByRole('button', { name: 'Create a report' }).click();
      await page.waitForURL(/\/console\/drafts\/report_/, { timeout: 40_000 });
      await page.getByRole('list', { name: 'Stages' }).waitFor();
      const id = new URL(page.url()).pathname.split('/').at(-1)!;
      const { drafts } = await stack.ok<{ drafts: { draft_id: string; job_id: string }[] }>(ann, 'authoring.draft.list', {});
      await writeByHand(stack, 'acme', drafts.find(({ draft_id }) => draft_id === id)!.job_id);
      await page.locator('[data-statement="0"]').waitFor({ timeout: 15_000 });
      await context.close();
    });
  });

  describe('the heatmap', () => {
    const wanted = { dimension: 'issues_by_feature', metric: 'signal_count', rows: 20, columns: 12 };

    it('is a table with the numbers of the tool; arrow keys move, each cell has a name, Enter shows its statements', async () => {
      const data = await stack.ok<Matrix>(ann, 'insight.matrix.get', wanted);
      const { page, context, faults } = await at('/console/insight');
      const grid = page.getByRole('grid');
      const cells = await grid
        .locator('tbody tr')
        .evaluateAll((rows) => rows.map((row) => [...row.querySelectorAll('td')].map((cell) => Number(cell.textContent))));
      expect(cells).toEqual(data.rows.map(({ total, cells: own }) => [total, ...own]));
      const shades = await grid
        .locator('td a')
        .evaluateAll((links) => [...new Set(links.map((link) => Number(link.getAttribute('data-step'))))]);
      expect(Math.max(...shades)).toBe(7);
      await grid.getByRole('link').first().focus();
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('ArrowDown');
      const [row, column] = [data.rows[1]!, data.columns[0]!];
      expect(await focus(page)).toBe(`${row.name}, ${column.name}: ${row.cells[0]} statements`);
      expect(
        await grid
          .getByRole('gridcell')
          .filter({ has: page.locator(':focus') })
          .ariaSnapshot(),
      ).toContain(`${row.name}, ${column.name}: ${row.cells[0]} statements`);
      await page.keyboard.press('End');
      expect(await focus(page)).toContain(`: ${row.cells.at(-1)} statements`);
      await page.keyboard.press('Home');
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Signals', level: 1 }).waitFor();
      await page.getByText(`${row.cells[0]} statements`).waitFor();
      expect(faults).toEqual([]);
      await context.close();
    });
  });

  describe('a trend', () => {
    it('is a picture and a table with the numbers of the tool; arrow keys tell each step', async () => {
      const data = await stack.ok<Trends>(ann, 'insight.trend.list', { entity_type: 'issue', window_days: 90, limit: 50 });
      const one = data.trends[0]!;
      const { page, context } = await at(`/console/insight?tab=trends&window=90&entity=${one.entity_id}`);
      const slider = page.getByRole('slider', { name: `Statements about ${one.name}` });
      await slider.focus();
      await page.keyboard.press('Home');
      expect(await slider.getAttribute('aria-valuetext')).toContain(
        `: ${one.series[0]} statements, ${one.previous_series[0]} in the window before`,
      );
      await page.keyboard.press('ArrowRight');
      expect(await slider.getAttribute('aria-valuetext')).toContain(`: ${one.series[1]} statements`);
      await page.getByRole('button', { name: 'As table' }).click();
      const rows = await table(page, `Statements about ${one.name}`);
      expect(rows.map(([, , now, before]) => [Number(now), Number(before)])).toEqual(one.series.map((n, i) => [n, one.previous_series[i]]));
      expect(rows.at(-1)![1]).toBe(data.to);
      await page.getByRole('link', { name: `Its ${one.current_count} statements` }).click();
      await page.getByText(`${one.current_count} statements`).waitFor();
      await context.close();
    });
  });

  describe('an opportunity', () => {
    const get = () => stack.ok<OpportunityDetails>(ann, 'opportunity.record.get', { opportunity_id: seeded.opportunity });

    it('shows its factors as a product, with an equal table and names; a person says otherwise and takes it back', async () => {
      const { page, context, faults } = await at(`/console/opportunities/${seeded.opportunity}`);
      const rows = async () => {
        await page.getByRole('figure', { name: 'Factors of the score' }).getByRole('button', { name: 'As table' }).click();
        const told = await table(page, 'Factors of the score');
        await page.getByRole('figure', { name: 'Factors of the score' }).getByRole('button', { name: 'As table' }).click();
        return told;
      };
      const before = await rows();
      expect(before.map(([factor, value]) => [factor, Number(value)])).toEqual(
        Object.entries((await get()).factors).map(([factor, { value }]) => [factor.replaceAll('_', ' '), value]),
      );
      const names = await page
        .getByRole('list', { name: 'Factors' })
        .getByRole('button')
        .evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')));
      expect(names.map((name) => /is ([\d.]+)$/.exec(name)![1])).toEqual(before.map((row) => row[4]));
      await page.getByRole('button', { name: /^impact/ }).focus();
      for (let i = 0; i < 4; i += 1) await page.keyboard.press('ArrowDown');
      expect(await focus(page)).toBe('effort ÷ 4 −189, the product is 63');
      await page.getByRole('button', { name: 'Override' }).click();
      await page.getByLabel('Value').fill('2');
      await page.getByLabel('Why').fill('Two people, one week.');
      await page.getByRole('button', { name: 'Set', exact: true }).click();
      await page.getByText('Two people, one week.').first().waitFor();
      expect((await get()).factors.effort.override).toMatchObject({ value: 2, reason: 'Two people, one week.', set_by: ann.principal });
      await expect.poll(async () => (await rows()).at(-1)!.slice(1)).toEqual(['2', '4', '−126', '126']);
      await page.getByText('effort set to 2, was 4: Two people, one week.').waitFor();
      await page.locator('body').press('u');
      await expect.poll(async () => (await get()).factors.effort.override).toBeUndefined();
      await expect.poll(async () => (await rows()).at(-1)![1]).toBe('4');
      expect(faults).toEqual([]);
      await context.close();
    });

    it('is decided with a reason; customers and evidence lead to their statements', async () => {
      const { page, context } = await at(`/console/opportunities/${seeded.opportunity}`);
      const { evidence, customers } = await get();
      expect(await page.locator('[data-passage]').evaluateAll((links) => links.map((link) => link.getAttribute('data-passage')))).toEqual(
        (await stack.ok<OpportunityDetails>(ann, 'opportunity.record.get', { opportunity_id: seeded.opportunity, limit: 20 })).evidence.map(
          ({ ref }) => ref,
        ),
      );
      expect(evidence.length).toBeGreaterThan(0);
      await page.getByLabel('Reason for the decision').fill('It pays.');
      await page.getByRole('button', { name: 'Accept' }).click();
      await page.getByText('reviewing → accepted: It pays.').waitFor();
      expect((await get()).status).toBe('accepted');
      await page
        .getByRole('link', { name: `${customers[0]!.signal_count} statements` })
        .first()
        .click();
      await page.getByRole('heading', { name: 'Signals', level: 1 }).waitFor();
      await page.getByText(`${customers[0]!.signal_count} statements`).waitFor();
      await context.close();
    });
  });

  describe('signals', () => {
    const facets = (args: object = {}) => stack.ok<SignalFacets>(ann, 'signal.facet.list', args);
    const get = (id: string) =>
      stack.ok<{ class: string; severity: string; snippet: string; citation: string }>(ann, 'signal.record.get', { signal_id: id });

    it('are counted as the tool counts them, and narrowed by a facet', async () => {
      const whole = await facets();
      const { page, context } = await at('/console/signals');
      await page
        .getByText(`${whole.total.toLocaleString('en')} statements, ${whole.groups.toLocaleString('en')} without near-duplicates`)
        .waitFor();
      for (const { value, count } of whole.facets.severity) {
        await page
          .getByRole('region', { name: 'severity' })
          .getByRole('button', { name: `${value} ${count.toLocaleString('en')}` })
          .waitFor();
      }
      await page.getByRole('region', { name: 'class' }).getByRole('button', { name: /^bug/ }).click();
      const bugs = await facets({ class: ['bug'] });
      await page.getByText(`${bugs.total} statements`).waitFor();
      await expect
        .poll(() =>
          page
            .locator('tbody tr td:nth-child(2)')
            .allInnerTexts()
            .then((all) => [...new Set(all)]),
        )
        .toEqual(['bug']);
      // The class still shows what other choices would find.
      await page
        .getByRole('region', { name: 'class' })
        .getByRole('button', { name: `praise ${whole.facets.class.find(({ value }) => value === 'praise')!.count}` })
        .waitFor();
      await context.close();
    });

    it('are corrected by digits, undone, and gone through; each leads to its passage', async () => {
      const { page, context, faults } = await at('/console/signals');
      await page.locator('tbody button').first().click();
      const id = new URL(page.url()).searchParams.get('id')!;
      const before = await get(id);
      await page.getByRole('region', { name: 'Correct' }).waitFor();
      expect(await page.locator(`[data-passage="${before.citation}"]`).count()).toBe(1);
      expect(await page.getByRole('region', { name: 'Passage' }).locator('mark').innerText()).toBe(before.snippet);
      const to = before.class === 'praise' ? '2' : '4';
      await page.locator('body').press(to);
      await expect.poll(async () => (await get(id)).class).toBe(to === '2' ? 'bug' : 'praise');
      await expect
        .poll(() => page.getByRole('group', { name: 'class' }).locator('[aria-pressed=true]').last().innerText())
        .toContain(to === '2' ? 'bug' : 'praise');
      await page.getByRole('button', { name: 'Undo' }).and(page.locator(':enabled')).waitFor();
      await page.locator('body').press('u');
      await expect.poll(async () => (await get(id)).class).toBe(before.class);
      // f, f: severity.
      await page.getByRole('button', { name: 'Undo' }).and(page.locator(':disabled')).waitFor();
      // It is disabled while it is sent, too; nothing else can be corrected until the answer is there.
      await page.getByRole('group', { name: 'severity' }).getByRole('button', { name: 'critical' }).and(page.locator(':enabled')).waitFor();
      await page.locator('body').press('f');
      await page.locator('body').press('f');
      await page.locator('body').press(before.severity === 'high' ? '5' : '4');
      await expect.poll(async () => (await get(id)).severity).toBe(before.severity === 'high' ? 'critical' : 'high');
      await page.locator('body').press(']');
      await expect.poll(() => new URL(page.url()).searchParams.get('id')).not.toBe(id);
      await page.locator('body').press('[');
      await expect.poll(() => new URL(page.url()).searchParams.get('id')).toBe(id);
      expect(faults).toEqual([]);
      await context.close();
    });

    it('that say nearly the same are folded, and shown beside the first', async () => {
      const { signals } = await stack.ok<{ signals: { signal_id: string; group_id: string; group_size: number }[] }>(
        ann,
        'signal.record.search',
        { limit: 100, fold: true },
      );
      const one = signals.find(({ group_size }) => group_size > 1)!;
      const { page, context } = await at(`/console/signals?id=${one.signal_id}`);
      await page.getByText(`${one.group_size - 1} more say nearly the same`).click();
      await expect.poll(() => page.locator('details:has-text("nearly the same") li').count()).toBe(one.group_size - 1);
      await context.close();
    });
  });

  it('every screen keeps filters, selection and tabs in its address: after reload, back, forward and in another browser', async () => {
    const { page, context } = await at('/console/signals');
    const id = await page
      .locator('tbody button')
      .first()
      .evaluate(() => 'sig_seed43');
    const screens: { path: string; first: (page: Page) => Promise<void>; state: (page: Page) => Promise<unknown> }[] = [
      {
        path: '/console/signals',
        first: async (on) => {
          await on
            .getByRole('region', { name: 'class' })
            .getByRole('button', { name: /^request/ })
            .click();
          await on.getByLabel('Order').selectOption('severity');
          await on.getByRole('searchbox', { name: 'Words' }).fill('Export');
          await on.waitForURL(/q=Export/);
          await on.getByRole('button', { name: /request/, pressed: true }).waitFor();
        },
        state: async (on) => [
          await on.getByRole('searchbox', { name: 'Words' }).inputValue(),
          await on.getByLabel('Order').inputValue(),
          await on.getByRole('button', { name: /^✓? ?request/, pressed: true }).count(),
        ],
      },
      {
        path: '/console/insight?tab=trends',
        first: async (on) => {
          await on.getByLabel('Window').selectOption('90');
          await on.getByLabel('Direction').selectOption('growing');
        },
        state: async (on) => [
          await on.getByLabel('Window').inputValue(),
          await on.getByLabel('Direction').inputValue(),
          await on.getByRole('button', { name: 'Trends', pressed: true }).count(),
        ],
      },
      {
        path: '/console/opportunities',
        first: async (on) => {
          await on.getByRole('button', { name: /^new/ }).click();
          await on.getByLabel('Order').selectOption('created_at');
        },
        state: async (on) => [
          await on.getByLabel('Order').inputValue(),
          await on.getByRole('button', { name: /^new/, pressed: true }).count(),
        ],
      },
      {
        path: '/console/drafts',
        first: async (on) => {
          await on.getByLabel('Kind').selectOption('report');
          await on.getByLabel('Status').selectOption('ready');
        },
        state: async (on) => [await on.getByLabel('Kind').inputValue(), await on.getByLabel('Status').inputValue()],
      },
      {
        path: '/console/briefs',
        first: async (on) => {
          await on.getByRole('button', { name: 'Previous day' }).click();
          await on.waitForURL(/date=/);
        },
        state: async (on) => [await on.getByLabel('Day', { exact: true }).inputValue()],
      },
    ];
    const other = await at(`/console/signals?id=${id}`);
    await other.page.getByRole('region', { name: 'Correct' }).waitFor();
    for (const { path, first, state } of screens) {
      await page.goto(url + path);
      await settled(page);
      const untouched = await state(page);
      await first(page);
      await settled(page);
      const [address, told] = [page.url(), await state(page)];
      expect([path, told]).not.toEqual([path, untouched]);
      await page.reload();
      await settled(page);
      await expect.poll(async () => [path, await state(page)]).toEqual([path, told]);
      await page.goBack();
      await page.goForward();
      await settled(page);
      await expect.poll(async () => [path, page.url(), await state(page)]).toEqual([path, address, told]);
      await other.page.goto(address);
      await settled(other.page);
      await expect.poll(async () => [path, await state(other.page)]).toEqual([path, told]);
    }
    await other.context.close();
    await context.close();
  });

  it('briefs tell how each source did, and give a link that opens without a key', async () => {
    const { page, context } = await at('/console/briefs', ann, { permissions: ['clipboard-read', 'clipboard-write'] });
    await page.getByText(`What the press said on ${seeded.today}.`).waitFor();
    await page.getByRole('table', { name: 'sources of the brief' }).getByText('It did not answer in 20 s.').waitFor();
    // Only addresses of the web are links.
    expect(await page.locator('a[href^="javascript"]').count()).toBe(0);
    await page.getByRole('button', { name: 'Copy the link' }).click();
    await expect.poll(() => page.evaluate<string>('navigator.clipboard.readText()')).toMatch(/^http/);
    const link = new URL(await page.evaluate<string>('navigator.clipboard.readText()'));
    const stranger = await fetch(url + link.pathname + link.search);
    expect([stranger.status, (await stranger.text()).includes('What the press said')]).toEqual([200, true]);
    await context.close();
  });

  it('a scheduled report is made, changed, paused, resumed and removed; its recipients stay', async () => {
    const { page, context } = await at('/console/drafts?tab=schedules');
    const schedules = async (): Promise<ReportSchedule[]> =>
      (await stack.ok<{ schedules: ReportSchedule[] }>(ann, 'authoring.schedule.list', {})).schedules;
    await page.getByText('Schedule a report').click();
    const made = page.locator('details').filter({ hasText: 'Schedule a report' });
    await made.getByLabel('Name').fill('Monday digest');
    await made.getByLabel('Recipient 1').fill('team@example.com');
    await made.getByRole('button', { name: 'Schedule', exact: true }).click();
    const one = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Monday digest' }) });
    await one.getByText('every monday at 09:00').waitFor();
    await made.locator('summary').click();
    await one.getByRole('button', { name: 'Change: Monday digest' }).click();
    await one.getByLabel('Every').selectOption('cron');
    await one.getByLabel('Cron').fill('0 8 * * 1-5');
    await one.getByLabel('Format').selectOption('detailed');
    await one.getByLabel('Area').fill('Billing');
    await one.getByRole('button', { name: 'Save the schedule' }).click();
    await one.getByText('cron 0 8 * * 1-5').waitFor();
    await expect
      .poll(async () => (await schedules())[0])
      .toMatchObject({
        name: 'Monday digest',
        report: { report_type: 'weekly_digest', format: 'detailed', filter_area: 'Billing', time_window_days: 90 },
        timing: { cron: '0 8 * * 1-5' },
        recipients: [{ channel: 'email', recipient: 'team@example.com' }],
        status: 'active',
      });
    await one.getByRole('button', { name: 'Pause: Monday digest' }).click();
    await one.getByText('paused', { exact: true }).first().waitFor();
    await one.getByRole('button', { name: 'Resume: Monday digest' }).click();
    await one.getByText('active', { exact: true }).waitFor();
    expect((await schedules())[0]).toMatchObject({
      report: { format: 'detailed', filter_area: 'Billing' },
      timing: { cron: '0 8 * * 1-5' },
    });
    await one.getByRole('button', { name: 'Remove: Monday digest' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('Scheduled reports appear here.').waitFor();
    expect(await schedules()).toEqual([]);
    await context.close();
  });

  it('a team sees its scope alone, and no action', async () => {
    await stack.ok(ann, 'access.stakeholder.configure', {
      team: 'sales',
      product_areas: ['Billing'],
      entity_types: [],
      data_freshness: 'realtime',
    });
    const sales = await stack.caller({ role: 'stakeholder', kind: 'human', name: 'sam', team: 'sales' });
    const { signals: foreign } = await stack.ok<{ signals: { snippet: string }[] }>(ann, 'signal.record.search', {
      area: 'Mobile',
      limit: 100,
    });
    const cases = foreign.map(({ snippet }) => /case \d+,/.exec(snippet)?.[0]).filter((each) => each !== undefined);
    expect(cases.length).toBeGreaterThan(50);
    const opened = await openPage(browser, { viewport: { width: 1440, height: 900 } });
    const { page } = opened;
    const bodies: string[] = [];
    page.on('response', async (response) => {
      if (response.url().includes('/console/api/tools/')) bodies.push(await response.text().catch(() => ''));
    });
    await signIn(page, url, sales.apiKey, '/console/signals');
    await settled(page);
    await page.getByText('Shown within the scope of sales: 1 area, all types, as of now').waitFor();
    const mine = await stack.ok<SignalFacets>(sales, 'signal.facet.list', {});
    expect(mine.facets.area.map(({ value }) => value)).toEqual(['Billing']);
    await page.getByText(`${mine.total.toLocaleString('en')} statements`).waitFor();
    await page.locator('tbody button').first().click();
    await page.getByRole('region', { name: 'Passage' }).waitFor();
    expect(await page.getByRole('region', { name: 'Correct' }).count()).toBe(0);
    for (const path of [
      '/console/insight',
      '/console/insight?tab=trends',
      '/console/insight?tab=strategy',
      '/console/opportunities',
      `/console/opportunities/${seeded.opportunity}`,
      '/console/drafts',
      `/console/drafts/${seeded.report}`,
    ]) {
      await page.goto(url + path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await settled(page);
      await page.getByText('Shown within the scope of sales').waitFor();
      const text = await page.locator('main').innerText();
      expect([path, cases.filter((each) => text.includes(each))]).toEqual([path, []]);
      for (const name of ['Create a draft', 'Create a report', 'Accept', 'Rename', 'Override', 'Undo', 'Schedule', 'Run now'])
        expect([path, name, await page.getByRole('button', { name, exact: true }).count()]).toEqual([path, name, 0]);
    }
    const all = bodies.join('\n');
    expect(bodies.length).toBeGreaterThan(8);
    expect(cases.filter((each) => all.includes(each))).toEqual([]);
    // Briefs are not for teams.
    await page.goto(`${url}/console/briefs`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await page.getByRole('link', { name: /^Briefs/ }).count()).toBe(0);
    await opened.context.close();
  });
});
