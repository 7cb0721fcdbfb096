/** Pictures for docs/console.md, of the real thing: `CONSOLE_PICTURES=docs/images npx vitest run --project console test/console/pictures.test.ts`. */
import { join } from 'node:path';
import { expect, inject, it } from 'vitest';
import { launchBrowser, openPage, serveConsole, signIn } from '../setup/browser.ts';
import { testStack } from '../setup/stack.ts';
import { seedAgents } from './seed-agents.ts';
import { seedConnect } from './seed-connect.ts';
import { seedGovern } from './seed-govern.ts';
import { seedInboxScreens } from './seed-inbox.ts';
import { seedInsight } from './seed-insight.ts';
import { seedKnowledge } from './seed-know.ts';
import { seedMemories } from './seed-memories.ts';
import { seedOverview } from './seed.ts';

const folder = process.env['CONSOLE_PICTURES']!;
/** Where the tests of other screens write what is hostile. */
const text = 'Waits for the review of the parser';
/** The part of an address that chooses the picture of a screen, where the first one shows little. */
const telling = /why=yes|tab=around|blind=off|names=yes|tab=change|lanes=|tool=external|id=apr|versions|trends/;

it.skipIf(inject('chromium') === null)(
  'pictures of each screen',
  async () => {
    const stack = await testStack({ workers: false, model: false });
    const { url, app } = await serveConsole(stack);
    const browser = await launchBrowser();
    const ann = await stack.caller({ name: 'ann' });
    const addresses = [
      ...(await seedOverview(stack, 'acme', text)),
      ...(await seedInboxScreens(stack, text)),
      ...(await seedKnowledge(stack, text)),
      ...(await seedInsight(stack, text)),
      ...(await seedConnect(stack, text)),
      ...(await seedAgents(stack, text)),
      ...(await seedGovern(stack, text)),
      ...(await seedMemories(stack, text)),
    ];
    const screens = Map.groupBy(addresses, (address) => {
      const [, , screen = 'overview', id] = address.split(/[?#]/)[0]!.split('/');
      return id === undefined ? screen : `${screen}-one`;
    });
    const { page } = await openPage(browser, { viewport: { width: 1280, height: 800 } });
    await signIn(page, url, ann.apiKey);
    for (const [name, own] of screens) {
      await page.goto(url + (own.find((address) => telling.test(address)) ?? own[0]!));
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.getByText('Live', { exact: true }).waitFor();
      await expect.poll(() => page.locator('[aria-busy=true]').count(), { timeout: 20_000 }).toBe(0);
      await page.screenshot({ path: join(folder, `console-${name}.jpg`), type: 'jpeg', quality: 60 });
    }
    await browser.close();
    await app.close();
    await stack.stop();
  },
  300_000,
);
