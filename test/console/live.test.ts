/** The stream of events in many tabs and through the death of the api. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import { freePort } from '../../platform/embedded/ports.ts';
import { noteEvent } from '../../services/kernel/outbox.ts';
import { launchBrowser, openPage, serveConsole, signIn, type Watched } from '../setup/browser.ts';
import { testStack, type TestStack } from '../setup/stack.ts';

describe.skipIf(inject('chromium') === null)('the live stream', () => {
  let stack: TestStack;
  let browser: Browser;
  beforeAll(async () => {
    stack = await testStack({ workers: false, model: false });
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await stack?.stop();
  });

  const tell = (subject: string) => asTenant('acme', () => noteEvent(stack.db.query, 'acme', 'report.generated', subject, {}));
  /** The subjects that a page shows, newest first. */
  const subjects = (page: Page) => page.locator('ol[aria-label^="Events"] li span:last-child').allInnerTexts();
  const live = (page: Page) => page.getByText('Live', { exact: true });

  describe('in eight tabs', () => {
    let app: FastifyInstance;
    afterEach(async () => await app?.close());

    it('is one connection; the next tab takes over from the last id, and none misses or doubles an event', async () => {
      let url: string;
      ({ url, app } = await serveConsole(stack));
      const open = new Set<object>();
      let most = 0;
      app.server.on('request', (request, reply) => {
        if (!request.url?.startsWith('/console/api/events')) return;
        open.add(reply);
        most = Math.max(most, open.size);
        reply.on('close', () => open.delete(reply));
      });
      const ann = await stack.caller({ name: 'ann' });
      const first = await openPage(browser);
      await signIn(first.page, url, ann.apiKey);
      await live(first.page).waitFor();
      const tabs: Watched[] = [first];
      for (let i = 1; i < 8; i += 1) {
        const tab = await openPage(browser, {}, first.context);
        await tab.page.goto(url);
        await tab.page.getByRole('heading', { name: 'Overview' }).waitFor();
        await live(tab.page).waitFor();
        tabs.push(tab);
      }
      expect([open.size, most]).toEqual([1, 1]);
      await tell('one');
      for (const { page } of tabs) await expect.poll(() => subjects(page), { timeout: 10_000 }).toEqual(['one']);

      // While nobody leads, an event comes.
      await Promise.all([first.page.close(), tell('two')]);
      await tell('three');
      for (const { page } of tabs.slice(1)) await expect.poll(() => subjects(page), { timeout: 15_000 }).toEqual(['three', 'two', 'one']);
      await expect.poll(() => open.size).toBe(1);
      await first.context.close();
    });
  });

  describe('on an open page', () => {
    let app: FastifyInstance;
    let url: string;
    beforeAll(async () => void ({ url, app } = await serveConsole(stack)));
    afterAll(async () => await app?.close());

    it('shows what waits in the title and the icon of each tab, until it is decided', async () => {
      const eve = await stack.caller({ tenant: 'badge', name: 'eve' });
      const sql = (text: string) => asTenant('badge', () => stack.db.query(text));
      const { page, context } = await openPage(browser, { viewport: { width: 1440, height: 900 } });
      await signIn(page, url, eve.apiKey, '/console/work');
      await live(page).waitFor();
      const other = await openPage(browser, {}, context);
      await other.page.goto(`${url}/console/jobs`);
      await live(other.page).waitFor();
      const shown = async () =>
        await Promise.all(
          [page, other.page].map(async (one) => [await one.title(), await one.locator('link[rel=icon]').getAttribute('href')]),
        );
      const calm = [
        ['Work · Signalbox', '/console/favicon.svg'],
        ['Jobs · Signalbox', '/console/favicon.svg'],
      ];
      await expect.poll(shown).toEqual(calm);
      await sql(`insert into dlq_items (tenant_id, id, job_id, workflow_id, title, stage, step, error_code, error, attempts, status)
        select 'badge', 'dlq_b' || n, 'job_1', 'w', 't', 'extraction', 'parse', 'INTERNAL', 'e', 1, (array['parked', 'refused'])[n] from generate_series(1, 2) n`);
      await expect.poll(shown, { timeout: 10_000 }).toEqual([
        ['(2) Work · Signalbox', '/console/favicon-waiting.svg'],
        ['(2) Jobs · Signalbox', '/console/favicon-waiting.svg'],
      ]);
      expect(await page.getByRole('link', { name: 'Inbox 2 waiting' }).count()).toBe(1);
      const { status, headers } = await fetch(`${url}/console/favicon-waiting.svg`);
      expect([status, headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
      await sql(`update dlq_items set status = 'abandoned' where tenant_id = 'badge'`);
      await expect.poll(shown, { timeout: 10_000 }).toEqual(calm);
      await context.close();
    });

    it('shows what happened between its first read and the start of the stream', async () => {
      const ina = await stack.caller({ name: 'ina' });
      const { page, context } = await openPage(browser, { viewport: { width: 1440, height: 900 } });
      await signIn(page, url, ina.apiKey);
      await live(page).waitFor();
      const held = Promise.withResolvers<void>();
      await page.route('**/console/api/events', async (route) => {
        await held.promise;
        await route.continue();
      });
      await page.reload();
      await page.getByRole('heading', { name: 'Overview' }).waitFor();
      await tell('meanwhile');
      held.resolve();
      await live(page).waitFor();
      await expect.poll(() => subjects(page)).toEqual(['meanwhile']);
      await context.close();
    });

    it('keeps the heap small after twenty thousand events, which it shows to the last', async () => {
      const ann = await stack.caller({ tenant: 'many', name: 'ann' });
      const { page, context } = await openPage(browser, { viewport: { width: 1440, height: 900 } });
      await signIn(page, url, ann.apiKey);
      await live(page).waitFor();
      const cdp = await context.newCDPSession(page);
      const heap = async (): Promise<number> => {
        await cdp.send('HeapProfiler.collectGarbage');
        return (await cdp.send('Runtime.getHeapUsage')).usedSize / 1_048_576;
      };
      const burst = async (from: number, to: number): Promise<void> => {
        for (let n = from; n < to; n += 500)
          await asTenant('many', () =>
            stack.db.query(
              `insert into outbox (tenant_id, type, subject, data) select 'many', 'work.task_changed', 'task_' || n, jsonb_build_object('change', 'claimed', 'status', 'in_progress', 'note', repeat('x', 100))
               from generate_series($1::int, $2::int) n`,
              [n + 1, n + 500],
            ),
          );
        await expect.poll(async () => (await subjects(page))[0], { timeout: 60_000 }).toBe(`task_${to}`);
      };
      await burst(0, 2_000);
      const before = await heap();
      const began = Date.now();
      await burst(2_000, 20_000);
      const after = await heap();
      console.log(`heap ${before.toFixed(1)} MB after 2,000 events, ${after.toFixed(1)} MB after 20,000 (${Date.now() - began} ms)`);
      expect(after).toBeLessThan(120);
      // It keeps a bounded number of events, so more of them take no more room.
      expect(after - before).toBeLessThan(10);
      await context.close();
    });
  });

  describe('through kill -9 of the api', () => {
    let child: ChildProcess | undefined;
    afterEach(() => void child?.kill('SIGKILL'));

    async function startApi(port: number): Promise<void> {
      const { DATABASE_URL, TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE, SIGNALBOX_DATA_DIR } = stack.config;
      child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, '../../api/main.ts')], {
        env: {
          ...process.env,
          DATABASE_URL,
          TEMPORAL_ADDRESS,
          TEMPORAL_NAMESPACE,
          SIGNALBOX_DATA_DIR,
          MCP_SERVER_PORT: String(port),
          EMBEDDING_MODEL_DIR: 'none',
          LOG_LEVEL: 'silent',
        },
        stdio: 'ignore',
      });
      await expect
        .poll(
          () =>
            fetch(`http://127.0.0.1:${port}/ready`).then(
              ({ status }) => status,
              () => 0,
            ),
          { timeout: 60_000, interval: 100 },
        )
        .toBe(200);
    }

    it('tells it within three seconds, keeps what it shows, and catches up with each missed event once', async () => {
      const port = await freePort(0);
      await startApi(port);
      const url = `http://127.0.0.1:${port}`;
      const ann = await stack.caller({ name: 'bea' });
      const { page, context } = await openPage(browser);
      await signIn(page, url, ann.apiKey);
      await live(page).waitFor();
      await tell('before');
      await page.getByText('before', { exact: true }).waitFor();
      await page.getByPlaceholder('type or subject').fill('');

      const killed = Date.now();
      const died = once(child!, 'exit');
      child!.kill('SIGKILL');
      await died;
      await page.getByText('Connection lost').waitFor();
      expect(Date.now() - killed).toBeLessThan(3_000);
      await page.getByRole('button', { name: 'Try now' }).waitFor();
      // Readable, and still usable.
      expect(await subjects(page)).toEqual(['before']);
      expect(await page.getByText('Nothing waits for you.').isVisible()).toBe(true);
      for (const subject of ['missed 1', 'missed 2', 'missed 3']) await tell(subject);
      // This row tells an event of its own.
      await asTenant('acme', () =>
        stack.db.query(
          `insert into dlq_items (tenant_id, id, job_id, workflow_id, title, stage, step, error_code, error, attempts, status)
           values ('acme', 'dlq_1', 'job_1', 'w', 't', 'extraction', 'parse', 'INTERNAL', 'e', 1, 'parked')`,
        ),
      );
      // A click in between fails and says so, beside what was there.
      await page.getByRole('button', { name: 'Count again' }).click();
      await page.getByText('The server does not answer.').first().waitFor();

      await startApi(port);
      await page
        .getByRole('button', { name: 'Try now' })
        .click({ timeout: 1_000 })
        .catch(() => {});
      await live(page).waitFor();
      await page.getByText('Connection lost').waitFor({ state: 'detached' });
      await page.getByText('Caught up: 4 events').waitFor();
      await expect.poll(() => subjects(page)).toEqual(['dlq_1', 'missed 3', 'missed 2', 'missed 1', 'before']);
      // The counts are the server's.
      await page.getByText('1 failed ingestion waits').waitFor();
      await expect.poll(() => page.getByText('The server does not answer.').count()).toBe(0);
      await context.close();
    });
  });
});
