/** Runs of coding agents in the console: live, decided by people, with their diffs, and what they used. */
import type { FastifyInstance } from 'fastify';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { WorkRun } from '../../contracts/work/runs.ts';
import type { Comment } from '../../contracts/work/work.ts';
import { launchBrowser, openPage, serveConsole, signIn } from '../setup/browser.ts';
import { axe } from '../setup/screen-rules.ts';
import { testStack, type TestStack } from '../setup/stack.ts';
import { card, live, poll, viewport, type Keyed } from './board.ts';
import { diffOf, freshPhase, handIn, openAgain, openRun, say } from './seed-runs.ts';

describe.skipIf(inject('chromium') === null)('runs of agents', () => {
  let stack: TestStack;
  let app: FastifyInstance;
  let url: string;
  let browser: Browser;
  let ann: Keyed;
  beforeAll(async () => {
    stack = await testStack({ model: false });
    ann = await stack.caller({ name: 'ann', kind: 'human' });
    ({ url, app } = await serveConsole(stack));
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await app?.close();
    await stack?.stop();
  });
  const runOf = async (id: string): Promise<WorkRun> => (await stack.ok<{ run: WorkRun }>(ann, 'work.run.get', { run_id: id })).run;
  const reads = (requests: string[]): number => requests.filter((one) => one.endsWith('work.run.tail')).length;

  it('are shown while they go on, also what is said within one event, and nothing is asked while nothing happens', async () => {
    const opened = await openRun(stack, ann, 'Pay by card');
    const { page, context, requests, faults } = await openPage(browser, { viewport });
    await signIn(page, url, ann.apiKey, `/console/work/${opened.task}`);
    faults.length = 0;
    await live(page);
    await page.getByText('The agent has not said anything yet.').waitFor();
    await say(stack, opened, [
      { kind: 'text', text: 'I read **the tests** first. \u202egnp\u202c <img src=x onerror=alert(1)>' },
      { kind: 'tool', text: 'npm test', data: { name: 'bash', id: 'c1' } },
    ]);
    // One after the other, so that the later ones have no event of their own.
    await say(stack, opened, [{ kind: 'tool_result', text: '14 passed', data: { id: 'c1' } }]);
    await say(stack, opened, [{ kind: 'file', text: 'wrote', data: { path: 'src/pay.ts' } }], {
      usage: { input_tokens: 1_500, output_tokens: 500, cached_tokens: 0, cost_usd: 0.25 },
    });
    const steps = page.getByRole('list', { name: 'Steps' });
    await steps.getByText('I read the tests first.').waitFor();
    await steps.getByText('src/pay.ts').waitFor();
    await page.getByRole('row', { name: /codex/ }).getByText('2,000').waitFor();
    expect(await steps.locator('[data-seq]').evaluateAll((all) => all.map((one) => one.getAttribute('data-seq')))).toEqual(['1', '2', '4']);
    expect([await steps.getByText('U+202E').count(), await page.locator('img[src="x"]').count()]).toEqual([1, 0]);
    const call = steps.locator('[data-seq="2"]');
    expect(await call.getByText('14 passed').isVisible()).toBe(false);
    await call.locator('summary').click();
    await call.getByText('14 passed').waitFor();
    // The last event's read comes within its stretch; then the page is still.
    await poll(async () => {
      const before = reads(requests);
      await page.waitForTimeout(3_000);
      return reads(requests) - before;
    }).toBe(0);
    expect(await axe(page)).toEqual([]);
    expect(faults).toEqual([]);
    await context.close();
  });

  it('are reviewed: comments beside lines by keyboard, sent back, done again, approved', async () => {
    const phase = await freshPhase(stack, ann);
    const opened = await openRun(stack, ann, 'Refund a payment', {}, phase);
    const big = Array.from({ length: 500 }, (_, i) => `line ${i}`);
    const diff = diffOf('src/pay.ts', ['const a = 1; // \u202eevil\u202c', '<b>bold</b>'], ['const a = 0;']) + diffOf('src/big.ts', big);
    await handIn(stack, opened, diff);
    const { page, context, faults } = await openPage(browser, { viewport: { width: 1440, height: 1400 } });
    await signIn(page, url, ann.apiKey, `/console/work/${opened.task}`);
    faults.length = 0;
    await live(page);
    const file = page.locator('[data-file="src/pay.ts"]');
    await file.waitFor();
    const told = await file
      .locator('tr[data-kind]')
      .evaluateAll((rows) =>
        rows.map((row) => [row.getAttribute('data-kind'), ...[...row.children].slice(0, 2).map((cell) => cell.textContent)]),
      );
    expect(told).toEqual([
      ['same', '10', '10'],
      ['removed', '11', ''],
      ['added', '', '11'],
      ['added', '', '12'],
    ]);
    // The numbers leave the width to the text.
    const widths = await file.locator('tr[data-kind=same] td').evaluateAll((cells) => cells.map((cell) => cell.clientWidth));
    expect(widths[0]! + widths[1]!).toBeLessThan(widths[2]! / 4);
    expect(await file.getByText('U+202E').count()).toBe(1);
    expect(await file.getByText('<b>bold</b>').count()).toBe(1);
    // A long file is folded until it is opened.
    const long = page.locator('[data-file="src/big.ts"]');
    expect(await long.locator('tr').count()).toBe(0);
    await long.getByRole('button', { expanded: false }).click();
    await poll(() => long.locator('tr[data-kind]').count()).toBe(501);
    await long.getByRole('button', { expanded: true }).click();
    expect(await axe(page)).toEqual([]);
    // Nothing to say: nothing is sent.
    expect(await page.getByRole('button', { name: 'Send back' }).getAttribute('aria-disabled')).toBe('true');
    await file.getByRole('group').focus();
    for (const key of ['ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
    await page.keyboard.type('Why one?');
    await file.getByRole('button', { name: 'Comment', exact: true }).click();
    await file.locator('[data-remark="11"]').getByText('Why one?').waitFor();
    const { task } = await stack.ok<{ task: { comments: Comment[] } }>(ann, 'work.task.get', { task_id: opened.task });
    expect(task.comments).toMatchObject([{ body: 'Why one?', path: 'src/pay.ts', line: 11, run_id: opened.run }]);
    await page.keyboard.press('Escape');
    await page.getByLabel('Note, which the next attempt reads').fill('Use a name.');
    await page.getByRole('button', { name: 'Send back' }).click();
    await page.getByRole('row', { name: /codex/ }).getByText('sent back').waitFor();
    expect(await runOf(opened.run)).toMatchObject({ state: 'returned', review: { verdict: 'send_back', by: 'ann', note: 'Use a name.' } });
    // The next attempt is shown when it begins, and waits for its merge when it is approved.
    const again = await openAgain(stack, opened.runner, phase);
    await page.getByText('The agent has not said anything yet.').waitFor();
    await handIn(stack, again, diffOf('src/pay.ts', ['const one = 1;']));
    const run = page.getByRole('region', { name: 'Run', exact: true });
    await run.getByRole('button', { name: 'Approve' }).waitFor();
    await page.getByRole('button', { name: 'Checks' }).click();
    await page.getByText('failed with 1').waitFor();
    await page.getByText('src/pay.ts:11 no-unused-vars').waitFor();
    await page.getByRole('heading', { level: 1 }).click();
    await page.keyboard.press('a');
    await page.getByText('Approved. It waits for its merge').waitFor();
    expect(await runOf(again.run)).toMatchObject({ state: 'approved', review: { verdict: 'approve', by: 'ann' } });
    expect(await run.getByRole('button', { name: 'Approve' }).count()).toBe(0);
    await stack.ok(opened.runner, 'work.run.merged', { run_id: again.run, commit: 'fedcba9' });
    await page
      .getByRole('row', { name: /attempt/ })
      .getByText('completed')
      .waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  it('show a long diff part by part', async () => {
    const opened = await openRun(stack, ann, 'A long change');
    const lines = Array.from({ length: 2_000 }, (_, n) => `const value${n} = 'a line of some length';`);
    await handIn(stack, opened, ['a.ts', 'b.ts', 'c.ts'].map((name) => diffOf(name, lines)).join(''));
    const { page, context, faults } = await openPage(browser, { viewport });
    await signIn(page, url, ann.apiKey, `/console/work/${opened.task}`);
    faults.length = 0;
    await page.getByText('3 files so far').waitFor();
    const whole = page.locator('[data-file]').getByText('+2000', { exact: true });
    expect(await whole.count()).toBe(2);
    await page.getByRole('button', { name: 'Load more' }).click();
    await page.getByText('so far').waitFor({ state: 'detached' });
    expect(await whole.count()).toBe(3);
    expect(await page.getByRole('button', { name: 'Load more' }).count()).toBe(0);
    expect(await axe(page)).toEqual([]);
    expect(faults).toEqual([]);
    await context.close();
  });

  it('wait on their card, in the inbox and for an answer, and are counted in what agents used', async () => {
    const opened = await openRun(stack, ann, 'Waiting to be read');
    await handIn(stack, opened, diffOf('a.ts', ['x']));
    const asking = await openRun(stack, ann, 'Which currency');
    await handIn(stack, asking, '', { outcome: 'question', reason: 'Euro or dollar?', patch_artifact: null });
    const { page, context } = await openPage(browser, { viewport });
    await signIn(page, url, ann.apiKey, '/console/work?q=Waiting');
    await card(page, opened.task).getByText('waits for review').waitFor();
    await card(page, opened.task).getByText('+12 −3 in 2 files').waitFor();
    await page.goto(`${url}/console/inbox?kind=run`);
    await page.getByRole('row', { name: /Waiting to be read/ }).waitFor();
    await page.getByRole('row', { name: /Which currency/ }).click();
    await page.getByText('The agent waits for an answer.').waitFor();
    expect(await axe(page)).toEqual([]);
    await page.getByRole('link', { name: 'Open the work' }).click();
    await page.getByText('The agent asks: ').waitFor();
    await page.getByLabel('Answer, which the next attempt reads').fill('Euro.');
    await page.getByRole('button', { name: 'Send back' }).click();
    await page.getByRole('row', { name: /codex/ }).getByText('sent back').waitFor();
    await page.goto(`${url}/console/system?tab=agents&by=agent`);
    const bar = page.locator('[data-key="codex"]');
    await bar.waitFor();
    const { rows } = await stack.ok<{ rows: { key: string; runs: number; input_tokens: number; output_tokens: number }[] }>(
      ann,
      'work.usage.get',
      {},
    );
    const [sum] = rows;
    expect(await bar.innerText()).toContain(`${(sum!.input_tokens + sum!.output_tokens).toLocaleString('en')} tokens`);
    await page.getByRole('button', { name: 'As table' }).click();
    await page.getByRole('cell', { name: sum!.input_tokens.toLocaleString('en'), exact: true }).waitFor();
    await page.getByLabel('Tokens per day').fill('1');
    await page.getByRole('button', { name: 'Save the budget' }).click();
    await page.getByText('spent', { exact: true }).waitFor();
    expect(await axe(page)).toEqual([]);
    await stack.ok(ann, 'work.budget.set', {});
    await context.close();
  });
});
