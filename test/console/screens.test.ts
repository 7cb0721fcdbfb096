/** What holds for every screen: policy of content, accessibility, keyboard, sizes, weight, speed. */
import type { FastifyInstance } from 'fastify';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import { noteEvent } from '../../services/kernel/outbox.ts';
import { axe, launchBrowser, openPage, serveConsole, signIn } from '../setup/browser.ts';
import { testStack, type TestStack } from '../setup/stack.ts';
import { seeds } from './seed.ts';

/** Every address that has a screen, with a record where it shows one, and one that has none. */
const addresses: string[] = [];
/** One address of each screen: without data, all of a screen look alike. */
const oneOfEach = (all: string[]): string[] =>
  [
    ...Map.groupBy(all, (address) => {
      const parts = address.split(/[?#]/)[0]!.split('/');
      return `${parts[2]} ${parts.length}`;
    }).values(),
  ].map(([first]) => first!);

/** Each rule is held against a hundred addresses. */
vi.setConfig({ testTimeout: 600_000, hookTimeout: 300_000 });

const [wide, narrow] = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
];

const overlays: Record<string, { open(page: Page): Promise<void> }> = {
  palette: { open: async (page) => await page.keyboard.press('Control+k') },
  'account menu': { open: async (page) => await page.getByRole('button', { name: /account and settings/ }).click() },
  shortcuts: { open: async (page) => await page.keyboard.press('?') },
};

/** Where the keyboard is: element, its box, and whether its outline is drawn and nothing covers it. */
const focused = `(() => {
  const at = document.activeElement;
  if (!at || at === document.body) return null;
  const { left, top, width, height } = at.getBoundingClientRect();
  const style = getComputedStyle(at);
  const seen = document.elementFromPoint(Math.min(innerWidth - 1, Math.max(0, left + Math.min(width, 200) / 2)), Math.min(innerHeight - 1, Math.max(0, top + height / 2)));
  return { name: at.tagName + ' ' + (at.getAttribute('aria-label') ?? at.textContent ?? '').trim().slice(0, 40) + ' ' + Math.round(left) + ',' + Math.round(top + scrollY),
    outlined: style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2, uncovered: at === seen || at.contains(seen) || Boolean(seen?.contains(at)) };
})()`;

const controls = `[...document.querySelectorAll('a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, [role=menuitem], [role=option], [tabindex="0"]')].filter((one) => one.checkVisibility() && !one.closest('[aria-hidden=true], [data-base-ui-focus-guard]') && !one.hasAttribute('data-base-ui-focus-guard'))`;

describe.skipIf(inject('chromium') === null)('every screen', () => {
  let stack: TestStack;
  let app: FastifyInstance;
  let url: string;
  let browser: Browser;
  let ann: { apiKey: string };
  let empty: { apiKey: string };
  beforeAll(async () => {
    stack = await testStack({ workers: false, model: false });
    ({ url, app } = await serveConsole(stack));
    browser = await launchBrowser();
    ann = await stack.caller({ name: 'ann' });
    for (const seed of seeds) addresses.push(...(await seed(stack)));
    addresses.push('/console/no-such-screen');
    empty = await stack.caller({ tenant: 'empty', name: 'eve' });
  });
  afterAll(async () => {
    await browser?.close();
    await app?.close();
    await stack?.stop();
  });

  const settled = async (page: Page): Promise<void> => {
    await page.getByRole('heading', { level: 1 }).waitFor();
    await expect.poll(() => page.locator('[aria-busy=true]').count(), { timeout: 20_000 }).toBe(0);
  };

  /** One context of each: data, nothing there, every call fails. */
  async function states(colorScheme: 'light' | 'dark', viewport: { width: number; height: number }) {
    const all: { state: string; page: Page; faults: string[]; close(): Promise<void> }[] = [];
    for (const [state, who] of [
      ['data', ann],
      ['empty', empty],
      ['error', ann],
    ] as const) {
      const { page, context, faults } = await openPage(browser, { colorScheme, viewport });
      if (state === 'error') {
        await page.route('**/console/api/tools/**', (route) =>
          route.fulfill({
            status: 500,
            json: {
              status: 'error',
              tool_call_id: 'call_1',
              error: { code: 'INTERNAL', message: 'Something went wrong.', suggestion: 'The log has the cause.' },
            },
          }),
        );
      }
      await signIn(page, url, who.apiKey);
      all.push({ state, page, faults, close: () => context.close() });
    }
    return all;
  }

  it.each([
    ['light', wide],
    ['dark', wide],
    ['light', narrow],
    ['dark', narrow],
  ] as const)(
    'has no violation of WCAG 2.2 AA in %s at %o, with data, without, and with errors, nor with an overlay open',
    async (scheme, viewport) => {
      const found: unknown[] = [];
      for (const { state, page, close } of await states(scheme, viewport)) {
        for (const address of state === 'data' ? addresses : oneOfEach(addresses)) {
          await page.goto(url + address);
          await settled(page);
          const violations = await axe(page);
          if (violations.length > 0) found.push([state, address, violations]);
        }
        if (state === 'data') {
          await page.goto(url);
          await settled(page);
          for (const [name, { open }] of Object.entries(overlays)) {
            await open(page);
            await page.locator('[role=dialog], [role=menu]').waitFor();
            expect([name, await axe(page)]).toEqual([name, []]);
            await page.keyboard.press('Escape');
            await page.locator('[role=dialog], [role=menu]').waitFor({ state: 'detached' });
          }
        }
        await close();
      }
      expect(found).toEqual([]);
      const { page, context } = await openPage(browser, { colorScheme: scheme, viewport });
      await page.goto(url);
      await page.getByLabel('Key').waitFor();
      expect(await axe(page)).toEqual([]);
      await context.close();
    },
  );

  it('breaks its own policy nowhere, and tells no error, with hostile text and every overlay', async () => {
    const { page, context, faults } = await openPage(browser, { viewport: wide });
    await signIn(page, url, ann.apiKey);
    for (const address of addresses) {
      const answer = await page.goto(url + address);
      expect(answer!.headers()['content-security-policy']).toMatch(
        /^default-src 'none'; script-src 'self'; style-src 'self' 'nonce-[\w+/=]+';.*require-trusted-types-for 'script'$/,
      );
      await settled(page);
      for (const { open } of Object.values(overlays)) {
        await open(page);
        await page.locator('[role=dialog], [role=menu]').waitFor();
        await page.keyboard.press('Escape');
        await page.locator('[role=dialog], [role=menu]').waitFor({ state: 'detached' });
      }
    }
    await page.goto(url);
    await settled(page);
    // Marked, not obeyed.
    await page.getByText('U+202E').first().waitFor();
    expect(await page.getByText('U+E0041').count()).toBeGreaterThan(0);
    expect(await page.locator('img[src="x"]').count()).toBe(0);
    // The session of the sign-in page is unknown once.
    expect(faults.filter((fault) => !fault.includes('401'))).toEqual([]);
    // The policy holds: what it forbids does not happen.
    expect(
      await page.evaluate(
        `(() => { try { document.body.innerHTML += '<b>x</b>'; return 'set'; } catch (error) { return error.name; } })()`,
      ),
    ).toBe('TypeError');
    await context.close();
  });

  it('is reached by keyboard alone, with the focus always seen, and Escape returns it', async () => {
    const { page, context } = await openPage(browser, { viewport: wide });
    await signIn(page, url, ann.apiKey);
    const found: unknown[] = [];
    for (const address of addresses) {
      await page.goto(url + address);
      await settled(page);
      // Of a table that arrow keys move through, Tab reaches one cell.
      const expected = await page.evaluate<number>(`${controls}.filter((one) => one.tabIndex >= 0).length`);
      const seen = new Set<string>();
      // A date has a stop for its day, month, year and calendar.
      for (let i = 0; i < 2 * expected + 20; i += 1) {
        await page.keyboard.press('Tab');
        const now = await page.evaluate<{ name: string; outlined: boolean; uncovered: boolean } | null>(focused);
        if (!now) break;
        if (!now.outlined || !now.uncovered) found.push([address, now]);
        seen.add(now.name);
      }
      if (seen.size < expected) found.push([address, `${seen.size} of ${expected} controls are reached`]);
    }
    expect(found).toEqual([]);
    await page.goto(url);
    await settled(page);
    for (const [name, keys] of [
      ['palette', 'Control+k'],
      ['shortcuts', '?'],
    ] as const) {
      const button = page.getByRole('button', { name: 'Count again' });
      await button.focus();
      await page.keyboard.press(keys);
      await page.getByRole('dialog').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      expect([name, await page.evaluate('document.activeElement.textContent')]).toEqual([name, 'Count again']);
    }
    // Jumps: `g h` from elsewhere, `/` into the filter, where letters are letters.
    await page.goto(`${url}/console/no-such-screen`);
    await settled(page);
    await page.keyboard.press('g');
    await page.keyboard.press('h');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('g?h');
    expect(await page.getByPlaceholder('type or subject').inputValue()).toBe('g?h');
    await context.close();
  });

  it.each([
    [wide, 24],
    [narrow, 44],
  ])('has no control smaller than can be hit, at %o', async (viewport, least) => {
    const { page, context } = await openPage(browser, { viewport });
    await signIn(page, url, ann.apiKey);
    const found: unknown[] = [];
    for (const address of addresses) {
      await page.goto(url + address);
      await settled(page);
      // What a picture shows as a point stands in a list beside it, too.
      const small = await page.evaluate<string[]>(
        `${controls}.filter((one) => !one.matches('[href="#main"], svg [role=option]')).map((one) => ({ one, box: (one.closest('label') ?? one).getBoundingClientRect() })).filter(({ box }) => box.width < ${least} || box.height < ${least}).map(({ one, box }) => one.outerHTML.slice(0, 120) + ' ' + box.width + 'x' + box.height)`,
      );
      if (small.length > 0) found.push([address, small]);
    }
    expect(found).toEqual([]);
    await context.close();
  });

  it.each([390, 800, 1440])('has its navigation at %i px', async (width) => {
    const { page, context } = await openPage(browser, { viewport: { width, height: 800 } });
    await signIn(page, url, ann.apiKey, '/console/no-such-screen');
    await page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'Overview' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await context.close();
  });

  it('does not scroll sideways at 320 px, nor at 400 % of 1280', async () => {
    const { page, context } = await openPage(browser, { viewport: { width: 320, height: 640 } });
    await signIn(page, url, ann.apiKey);
    const found: unknown[] = [];
    for (const address of addresses) {
      await page.goto(url + address);
      await settled(page);
      const width = await page.evaluate<number>('document.documentElement.scrollWidth');
      if (width !== 320) found.push([address, width]);
    }
    expect(found).toEqual([]);
    await context.close();
  });

  it('is light: 180 KB of scripts at first, 25 KB of style, 60 KB of fonts', async () => {
    const { page, context } = await openPage(browser);
    const sizes: Record<string, number> = {};
    page.on('response', (response) => {
      const type = /\.(js|css|woff2)$/.exec(new URL(response.url()).pathname)?.[1];
      if (type)
        void response
          .request()
          .sizes()
          .then(({ responseBodySize }) => (sizes[type] = (sizes[type] ?? 0) + responseBodySize));
    });
    await signIn(page, url, ann.apiKey);
    await settled(page);
    await expect.poll(() => Object.keys(sizes).toSorted()).toEqual(['css', 'js', 'woff2']);
    console.log(
      'KB over the wire (brotli):',
      Object.fromEntries(Object.entries(sizes).map(([type, bytes]) => [type, Math.round(bytes / 102.4) / 10])),
    );
    expect(sizes['js']).toBeLessThan(180 * 1024);
    expect(sizes['css']).toBeLessThan(25 * 1024);
    expect(sizes['woff2']).toBeLessThan(60 * 1024);
    await context.close();
  });

  it('shows something within a second, and its data within two', async () => {
    const { page, context } = await openPage(browser, { viewport: wide });
    await signIn(page, url, ann.apiKey);
    const [paints, data]: [number[], number[]] = [[], []];
    for (let i = 0; i < 5; i += 1) {
      await page.goto(url);
      await page.getByText('Needs a person').waitFor();
      await page.getByText(/calls wait for a decision/).waitFor();
      data.push(await page.evaluate<number>('performance.now()'));
      paints.push(await page.evaluate<number>(`performance.getEntriesByName('first-contentful-paint')[0].startTime`));
    }
    const median = (times: number[]): number => times.toSorted((a, b) => a - b)[2]!;
    console.log(`first contentful paint ${Math.round(median(paints))} ms, data ${Math.round(median(data))} ms (medians of 5)`);
    const patience = process.env['CI'] ? 1.5 : 1;
    expect(median(paints)).toBeLessThan(1_000 * patience);
    expect(median(data)).toBeLessThan(2_000 * patience);
    await context.close();
  });

  it('shows an event as it happens, and counts again because of it, without asking by itself', async () => {
    const { page, context, requests } = await openPage(browser, { viewport: wide });
    await signIn(page, url, ann.apiKey);
    await page.getByText('Live', { exact: true }).waitFor();
    await settled(page);
    const before = requests.length;
    await asTenant('acme', () => noteEvent(stack.db.query, 'acme', 'dlq.item_added', 'dlq_event', {}));
    await page.getByText('dlq_event').waitFor();
    await expect.poll(() => requests.slice(before)).toEqual(['POST /console/api/tools/system.overview.get']);
    await context.close();
  });

  it('does not flash the other theme, and keeps the chosen one', async () => {
    const { page, context } = await openPage(browser, { colorScheme: 'light' });
    await signIn(page, url, ann.apiKey);
    await page.getByRole('button', { name: /account and settings/ }).click();
    await page.getByRole('menuitemradio', { name: 'dark' }).click();
    const dark = 'rgb(16, 22, 24)';
    const background = 'getComputedStyle(document.documentElement).backgroundColor';
    expect(await page.evaluate(background)).toBe(dark);
    // The first script of the page has run before anything is painted.
    await page.addInitScript(
      `addEventListener('DOMContentLoaded', () => (window.first = getComputedStyle(document.documentElement).backgroundColor))`,
    );
    await page.reload();
    expect(await page.evaluate('window.first')).toBe(dark);
    await context.close();
  });

  it('says what it needs without JavaScript, with the links of the plain page', async () => {
    const { page, context } = await openPage(browser, { javaScriptEnabled: false });
    await page.goto(url);
    expect(await page.locator('noscript p').innerText()).toContain('The console needs JavaScript');
    await page.getByRole('link', { name: 'this server and how to connect' }).click();
    expect(page.url()).toBe(`${url}/about`);
    await context.close();
  });
});
