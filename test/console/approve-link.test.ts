/** The page of a link in an alert, in a browser: without scripts, on a phone, by keyboard. */
import type { FastifyInstance } from 'fastify';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { Caller } from '../../contracts/caller.ts';
import type { Approval } from '../../contracts/governance/policy.ts';
import type { Subscription } from '../../contracts/outbound/subscriptions.ts';
import { launchBrowser, openPage, serveConsole, signIn } from '../setup/browser.ts';
import { axe, colourRules, smallControls, tabbed } from '../setup/screen-rules.ts';
import { testStack, type TestStack } from '../setup/stack.ts';

describe.skipIf(inject('chromium') === null)('the page of a link', () => {
  let stack: TestStack;
  let app: FastifyInstance;
  let url: string;
  let browser: Browser;
  let pam: Caller & { apiKey: string };
  let robo: Caller;
  let subscription: Subscription;
  beforeAll(async () => {
    stack = await testStack({ model: false, env: { PUBLIC_URL: 'https://box.example.com' } });
    ({ url, app } = await serveConsole(stack));
    browser = await launchBrowser();
    pam = await stack.caller({ role: 'pm', name: 'pam' });
    robo = await stack.caller({ role: 'agent', name: 'robo' });
    ({ subscription } = await stack.ok<{ subscription: Subscription }>(pam, 'event.subscription.save', {
      target: 'notification',
      channel: 'email',
      recipient: 'ann@example.com',
      types: ['approval.requested'],
      approve_links: true,
    }));
  });
  afterAll(async () => {
    await browser?.close();
    await app?.close();
    await stack?.stop();
  });

  async function linked(name: string): Promise<{ id: string; link: string }> {
    const schema = {
      name,
      version: '1.0.0',
      json_schema: { type: 'object', title: 'in\u202evisible', description: '<b>bold</b>'.repeat(20) },
    };
    const { approval_id: id } = await stack.ok<{ approval_id: string }>(robo, 'schema.definition.register', schema);
    const link = await asTenant('acme', () => stack.services.approvalLinks.address('acme', id, subscription.subscription_id));
    return { id, link: link!.replace('https://box.example.com', url) };
  }
  const approvalOf = async (approval_id: string): Promise<Approval> =>
    (await stack.ok<{ approval: Approval }>(pam, 'approval.request.get', { approval_id, wait_seconds: 10 })).approval;

  it('decides without scripts, on a phone', async () => {
    const { id, link } = await linked('phone');
    const { page, context } = await openPage(browser, { javaScriptEnabled: false, viewport: { width: 360, height: 740 } });
    await page.goto(link);
    await page.getByRole('heading', { name: 'A call waits for you' }).waitFor();
    await page.getByText('U+202E').waitFor();
    expect(await page.getByRole('main').textContent()).toContain('<b>bold</b>');
    const [width, shown] = [await page.locator('html').boundingBox(), await page.getByRole('main').boundingBox()];
    expect(shown!.width).toBeLessThanOrEqual(width!.width);
    await page.reload();
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('heading', { name: /^Approved/ }).waitFor();
    expect(await approvalOf(id)).toMatchObject({ status: 'completed', decided_by: 'email:ann@example.com' });
    await page.reload();
    await page.getByRole('heading', { name: 'Approved, and done' }).waitFor();
    expect(await page.getByRole('button').count()).toBe(0);
    await page.goBack();
    await page.getByRole('heading', { name: 'Approved, and done' }).waitFor();
    await context.close();
  });

  it('keeps the rules of all screens, and its policy refuses nothing of it', async () => {
    const { id, link } = await linked('rules');
    const { page, context, faults, requests } = await openPage(browser, { viewport: { width: 360, height: 740 } });
    await page.goto(link);
    expect(await axe(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await axe(page, colourRules)).toEqual([]);
    expect(await smallControls(page, 24)).toEqual([]);
    expect(await tabbed(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    // A script that comes into the page does not run.
    await page.evaluate(`document.body.insertAdjacentHTML('beforeend', '<img src=x onerror="window.acted = true">')`).catch(() => {});
    expect(await page.evaluate('window.acted')).toBeUndefined();
    expect(faults.filter((fault) => !/CSP|Content Security Policy|TrustedHTML/.test(fault))).toEqual([]);
    expect(requests.filter((request) => request !== 'GET /approve')).toEqual([]);
    await page.getByRole('button', { name: 'Reject' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Rejected: it does not run' }).waitFor();
    expect((await approvalOf(id)).status).toBe('rejected');
    await context.close();
  });

  it('is offered in the form of subscriptions, for alerts alone', async () => {
    const { page, context, faults } = await openPage(browser);
    await signIn(page, url, pam.apiKey, '/console/system?tab=events');
    // The session of the sign-in page is unknown once.
    faults.length = 0;
    const links = page.getByLabel('carry a link that decides without signing in');
    const to = page.getByLabel('To', { exact: true });
    await to.waitFor();
    expect(await links.count()).toBe(0);
    await to.selectOption('email');
    await page.getByLabel('E-mail').fill('bob@example.com');
    await links.check();
    await page.getByRole('button', { name: 'Subscribe' }).click();
    await page.getByRole('definition').getByText('carry a link that decides').waitFor();
    const { subscriptions } = await stack.ok<{ subscriptions: Subscription[] }>(pam, 'event.subscription.list', {});
    expect(subscriptions.find(({ recipient }) => recipient === 'bob@example.com')).toMatchObject({ approve_links: true });
    expect(faults).toEqual([]);
    await context.close();
  });

  it('is a page, too, when the link cannot be used', async () => {
    const { page, context } = await openPage(browser);
    await page.goto(`${url}/approve?token=acme.apr_1.sub_1.1.${'A'.repeat(43)}`);
    await page.getByRole('heading', { name: 'This link cannot be used' }).waitFor();
    expect(await axe(page)).toEqual([]);
    await context.close();
  });
});
