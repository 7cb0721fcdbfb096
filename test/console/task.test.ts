/** Moves of cards by menu and by dragging, the screen of one task, and what holds while the api dies. */
import type { FastifyInstance } from 'fastify';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { HistoryEntry } from '../../contracts/work/history.ts';
import type { TaskSummary } from '../../contracts/work/work.ts';
import { freePort } from '../../platform/embedded/ports.ts';
import { writeHealth } from '../../services/agents/presence-records.ts';
import { ApiProcess } from '../setup/api-process.ts';
import { launchBrowser, openPage, serveConsole, signIn } from '../setup/browser.ts';
import { openForge } from '../setup/forges.ts';
import { axe } from '../setup/screen-rules.ts';
import { eventually, testStack, type TestStack } from '../setup/stack.ts';
import { card, createTask, inColumn, live, patience, poll, viewport, type Keyed } from './board.ts';
import { seedWork } from './seed-work.ts';

describe.skipIf(inject('chromium') === null)('a task', () => {
  let stack: TestStack;
  let app: FastifyInstance;
  let url: string;
  let browser: Browser;
  let ann: Keyed;
  beforeAll(async () => {
    stack = await testStack({ model: false, env: { ALLOW_PRIVATE_NETWORK: 'true' } });
    ann = await stack.caller({ name: 'ann' });
    await seedWork(stack.db, 'acme', 200);
    ({ url, app } = await serveConsole(stack));
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await app?.close();
    await stack?.stop();
  });
  const create = (fields: object = {}): Promise<string> => createTask(stack, ann, fields);

  it('moves a card by its menu, says beforehand what it means, and tells each result of several', async () => {
    const ids = [await create({ description: 'moved one' }), await create({ description: 'moved two' })];
    const failed = await create({ description: 'moved back' });
    await stack.ok(ann, 'work.task.fail', { task_id: failed, reason: 'No compiler.', retry: false });
    const { page, context } = await openPage(browser, { viewport });
    await signIn(page, url, ann.apiKey, '/console/work?q=moved');
    await live(page);
    await card(page, ids[0]!).getByRole('button', { name: 'Actions: moved one' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Claim' }).click();
    await page.getByText('You claim it for yourself').waitFor();
    expect(await axe(page)).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Claim' }).click();
    await inColumn(page, 'in_progress').locator(`[data-task="${ids[0]}"]`).waitFor();
    // Choosing all: one is held, one failed, and one is ready already, and is refused.
    for (const id of [...ids, failed]) await card(page, id).getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Make ready…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Make ready' }).click();
    await poll(() => page.getByRole('dialog').innerText()).toContain('2 done, 1 refused');
    await page.getByRole('dialog').getByText('The task is ready already.').waitFor();
    await page.keyboard.press('Escape');
    for (const id of [...ids, failed]) await inColumn(page, 'ready').locator(`[data-task="${id}"]`).waitFor();
    await context.close();
  });

  it('comes from a tracker that a person follows, whose token is shown nowhere', async () => {
    const forge = await openForge('linear');
    forge.file({ title: 'Import me' });
    const { page, context } = await openPage(browser, { viewport });
    await signIn(page, url, ann.apiKey, '/console/system?tab=trackers');
    await page.getByText('No tracker yet.').waitFor();
    await page.getByLabel('Tracker', { exact: true }).selectOption('linear');
    await page.getByLabel('Repository or project').fill(forge.repository);
    await page.getByLabel('Address of its API').fill(forge.url);
    await page.getByLabel('Token', { exact: true }).fill('lin_api_wrong-token');
    await page.getByRole('button', { name: 'Follow' }).click();
    await page.getByText('does not accept the tracker').waitFor();
    await page.getByLabel('Token', { exact: true }).fill(forge.token);
    await page.getByRole('button', { name: 'Follow' }).click();
    await page.getByRole('heading', { name: 'Issue tracker', exact: true }).waitFor();
    expect(await axe(page)).toEqual([]);
    await page.getByRole('button', { name: 'Sync now' }).click();
    await page.getByText('The sync has ended: 1 issue imported.').waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('row', { name: /ENG/ }).getByText('paused').waitFor();
    const left = await page.evaluate<string>(
      `document.documentElement.outerHTML + JSON.stringify(sessionStorage) + JSON.stringify(localStorage)`,
    );
    expect(left).not.toContain(forge.token);
    await page.goto(`${url}/console/work?q=Import%20me`);
    await page.getByText('Import me').first().waitFor();
    await page.goto(`${url}/console/system?tab=trackers`);
    await page.getByRole('button', { name: 'ENG' }).click();
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('No tracker yet.').waitFor();
    await context.close();
    await forge.close();
  });

  it('leads to the issue that a task came from, and names an address that is none', async () => {
    const [id, other] = [await create({ description: 'from an issue' }), await create({ description: 'from elsewhere' })];
    await asTenant('acme', async () => {
      await stack.db.query(
        `insert into work_trackers (tenant_id, id, name, kind, base_url, repository, remote, phase_id, credentials, every_seconds, status, created_by)
         values ('acme', 'tracker_1', 'ours', 'github', 'https://api.github.com', 'acme/shop', 'x', 1, '', 300, 'paused', 'ann')`,
      );
      await stack.db.query(
        `insert into work_task_issues (tenant_id, tracker_id, number, task_id, url, state, left_as)
         values ('acme', 'tracker_1', 7, $1, 'https://github.com/acme/shop/issues/7', 'open', 'moved'),
           ('acme', 'tracker_1', 8, $2, 'javascript:alert(1)', 'closed', null)`,
        [id, other],
      );
    });
    const { page, context, faults } = await openPage(browser, { viewport });
    await signIn(page, url, ann.apiKey, `/console/work/${id}`);
    faults.length = 0;
    const link = page.getByRole('link', { name: '#7 (github.com)' });
    await link.waitFor();
    expect(await link.getAttribute('href')).toBe('https://github.com/acme/shop/issues/7');
    await page.getByText('no longer followed: it was moved elsewhere').waitFor();
    expect(await axe(page)).toEqual([]);
    await page.goto(`${url}/console/work/${other}`);
    await page.getByText('#8').waitFor();
    expect(await page.getByRole('link', { name: /#8/ }).count()).toBe(0);
    expect(faults).toEqual([]);
    await context.close();
  });

  /** Drags as a mouse does: the browser makes the events of dragging itself. */
  async function dragOver(page: Page, id: string, column: string): Promise<void> {
    await card(page, id).hover({ position: { x: 40, y: 60 } });
    await page.mouse.down();
    const box = (await inColumn(page, column).boundingBox())!;
    // Dragging begins with the first move; the column is entered by another.
    for (const dx of [0, 4, 8]) await page.mouse.move(box.x + box.width / 2 + dx, box.y + 150, { steps: 4 });
  }

  it('moves a card by dragging: each column says before what a drop means, and the drop asks', async () => {
    const blocker = await create({ description: 'dragged blocker' });
    const [ready, blocked] = [
      await create({ description: 'dragged ready' }),
      await create({ description: 'dragged blocked', blocked_by: [blocker] }),
    ];
    const { page, context } = await openPage(browser, { viewport });
    await signIn(page, url, ann.apiKey, '/console/work?q=dragged');
    await live(page);
    await dragOver(page, ready, 'done');
    await inColumn(page, 'done').getByText('Complete: It is done without having been claimed').waitFor();
    await inColumn(page, 'in_progress').getByText('Claim: You claim it for yourself').waitFor();
    await inColumn(page, 'backlog').getByText('It waits only for blockers').waitFor();
    await page.mouse.up();
    const dialog = page.getByRole('dialog', { name: 'Complete?' });
    await dialog.getByLabel(/Result/).fill('by hand');
    await dialog.getByRole('button', { name: 'Complete' }).click();
    await inColumn(page, 'done').locator(`[data-task="${ready}"]`).waitFor();
    expect(await stack.ok(ann, 'work.task.get', { task_id: ready })).toMatchObject({ task: { status: 'done', result: 'by hand' } });
    // What the process does not know is refused where it is dropped: nothing is asked for and nothing moves.
    await dragOver(page, blocked, 'in_progress');
    await inColumn(page, 'in_progress').getByText('Its blockers must be done first.').waitFor();
    await page.mouse.up();
    await poll(() => page.getByText('Its blockers must be done first.').count()).toBe(0);
    expect(await page.getByRole('dialog').count()).toBe(0);
    await inColumn(page, 'backlog').locator(`[data-task="${blocked}"]`).waitFor();
    await context.close();
  });

  it('shows on a card whether its holder is there, live, and nothing of whom nobody watches', async () => {
    const [known, stranger] = [
      await stack.caller({ role: 'agent', name: 'watched' }),
      await stack.caller({ role: 'agent', name: 'stranger' }),
    ];
    await asTenant('acme', () =>
      stack.db.query(
        `insert into agents (tenant_id, id, kind, agent_type, name, registered_by, key_id, health)
         values ('acme', 'watched', 'managed', 'worker', 'w', 'ann', 'k', 'healthy')`,
      ),
    );
    const [one, other] = [await create({ description: 'presence one' }), await create({ description: 'presence other' })];
    await stack.ok(known, 'work.task.claim', { task_id: one });
    await stack.ok(stranger, 'work.task.claim', { task_id: other });
    const { page, context } = await openPage(browser, { viewport });
    await signIn(page, url, ann.apiKey, '/console/work?q=presence');
    await live(page);
    await card(page, one).getByText('online').waitFor();
    for (const [rev, health, word] of [
      [1, 'unhealthy', 'quiet'],
      [2, 'offline', 'offline'],
      [3, 'healthy', 'online'],
    ] as const) {
      await asTenant('acme', () => writeHealth(stack.db, { tenant: 'acme', id: 'watched' }, { rev, health }));
      await card(page, one).getByText(word).waitFor();
    }
    expect(await card(page, other).locator('[data-presence]').count()).toBe(0);
    await context.close();
  });

  it('shows both leases of a task, why it went over and what was refused, in the picture, the list and the table', async () => {
    const [a, b] = [await stack.caller({ role: 'agent', name: 'agent-a' }), await stack.caller({ role: 'agent', name: 'agent-b' })];
    const id = await create({ description: 'Two leases\n\nFind out **why**.' });
    await stack.ok(a, 'work.task.claim', { task_id: id, lease_seconds: 1 });
    const history = async (): Promise<HistoryEntry[]> =>
      (await stack.ok<{ entries: HistoryEntry[] }>(ann, 'work.task.history', { task_id: id, oldest_first: true })).entries;
    await eventually('the lease lapses', async () => (await history()).some(({ change }) => change === 'lapsed'));
    const { page, context } = await openPage(browser, { viewport: { width: 1440, height: 1400 } });
    await signIn(page, url, ann.apiKey, `/console/work/${id}`);
    await live(page);
    // The rest happens while the page is open.
    await stack.ok(b, 'work.task.claim', { task_id: id });
    await stack.call(a, 'work.task.complete', { task_id: id, fencing_token: 1, result: 'late' });
    await stack.ok(b, 'work.task.complete', { task_id: id, fencing_token: 2, result: 'Because of **that**.' });
    const list = page.getByRole('list', { name: 'History' });
    await list.getByText('Completed').waitFor();
    await list.getByText('Token 1 was refused').waitFor();
    await list.getByText(/token 2 holds/).waitFor();
    await list.getByText(/Lease expired/).waitFor();
    expect(await page.locator('svg g[data-lease="1"] title').textContent()).toBe('token 1, agent-a: expired without a heartbeat');
    expect(await page.locator('svg g[data-lease="2"] title').textContent()).toBe('token 2, agent-b: completed');
    expect(await page.locator('svg [data-refusal]').count()).toBe(1);
    await page.getByText('Because of that.').waitFor();
    expect(await page.getByRole('link', { name: 'Open in Temporal' }).getAttribute('href')).toMatch(/^http/);
    // Arrow keys go from entry to entry, and each is said.
    await page.getByRole('group', { name: /Timeline, arrow keys/ }).focus();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('status').getByText('Created').waitFor();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('status').getByText('Claimed').waitFor();
    expect(await axe(page)).toEqual([]);
    await page.getByRole('button', { name: 'As table' }).click();
    const rows = await page
      .getByRole('region', { name: 'Timeline, as table' })
      .locator('tbody tr')
      .evaluateAll((found) => found.map((row) => [...row.children].map((cell) => cell.textContent)));
    const entries = await history();
    expect(rows.map((row) => [row[0], row[2], row[3]])).toEqual(
      entries.map((entry) => [
        entry.refused?.last_at ?? entry.at,
        String(entry.refused?.fencing_token ?? entry.fencing_token ?? '–'),
        entry.refused?.agent ?? entry.agent ?? '–',
      ]),
    );
    await context.close();
  });

  it('is a line for each phase on the overview, live, and leads to the board', async () => {
    const { page, context } = await openPage(browser, { viewport });
    await signIn(page, url, ann.apiKey);
    await live(page);
    const ready = page.locator('[data-section="4 Ready"]');
    await ready.waitFor();
    const before = Number(await ready.getAttribute('data-count'));
    await create({ description: 'on the line' });
    await poll(async () => Number(await ready.getAttribute('data-count'))).toBe(before + 1);
    await ready.getByRole('link').click();
    await page.getByRole('heading', { name: 'Work', level: 1 }).waitFor();
    expect(new URL(page.url()).search).toBe('?phase=4&column=ready');
    await context.close();
  });

  describe('while the api dies', { timeout: 300_000 }, () => {
    let api: ApiProcess;
    afterEach(() => api?.kill());
    const lists = async (args: object): Promise<TaskSummary[]> =>
      (await stack.ok<{ tasks: TaskSummary[] }>(ann, 'work.task.list', { details: true, ...args })).tasks;

    it('keeps the board readable, tells it, and has the counts of the server afterwards', async () => {
      api = new ApiProcess(stack, await freePort(0));
      await api.start();
      const { page, context } = await openPage(browser, { viewport });
      await signIn(page, api.url, ann.apiKey, '/console/work?q=killed');
      await live(page);
      const first = await create({ description: 'killed 1' });
      await card(page, first).waitFor();
      const from = Date.now();
      await api.kill();
      await page.getByText('Connection lost').waitFor();
      expect(Date.now() - from).toBeLessThan(3_000 * patience());
      expect(await card(page, first).isVisible()).toBe(true);
      for (let n = 2; n <= 5; n += 1) await create({ description: `killed ${n}` });
      const worker = await stack.caller({ role: 'agent', name: 'meanwhile' });
      await stack.ok(worker, 'work.task.claim', { task_id: first });
      // Long enough for the console to wait longer between its attempts.
      await page.waitForTimeout(Math.max(0, from + 20_000 - Date.now()));
      expect(await card(page, first).isVisible()).toBe(true);
      await api.start();
      await page
        .getByRole('button', { name: 'Try now' })
        .click({ timeout: 1_000 })
        .catch(() => {});
      await page.getByText('Connection lost').waitFor({ state: 'detached' });
      await page.getByText(/Caught up: \d+ events/).waitFor();
      await inColumn(page, 'in_progress').locator(`[data-task="${first}"]`).waitFor();
      await poll(() => inColumn(page, 'ready').locator('[data-task]').count()).toBe(4);
      expect(await lists({ search: 'killed' })).toHaveLength(5);
      await context.close();
    });

    it('between the effect and the answer of "Create task": there is one task, and it is shown', async () => {
      api = new ApiProcess(stack, await freePort(0));
      await api.start();
      const { page, context } = await openPage(browser, { viewport });
      await signIn(page, api.url, ann.apiKey, '/console/work?q=exactly+once');
      await live(page);
      let asked = 0;
      await page.route('**/console/api/tools/work.task.create', async (route) => {
        asked += 1;
        if (asked > 1) return await route.continue();
        await route.fetch();
        await api.kill();
        await route.abort();
      });
      await page.getByRole('button', { name: 'New task' }).waitFor();
      await page.keyboard.press('c');
      await page.getByLabel('Description').fill('exactly once');
      await page.getByRole('dialog').getByLabel('Phase').selectOption('4');
      await page.getByRole('button', { name: 'Create task' }).click();
      await page.getByText('The answer was lost.').waitFor();
      await api.start();
      await page.getByRole('dialog').waitFor({ state: 'detached', timeout: 60_000 });
      const made = await lists({ search: 'exactly once' });
      expect(made).toHaveLength(1);
      await card(page, made[0]!.id).waitFor();
      expect(asked).toBeGreaterThan(1);
      await context.close();
    });
  });
});
