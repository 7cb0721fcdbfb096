/** The statements of a draft: where each source stands, how each number was counted, and what was left out. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { Caller } from '../../contracts/caller.ts';
import type { Draft, RecountedFigure, TracedDraft } from '../../contracts/authoring/authoring.ts';
import type { Job } from '../../contracts/jobs.ts';
import { sampleSignals } from '../../eval/reports-data.ts';
import { writeSignals } from '../setup/signals.ts';
import { eventually, testStack, type TestStack } from '../setup/stack.ts';

const now = Date.now();
const day = 24 * 60 * 60 * 1000;

let stack: TestStack;
let pm: Caller;
beforeAll(async () => {
  stack = await testStack({ model: false });
  pm = await stack.caller({ name: 'pm', kind: 'human' });
  await writeSignals(stack.db, 'acme', sampleSignals(160, now));
}, 120_000);
afterAll(() => stack?.stop());

/** @returns the id of the draft, when it is ready */
async function made(tool: string, args: object): Promise<string> {
  const { job_id } = await stack.ok<{ job_id: string }>(pm, tool, args);
  const job = await eventually('the draft is written', async () => {
    const { job: found } = await stack.ok<{ job: Job }>(pm, 'system.job.get', { job_id, wait_seconds: 20 });
    return found.status === 'completed' ? found : null;
  });
  return job.result!['draft'] as string;
}
const traced = (draft_id: string, caller = pm) => stack.ok<TracedDraft>(caller, 'authoring.statement.list', { draft_id });
const told = ({ blocks }: TracedDraft) => blocks.flatMap(({ statements }) => statements);

describe('the statements of a draft', () => {
  it('are its text in order, each with sources whose excerpt stands at their place in the passage', async () => {
    for (const [tool, args] of [
      ['authoring.report.generate', { report_type: 'weekly_digest', time_window_days: 28, format: 'detailed' }],
      ['authoring.artifact.generate', { artifact_type: 'prd', entity_name: 'Export', entity_type: 'feature' }],
      ['authoring.artifact.generate', { artifact_type: 'jira', entity_name: 'Export', entity_type: 'feature' }],
    ] as const) {
      const draft_id = await made(tool, args);
      const { draft } = await stack.ok<{ draft: Draft }>(pm, 'authoring.draft.get', { draft_id });
      const all = await traced(draft_id);
      expect(told(all)).toHaveLength(draft.statements);
      expect(told(all).map(({ ordinal }) => ordinal)).toEqual(told(all).map((_, i) => i));
      if (draft.issues === null) {
        expect(all.blocks.map(({ heading }) => heading)).toEqual(draft.sections.map(({ heading }) => heading));
        expect(all.blocks.map(({ statements }) => statements.map(({ sources }) => sources))).toEqual(
          draft.sections.map(({ statements }) => statements.map(({ sources }) => sources)),
        );
      } else {
        expect(all.blocks.filter(({ to_fill }) => to_fill === null).map(({ heading }) => heading)).toEqual(
          draft.issues.map(({ title }) => title),
        );
      }
      expect(all.blocks.filter(({ to_fill }) => to_fill !== null).map(({ heading }) => heading)).toEqual(draft.to_fill_by_pm);
      const numbers = new Set(all.sources.map(({ number }) => number));
      for (const { sources } of told(all)) expect(sources.length > 0 && sources.every((number) => numbers.has(number))).toBe(true);
      for (const { kind, ref, citation, start, end, excerpt } of all.sources.filter((each) => each.kind === 'signal')) {
        const signal = await stack.ok<{ citation: string; passage: { text: string; start: number; end: number } }>(
          pm,
          'signal.record.get',
          { signal_id: ref },
        );
        expect([kind, citation, start, end]).toEqual(['signal', signal.citation, signal.passage.start, signal.passage.end]);
        expect(signal.passage.text.slice(start!, end!)).toBe(excerpt);
      }
    }
  }, 120_000);

  it('tell how each number was counted; counted again it is the same, until something more is said', async () => {
    const draft_id = await made('authoring.report.generate', { report_type: 'weekly_digest', time_window_days: 28, format: 'detailed' });
    const counted = told(await traced(draft_id)).filter(({ figures }) => figures.length > 0);
    expect(counted.length).toBeGreaterThan(3);
    const again = (ordinal: number) =>
      stack.ok<{ figures: RecountedFigure[] }>(pm, 'authoring.figure.count', { draft_id, ordinal, limit: 100 });
    for (const { ordinal, text, figures } of counted) {
      const { figures: anew } = await again(ordinal);
      expect(anew.map(({ n, of, how }) => ({ n, of, how }))).toEqual(figures);
      for (const { n, now: counts, of, how, statements } of anew) {
        expect([text, counts]).toEqual([text, n]);
        expect(how).toMatch(/^(Statements|Different customers)/);
        const listed = of === 'customers' ? new Set(statements.flatMap(({ customers }) => customers)).size : statements.length;
        if (statements.length < 100) expect([text, how, listed]).toEqual([text, how, n]);
      }
    }
    const whole = counted.find(({ figures }) => figures.some(({ how }) => how.startsWith('Statements said')))!;
    const before = (await again(whole.ordinal)).figures;
    await writeSignals(stack.db, 'acme', [
      { statement: 'One more word.', class: 'question', at: new Date(now - day).toISOString(), about: { customer: ['Acme'] } },
    ]);
    const after = (await again(whole.ordinal)).figures;
    const at = before.findIndex(({ how }) => how.startsWith('Statements said'));
    expect([after[at]!.n, after[at]!.now]).toEqual([before[at]!.n, before[at]!.now + 1]);
    expect(after[at]!.statements.some(({ text }) => text === 'One more word.')).toBe(true);
    expect((await stack.call(pm, 'authoring.figure.count', { draft_id, ordinal: 99_999 })).error).toMatchObject({ code: 'NOT_FOUND' });
  }, 120_000);

  it('are copied as Markdown with their sources or without', async () => {
    const draft_id = await made('authoring.artifact.generate', { artifact_type: 'prd', entity_name: 'Export', entity_type: 'feature' });
    const get = async (sources: boolean) =>
      (await stack.ok<{ draft: Draft }>(pm, 'authoring.draft.get', { draft_id, sources })).draft.content;
    const [cited, plain] = [await get(true), await get(false)];
    expect(cited).toContain('\n## Sources\n');
    expect(plain).not.toMatch(/## Sources|\[\d+\]$/m);
    const bullets = (text: string) =>
      text
        .split('\n## Sources\n')[0]!
        .match(/^- .*$/gm)!
        .map((line) => line.replace(/ (\[\d+\])+$/, ''));
    expect(bullets(plain)).toEqual(bullets(cited));
  }, 120_000);

  it('quote the words before a short one only if the same customer said them', async () => {
    const rows = await stack.caller({ tenant: 'rows' });
    const submitted = await stack.ok<{ job_id: string }>(rows, 'ingest.document.submit', {
      title: 'tickets',
      format: 'csv',
      content: [
        'ticket,date,customer,subject,message,status',
        'T-1,2026-11-20,Hill School,Report Card,Report Card prints every page twice since the update.,open',
        'T-2,2026-11-20,Lakeside Tours,Report Card,No margin at all. It cuts the totals off.,open',
        'T-3,2026-11-20,Lakeside Tours,Report Card,It crashes twice a day.,open',
      ].join('\n'),
    });
    await eventually('the rows are read', async () => {
      const { job } = await stack.ok<{ job: Job }>(rows, 'system.job.get', { job_id: submitted.job_id, wait_seconds: 20 });
      return job.status === 'completed' ? job : null;
    });
    const { job_id } = await stack.ok<{ job_id: string }>(rows, 'authoring.report.generate', {
      report_type: 'customer_health_summary',
      format: 'detailed',
      as_of: '2026-11-30',
      time_window_days: 30,
    });
    const job = await eventually('the report is written', async () => {
      const { job: found } = await stack.ok<{ job: Job }>(rows, 'system.job.get', { job_id, wait_seconds: 20 });
      return found.status === 'completed' ? found : null;
    });
    const { draft } = await stack.ok<{ draft: Draft }>(rows, 'authoring.draft.get', { draft_id: job.result!['draft'] as string });
    const quoting = draft.content.split('\n').filter((line) => line.startsWith('- ') && /No margin/.test(line));
    expect(quoting.length).toBeGreaterThan(0);
    for (const line of quoting) expect(line).not.toMatch(/prints every page twice/);
  }, 120_000);

  it('that were left out are kept with the reason, and go when a source is deleted', async () => {
    await stack.stopWorkers();
    const { gatherDraft, writeDraft, checkDraft } = await import('../../services/authoring/records.ts');
    const { stages } = stack.services.authoring;
    const eve = await stack.caller({ tenant: 'eve', name: 'eve', kind: 'human' });
    const ids = await writeSignals(stack.db, 'eve', sampleSignals(40, now));
    const { report_id: id } = await stack.ok<{ report_id: string }>(eve, 'authoring.report.generate', {
      report_type: 'weekly_digest',
      time_window_days: 60,
    });
    const [job] = await asTenant('eve', () =>
      stack.db.query<{ job_id: string }>(`select job_id from drafts where tenant_id = 'eve' and id = $1`, [id]),
    );
    const ref = { tenant: 'eve', id: job!.job_id };
    await asTenant('eve', () => gatherDraft(stages, ref));
    await asTenant('eve', () => writeDraft(stages, ref));
    // As a model might write.
    await asTenant('eve', () =>
      stack.db.query(
        `update drafts set written = jsonb_set(jsonb_set(written, '{model}', '"m"'), '{sections,0,statements,0,text}', '"Zeppelins are cheap."') where tenant_id = 'eve' and id = $1`,
        [id],
      ),
    );
    await asTenant('eve', () => checkDraft(stages, ref));
    expect((await traced(id, eve)).dropped).toEqual([{ text: 'Zeppelins are cheap.', reason: expect.stringContaining('zeppelin') }]);
    const { withdrawDrafts } = await import('../../services/authoring/withdraw.ts');
    await asTenant('eve', () =>
      stack.db.transaction(async (query) => {
        const rows = await query<{ document_id: string }>(`select document_id from signals where tenant_id = 'eve' and id = any($1)`, [
          ids,
        ]);
        await withdrawDrafts(
          query,
          'eve',
          rows.map(({ document_id }) => document_id),
        );
      }),
    );
    expect((await stack.call(eve, 'authoring.statement.list', { draft_id: id })).error).toMatchObject({ code: 'GONE' });
    const [row] = await asTenant('eve', () =>
      stack.db.query<{ dropped_statements: unknown }>(`select dropped_statements from drafts where tenant_id = 'eve' and id = $1`, [id]),
    );
    expect(row!.dropped_statements).toEqual([]);
    const other = await stack.caller({ tenant: 'other' });
    expect((await stack.call(other, 'authoring.statement.list', { draft_id: id })).error).toMatchObject({ code: 'NOT_FOUND' });
  }, 120_000);
});
