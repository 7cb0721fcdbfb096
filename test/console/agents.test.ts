/** Agents, delegated tasks, jobs and the tray, in a real Chromium. */
import type { FastifyInstance } from 'fastify';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { PresenceSpan } from '../../contracts/agents/past.ts';
import { writeHealth } from '../../services/agents/presence-records.ts';
import { launchBrowser, openPage, serveConsole, signIn, type Watched } from '../setup/browser.ts';
import { axe } from '../setup/screen-rules.ts';
import { testStack, type TestStack } from '../setup/stack.ts';
import { hostile } from './hostile.ts';
import { seedAgents } from './seed-agents.ts';

describe.skipIf(inject('chromium') === null)('agents, delegations and jobs', () => {
  let stack: TestStack;
  let app: FastifyInstance;
  let url: string;
  let browser: Browser;
  let ann: Awaited<ReturnType<TestStack['caller']>>;
  beforeAll(async () => {
    stack = await testStack({ model: false, env: { ALLOW_PRIVATE_NETWORK: 'true' } });
    ({ url, app } = await serveConsole(stack));
    browser = await launchBrowser();
    ann = await stack.caller({ name: 'ann' });
    await seedAgents(stack, hostile);
  });
  afterAll(async () => {
    await browser?.close();
    await app?.close();
    await stack?.stop();
  });

  const sql = <T extends Record<string, unknown>>(text: string, ...values: unknown[]) =>
    asTenant('acme', () => stack.db.query<T>(text, ['acme', ...values]));

  async function open(
    path: string,
    options: Parameters<typeof openPage>[1] = { viewport: { width: 1440, height: 900 } },
  ): Promise<Watched> {
    const watched = await openPage(browser, options);
    await signIn(watched.page, url, ann.apiKey, path);
    await watched.page.getByRole('heading', { level: 1 }).waitFor();
    await watched.page.getByText('Live', { exact: true }).waitFor();
    return watched;
  }
  const rows = (page: Page, label: string) => page.getByRole('table', { name: label, exact: true }).locator('tbody tr[data-row]');
  const firstCells = (page: Page, label: string) => rows(page, label).locator('td:first-child button').allInnerTexts();

  describe('what the address says', () => {
    it.each([
      ['/console/agents?q=fleet-0&health=unhealthy&kind=worker&order=name', 'agents', 'Search'],
      ['/console/delegations?direction=received&status=completed&id=received%2Fdeleg-003', 'delegated tasks', 'Task'],
      ['/console/jobs?status=failed&kind=draft&id=job_list008', 'jobs', 'Job'],
      ['/console/agents/scribe?tab=versions&open=1&with=2', 'versions', 'Versions'],
      ['/console/agents/scribe?tab=outputs&open=out_scribe1', 'outputs of the agent', 'Outputs'],
    ])('%s survives reload, back and forward, and a copy to another browser', async (address, label) => {
      const one = await open(address);
      await rows(one.page, label).first().waitFor();
      const shown = await firstCells(one.page, label);
      expect(shown.length).toBeGreaterThan(0);
      const query = (page: Page): string => new URL(page.url()).search;
      expect(query(one.page)).toBe(new URL(url + address).search);
      await one.page.reload();
      await expect.poll(() => firstCells(one.page, label)).toEqual(shown);
      await one.page.keyboard.press('g');
      await one.page.keyboard.press('h');
      await one.page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
      await one.page.goBack();
      await expect.poll(() => firstCells(one.page, label)).toEqual(shown);
      await one.page.goForward();
      await one.page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
      const other = await open(address);
      await expect.poll(() => firstCells(other.page, label)).toEqual(shown);
      expect(query(other.page)).toBe(new URL(url + address).search);
      await one.context.close();
      await other.context.close();
    });

    it('follows what is typed and chosen, and the list is the one of the tool', async () => {
      const { page, context } = await open('/console/agents');
      await page.keyboard.press('/');
      await page.keyboard.type('crawler 1');
      await page.getByLabel('State').selectOption('offline');
      await page.getByLabel('Order').selectOption('name');
      await expect.poll(() => new URL(page.url()).search).toBe('?q=crawler+1&health=offline&order=name');
      const { agents } = await stack.ok(ann, 'agent.registry.list', {
        search: 'crawler 1',
        status: 'active',
        health: 'offline',
        order: 'name',
        limit: 100,
      });
      const wanted = agents.map((agent: { agent_id: string }) => agent.agent_id);
      expect(wanted.length).toBeGreaterThan(3);
      await expect.poll(() => firstCells(page, 'agents').then((all) => all.map((text) => text.split('\n')[0]))).toEqual(wanted);
      await page.getByRole('searchbox').fill('no such agent');
      await page.getByRole('button', { name: 'Clear the filters' }).click();
      await expect.poll(() => new URL(page.url()).search).toBe('?order=name');
      await context.close();
    });
  });

  it('all agents are reached by the end of the list, each once', async () => {
    const { page, context } = await open('/console/agents?order=registered');
    const seen = new Set<string>();
    // A row that leaves the page meanwhile is read as one line.
    const idOf = (text: string): string => /^(scribe|fleet-\d{3})/.exec(text)?.[0] ?? text;
    await expect
      .poll(
        async () => {
          await page.evaluate('scrollTo(0, document.body.scrollHeight)');
          for (const text of await firstCells(page, 'agents')) seen.add(idOf(text));
          return await page.getByRole('button', { name: /Load more|Loading/ }).count();
        },
        { timeout: 30_000 },
      )
      .toBe(0);
    await page.evaluate('scrollTo(0, 0)');
    for (let y = 0; y < 40 && seen.size < 191; y += 1) {
      // The rows are drawn in the frame after.
      await page.evaluate(
        `new Promise((done) => { scrollTo(0, ${y * 400}); requestAnimationFrame(() => requestAnimationFrame(() => done())); })`,
      );
      for (const text of await firstCells(page, 'agents')) seen.add(idOf(text));
    }
    const [{ n } = { n: 0 }] = await sql<{ n: number }>(
      'select count(*)::int as n from agents where tenant_id = $1 and removed_at is null',
    );
    expect([...seen].filter((id) => !/^(scribe|fleet-\d{3})$/.test(id))).toEqual([]);
    expect(seen.size).toBe(n);
    await context.close();
  });

  describe('presence', () => {
    it('is a strip, a table and an answer of the tool with the same numbers; arrow keys move through it by name', async () => {
      const { page, context } = await open('/console/agents/scribe');
      const strip = page.getByRole('figure', { name: 'Presence over 24 hours' });
      await strip.waitFor();
      const { spans } = await stack.ok<{ spans: PresenceSpan[] }>(ann, 'agent.presence.get', { agent_id: 'scribe' });
      const names = await strip.locator('g[role=img]').evaluateAll((all) => all.map((one) => one.getAttribute('aria-label') ?? ''));
      expect(names.map((name) => name.split(' ')[0])).toEqual(spans.map(({ state }) => state));
      const widths = await strip.locator('g rect:first-child').evaluateAll((all) => all.map((one) => Number(one.getAttribute('width'))));
      const whole = widths.reduce((sum, width) => sum + width, 0);
      for (const [i, { seconds }] of spans.entries()) expect(Math.abs(widths[i]! / whole - seconds / 86_400)).toBeLessThan(0.002);

      const group = strip.getByRole('group');
      await group.focus();
      await expect.poll(() => strip.getByRole('status').innerText()).toBe(names.at(-1));
      for (let i = names.length - 2; i >= 0; i -= 1) {
        await page.keyboard.press('ArrowLeft');
        await expect.poll(() => strip.getByRole('status').innerText()).toBe(names[i]);
      }
      await page.keyboard.press('End');
      await expect.poll(() => strip.getByRole('status').innerText()).toBe(names.at(-1));

      await strip.getByRole('button', { name: 'As table' }).click();
      const cells = await strip
        .locator('tbody tr')
        .evaluateAll((all) => all.map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent)));
      expect(cells).toHaveLength(spans.length);
      for (const [i, [state, from, to, duration]] of cells.entries()) {
        expect(names[i]).toContain(`${state} from ${from} to ${to}, ${duration}`);
      }
      // What somebody wrote as a reason is marked, not obeyed.
      expect(await strip.getByText('U+202E').count()).toBe(1);
      await context.close();
    });

    it('changes on the open page when the agent does, without a reload', async () => {
      const one = await open('/console/agents/fleet-001');
      const list = await open('/console/agents?q=fleet-001');
      const state = (page: Page) => page.locator('header').filter({ has: page.getByRole('heading', { level: 1 }) });
      await expect.poll(() => state(one.page).innerText()).toContain('healthy');
      await one.page.evaluate('window.same = true');
      await writeHealthOf('fleet-001', 'offline');
      await expect.poll(() => state(one.page).innerText(), { timeout: 5_000 }).toContain('offline');
      await expect.poll(() => rows(list.page, 'agents').first().innerText(), { timeout: 5_000 }).toContain('offline');
      await expect.poll(() => one.page.getByRole('figure').locator('g[role=img]').last().getAttribute('aria-label')).toMatch(/^offline/);
      await writeHealthOf('fleet-001', 'healthy');
      await expect.poll(() => rows(list.page, 'agents').first().innerText(), { timeout: 5_000 }).toContain('healthy');
      expect(await one.page.evaluate('window.same')).toBe(true);
      await one.context.close();
      await list.context.close();
    });

    async function writeHealthOf(id: string, health: 'healthy' | 'offline'): Promise<void> {
      const [row] = await sql<{ rev: number }>('select rev from agents where tenant_id = $1 and id = $2', id);
      await asTenant('acme', () => writeHealth(stack.db, { tenant: 'acme', id }, { rev: row!.rev + 1, health }));
    }
  });

  describe('by keyboard alone', () => {
    it('an agent is paused with a reason and goes on again', async () => {
      const { page, context } = await open('/console/agents/scribe');
      await page.getByLabel('Reason for the pause').focus();
      expect(await page.getByRole('button', { name: 'Pause: scribe' }).isDisabled()).toBe(true);
      await page.keyboard.type('It floods us.');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog', { name: 'Pause this agent?' });
      await dialog.waitFor();
      expect(await dialog.innerText()).toMatch(/gets no new tasks.*It holds task_scribe1 until \d\d:\d\d:\d\d/s);
      expect(await axe(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Pause' }).focus();
      await page.keyboard.press('Enter');
      await page.getByText('It floods us.').first().waitFor();
      const { agents } = await stack.ok(ann, 'agent.registry.list', { agent_id: 'scribe' });
      expect(agents[0]).toMatchObject({ status: 'paused', status_reason: 'It floods us.' });
      await page.getByRole('button', { name: 'Resume: scribe' }).focus();
      await page.keyboard.press('Enter');
      await page.getByLabel('Reason for the pause').waitFor();
      const { history } = await stack.ok(ann, 'agent.history.list', { agent_id: 'scribe', limit: 2 });
      expect(history.map((entry: { event: string; actor: string }) => [entry.event, entry.actor])).toEqual([
        ['activated', 'ann'],
        ['paused', 'ann'],
      ]);
      await context.close();
    });

    it('a version is compared, and returned to once its agent is named and a person has agreed', async () => {
      const { page, context } = await open('/console/agents/scribe?tab=versions');
      await rows(page, 'versions').nth(2).waitFor();
      for (let i = 0; i < 3; i += 1) await page.keyboard.press('j');
      await page.keyboard.press('Enter');
      await expect.poll(() => new URL(page.url()).search).toBe('?tab=versions&open=1');
      await page.getByLabel('Reason for going to version 1').focus();
      await page.keyboard.type('Version 3 is worse.');
      const ask = page.getByRole('button', { name: 'Ask to roll back to version 1' });
      await ask.focus();
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog');
      const go = dialog.getByRole('button', { name: 'Ask to roll back to version 1' });
      await dialog.getByLabel('Type scribe to confirm').focus();
      await page.keyboard.type('scrib');
      expect(await go.isDisabled()).toBe(true);
      await page.keyboard.type('e');
      await go.focus();
      await page.keyboard.press('Enter');
      await page.getByText('Waits for a person').waitFor();
      expect(await versionOf('scribe')).toBe(3);
      const [approval] = await sql<{ id: string }>(
        `select id from approvals where tenant_id = $1 and tool = 'agent.version.rollback' and status = 'pending'`,
      );
      const boss = await stack.caller({ name: 'boss' });
      await stack.ok(boss, 'approval.request.approve', { approval_id: approval!.id });
      await expect.poll(() => versionOf('scribe')).toBe(1);
      // Nobody has reloaded anything.
      await page.getByRole('row', { name: /^1 in use/ }).waitFor();
      await context.close();
    });
    const versionOf = async (id: string): Promise<number> =>
      (await sql<{ version: number }>('select version from agents where tenant_id = $1 and id = $2', id))[0]!.version;

    it('an output is judged, and the agent is told', async () => {
      await sql(
        `insert into agents (tenant_id, id, kind, agent_type, name, registered_by, key_id) values ($1, 'poet', 'managed', 'writer', 'Poet', 'ann', 'k')`,
      );
      const submitted = await stack.ok(ann, 'agent.output.submit', {
        agent_id: 'poet',
        kind: 'poem',
        title: 'Ode',
        content: 'Roses are blue',
      });
      const { page, context } = await open(`/console/agents/poet?tab=outputs&open=${submitted.output_id}`);
      await page.getByRole('button', { name: 'Correct…' }).focus();
      await page.keyboard.press('Enter');
      await page.getByLabel('Corrected output').fill('Roses are red');
      await page.getByRole('button', { name: 'Save the correction' }).focus();
      await page.keyboard.press('Enter');
      await rows(page, 'outputs of the agent').getByText('corrected').waitFor();
      const { groups } = await stack.ok(ann, 'agent.output.review', { agent_id: 'poet', status: 'corrected' });
      expect(groups[0].outputs[0]).toMatchObject({ correction: 'Roses are red', decided_by: 'ann' });
      await page.getByRole('button', { name: 'Messages' }).focus();
      await page.keyboard.press('Enter');
      await page.getByText('Your output "Ode" was corrected.').waitFor();
      await context.close();
    });
  });

  it('a delegated task is shown with its deadline, changes as it does, and is cancelled', async () => {
    const { agent_id } = await stack.ok(ann, 'agent.peer.register', {
      agent_type: 'digger',
      endpoint_url: 'http://127.0.0.1:8999/',
      capabilities: [{ name: 'dig' }],
    });
    const { page, context } = await open('/console/delegations');
    const made = await stack.ok(ann, 'agent.task.delegate', {
      target_agent: agent_id,
      capability_name: 'dig',
      parameters: {},
      timeout_seconds: 600,
    });
    const row = rows(page, 'delegated tasks').filter({ hasText: agent_id });
    await row.waitFor();
    expect(await row.innerText()).toMatch(/in (9|10) min/);
    await row.getByRole('button').click();
    await expect.poll(() => new URL(page.url()).searchParams.get('id')).toBe(`sent/${made.task_id}`);
    await page.getByRole('button', { name: 'Cancel the task' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel the task' }).click();
    await expect.poll(() => row.innerText(), { timeout: 20_000 }).toContain('cancelled');
    expect((await stack.ok(ann, 'agent.task.get', { task_id: made.task_id })).task.status).toBe('cancelled');
    await context.close();
  });

  describe('a job', () => {
    const write = (id: string, rev: number, status: 'running' | 'completed', done: number) =>
      stack.services.jobs.write({ tenant: 'acme', id }, { rev, status, progress: { stage: 'embed', done, total: 40 } });
    const make = (id: string) =>
      asTenant('acme', () =>
        stack.services.jobs.open('acme', {
          id,
          kind: 'export',
          title: `Export ${id}`,
          workflowId: `export/acme/${id}`,
          spec: {},
          createdBy: 'ann',
        }),
      );
    /** As if two seconds had gone. */
    const later = (id: string) =>
      sql(
        `update jobs set told_at = told_at - interval '2 seconds', updated_at = updated_at - interval '2 seconds' where tenant_id = $1 and id = $2`,
        id,
      );

    it('shows how far it is while it runs, with rate and rest, without asking by itself', async () => {
      const { page, context, requests } = await open('/console/jobs?kind=export&status=unfinished');
      await make('job_live');
      const row = rows(page, 'jobs').filter({ hasText: 'Export job_live' });
      await row.waitFor();
      await write('job_live', 1, 'running', 4);
      await expect.poll(() => row.innerText()).toContain('embed 4 of 40');
      let done = 4;
      await expect
        .poll(
          async () => {
            if (done < 39) await write('job_live', done, 'running', (done += 1));
            return await row.innerText();
          },
          { timeout: 15_000, interval: 300 },
        )
        .toMatch(/embed \d+ of 40.*\/s.*about \d+ s left/s);
      const before = requests.length;
      await later('job_live');
      await write('job_live', 50, 'completed', 40);
      await row.waitFor({ state: 'detached' });
      expect(new Set(requests.slice(before))).toEqual(new Set(['POST /console/api/tools/system.job.list']));
      await context.close();
    });

    it('is cancelled from its row, and its parked stages are told', async () => {
      const parked = await open('/console/jobs?id=job_list008');
      await parked.page.getByText('2 stages wait for a decision').waitFor();
      await parked.context.close();
      // Nobody works on it yet.
      await stack.stopWorkers();
      let working = false;
      try {
        await stack.call(ann, 'system.ledger.verify', {});
        const { jobs } = await stack.ok(ann, 'system.job.list', { kind: 'ledger_verify', limit: 1 });
        const { page, context } = await open(`/console/jobs?id=${jobs[0].job_id}`);
        const row = page.locator('tr[data-open-row]');
        await row.getByText('queued').first().waitFor();
        await page.getByRole('button', { name: 'Cancel', exact: true }).click();
        await page.getByRole('button', { name: 'Cancel…', exact: true }).waitFor();
        working = true;
        await stack.startWorkers();
        await expect.poll(() => row.innerText(), { timeout: 30_000 }).toContain('cancelled');
        expect((await stack.ok(ann, 'system.job.get', { job_id: jobs[0].job_id })).job.status).toBe('cancelled');
        await context.close();
      } finally {
        if (!working) await stack.startWorkers();
      }
    });

    it('are read on as the end comes into view, without losing the place; by keyboard when it is asked for', async () => {
      const { page, context } = await open('/console/jobs');
      const end = page
        .locator('main p')
        .filter({ hasText: / shown/ })
        .last();
      // Where the window jumped back although nobody scrolled up.
      await page.evaluate(
        'window.jumps = []; let last = scrollY; addEventListener("scroll", () => { if (scrollY < last - 200) window.jumps.push([last, scrollY]); last = scrollY; })',
      );
      await expect
        .poll(
          async () => {
            await page.evaluate('scrollBy(0, 600)');
            return await end.innerText();
          },
          { timeout: 30_000, interval: 50 },
        )
        .toMatch(/^1[2-9]\d.* shown$/);
      expect(await page.evaluate('window.jumps')).toEqual([]);

      // The end stays out of view until the keyboard is there: otherwise the next page is on its way before.
      await page.evaluate('scrollTo(0, 0)');
      await page.reload();
      const more = page.getByRole('button', { name: 'Load more' });
      await more.waitFor();
      await rows(page, 'jobs')
        .last()
        .getByRole('button')
        .evaluate((last) => last.focus({ preventScroll: true }));
      await page.keyboard.press('Tab');
      const shown = await end.innerText();
      const inView = 'document.activeElement.textContent + (document.activeElement.getBoundingClientRect().bottom <= innerHeight)';
      expect(await page.evaluate(inView)).toMatch(/^Load.*true$/);
      await page.keyboard.press('Enter');
      await expect.poll(() => end.innerText()).not.toBe(shown);
      expect(await page.evaluate(inView)).toMatch(/^Load.*true$/);
      await context.close();
    });

    it('that was begun here stays in the tray over screens and a reload, and its end is told once', async () => {
      const { page, context } = await open('/console/jobs');
      await make('job_tray');
      await write('job_tray', 1, 'running', 10);
      // What a screen's action does with an answer that says `accepted`.
      await page.route('**/console/api/tools/system.job.cancel', (route) =>
        route.fulfill({
          json: {
            status: 'accepted',
            tool_call_id: 'call_1',
            data: {},
            refs: [{ type: 'job', id: 'job_tray' }],
            warnings: [],
            metadata: {},
          },
        }),
      );
      await rows(page, 'jobs').filter({ hasText: 'Export job_tray' }).getByRole('button').click();
      await page.getByRole('button', { name: 'Cancel', exact: true }).click();
      const tray = page.getByRole('region', { name: 'Jobs that you started' });
      await tray.getByRole('button', { name: '1 job runs' }).click();
      await expect.poll(() => tray.innerText()).toContain('embed 10 of 40');
      expect(await axe(page)).toEqual([]);
      await page.getByRole('link', { name: 'Overview' }).first().click();
      await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
      await page.reload();
      await page.getByText('Live', { exact: true }).waitFor();
      await tray.getByRole('button', { name: '1 job runs' }).click();
      await later('job_tray');
      await write('job_tray', 2, 'running', 30);
      await expect.poll(() => tray.innerText()).toContain('embed 30 of 40');
      await write('job_tray', 3, 'completed', 40);
      await page.getByText('Export job_tray: completed').waitFor();
      await page.getByText('Export job_tray: completed').waitFor({ state: 'detached' });
      await page.reload();
      await tray.getByRole('button', { name: 'Jobs have ended' }).click();
      await tray.getByText('completed').waitFor();
      expect(await page.getByText('Export job_tray: completed').count()).toBe(0);
      await tray.getByRole('button', { name: 'Remove Export job_tray' }).click();
      await tray.waitFor({ state: 'detached' });
      await context.close();
    });

    it('in the tray is not shown to another user of the browser, and fits a phone', async () => {
      const { page, context } = await open('/console/jobs', { viewport: { width: 320, height: 640 } });
      await page.evaluate(
        `localStorage.setItem('sb-jobs acme ${ann.keyId}', JSON.stringify([{ id: 'job_list005', over: false }, { id: 'job_list001', over: true }])); location.reload()`,
      );
      const tray = page.getByRole('region', { name: 'Jobs that you started' });
      await tray.getByRole('button', { name: '1 job runs' }).click();
      await tray.getByText('calls-5.zip').waitFor();
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
      const small = await tray
        .locator('button, a')
        .evaluateAll(
          (all) => all.map((one) => one.getBoundingClientRect()).filter(({ width, height }) => width < 44 || height < 44).length,
        );
      expect(small).toBe(0);
      expect(await axe(page)).toEqual([]);
      await page.getByRole('button', { name: /account and settings/ }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await page.getByLabel('Key').waitFor();
      const bob = await stack.caller({ name: 'bob' });
      await signIn(page, url, bob.apiKey);
      await page.getByText('Live', { exact: true }).waitFor();
      expect(await tray.count()).toBe(0);
      await context.close();
    });
  });

  it('shows a read-only key everything and offers it nothing', async () => {
    const reader = await stack.caller({ name: 'rita', role: 'readonly' });
    const { page, context } = await openPage(browser, { viewport: { width: 1440, height: 900 } });
    await signIn(page, url, reader.apiKey, '/console/agents/scribe');
    await page.getByRole('heading', { name: 'Presence' }).waitFor();
    for (const name of [/^Pause/, /^Ask to pause/, /^Resume/]) expect(await page.getByRole('button', { name }).count()).toBe(0);
    await page.goto(`${url}/console/jobs?status=unfinished&id=job_list005`);
    await page.getByText('Id', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: /^(Ask to c|C)ancel/ }).count()).toBe(0);
    await context.close();
  });
});
