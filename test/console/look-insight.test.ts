import { it, inject, expect } from 'vitest';
import { launchBrowser, openPage, serveConsole, signIn } from '../setup/browser.ts';
import { testStack } from '../setup/stack.ts';
import { seedInsight } from './seed-insight.ts';

it.skipIf(inject('chromium') === null)(
  'looks',
  async () => {
    const stack = await testStack({ workers: false, model: false });
    const { url, app } = await serveConsole(stack);
    const browser = await launchBrowser();
    const ann = await stack.caller({ name: 'ann', kind: 'human' });
    const began = Date.now();
    const addresses = await seedInsight(stack);
    console.log('seeded in', Date.now() - began);
    const { page, faults } = await openPage(browser, { viewport: { width: 1440, height: 900 } });
    await signIn(page, url, ann.apiKey);
    await page.goto(url + '/console/insight');
    const grid = page.getByRole('grid');
    await grid.getByRole('link').first().focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await page.waitForTimeout(3000);
    console.log(page.url(), (await page.locator('main').innerText()).slice(0, 600));
    await page.screenshot({ path: `/tmp/look-cell.png` });
    for (const [name, viewport, colorScheme] of [['phone', { width: 390, height: 844 }, 'light']] as const) {
      const { page, faults } = await openPage(browser, { viewport, colorScheme });
      await signIn(page, url, ann.apiKey);
      for (const [i, address] of addresses.entries()) {
        await page.goto(url + address);
        await page.getByRole('heading', { level: 1 }).waitFor();
        await expect.poll(() => page.locator('[aria-busy=true]').count(), { timeout: 20_000 }).toBe(0);
        await page.waitForTimeout(300);
        const wide = await page.evaluate(`document.documentElement.scrollWidth > innerWidth`);
        await page.screenshot({ path: `/tmp/look-${name}-${i}.png` });
        console.log(name, i, address, wide ? 'SIDEWAYS' : '');
      }
      if (faults.length) console.log(faults.slice(0, 10));
    }
    await browser.close();
    await app.close();
    await stack.stop();
  },
  400_000,
);
