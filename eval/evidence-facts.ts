/** What the reports of a corpus tell: each of its facts as of its day, in every type of report over the whole time before. */
import { reportTypes } from '../contracts/authoring/authoring.ts';
import type { Caller } from '../bench/clients.ts';
import type { Job } from '../contracts/jobs.ts';
import { judgeFact, linesOf, type FactVerdict, type Told } from './evidence-facts-judge.ts';
import type { Gold } from './evidence-gold.ts';

const formats = ['executive_summary', 'detailed'] as const;

export interface FactsReport {
  facts: number;
  /** By any report of the day. */
  said: number;
  /** Wholly by one of them. */
  whole: number;
  /** Names and standing fit, but not all numbers, days and words. */
  partly: number;
  broken: number;
  /** Lines that a person should read. */
  look: number;
  verdicts: FactVerdict[];
  reports: DatedReport[];
  /** The product can make reports as of a day. */
  dated: boolean;
}

export interface DatedReport extends Told {
  asOf: string;
  ms: number;
}

interface Answered {
  report_id: string;
  job_id: string;
  content?: string;
}

export async function evalFacts(caller: Caller, gold: Gold, say: (line: string) => void): Promise<FactsReport> {
  const dated = await takes(caller, 'authoring.report.generate', 'as_of');
  if (!dated) say('Reports cannot be made as of a day: all are as of now.');
  const from = gold.documents.map(({ date }) => date).sort()[0]!;
  const days = [...new Set(gold.report_facts.map(({ as_of }) => as_of))].sort();
  const reports: DatedReport[] = [];
  for (const asOf of dated ? days : days.slice(-1)) {
    const period = dated ? { as_of: asOf, from } : { time_window_days: 3_650 };
    for (const report_type of reportTypes)
      for (const format of formats) reports.push(await made(caller, { report_type, format, ...period }, asOf));
    say(`reports as of ${asOf} are made`);
  }
  const verdicts = days.flatMap((day) => {
    const own = dated ? reports.filter(({ asOf }) => asOf === day) : reports;
    const lines = own.flatMap((report) => linesOf(report, gold));
    return gold.report_facts.filter(({ as_of }) => as_of === day).map((fact) => judgeFact(fact, lines, gold));
  });
  return {
    facts: verdicts.length,
    said: verdicts.filter(({ said }) => said).length,
    whole: verdicts.filter(({ whole }) => whole.length > 0).length,
    partly: verdicts.filter(({ said, clauses }) => !said && clauses.some(({ is }) => is !== 'unsaid')).length,
    broken: verdicts.filter(({ broken }) => broken === 'broken').length,
    look: verdicts.filter(({ broken }) => broken === 'look').length,
    verdicts,
    reports,
    dated,
  };
}

/** Whether a tool has an input of this name. */
async function takes(caller: Caller, name: string, input: string): Promise<boolean> {
  return JSON.stringify(await caller.ok('system.tool.describe', { name })).includes(`"${input}"`);
}

async function made(caller: Caller, args: { report_type: string; format: string }, asOf: string): Promise<DatedReport> {
  const started = performance.now();
  const answer = await caller.call<Answered>('authoring.report.generate', args, { timeoutMs: 120_000 });
  const name = `${args.report_type}, ${args.format}`;
  const done = (markdown: string): DatedReport => ({ name, asOf, markdown, ms: performance.now() - started });
  if (answer.error) return done(`# ${name}\n\n_No report: ${answer.error.message}_\n`);
  if (answer.data.content !== undefined) return done(answer.data.content);
  for (;;) {
    const { job } = await caller.ok<{ job: Job }>('system.job.get', { job_id: answer.data.job_id, wait_seconds: 30 });
    if (job.status === 'completed') break;
    if (job.status !== 'queued' && job.status !== 'running') return done(`# ${name}\n\n_The report ended ${job.status}._\n`);
  }
  const { draft } = await caller.ok<{ draft: { content: string } }>('authoring.draft.get', { draft_id: answer.data.report_id });
  return done(draft.content);
}

export function factsTableOf({ facts, said, whole, partly, broken, look, dated, reports }: FactsReport): string {
  const ms = reports.map((each) => each.ms).toSorted((a, b) => a - b);
  return [
    `must be said: ${said} of ${facts} (${whole} by one report alone), ${partly} more in part; must not be said: ${broken} said, ${look} to look at${dated ? '' : ' (reports as of now)'}`,
    `${reports.length} reports, median ${Math.round(ms[Math.floor(ms.length / 2)] ?? 0)} ms, slowest ${Math.round(ms.at(-1) ?? 0)} ms`,
  ].join('\n');
}

/** Each verdict with the line that decided it. */
export function showFacts({ verdicts }: FactsReport): string[] {
  return verdicts.flatMap(({ fact, said, clauses, whole, broken, lines }) => [
    '',
    `${said ? 'SAID' : clauses.some(({ is }) => is !== 'unsaid') ? 'PARTLY' : 'UNSAID'} ${fact.as_of} must say: ${fact.must_say}${whole.length > 0 ? ` (all in: ${whole.join('; ')})` : ''}`,
    ...clauses.map(
      ({ clause, is, line, missing }) =>
        `   ${is}: ${clause}${is === 'said' || missing.length === 0 ? '' : `; lacks ${missing.join(', ')}`}${line ? `\n      [${line.report}] ${line.text}` : ''}`,
    ),
    `${broken.toUpperCase()} ${fact.as_of} must not say: ${fact.must_not_say}`,
    ...[...new Set(lines.map(({ report, text }) => `   [${report}] ${text}`))].slice(0, 3),
  ]);
}

/** All reports, for reading. */
export const reportsText = ({ reports }: FactsReport): string =>
  reports.map(({ name, asOf, markdown }) => `<!-- ${name}, as of ${asOf} -->\n\n${markdown}`).join('\n\n---\n\n');
