/** Signing in and out in a browser, what other pages can do with its cookie, and the end of a session under one's hands. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import { launchBrowser, openPage, serveConsole, signIn } from '../setup/browser.ts';
import { testStack, type TestStack } from '../setup/stack.ts';

describe.skipIf(inject('chromium') === null)('a browser', () => {
  let stack: TestStack;
  let app: FastifyInstance;
  let url: string;
  let browser: Browser;
  let elsewhere: Server;
  beforeAll(async () => {
    stack = await testStack({ workers: false, model: false });
    ({ url, app } = await serveConsole(stack));
    browser = await launchBrowser();
    // A page of another service on this machine.
    elsewhere = createServer((_request, reply) => reply.setHeader('content-type', 'text/html').end('<!doctype html><title>other</title>'));
    await new Promise<void>((done) => elsewhere.listen(0, '127.0.0.1', done));
  });
  afterAll(async () => {
    await browser?.close();
    elsewhere?.close();
    await app?.close();
    await stack?.stop();
  });

  it('shows the sign-in at every address, and returns to that address after it', async () => {
    const ann = await stack.caller({ name: 'ann' });
    for (const path of ['/', '/console', '/console/inbox?kind=call', '/console/tools/work.task.create']) {
      const { page, context, faults } = await openPage(browser);
      await page.goto(url + path);
      await page.getByLabel('Key').waitFor();
      await page.getByLabel('Key').fill('sb_wrong');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByText('This key is not valid.').waitFor();
      await page.getByLabel('Key').fill(ann.apiKey);
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: /account and settings/ }).waitFor();
      expect(page.url()).toBe(url + path);
      // Chromium notes the two answers of 401.
      expect(faults.filter((fault) => !fault.includes('401'))).toEqual([]);
      await context.close();
    }
  });

  it('keeps the key nowhere, and a cookie that no script reads', async () => {
    const ann = await stack.caller({ name: 'bea' });
    const { page, context } = await openPage(browser);
    const bodies: string[] = [];
    page.on('response', (response) => {
      if (!response.url().includes('/events'))
        response
          .text()
          .then((text) => bodies.push(text))
          .catch(() => {});
    });
    await signIn(page, url, ann.apiKey);
    await page.getByText('Needs a person').waitFor();
    expect(await page.evaluate('document.cookie')).toBe('');
    const [cookie, ...others] = await context.cookies();
    expect(others).toEqual([]);
    expect(cookie).toMatchObject({
      name: expect.stringMatching(/^__Host-sb-/),
      httpOnly: true,
      secure: true,
      sameSite: 'Strict',
      path: '/',
    });
    const stored = await page.evaluate<string>(
      `(async () => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, (await indexedDB.databases()).map(({ name }) => name), await caches.keys(), document.documentElement.outerHTML]))()`,
    );
    for (const text of [stored, ...bodies]) {
      expect(text).not.toContain(ann.apiKey);
      expect(text).not.toContain(cookie!.value);
    }
    await context.close();
  });

  it.each(['127.0.0.1', 'signalbox.localhost'])('does nothing for a page of another port, signed in at %s', async (host) => {
    const ann = await stack.caller({ name: 'cid' });
    const own = url.replace('127.0.0.1', host);
    const { page, context } = await openPage(browser);
    await signIn(page, own, ann.apiKey);
    const other = await context.newPage();
    await other.goto(`http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`);
    const statuses: number[] = [];
    other.on('response', (response) => statuses.push(response.status()));
    const target = `${own}/console/api/tools/work.task.create`;
    const body = JSON.stringify({ description: 'forged', phase_number: 1 });
    await other.evaluate(
      `fetch(${JSON.stringify(target)}, { method: 'POST', mode: 'no-cors', credentials: 'include', headers: { 'content-type': 'text/plain' }, body: ${JSON.stringify(body)} }).catch(() => {})`,
    );
    await other.evaluate(
      `fetch(${JSON.stringify(target)}, { method: 'POST', credentials: 'include', headers: { 'content-type': 'application/json' }, body: ${JSON.stringify(body)} }).catch(() => {})`,
    );
    await Promise.all([
      other.waitForNavigation(),
      other.evaluate(
        `(() => { const form = document.createElement('form'); form.method = 'post'; form.enctype = 'text/plain'; form.action = ${JSON.stringify(target)}; document.body.append(form); form.submit(); })()`,
      ),
    ]);
    expect(statuses.filter((status) => status !== 204).length).toBeGreaterThanOrEqual(2);
    expect(statuses.filter((status) => status !== 204 && status !== 403)).toEqual([]);
    const [{ n } = { n: -1 }] = await asTenant('acme', () =>
      stack.db.query<{ n: number }>(`select count(*)::int as n from work_tasks where tenant_id = 'acme'`),
    );
    expect(n).toBe(0);
    await context.close();
  });

  it('is not known to the other front ends', async () => {
    const ann = await stack.caller({ name: 'dan' });
    const { page, context } = await openPage(browser);
    await signIn(page, url, ann.apiKey);
    for (const path of ['/mcp', '/api/tools/system.health.get', '/a2a'])
      expect([
        path,
        await page.evaluate(
          `fetch('${path}', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }).then(({ status }) => status)`,
        ),
      ]).toEqual([path, 401]);
    expect(await page.evaluate(`fetch('/api/agents/v1/events').then(({ status }) => status)`)).toBe(401);
    await context.close();
  });

  it('signs in once with the code of `signalbox console`, which does not stay in the address', async () => {
    const ann = await stack.caller({ name: 'eli' });
    const { code } = await stack.services.governance.consoleSessions.code(ann);
    const { page, context } = await openPage(browser);
    await page.goto(`${url}/console/sign-in#code=${code}`);
    await page.getByRole('button', { name: /eli/ }).waitFor();
    expect(page.url()).toBe(`${url}/`);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    const second = await openPage(browser);
    await second.page.goto(`${url}/console/sign-in#code=${code}`);
    await second.page.getByText('used already').waitFor();
    await second.page.getByLabel('Key').waitFor();
    expect(second.page.url()).toBe(`${url}/`);
    await context.close();
    await second.context.close();
  });

  it('asks to sign in again over the screen when the key is revoked, and goes on where it was', async () => {
    const ann = await stack.caller({ name: 'fay' });
    const { page, context } = await openPage(browser);
    await signIn(page, url, ann.apiKey);
    await page.getByPlaceholder('type or subject').fill('report');
    await page.getByText('Live', { exact: true }).waitFor();
    const revoked = Date.now();
    await stack.services.governance.keys.revoke('acme', ann.keyId);
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.waitFor({ timeout: 15_000 });
    // A notice ends the stream; without one, it would check within 5 s.
    expect(Date.now() - revoked).toBeLessThan(5_000);
    await page.keyboard.press('Escape');
    expect(await dialog.isVisible()).toBe(true);
    const next = await stack.caller({ name: 'fay' });
    await dialog.getByLabel('Key').fill(next.apiKey);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await page.getByPlaceholder('type or subject').inputValue()).toBe('report');
    await page.getByText('Live', { exact: true }).waitFor();
    await context.close();
  });

  it('needs no sign-in where the server needs no key', async () => {
    const open = await serveConsole(stack, { config: { ...stack.config, AUTH_MODE: 'local' } });
    const { page, context, faults } = await openPage(browser);
    await page.goto(open.url);
    await page.getByText('Live', { exact: true }).waitFor();
    await page.getByText('Nothing waits for you.').waitFor();
    await page.getByRole('button', { name: /local.*account and settings/ }).click();
    await page.getByRole('menuitem', { name: /Keyboard shortcuts/ }).waitFor();
    expect(await page.getByRole('menuitem', { name: 'Sign out' }).count()).toBe(0);
    expect(await context.cookies()).toEqual([]);
    expect(faults).toEqual([]);
    await context.close();
    await open.app.close();
  });

  it('is signed out in all its tabs at once', async () => {
    const ann = await stack.caller({ name: 'gus' });
    const { page, context } = await openPage(browser);
    await signIn(page, url, ann.apiKey);
    const tab = await openPage(browser, {}, context);
    await tab.page.goto(url);
    await tab.page.getByRole('button', { name: /gus/ }).waitFor();
    await page.getByRole('button', { name: /account and settings/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByLabel('Key').waitFor();
    await tab.page.getByLabel('Key').waitFor();
    await context.close();
  });
});
