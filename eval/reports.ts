/**
 * Checks that generated text is supported by its sources: compares every printed statement of every kind of draft with
 * the cited passages, independently of the code that generated it. Numbers are recounted from the written data,
 * quotations searched in the passages, words and meaning compared with them.
 */
import type { Embedder } from '../adapters/models/embedder.ts';
import { artifactTypes, reportFormats, reportTypes, type ReportType } from '../contracts/authoring/authoring.ts';
import type { Figure, SampleSet } from '../services/authoring/types.ts';
import { scaffold } from '../services/authoring/phrases.ts';
import { terms } from '../engines/retrieval/terms.ts';
import { entityIdOf, writeSignals, type TestSignal } from '../test/setup/signals.ts';
import type { Product } from './product.ts';
import { sampleSignals } from './reports-data.ts';

export interface ReportsReport {
  drafts: { kind: string; ms: number; statements: number; unsupported: number; dropped: number }[];
  statements: number;
  /** Statements whose words all occur in the cited passages, or in the names recorded with them. */
  lexical: number;
  /** Mean cosine of a statement and its nearest passage; null: no model. */
  cosine: number | null;
  /** Statements with numbers, and those whose numbers an independent count confirms. */
  numbered: number;
  confirmed: number;
  unsupported: { statement: string; why: string }[];
  slowestMs: number;
  medianMs: number;
}

const many = 400;
const windowDays = 28;
const own = new Set(terms(scaffold));

interface Line extends Record<string, unknown> {
  statement: string;
  figures: Figure[];
  passages: string[];
  /** Names, authors and dates recorded with the passages. */
  beside: string[];
}

export async function evalReports({ services, caller, run }: Product, say: (line: string) => void): Promise<ReportsReport> {
  const { tenant } = caller;
  const { db, embedder } = services.authoring.stages;
  const written = sampleSignals(many, Date.now() - 60_000);
  await writeSignals(db, tenant, written);
  say(`${many} statements are written`);
  const asked = [
    ...reportTypes.flatMap((type) => reportFormats.map((format) => ({ kind: `${type}, ${format}`, report: { type, format } }))),
    ...artifactTypes.map((type) => ({ kind: type as string, artifact: { type } })),
  ];
  const report: ReportsReport = {
    drafts: [],
    statements: 0,
    lexical: 0,
    cosine: null,
    numbered: 0,
    confirmed: 0,
    unsupported: [],
    slowestMs: 0,
    medianMs: 0,
  };
  const cosines: number[] = [];
  for (const [i, each] of asked.entries()) {
    const started = performance.now();
    const asking = { callKey: `eval-${i}`, waitMs: 30_000 };
    const { draft, id } = await run(() =>
      'report' in each
        ? services.authoring.report(caller, { ...each.report, audience: 'general', windowDays }, asking)
        : services.authoring.artifact(
            caller,
            {
              ...each.artifact,
              entityName: 'Export',
              entityType: 'feature',
              audience: 'general',
              template: 'standard',
              issueType: 'story',
              provenance: true,
            },
            asking,
          ),
    );
    const ms = performance.now() - started;
    const lines = await run(() => linesOf(db, tenant, id));
    const near = await cosinesOf(embedder, lines);
    cosines.push(...near);
    const meant =
      'report' in each
        ? written.filter((signal) => ofReport(signal, each.report.type))
        : written.filter((signal) => signal.about?.['feature']?.includes('Export'));
    let unsupported = 0;
    for (const [at, line] of lines.entries()) {
      const right = line.figures.every((figure) => countOf(meant, tenant, figure, draft!.created_at, 'report' in each) === figure.n);
      const missing = missingWords(line);
      report.numbered += line.figures.length > 0 ? 1 : 0;
      report.confirmed += line.figures.length > 0 && right ? 1 : 0;
      report.lexical += missing.length === 0 ? 1 : 0;
      const why = !right
        ? 'another number is counted'
        : misquoted(line)
          ? 'its quotation is not in its passages'
          : missing.length > 0 && !((near[at] ?? 0) >= 0.75)
            ? `its passages lack ${missing.join(', ')}`
            : null;
      if (why === null) continue;
      unsupported += 1;
      report.unsupported.push({ statement: line.statement, why });
    }
    report.statements += lines.length;
    report.drafts.push({ kind: each.kind, ms, statements: lines.length, unsupported, dropped: draft?.dropped ?? 0 });
    say(`${each.kind}: ${lines.length} statements in ${Math.round(ms)} ms`);
  }
  const times = report.drafts.map(({ ms }) => ms).toSorted((a, b) => a - b);
  report.slowestMs = times.at(-1) ?? 0;
  report.medianMs = times[Math.floor(times.length / 2)] ?? 0;
  if (cosines.length > 0) report.cosine = cosines.reduce((sum, each) => sum + each, 0) / cosines.length;
  return report;
}

/** Printed statements with the passages behind their numbers, read from the passages themselves. */
const linesOf = (
  db: { query: (text: string, values: unknown[]) => Promise<Record<string, unknown>[]> },
  tenant: string,
  id: string,
): Promise<Line[]> =>
  db.query(
    `select t.statement, t.figures, array_agg(coalesce(c.body, o.excerpt)) as passages,
       array_agg(concat_ws(' ', s.author, s.source, s.class, to_char(s.occurred_at at time zone 'UTC', 'FMDD FMMon YYYY'),
         to_char(o.occurred_at at time zone 'UTC', 'FMDD FMMon YYYY'),
         (select string_agg(e.name, ' ') from signal_entities x join entities e on e.tenant_id = $1 and e.id = x.entity_id where x.tenant_id = $1 and x.signal_id = s.id))) as beside
     from draft_statements t cross join unnest(t.sources) n(number)
     join draft_sources o on o.tenant_id = $1 and o.draft_id = t.draft_id and o.number = n.number
     left join signals s on s.tenant_id = $1 and s.id = o.ref left join chunks c on c.tenant_id = $1 and c.id = s.chunk_id
     where t.tenant_id = $1 and t.draft_id = $2 group by t.ordinal, t.statement, t.figures order by t.ordinal`,
    [tenant, id],
  ) as Promise<Line[]>;

/** The statements that a report is about, of all times. */
const ofReport = ({ about }: TestSignal, type: ReportType): boolean => type !== 'competitive_intel' || about?.['competitor'] !== undefined;

/** All statements of the test data are open: the sets are classes. */
const classesOf: Record<SampleSet, readonly string[] | null> = {
  any: null,
  problems: ['bug', 'complaint'],
  requests: ['request'],
  praise: ['praise'],
  churn: ['churn_risk'],
};

/** Counts in the written test data, not in the database. */
function countOf(written: TestSignal[], tenant: string, figure: Figure, madeAt: string, windowed: boolean): number {
  const until = Date.parse(figure.until ?? madeAt);
  const day = 24 * 60 * 60 * 1000;
  const from = figure.from !== undefined ? Date.parse(figure.from) : windowed ? Date.parse(madeAt) - windowDays * day : -Infinity;
  const about = ({ about = {} }: TestSignal): string[] =>
    Object.entries(about).flatMap(([type, names]) => names.map((name) => entityIdOf(tenant, type, name)));
  const severity = { none: 0, low: 1, medium: 2, high: 3, critical: 4 };
  const meant = written.filter((signal) => {
    const at = Date.parse(signal.at);
    if (at < from || at > until) return false;
    if (figure.entity !== undefined && !about(signal).includes(figure.entity)) return false;
    const classes = figure.classes ?? classesOf[figure.set ?? 'any'];
    if (classes && !classes.includes(signal.class)) return false;
    return severity[signal.severity ?? 'none'] >= (figure.severity ?? 0);
  });
  return figure.of === 'customers' ? new Set(meant.flatMap((signal) => signal.about?.['customer'] ?? [])).size : meant.length;
}

const quotations = /“([^”]*)”/g;

function missingWords({ statement, passages, beside }: Line): string[] {
  const has = new Set(terms([...passages, ...beside].join(' ')));
  return [...new Set(terms(statement.replace(quotations, ' ')))].filter((term) => !own.has(term) && !/^\d/.test(term) && !has.has(term));
}

const flat = (text: string): string => text.replace(/\s+/g, ' ').toLowerCase();
const misquoted = ({ statement, passages, beside }: Line): boolean =>
  [...statement.matchAll(quotations)].some(
    ([, words = '']) => ![...passages, ...beside].some((each) => flat(each).includes(flat(words.replace(/…$/, '')))),
  );

/** Drafts repeat each other's statements and passages. */
const vectors = new Map<string, Float32Array>();

async function cosinesOf(embedder: Embedder | null, lines: Line[]): Promise<number[]> {
  if (!embedder || lines.length === 0) return [];
  const texts = [...new Set(lines.flatMap(({ statement, passages }) => [statement, ...passages]))].filter((text) => !vectors.has(text));
  for (const [i, vector] of (await embedder.embed(texts)).entries()) vectors.set(texts[i]!, vector);
  const dot = (a: Float32Array, b: Float32Array): number => a.reduce((sum, value, i) => sum + value * b[i]!, 0);
  return lines.map(({ statement, passages }) =>
    Math.max(...passages.map((passage) => dot(vectors.get(statement)!, vectors.get(passage)!))),
  );
}

export function reportsTableOf(report: ReportsReport): string {
  const percent = (n: number, of: number): string => (of === 0 ? '-' : `${((100 * n) / of).toFixed(1)} %`);
  const bad = report.unsupported.length;
  return [
    '| draft | statements | unsupported | dropped before printing | ms |',
    '| --- | ---: | ---: | ---: | ---: |',
    ...report.drafts.map(
      ({ kind, statements, unsupported, dropped, ms }) => `| ${kind} | ${statements} | ${unsupported} | ${dropped} | ${Math.round(ms)} |`,
    ),
    '',
    `Supported: ${percent(report.statements - bad, report.statements)} of ${report.statements} statements (goal: all).`,
    `All words in the cited passages or recorded beside them: ${percent(report.lexical, report.statements)}.`,
    `Numbers that another count confirms: ${percent(report.confirmed, report.numbered)} of ${report.numbered} statements with numbers.`,
    `Mean cosine of a statement and its nearest passage: ${report.cosine === null ? 'no model' : report.cosine.toFixed(3)}.`,
    `Time of one draft: median ${Math.round(report.medianMs)} ms, slowest ${Math.round(report.slowestMs)} ms (goal: 2,000 ms).`,
    ...report.unsupported.map(({ statement, why }) => `- ${why}: ${statement}`),
  ].join('\n');
}
