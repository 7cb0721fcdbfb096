/** Pictures for docs/console.md, of the real thing: `CONSOLE_PICTURES=docs/images npx vitest run --project console test/console/pictures.test.ts`. */
import { join } from 'node:path';
import { describe, inject, it } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import { noteEvent } from '../../services/kernel/outbox.ts';
import { launchBrowser, openPage, serveConsole, signIn } from '../setup/browser.ts';
import { testStack } from '../setup/stack.ts';
import { seedOverview } from './seed.ts';

const folder = process.env['CONSOLE_PICTURES']!;

describe.skipIf(inject('chromium') === null)('pictures', () => {
  it('of the overview', async () => {
    const stack = await testStack({ workers: false, model: false });
    const { url, app } = await serveConsole(stack);
    const browser = await launchBrowser();
    const ann = await stack.caller({ name: 'ann', role: 'pm' });
    await seedOverview(stack, 'acme', 'Waits for the review of the parser');
    for (const [name, colorScheme, width] of [
      ['overview', 'light', 1440],
      ['overview-dark', 'dark', 1440],
      ['overview-phone', 'light', 390],
      ['overview-phone-dark', 'dark', 390],
    ] as const) {
      const { page, context } = await openPage(browser, { colorScheme, viewport: { width, height: width === 390 ? 844 : 900 } });
      await page.goto(url);
      await page.getByLabel('Key').waitFor();
      await page.screenshot({ path: join(folder, `sign-in-${colorScheme}-${width}.png`) });
      await signIn(page, url, ann.apiKey);
      await page.getByText('Live', { exact: true }).waitFor();
      for (const [type, subject] of [
        ['ingestion.completed', 'job_01k8calls'],
        ['approval.requested', 'apr_4'],
        ['agent.status_changed', 'worker-3'],
        ['signal.ingested', 'sig_01k8'],
      ] as const)
        await asTenant('acme', () => noteEvent(stack.db.query, 'acme', type, subject, {}));
      await page.getByText('sig_01k8').waitFor();
      await page.screenshot({ path: join(folder, `console-${name}.png`), fullPage: width === 390 });
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').waitFor();
      await page.screenshot({ path: join(folder, `${name}-palette.png`) });
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: /account and settings/ }).click();
      await page.getByRole('menu').waitFor();
      await page.screenshot({ path: join(folder, `${name}-menu.png`) });
      await context.close();
    }
    await browser.close();
    await app.close();
    await stack.stop();
  });
});
