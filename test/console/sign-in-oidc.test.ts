/** Signing in at a real issuer with a real browser, and the list of signed-in browsers. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import { consoleFolder, launchBrowser, openPage } from '../setup/browser.ts';
import { axe } from '../setup/screen-rules.ts';
import { signInStack, type SignInStack } from '../setup/sign-in.ts';

describe.skipIf(inject('chromium') === null)('a browser at the issuer', () => {
  let set: SignInStack;
  let browser: Browser;
  beforeAll(async () => {
    set = await signInStack({ parts: () => ({ consoleFolder }) });
    browser = await launchBrowser();
    set.oidc.people.set('ada', { groups: ['eng'] });
    set.oidc.people.set('bea', { groups: ['bosses'] });
    set.oidc.people.set('nobody', { groups: [] });
  });
  afterAll(async () => {
    await browser?.close();
    await set?.app.close();
    await set?.stack.stop();
    await set?.oidc.close();
  });

  /** The forms of the issuer's own pages. */
  async function atIssuer(page: Page, login: string): Promise<void> {
    await page.getByPlaceholder('Enter any login').fill(login);
    await page.getByPlaceholder('and password').fill('x');
    await page.getByRole('button', { name: 'Sign-in' }).click();
    await page.getByRole('button', { name: 'Continue' }).click();
  }
  async function signIn(page: Page, login: string, path = '/'): Promise<void> {
    await page.goto(set.url + path);
    await page.getByRole('link', { name: 'Sign in with Acme' }).click();
    await atIssuer(page, login);
    await page.getByRole('button', { name: new RegExp(`${login}.*account and settings`) }).waitFor();
  }

  it('signs in, returns to its page, and signs out here and there', async () => {
    const { page, context, faults } = await openPage(browser);
    await page.goto(`${set.url}/console/inbox?kind=call#2`);
    await page.getByRole('link', { name: 'Sign in with Acme' }).waitFor();
    await page.getByLabel('Key').waitFor();
    expect(await axe(page)).toEqual([]);
    await page.getByRole('link', { name: 'Sign in with Acme' }).click();
    await atIssuer(page, 'ada');
    await page.getByRole('button', { name: /ada.*account and settings/ }).waitFor();
    expect(page.url()).toBe(`${set.url}/console/inbox?kind=call#2`);
    const own = (await context.cookies()).filter(({ name }) => name.startsWith('__Host-sb-'));
    expect(own).toEqual([expect.objectContaining({ httpOnly: true, secure: true, sameSite: 'Strict', path: '/' })]);
    // Up to here, also those of the issuer's pages.
    faults.length = 0;
    await page.reload();
    await page.getByText('Live', { exact: true }).waitFor();
    expect(faults).toEqual([]);

    await page.getByRole('button', { name: /account and settings/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    // The issuer asks whether its own session ends, too.
    await page.getByRole('button', { name: /yes/i }).click();
    await page.getByLabel('Key').waitFor();
    expect(page.url()).toBe(`${set.url}/`);
    await page.getByRole('link', { name: 'Sign in with Acme' }).click();
    await page.getByPlaceholder('Enter any login').waitFor();
    await context.close();
  });

  it('says why it was not signed in, and does not say it again', async () => {
    const { page, context } = await openPage(browser);
    await page.goto(set.url);
    await page.getByRole('link', { name: 'Sign in with Acme' }).click();
    await atIssuer(page, 'nobody');
    await page.getByText('nobody has signed in, but has no role here.').waitFor();
    await page.reload();
    await page.getByRole('link', { name: 'Sign in with Acme' }).waitFor();
    expect(await page.getByText('has no role here').count()).toBe(0);
    await context.close();
  });

  it('shows where somebody is signed in, and signs the others out at once', async () => {
    const [one, two] = [await openPage(browser), await openPage(browser)];
    await signIn(one.page, 'bea');
    await signIn(two.page, 'bea');
    await two.page.getByText('Live', { exact: true }).waitFor();
    await one.page.getByRole('button', { name: /account and settings/ }).click();
    await one.page.getByRole('menuitem', { name: 'Sign-ins' }).click();
    await one.page.getByRole('heading', { name: 'Sign-ins' }).waitFor();
    await one.page.getByText('Chrome on Linux (this one)').waitFor();
    expect(await axe(one.page)).toEqual([]);
    await one.page.getByRole('button', { name: 'Sign out all others' }).click();
    await one.page.getByRole('dialog').getByRole('button', { name: 'Sign out all others' }).click();
    await two.page.getByRole('dialog', { name: 'Your session has ended' }).waitFor({ timeout: 15_000 });
    // The page that asked goes on.
    await one.page.getByText('Chrome on Linux (this one)').waitFor();
    // An admin sees everybody's.
    await one.page.getByLabel('Whose').selectOption('all');
    await one.page.getByRole('cell', { name: 'bea' }).first().waitFor();
    await one.context.close();
    await two.context.close();
  });

  it('is signed out when its person has been removed at the issuer', async () => {
    set.oidc.people.set('gus', { groups: ['eng'] });
    const { page, context } = await openPage(browser);
    await signIn(page, 'gus');
    await page.getByText('Live', { exact: true }).waitFor();
    set.oidc.people.delete('gus');
    await asTenant('acme', () =>
      set.stack.db.query(`update console_sessions set check_at = now() where tenant_id = 'acme' and principal = 'gus'`),
    );
    await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor({ timeout: 30_000 });
    await context.close();
  });

  it('offers the key while the issuer is away', async () => {
    const ann = await set.stack.caller({ name: 'ann' });
    const { page, context } = await openPage(browser);
    await page.goto(set.url);
    set.oidc.down = true;
    try {
      // What was found at the issuer before stays known; its page does not open.
      await page.getByRole('link', { name: 'Sign in with Acme' }).waitFor();
      await page.getByLabel('Key').fill(ann.apiKey);
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: /ann.*account and settings/ }).waitFor();
    } finally {
      set.oidc.down = false;
    }
    await context.close();
  });
});
