/** Scheduled reports: a real Temporal Schedule, real reports, one message per recipient. */
import { ScheduleOverlapPolicy } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { Caller } from '../../contracts/caller.ts';
import type { ReportSchedule } from '../../contracts/authoring/report-schedules.ts';
import { workflowIds } from '../../contracts/temporal.ts';
import { clockOf } from '../../services/authoring/schedule-clock.ts';
import { putSchedule } from '../../services/kernel/schedules.ts';
import { replayCourses } from '../setup/replay.ts';
import { writeSignals } from '../setup/signals.ts';
import { smtpDouble, type SmtpDouble } from '../setup/smtp.ts';
import { eventually, testStack, type TestStack } from '../setup/stack.ts';
import { webhookDouble, type WebhookDouble } from '../setup/webhook.ts';

let smtp: SmtpDouble;
let hooks: WebhookDouble;
let stack: TestStack;
let pm: Caller;

const day = 24 * 60 * 60 * 1_000;

beforeAll(async () => {
  [smtp, hooks] = await Promise.all([smtpDouble(), webhookDouble()]);
  stack = await testStack({
    model: false,
    env: {
      SMTP_URL: smtp.url,
      SMTP_FROM: 'box@signalbox.test',
      NOTIFICATIONS_DRY_RUN: 'false',
      // Equal reports of different times are made within seconds here.
      NOTIFICATIONS_REPEAT_MINUTES: '0',
      ALLOW_PRIVATE_NETWORK: 'true',
    },
  });
  pm = await stack.caller({ name: 'pm', kind: 'human' });
  await writeSignals(
    stack.db,
    'acme',
    Array.from({ length: 6 }, (_, i) => ({
      statement: `Export to PDF cuts off page ${i} for us.`,
      class: 'bug' as const,
      severity: 'high' as const,
      at: new Date(Date.now() - (i + 1) * day).toISOString(),
      about: { customer: ['Acme'], feature: ['Export'] },
    })),
  );
}, 120_000);
afterAll(async () => {
  await stack.stop();
  await Promise.all([smtp.close(), hooks.close()]);
});

const wanted = (name: string, more: object = {}) => ({
  name,
  report_type: 'weekly_digest',
  every: 'week',
  weekday: 'monday',
  at: '08:00',
  timezone: 'Europe/Berlin',
  recipients: [{ channel: 'webhook', recipient: `${hooks.url}/${encodeURIComponent(name)}` }],
  ...more,
});
const save = async (name: string, more: object = {}, caller = pm) =>
  await stack.ok<{ schedule: ReportSchedule; next: string[] }>(caller, 'authoring.schedule.save', wanted(name, more));
const read = async (id: string, caller = pm): Promise<ReportSchedule> => {
  const { schedules } = await stack.ok<{ schedules: ReportSchedule[] }>(caller, 'authoring.schedule.list');
  return schedules.find(({ schedule_id }) => schedule_id === id)!;
};
const calls = (name: string) => hooks.received.filter(({ path }) => path === `/${encodeURIComponent(name)}`);
const clock = (id: string, tenant = 'acme') => stack.temporal.client.schedule.getHandle(workflowIds.reportSchedule(tenant, id));
const rows = <T extends Record<string, unknown>>(sql: string): Promise<T[]> => asTenant('acme', () => stack.db.query<T>(sql));
const fires = (id: string) =>
  rows<{ fired_at: Date; outcome: string; draft_id: string | null }>(
    `select fired_at, outcome, draft_id from report_schedule_fires where schedule_id = '${id}' and ended_at is not null order by fired_at`,
  );
const fired = (id: string, count: number) =>
  eventually(
    `${id} has fired ${count} times`,
    async () => {
      const found = await fires(id);
      return found.length >= count && found;
    },
    60_000,
  );
const run = async (id: string, caller = pm) => {
  const { fired_at } = await stack.ok<{ fired_at: string }>(caller, 'authoring.schedule.run', { schedule_id: id });
  await eventually('it went through', async () => (await read(id, caller)).last?.fired_at === fired_at, 60_000);
  return fired_at;
};

describe('a schedule', () => {
  it('fires by the clock: one report, and everybody told once', async () => {
    const recipients = [...wanted('Weekly').recipients, { channel: 'email', recipient: 'lead@example.com' }];
    const { schedule, next } = await save('Weekly', { recipients });
    expect(schedule).toMatchObject({ name: 'Weekly', status: 'active', failures: 0, last: null, timezone: 'Europe/Berlin' });
    expect(schedule.recipients).toEqual([
      { channel: 'webhook', recipient: new URL(hooks.url).host },
      { channel: 'email', recipient: 'lead@example.com' },
    ]);
    const local = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Berlin', weekday: 'long', hour: '2-digit', minute: '2-digit' });
    expect(next.map((at) => local.format(new Date(at)))).toEqual(Array(3).fill('Monday 08:00'));
    await clock(schedule.schedule_id).trigger();
    const [fire] = await fired(schedule.schedule_id, 1);
    expect(fire).toMatchObject({ outcome: 'sent', draft_id: expect.stringMatching(/^report_/) });
    const { draft } = await stack.ok(pm, 'authoring.draft.get', { draft_id: fire!.draft_id });
    await eventually('both have it', async () => calls('Weekly').length === 1 && smtp.mails.length === 1);
    expect(calls('Weekly')[0]!.body.data).toMatchObject({ title: draft.title, body: draft.content });
    expect(smtp.mails[0]!.to).toBe('lead@example.com');
    expect((await read(schedule.schedule_id)).last).toEqual({
      fired_at: fire!.fired_at.toISOString(),
      outcome: 'sent',
      error: null,
      draft_id: fire!.draft_id,
    });

    // Gone through once more, as after a death at the end: the same report, and nobody is told again.
    const { fires: stages } = stack.services.reportSchedules;
    const again = { tenant: 'acme', id: schedule.schedule_id, firedAt: fire!.fired_at.toISOString() };
    await asTenant('acme', async () => {
      expect(await stages.begin(again)).toEqual({ stage: 'ready', draftId: fire!.draft_id });
      const end = await stages.tell(again, fire!.draft_id!);
      await stages.end(again, { ...end, outcome: 'failed' });
    });
    expect((await rows(`select 1 from drafts where kind = 'report'`)).length).toBe(1);
    expect((await rows('select 1 from notifications')).length).toBe(2);
    expect((await read(schedule.schedule_id)).failures).toBe(0);
  });

  it('keeps its time of day when summer time ends', async () => {
    const { schedule } = await save('Daily', { every: 'day', weekday: undefined });
    await clock(schedule.schedule_id).backfill([
      { start: new Date('2026-10-24T00:00:00Z'), end: new Date('2026-10-25T23:00:00Z'), overlap: ScheduleOverlapPolicy.BUFFER_ALL },
    ]);
    const found = await fired(schedule.schedule_id, 2);
    expect(found.map(({ fired_at }) => fired_at.toISOString())).toEqual(['2026-10-24T06:00:00.000Z', '2026-10-25T07:00:00.000Z']);
    expect(new Set(found.map(({ draft_id }) => draft_id)).size).toBe(2);
    await eventually('both are sent', async () => calls('Daily').length === 2);
  });

  it('is run by hand once per call, also when it is paused', async () => {
    const { schedule, next } = await save('By hand', { paused: true });
    expect([schedule.status, schedule.paused_because, next]).toEqual(['paused', 'by pm', []]);
    expect((await clock(schedule.schedule_id).describe()).state.paused).toBe(true);
    const { reportSchedules: schedules } = stack.services;
    const [one, two] = await asTenant('acme', async () => [
      await schedules.run(pm, schedule.schedule_id, 'call-1'),
      await schedules.run(pm, schedule.schedule_id, 'call-1'),
    ]);
    expect(two.fired_at).toBe(one.fired_at);
    await fired(schedule.schedule_id, 1);
    await eventually('it is sent', async () => calls('By hand').length === 1);
    // The clock had fired before it was paused.
    await clock(schedule.schedule_id).trigger();
    await eventually('the process is over', async () => {
      const query = `WorkflowType = 'reportSchedule' and WorkflowId STARTS_WITH '${workflowIds.reportSchedule('acme', schedule.schedule_id)}' and ExecutionStatus = 'Completed'`;
      return (await stack.temporal.client.workflow.count(query)).count === 2;
    });
    expect(calls('By hand')).toHaveLength(1);
  });

  it('pauses after three failures in a row, says why, and goes on when it is saved', async () => {
    const slack = { recipients: [{ channel: 'slack', recipient: 'C0123456789' }] };
    const { schedule } = await save('Failing', slack);
    const id = schedule.schedule_id;
    for (const failures of [1, 2, 3]) {
      await run(id);
      expect(await read(id)).toMatchObject({ failures, last: { outcome: 'failed', error: expect.stringMatching(/slack is not mounted/) } });
    }
    const paused = await eventually('it is paused', async () => {
      const found = await read(id);
      return found.status === 'paused' && found;
    });
    expect(paused.paused_because).toMatch(/^failed 3 times in a row: slack: slack is not mounted/);
    await eventually('so is its clock', async () => (await clock(id).describe()).state.paused);
    expect(await save('Failing', { ...slack, schedule_id: id })).toMatchObject({
      schedule: { schedule_id: id, status: 'active', failures: 0 },
    });
    expect((await clock(id).describe()).state.paused).toBe(false);
  });

  it('tells nobody when there is nothing to report, and counts no failure', async () => {
    const other = await stack.caller({ tenant: 'globex', name: 'gus', kind: 'human' });
    const { schedule } = await save('Quiet', {}, other);
    await run(schedule.schedule_id, other);
    expect(await read(schedule.schedule_id, other)).toMatchObject({ failures: 0, last: { outcome: 'quiet' } });
    expect(calls('Quiet')).toEqual([]);
    expect((await stack.call(pm, 'authoring.schedule.run', { schedule_id: schedule.schedule_id })).error).toMatchObject({
      code: 'NOT_FOUND',
    });
    expect(await stack.ok(pm, 'authoring.schedule.remove', { schedule_id: schedule.schedule_id })).toEqual({ removed: false });
    expect(await read(schedule.schedule_id, other)).toBeDefined();
  });

  it.each([
    ['an unknown zone', { timezone: 'Europe/Atlantis' }, /time zone/],
    ['an offset for a zone', { timezone: '+01:00' }, /time zone/],
    ['no time', { at: undefined }, /at is missing/],
    ['no weekday', { weekday: undefined }, /weekday/],
    ['both ways', { cron: '0 8 * * *' }, /cron/],
    ['every minute', { every: undefined, at: undefined, weekday: undefined, cron: '* * * * *' }, /hour/],
    ['no cron', { every: undefined, at: undefined, weekday: undefined, cron: '0 8 * * nonsense' }, /no cron/],
    ['a bad recipient', { recipients: [{ channel: 'email', recipient: 'nobody' }] }, /e-mail/],
  ])('is refused with %s', async (_what, more, message) => {
    const { error } = await stack.call(pm, 'authoring.schedule.save', wanted('Refused', more));
    expect(error).toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(error!.message).toMatch(message);
    expect(await rows(`select 1 from report_schedules where name = 'Refused'`)).toEqual([]);
  });

  it('that Temporal alone refuses stays, paused, until it is changed', async () => {
    // What the client makes of a refusal.
    const create = vi.spyOn(stack.temporal.client.schedule, 'create').mockRejectedValueOnce(new TypeError('invalid schedule spec'));
    const { error } = await stack.call(pm, 'authoring.schedule.save', wanted('Unreadable', { timezone: 'europe/berlin' }));
    create.mockRestore();
    expect(error).toMatchObject({ code: 'VALIDATION_ERROR', details: { schedule_id: expect.stringMatching(/^schedule_/) } });
    const id = error!.details!['schedule_id'] as string;
    expect(await read(id)).toMatchObject({
      status: 'paused',
      paused_because: 'Temporal cannot read the times of this schedule.',
      timezone: 'Europe/Berlin',
    });
    expect((await save('Unreadable', { schedule_id: id })).schedule).toMatchObject({
      schedule_id: id,
      status: 'active',
      paused_because: null,
    });
    expect((await clock(id).describe()).state.paused).toBe(false);
  });

  it('has a name of its own, and shows no address', async () => {
    expect((await stack.call(pm, 'authoring.schedule.save', wanted('weekly'))).error).toMatchObject({ code: 'CONFLICT' });
    const { schedule } = await save('Cron', {
      every: undefined,
      at: undefined,
      weekday: undefined,
      cron: '30 7 * * 1-5',
      recipients: [{ channel: 'webhook', recipient: `${hooks.url}/B000` }],
    });
    expect(JSON.stringify([schedule, await rows('select * from report_schedules')])).not.toContain('B000');
  });

  it('keeps its recipients when a change gives none, which a new one may not leave out', async () => {
    const { schedule } = await save('Told as before');
    const { schedule_id } = schedule;
    const change = { ...wanted('Told as before', { recipients: undefined }), schedule_id };
    const paused = await stack.ok<{ schedule: ReportSchedule; next: string[] }>(pm, 'authoring.schedule.save', { ...change, paused: true });
    expect(paused).toMatchObject({ schedule: { status: 'paused', recipients: schedule.recipients }, next: [] });
    await stack.ok(pm, 'authoring.schedule.save', change);
    await run(schedule_id);
    await eventually('they have it', async () => calls('Told as before').length === 1);
    expect((await stack.call(pm, 'authoring.schedule.save', wanted('Nobody', { recipients: undefined }))).error).toMatchObject({
      code: 'VALIDATION_ERROR',
      message: 'A new schedule needs recipients.',
    });
  });
});

describe('killed between the row and the clock', () => {
  const gone = async (id: string) =>
    (await clock(id)
      .describe()
      .catch(() => null)) === null;
  const tend = () => asTenant('acme', () => stack.services.reportSchedules.tend('acme', 0));
  const strayClock = (id: string) =>
    putSchedule(
      stack.temporal,
      clockOf('acme', { id, name: 'Stray', timing: { cron: '0 8 * * *' }, timezone: 'UTC', status: 'active', rev: 1, created_by: 'pm' }),
    );

  it('a new one, a change and a removal are caught up by the sweep', async () => {
    const { schedule } = await save('Caught up');
    const id = schedule.schedule_id;
    // As a death leaves it after the row was written, before Temporal was told.
    await clock(id).delete();
    await asTenant('acme', () =>
      stack.db.query(`update report_schedules set rev = 1, synced = 0 where tenant_id = 'acme' and id = $1`, [id]),
    );
    expect(await tend()).toBe(1);
    expect((await clock(id).describe()).state.note).toBe('revision 1');

    await asTenant('acme', () =>
      stack.db.query(`update report_schedules set rev = 2, timing = '{"every":"day","at":"21:15"}' where tenant_id = 'acme' and id = $1`, [
        id,
      ]),
    );
    expect(await tend()).toBe(1);
    expect((await clock(id).describe()).spec.calendars).toMatchObject([{ hour: [{ start: 21 }], minute: [{ start: 15 }] }]);

    // Somebody deleted it in Temporal's UI.
    await clock(id).delete();
    expect(await tend()).toBe(1);
    expect(await gone(id)).toBe(false);
    expect(await tend()).toBe(0);

    await asTenant('acme', () =>
      stack.db.query(`update report_schedules set status = 'removing', rev = 3 where tenant_id = 'acme' and id = $1`, [id]),
    );
    expect((await stack.call(pm, 'authoring.schedule.run', { schedule_id: id })).error).toMatchObject({ code: 'NOT_FOUND' });
    expect(await tend()).toBe(1);
    expect(await gone(id)).toBe(true);
    expect(await rows(`select 1 from report_schedules where id = '${id}'`)).toEqual([]);
  });

  it('a change and a removal at once leave no clock behind', async () => {
    const { schedule } = await save('Both at once');
    const id = schedule.schedule_id;
    const { reportSchedules: schedules } = stack.services;
    const { query } = stack.db;
    let removed = false;
    const during = vi.spyOn(stack.db, 'query').mockImplementation(async (text, values) => {
      if (!removed && text.includes('set synced = rev')) {
        removed = true;
        await schedules.remove('acme', id);
        // Now the one who changes tells Temporal, where it has been forgotten already.
        await strayClock(id);
      }
      return await query(text, values);
    });
    await asTenant('acme', () => schedules.clocks.follow('acme', id));
    during.mockRestore();
    expect(removed).toBe(true);
    expect(await gone(id)).toBe(true);
  });

  it('one that is removed is gone from both, and does not fire', async () => {
    const { schedule } = await save('Removed');
    expect(await stack.ok(pm, 'authoring.schedule.remove', { schedule_id: schedule.schedule_id })).toEqual({ removed: true });
    expect(await gone(schedule.schedule_id)).toBe(true);
    // Left over, it ends with its next strike.
    await strayClock(schedule.schedule_id);
    const stale = { tenant: 'acme', id: schedule.schedule_id, firedAt: new Date().toISOString() };
    const over = await asTenant('acme', () => stack.services.reportSchedules.fires.begin(stale));
    expect(over).toMatchObject({ stage: 'over', end: { outcome: 'skipped' } });
    expect(await gone(schedule.schedule_id)).toBe(true);
    expect(calls('Removed')).toEqual([]);
  });
});

it('replays', async () => {
  expect(await replayCourses(stack.temporal.client, 'reportSchedule')).toBeGreaterThan(1);
});
