/** What waits for people, in a browser: decisions bound to what is shown, the ledger and single calls. */
import type { FastifyInstance } from 'fastify';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { Caller } from '../../contracts/caller.ts';
import type { CallDetail } from '../../contracts/governance/calls.ts';
import type { Approval } from '../../contracts/governance/policy.ts';
import { launchBrowser, openPage, serveConsole, signIn } from '../setup/browser.ts';
import { onServer, withDatabase } from '../setup/databases.ts';
import { testStack, type TestStack } from '../setup/stack.ts';
import { createTask } from './board.ts';
import { seedInbox } from './seed-inbox.ts';

type Keyed = Caller & { apiKey: string };

describe.skipIf(inject('chromium') === null)('the inbox', () => {
  let stack: TestStack;
  let app: FastifyInstance;
  let url: string;
  let browser: Browser;
  let pam: Keyed;
  let bot: Keyed;
  beforeAll(async () => {
    stack = await testStack({ model: false });
    ({ url, app } = await serveConsole(stack));
    browser = await launchBrowser();
    pam = await stack.caller({ role: 'pm', name: 'pam' });
    bot = await stack.caller({ role: 'agent', name: 'bot' });
  });
  afterAll(async () => {
    await browser?.close();
    await app?.close();
    await stack?.stop();
  });

  const asking = 'schema.definition.register';
  const sql = (tenant: string, text: string, values: unknown[] = []) => asTenant(tenant, () => stack.db.query(text, values));
  async function ask(name: string, description = 'plain', who: Caller = bot): Promise<string> {
    const { data } = await stack.call(who, asking, { name, version: '1.0.0', json_schema: { type: 'object', description } });
    return (data as { approval_id: string }).approval_id;
  }
  const approvalOf = async (id: string, who: Caller = pam): Promise<Approval> =>
    (await stack.ok<{ approval: Approval }>(who, 'approval.request.get', { approval_id: id })).approval;
  async function open(who: Keyed, path: string, options: Parameters<typeof openPage>[1] = {}) {
    const watched = await openPage(browser, { viewport: { width: 1440, height: 900 }, ...options });
    await signIn(watched.page, url, who.apiKey, path);
    await watched.page.getByText('Live', { exact: true }).waitFor();
    return watched;
  }
  const approveButton = (page: Page) => page.getByRole('button', { name: 'Approve', exact: true });
  const rowOf = (page: Page, text: string) => page.getByRole('table', { name: 'waiting items' }).getByRole('row').filter({ hasText: text });

  it('shows the arguments byte for byte, with what is hidden as chips, and approves by `a`: once, in the ledger, with its answer', async () => {
    const id = await ask('bytes', `\u202eevil\u202c \u200b\u{e0041}\u3164 "quoted" \\ ${'w'.repeat(5_000)} end`);
    const { page, context, faults } = await open(pam, `/console/inbox?id=${id}`);
    const shown = page.getByRole('region', { name: 'arguments' });
    await shown.waitFor();
    const { arguments: args, tool_call_id } = await approvalOf(id);
    for (const chip of ['U+202E', 'U+200B', 'U+E0041', 'U+3164'])
      expect(await shown.getByText(chip, { exact: true }).isVisible()).toBe(true);
    const text = await shown.evaluate((pre) => {
      const copy = (pre as unknown as { cloneNode(deep: boolean): any }).cloneNode(true);
      for (const chip of copy.querySelectorAll('span'))
        chip.replaceWith(String.fromCodePoint(Number.parseInt(chip.textContent.slice(2), 16)));
      return copy.textContent as string;
    });
    expect(text).toBe(JSON.stringify(args, null, 2));

    const began = Date.now();
    await page.keyboard.press('a');
    await page.getByText('Approved by pam, and done.').waitFor({ timeout: 12_000 });
    await page.getByRole('region', { name: 'answer' }).waitFor();
    expect(Date.now() - began).toBeLessThan(12_000);
    expect((await stack.ok<{ schemas: unknown[] }>(pam, 'schema.definition.list', { prefix: 'bytes' })).schemas).toHaveLength(1);
    await stack.services.governance.ledger.close();
    const { events } = await stack.ok<{ events: object[] }>(pam, 'system.ledger.search', { tool_call_id, type: 'tool.call.approved' });
    expect(events).toMatchObject([{ principal: 'pam', front: 'console', approval_id: id }]);
    // It stays in the list, struck through, until the list is left.
    await rowOf(page, 'decided').waitFor();
    await page.getByText('1 of 1 done').waitFor();
    expect(faults.filter((fault) => !fault.includes('401'))).toEqual([]);
    await context.close();
  });

  it('takes the buttons away when another browser decides, and refuses a late click, saying by whom', async () => {
    const id = await ask('elsewhere');
    const { page, context } = await open(pam, `/console/inbox?id=${id}`);
    await approveButton(page).waitFor();
    // This browser hears no events.
    const deaf = await openPage(browser, { viewport: { width: 1440, height: 900 } });
    await deaf.page.route('**/console/api/events**', (route) => route.abort());
    await signIn(deaf.page, url, pam.apiKey, `/console/inbox?id=${id}`);
    await approveButton(deaf.page).waitFor();
    const ann = await stack.caller({ role: 'admin', name: 'ann' });
    await stack.ok(ann, 'approval.request.reject', { approval_id: id, note: 'not today' });
    await approveButton(page).waitFor({ state: 'detached', timeout: 2_000 });
    await page.getByText('Rejected by ann.').waitFor();
    await page.getByText('not today').waitFor();
    await approveButton(deaf.page).click();
    await deaf.page.getByText('It is rejected already by ann.').waitFor();
    await deaf.context.close();
    await context.close();
  });

  it('counts down, and offers nothing any more within two seconds of the end', async () => {
    const id = await ask('late');
    const { page, context } = await open(pam, '/console/inbox');
    const [row] = (await sql(
      'acme',
      `update approvals set expires_at = now() + interval '6 seconds' where tenant_id = $1 and id = $2 returning expires_at`,
      ['acme', id],
    )) as { expires_at: Date }[];
    await page.goto(`${url}/console/inbox?id=${id}`);
    await page
      .getByText(/^0:0\d$/)
      .first()
      .waitFor();
    await approveButton(page).waitFor({ state: 'detached', timeout: 8_000 });
    const late = Date.now() - row!.expires_at.getTime();
    expect(late).toBeGreaterThan(-1_000);
    expect(late).toBeLessThan(2_000);
    await page.getByText('It has expired: nobody decided in time.').waitFor();
    await page.keyboard.press('a');
    expect((await approvalOf(id)).status).toBe('pending');
    await context.close();
    await stack.ok(bot, 'approval.request.cancel', { approval_id: id });
  });

  it('keeps a note that was typed over a reload and over the end of the session, and sends it to the caller', async () => {
    const who = await stack.caller({ role: 'pm', name: 'nina' });
    const id = await ask('note');
    const { page, context } = await open(who, `/console/inbox?id=${id}`);
    await page.getByLabel('Note').fill('only until Friday, ask');
    await page.reload();
    expect(await page.getByLabel('Note').inputValue()).toBe('only until Friday, ask');
    // The session ends under the click: the stream notices it, too, and its dialog would cover the button.
    await page.route(
      '**/console/api/tools/approval.request.approve',
      async (route) => {
        await sql('acme', `delete from console_sessions where tenant_id = $1 and principal = 'nina'`, ['acme']);
        stack.services.governance.consoleSessions.forget();
        await route.continue();
      },
      { times: 1 },
    );
    await approveButton(page).click();
    await page.getByRole('dialog').getByLabel('Key').fill(who.apiKey);
    await page.getByRole('dialog').getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Approved by nina, and done.').waitFor();
    expect(await approvalOf(id)).toMatchObject({ status: 'completed', note: 'only until Friday, ask', decided_by: 'nina' });
    await context.close();
  });

  it('decides several equal calls as one, each a call of its own; others are not decided together', async () => {
    const busy = await stack.caller({ role: 'agent', name: 'busy' });
    const ids = [];
    for (const name of ['many.a', 'many.b', 'many.c']) ids.push(await ask(name, `of ${name}`, busy));
    const other = await ask('other', 'plain', bot);
    const { page, context } = await open(pam, '/console/inbox?kind=call');
    for (const id of ids) await page.getByRole('checkbox', { name: `Choose ${id}` }).check();
    const chosen = page.getByRole('region', { name: 'Chosen' });
    await chosen.getByText('3 chosen').waitFor();
    await page.getByRole('checkbox', { name: `Choose ${other}` }).check();
    await chosen.getByText(/Only calls of the same tool/).waitFor();
    expect(await chosen.getByRole('button', { name: /^Approve/ }).count()).toBe(0);
    await page.getByRole('checkbox', { name: `Choose ${other}` }).uncheck();
    await chosen.getByText('of many.c').waitFor();
    await chosen.getByLabel('Note for all').fill('all three');
    await chosen.getByRole('button', { name: 'Approve 3' }).click();
    for (const id of ids) await expect.poll(async () => (await approvalOf(id)).status, { timeout: 15_000 }).toBe('completed');
    expect(new Set(await Promise.all(ids.map(async (id) => (await approvalOf(id)).note)))).toEqual(new Set(['all three']));
    expect((await approvalOf(other)).status).toBe('pending');
    await stack.ok(bot, 'approval.request.cancel', { approval_id: other });
    await context.close();
  });

  it('tells what is new without pushing what is read, and goes through the list by j, k and x', async () => {
    const tenant = 'keys';
    const [eve, robo] = [
      await stack.caller({ tenant, role: 'pm', name: 'eve' }),
      await stack.caller({ tenant, role: 'agent', name: 'robo' }),
    ];
    const [first, second] = [await ask('k.1', 'plain', robo), await ask('k.2', 'plain', robo)];
    const { page, context, requests } = await open(eve, '/console/inbox');
    await expect.poll(() => page.getByRole('table', { name: 'waiting items' }).getByRole('row').count()).toBe(3);
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.url()).toContain(first);
    const third = await ask('k.3', 'plain', robo);
    await page.getByRole('button', { name: '1 new' }).waitFor();
    expect(await page.getByRole('table', { name: 'waiting items' }).getByRole('row').count()).toBe(3);
    await page.keyboard.press('j');
    await expect.poll(() => page.url()).toContain(second);
    await page.keyboard.press('k');
    await expect.poll(() => page.url()).toContain(first);
    await approveButton(page).waitFor();
    await page.keyboard.press('x');
    await page.getByText('Rejected by eve.').waitFor();
    expect(await approvalOf(first, eve)).toMatchObject({ status: 'rejected' });
    await page.getByRole('button', { name: '1 new' }).click();
    await page.getByText('1 of 3 done').waitFor();
    const quiet = requests.length;
    await page.evaluate('new Promise((done) => setTimeout(done, 3_000))');
    expect(requests.slice(quiet)).toEqual([]);
    await stack.ok(robo, 'approval.request.cancel', { approval_id: third });
    await page.getByText('2 of 3 done').waitFor();
    await context.close();
  });

  it('has every kind of item beside the list, and does what each offers', async () => {
    const tenant = 'kinds';
    const eve = await stack.caller({ tenant, role: 'admin', name: 'eve' });
    await seedInbox(stack, tenant, 'A text.');
    const job = `update dlq_items set status = 'refused', workflow_id = 'episodes', job_id = 'ep_none' where tenant_id = $1`;
    await sql(tenant, job, [tenant]);
    const { page, context, faults } = await open(eve, '/console/inbox?id=dlq_seed1');
    await page.getByRole('button', { name: 'Abandon' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Abandon' }).click();
    await page.getByText('It is abandoned.').waitFor();
    await page
      .getByRole('group', { name: 'Kinds' })
      .getByRole('button', { name: /^Failed ingestion/ })
      .click();
    for (const n of [4, 5]) await page.getByRole('checkbox', { name: `Choose dlq_seed${n}` }).check();
    await page.getByRole('button', { name: 'Abandon 2' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Abandon 2' }).click();
    await expect
      .poll(() => sql(tenant, `select id from dlq_items where tenant_id = $1 and status = 'abandoned' order by id`, [tenant]))
      .toEqual([{ id: 'dlq_seed1' }, { id: 'dlq_seed4' }, { id: 'dlq_seed5' }]);

    const bob = await stack.caller({ tenant, role: 'agent', name: 'writer' });
    const { output_id } = await stack.ok<{ output_id: string }>(bob, 'agent.output.submit', {
      kind: 'note',
      title: 'Note',
      content: 'teh text',
    });
    await page.goto(`${url}/console/inbox?id=${output_id}`);
    await page.getByRole('button', { name: 'Correct…' }).click();
    await page.getByLabel('Correction', { exact: true }).fill('the text');
    await page.getByRole('textbox', { name: 'Corrected output' }).first().waitFor();
    await page.getByRole('button', { name: 'Save the correction' }).click();
    await page.getByText('It was corrected by eve.').waitFor();
    expect(await sql(tenant, 'select status, correction from agent_outputs where tenant_id = $1 and id = $2', [tenant, output_id])).toEqual(
      [{ status: 'corrected', correction: 'the text' }],
    );

    await page.goto(`${url}/console/inbox?id=apr_seed9`);
    await page.getByLabel('How you checked').fill('Seen in the channel.');
    await page.getByRole('button', { name: 'Record the outcome' }).click();
    await expect.poll(async () => (await approvalOf('apr_seed9', eve)).status).toBe('completed');
    for (const [id, text] of [
      ['fb_seed1', 'Are these two the same?'],
      ['github/tool_2', 'has changed since it was approved'],
      ['del_seed1', 'The subscriber did not accept it.'],
      ['notif_seed1', 'It was not delivered.'],
    ] as const) {
      await page.goto(`${url}/console/inbox?id=${encodeURIComponent(id)}`);
      await page.getByText(text).first().waitFor();
    }
    expect(faults.filter((fault) => !fault.includes('401'))).toEqual([]);
    await context.close();
  });

  it('has what it shows in its address: filters and selection survive reload, back, forward and another browser', async () => {
    const tenant = 'urls';
    const eve = await stack.caller({ tenant, role: 'admin', name: 'eve' });
    await seedInbox(stack, tenant, 'A text.');
    const { page, context } = await open(eve, '/console/inbox');
    await page
      .getByRole('group', { name: 'Kinds' })
      .getByRole('button', { name: /^Failed notice/ })
      .click();
    await rowOf(page, 'A text.').first().getByRole('button').click();
    await page.getByText(/It was not delivered|Whether it arrived/).waitFor();
    const address = page.url();
    expect(address).toMatch(/kind=notice&id=notif_seed\d$/);
    await page.reload();
    await page.getByText(/It was not delivered|Whether it arrived/).waitFor();
    await page.goBack();
    await page.getByText(/It was not delivered|Whether it arrived/).waitFor({ state: 'detached' });
    await expect
      .poll(() =>
        page
          .getByRole('group', { name: 'Kinds' })
          .getByRole('button', { name: /^Failed notice/ })
          .getAttribute('aria-pressed'),
      )
      .toBe('true');
    await page.goForward();
    expect(page.url()).toBe(address);
    const other = await open(eve, new URL(address).pathname + new URL(address).search);
    await other.page.getByText(/It was not delivered|Whether it arrived/).waitFor();
    await other.context.close();

    await page.goto(`${url}/console/approvals`);
    await page.getByLabel('Status').selectOption('ambiguous');
    await expect.poll(() => page.getByRole('table', { name: 'approvals' }).getByRole('row').count()).toBe(3);
    await page.reload();
    expect([new URL(page.url()).search, await page.getByLabel('Status').inputValue()]).toEqual(['?status=ambiguous', 'ambiguous']);
    await expect.poll(() => page.getByRole('table', { name: 'approvals' }).getByRole('row').count()).toBe(3);

    await page.goto(`${url}/console/ledger?principal=eve`);
    await page.getByLabel('Tool').fill('system.inbox.list');
    await expect.poll(() => new URL(page.url()).search).toBe('?principal=eve&tool=system.inbox.list');
    await page.getByLabel('Front').selectOption('console');
    await page.reload();
    await expect.poll(() => page.getByRole('table', { name: 'calls' }).getByRole('row').count()).toBeGreaterThan(2);
    expect(await page.getByLabel('Tool').inputValue()).toBe('system.inbox.list');
    await page.goBack();
    expect(await page.getByLabel('Front').inputValue()).toBe('');
    await context.close();
  });

  it('offers no action to keys that may not decide, and the server refuses what is forced, in the ledger', async () => {
    const id = await ask('forced');
    for (const [role, name] of [
      ['readonly', 'rita'],
      ['agent', 'bot2'],
    ] as const) {
      const who = await stack.caller({ role, name });
      const own = role === 'agent' ? await ask('forced.own', 'plain', who) : id;
      const { page, context } = await open(who, `/console/approvals?id=${own}`);
      await page.getByRole('heading', { name: 'Approvals' }).waitFor();
      await expect.poll(() => page.locator('[aria-busy=true]').count()).toBe(0);
      expect([name, await approveButton(page).count(), await page.getByRole('button', { name: /^(Reject|Record)/ }).count()]).toEqual([
        name,
        0,
        0,
      ]);
      await page.keyboard.press('a');
      const status = await page.evaluate<number>(
        `fetch('/console/api/tools/approval.request.approve', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ approval_id: '${id}' }) }).then(({ status }) => status)`,
      );
      expect(status).toBe(403);
      await stack.services.governance.ledger.close();
      const { events } = await stack.ok<{ events: object[] }>(pam, 'system.ledger.search', {
        principal: name,
        tool: 'approval.request.approve',
        folded: true,
      });
      expect(events).toMatchObject([{ type: 'tool.call.failed', error_code: 'FORBIDDEN', front: 'console' }]);
      await context.close();
    }
    expect((await approvalOf(id)).status).toBe('pending');
  });

  it('says that the asker does not decide under four eyes, and lets them take the call back', async () => {
    const tenant = 'pairs';
    const ann = await stack.caller({ tenant, role: 'admin', name: 'ann' });
    await stack.ok(ann, 'system.policy.save', {
      name: 'standard',
      base: 'standard',
      rules: [{ when: `tool.name == "${asking}"`, effect: 'ask', reason: 'Two look at schemas.' }],
      four_eyes: true,
    });
    const id = await ask('pair', 'plain', ann);
    const { page, context } = await open(ann, `/console/inbox?id=${id}`);
    await page.getByText('You requested this call: another person must decide.').waitFor();
    expect(await approveButton(page).count()).toBe(0);
    await page.getByRole('button', { name: 'Cancel the request' }).click();
    await page.getByText('Cancelled by ann.').waitFor();
    expect((await approvalOf(id, ann)).status).toBe('cancelled');
    await context.close();
  });

  it('verifies the ledger, finds an earlier head, shows a breach with its place, and exports', async () => {
    const tenant = 'chain';
    const ann = await stack.caller({ tenant, role: 'admin', name: 'ann' });
    for (let i = 0; i < 5; i += 1) await stack.ok(ann, 'work.phase.list');
    await stack.services.governance.ledger.close();
    const { head } = await stack.ok<{ head: { hash: string; link: string } }>(ann, 'system.ledger.verify');
    await stack.ok(ann, 'work.phase.list');
    await stack.services.governance.ledger.close();
    const { page, context } = await open(ann, '/console/ledger');
    const field = page.getByLabel('Earlier head (optional)');
    await field.fill('abc');
    expect(await page.getByRole('button', { name: 'Verify' }).isDisabled()).toBe(true);
    await field.fill(head.hash);
    await page.getByRole('button', { name: 'Verify' }).click();
    await page.getByText('Intact: nothing was changed, removed or inserted.').waitFor();
    await page.getByText(`The head belongs to this chain, at link ${head.link}.`).waitFor();
    await field.fill('a'.repeat(64));
    await page.getByRole('button', { name: 'Verify' }).click();
    await page.getByText('The head does not belong to this chain.').waitFor();

    const [row] = (await sql(tenant, 'select id from ledger_events where tenant_id = $1 order by id limit 1', [tenant])) as {
      id: string;
    }[];
    await onServer(
      withDatabase(inject('servers').ownerUrl, new URL(stack.databaseUrl).pathname.slice(1)),
      `update ledger_events set principal = 'nobody' where id = ${row!.id}`,
    );
    await field.fill('');
    await page.getByRole('button', { name: 'Verify' }).click();
    await page.getByText('Not intact.').waitFor();
    const breaches = page.getByRole('list', { name: 'Breaches' });
    await breaches.getByText(`entry ${row!.id}`).waitFor();
    expect(await breaches.getByRole('listitem').first().innerText()).toContain('edited');

    await page.getByRole('button', { name: 'Export' }).click();
    const link = page.getByRole('link', { name: /\.jsonl/ });
    await link.waitFor({ timeout: 20_000 });
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
    expect(download.suggestedFilename()).toMatch(/\.jsonl/);
    // Later it is found among the past ones, with its file.
    await page.goto(`${url}/console/system?tab=exports`);
    const past = page.getByRole('table', { name: 'exports' }).getByRole('row').filter({ hasText: 'ledger, jsonl' });
    await past.getByText('available').waitFor();
    const [again] = await Promise.all([page.waitForEvent('download'), past.getByRole('link', { name: 'Download' }).click()]);
    expect([again.suggestedFilename(), await again.failure()]).toEqual([download.suggestedFilename(), null]);
    await past.getByRole('button').first().click();
    const file = page.getByRole('region', { name: 'File' });
    const [third] = await Promise.all([page.waitForEvent('download'), file.getByRole('link', { name: 'Download' }).click()]);
    expect(await third.failure()).toBeNull();
    await context.close();
  });

  it('names what waits on other screens, and leads there', async () => {
    await stack.ok(pam, 'work.phase.set', { phase_id: 4 });
    const id = await createTask(stack, pam, { description: 'out of attempts', max_attempts: 1 });
    const { task } = await stack.ok<{ task: { fencing_token: number } }>(bot, 'work.task.claim', { task_id: id });
    await stack.ok(bot, 'work.task.fail', { task_id: id, fencing_token: task.fencing_token, reason: 'No compiler.' });
    const { page, context } = await open(pam, '/console/inbox');
    await page
      .getByRole('list', { name: 'On other screens' })
      .getByRole('link', { name: '1 task is stuck: 1 without attempts left' })
      .click();
    await page.locator(`[data-task="${id}"]`).waitFor();
    expect(page.url()).toContain('/console/work?stuck=any');
    await context.close();
  });

  it('shows one call with its decision and its way, as a picture and as the same numbers in a table', async () => {
    const id = await ask('way');
    await stack.ok(pam, 'approval.request.approve', { approval_id: id });
    await stack.services.governance.ledger.close();
    const { tool_call_id } = await approvalOf(id);
    const { page, context, faults } = await open(pam, `/console/ledger?principal=bot&tool=${asking}`);
    await page.getByRole('table', { name: 'calls' }).getByRole('link', { name: asking }).first().waitFor();
    await page.goto(`${url}/console/calls/${tool_call_id}`);
    await page.getByRole('heading', { level: 1, name: asking }).waitFor();
    await page.getByText('not stored, only their hash').waitFor();
    const { call } = await stack.ok<{ call: CallDetail }>(pam, 'system.call.get', { tool_call_id });
    const figure = page.getByRole('figure', { name: 'Time breakdown' });
    expect(await figure.getByRole('listitem').count()).toBe(call.steps.length);
    // In the accessibility tree each step has its kind and its name.
    const tree = await figure.getByRole('list').ariaSnapshot();
    for (const { kind, name } of call.steps) expect(tree).toMatch(new RegExp(`${kind}[^]*${name.replaceAll('.', '\\.')}`));
    await figure.getByRole('button', { name: 'As table' }).click();
    const cells = await figure
      .getByRole('row')
      .evaluateAll((rows) => rows.slice(1).map((row: any) => [...row.cells].map((cell: any) => cell.innerText)));
    expect(cells.map(([kind, , began]) => [kind, began])).toEqual(call.steps.map(({ kind, started_at }) => [kind, started_at]));
    await page.getByRole('link', { name: call.ran_as_call! }).click();
    await page.getByRole('link', { name: call.tool_call_id }).waitFor();
    await page.goto(`${url}/console/calls/none`);
    await page.getByText(/The ledger has no call none/).waitFor();
    expect(faults.filter((fault) => !/40[14]/.test(fault))).toEqual([]);
    await context.close();
  });
});
