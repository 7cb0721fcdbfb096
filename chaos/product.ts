/** Customers' statements, and corrections, decisions, drafts and exports by people, during kills. */
import type { ExportAnswer } from '../contracts/governance/exports.ts';
import type { Exported, Journal, Statement } from './journal.ts';
import { followed, pause, type Load } from './load.ts';
import type { Random } from './random.ts';

const customers = ['Larkspur Dairy', 'Pinnacle Freight', 'Osprey Bank', 'Juniper Clinics', 'Tidewater Energy'];

/** One statement each, with a distinct word. */
const sayings = [
  (word: string) => `The invoice export fails with error ${word} on our large accounts.`,
  (word: string) => `Please add single sign-on to our workspace ${word}.`,
  (word: string) => `The search is far too slow in our project ${word}.`,
  (word: string) => `The mobile app crashes on the device ${word} every morning.`,
];

/** Ingests calls, with one more statement in each new version, and corrects some of the signals. */
export async function speaker({ caller, journal, winding }: Load, random: Random): Promise<void> {
  for (let n = 0; !winding.down; n += 1) {
    const known = [...journal.calls.keys()];
    const title = known.length > 0 && random.chance(0.4) ? random.pick(known) : `customer call ${n}`;
    const former = journal.calls.get(title);
    if (former) former.settled = false;
    const more = Array.from({ length: Math.floor(random.between(1, 4)) }, (_, i) => {
      const marker = `kp${n}v${i}`;
      return { marker, text: random.pick(sayings)(marker) };
    });
    const statements = [...(former?.statements ?? []), ...more];
    const customer = former?.customer ?? random.pick(customers);
    const { data, reason } = await caller.write<{ job_id: string; status: string; source_id: string }>('ingest.transcript.submit', {
      title,
      content: statements.map(({ text }) => `Customer: ${text}`).join('\n'),
      customer,
    });
    if (!data) throw new Error(`ingest.transcript.submit was refused: ${reason}`);
    const job = await followed(caller, data);
    if (job.status !== 'completed' || !job.result) {
      journal.violations.push(`The ingestion of "${title}" (${data.job_id}) ended as ${job.status}: ${JSON.stringify(job.error)}`);
      continue;
    }
    journal.calls.set(title, { customer, document: job.result.document_id, statements, settled: true });
    if (random.chance(0.5)) await correct({ caller, journal }, random.pick(statements), random);
    await pause(random.between(50, 300));
  }
}

async function correct(
  { caller, journal }: Pick<Load, 'caller' | 'journal'>,
  { marker }: Pick<Statement, 'marker'>,
  random: Random,
  before?: string,
): Promise<void> {
  const { data } = await caller.read<{ signals: { signal_id: string; snippet: string }[] }>('signal.record.search', {
    query: marker,
    limit: 50,
  });
  const found = data?.signals.find(({ snippet }) => snippet.includes(marker));
  if (!found) {
    journal.violations.push(`A statement about ${marker} was acknowledged, and no signal with it is found.`);
    return;
  }
  if (found.signal_id === before) throw new Error(`signal ${before} is found and cannot be corrected`);
  const said = { class: random.pick(['praise', 'question', 'churn_risk']), severity: random.pick(['low', 'critical']) };
  const answer = await caller.write('signal.record.correct', { signal_id: found.signal_id, ...said });
  // Its document was read again since it was found.
  if (answer.reason === 'NOT_FOUND') return correct({ caller, journal }, { marker }, random, found.signal_id);
  if (!answer.data) throw new Error(`signal.record.correct was refused: ${answer.reason}`);
  journal.corrected.set(found.signal_id, { marker, ...said });
}

const statusAfter: Record<string, readonly string[]> = {
  new: ['reviewing'],
  reviewing: ['accepted', 'rejected', 'new'],
  accepted: ['reviewing'],
  rejected: ['reviewing'],
};

/** The only actor that decides about opportunities and sets their factors. */
export async function decider({ caller, journal, winding }: Load, random: Random): Promise<void> {
  for (let n = 0; !winding.down; n += 1) {
    const { data } = await caller.read<{ opportunities: { opportunity_id: string; status: string }[] }>('opportunity.record.list', {
      limit: 100,
    });
    if (!data || data.opportunities.length === 0) {
      await pause(300);
      continue;
    }
    const { opportunity_id, status } = random.pick(data.opportunities);
    let said = journal.decisions.get(opportunity_id);
    if (!said) journal.decisions.set(opportunity_id, (said = { status: 'new', steps: 0, factors: new Map(), changes: 0, refused: false }));
    if (said.status !== status)
      journal.violations.push(`Opportunity ${opportunity_id} was acknowledged as ${said.status} and then read as ${status}.`);
    if (random.chance(0.5)) {
      const next = random.pick(statusAfter[said.status]!);
      const done = await caller.write('opportunity.status.set', { opportunity_id, status: next });
      if (done.data) Object.assign(said, { status: next, steps: said.steps + 1 });
      else said.refused = true;
    } else {
      const factor = random.pick(['impact', 'urgency', 'effort']);
      const value = random.pick([1, 2.5, 4, 7, 9.5]);
      // A new reason each time, so that each call is a change.
      const done = await caller.write('opportunity.factor.set', { opportunity_id, factor, value, reason: `look ${n}` });
      if (done.data) {
        said.factors.set(factor, value);
        said.changes += 1;
      } else said.refused = true;
    }
    await pause(random.between(100, 500));
  }
}

/** Requests reports and artifacts from the available evidence. */
export async function author({ caller, journal, winding }: Load, random: Random): Promise<void> {
  while (!winding.down) {
    const opportunity = random.pick([null, ...journal.decisions.keys()]);
    const { data } =
      opportunity === null
        ? await caller.write<Asked>('authoring.report.generate', {
            report_type: random.pick(['weekly_digest', 'customer_health_summary', 'roadmap_summary']),
          })
        : await caller.write<Asked>('authoring.artifact.generate', {
            artifact_type: random.pick(['prd', 'jira', 'one_pager']),
            opportunity_id: opportunity,
          });
    // Without evidence the draft is refused or fails; the checks verify the reason.
    if (data) {
      journal.drafts.add((data.report_id ?? data.draft_id)!);
      if (data.status !== 'ready') await followed(caller, data);
    }
    await pause(random.between(300, 1_500));
  }
}

interface Asked {
  draft_id?: string;
  report_id?: string;
  job_id: string;
  status: string;
}

interface ExportFile {
  row_counts: Record<string, number>;
  tables: Record<string, { id?: string; signal_id?: string; statement?: string }[]>;
}

/** Exports all signals and checks that the file contains what was acknowledged before. */
export async function exporter({ caller, journal, winding }: Load, api: string, giveUp: AbortSignal, random: Random): Promise<void> {
  while (!winding.down) {
    const before = settled(journal);
    const asked = await caller.write<ExportAnswer>('system.data.export', {
      export_type: random.pick(['signals', 'full_backup']),
    });
    if (!asked.data) throw new Error(`system.data.export was refused: ${asked.reason}`);
    const { job_id } = asked.data;
    const job = await followed(caller, asked.data);
    const got = await caller.read<ExportAnswer>('system.export.get', { job_id });
    if (job.status !== 'completed' || !got.data?.link) {
      journal.exports.push({
        job: job_id,
        rows: 0,
        wrong: [`ended as ${job.status} ${JSON.stringify(job.error)}, ${got.reason ?? 'no link'}`],
      });
      continue;
    }
    const { pathname, search } = new URL(got.data.link);
    const text = await download(`${api}${pathname}${search}`, giveUp);
    // Ignores calls with a new version meanwhile, because their statements may have been replaced at that moment.
    const after = settled(journal);
    const lasting = [...before].filter(([title, statements]) => after.get(title) === statements).flatMap(([, statements]) => statements);
    journal.exports.push(look(job_id, text, got.data, lasting));
    await pause(random.between(500, 2_000));
  }
}

const settled = (journal: Journal): Map<string, Statement[]> =>
  new Map([...journal.calls].filter(([, call]) => call.settled).map(([title, { statements }]) => [title, statements]));

function look(job: string, text: string, told: ExportAnswer, statements: readonly Statement[]): Exported {
  const wrong: string[] = [];
  if (Buffer.byteLength(text) !== told.size_bytes) wrong.push(`has ${Buffer.byteLength(text)} bytes, and ${told.size_bytes} were told`);
  const { tables, row_counts } = JSON.parse(text) as ExportFile;
  for (const [table, rows] of Object.entries(tables)) {
    if (rows.length !== row_counts[table] || rows.length !== told.row_counts?.[table])
      wrong.push(`has ${rows.length} rows of ${table}, and tells of ${row_counts[table]} and ${told.row_counts?.[table]}`);
  }
  const signals = tables['signals'] ?? [];
  const ids = new Set(signals.map(({ id }) => id));
  const stray = (tables['signal_entities'] ?? []).filter(({ signal_id }) => !ids.has(signal_id));
  if (stray.length > 0) wrong.push(`has ${stray.length} links of signals that it does not have: it is of more than one moment`);
  for (const { marker, text: said } of statements) {
    const times = signals.filter(({ statement }) => statement?.includes(said)).length;
    if (times !== 1) wrong.push(`has the statement about ${marker} ${times} times`);
  }
  return { job, rows: Object.values(row_counts).reduce((sum, n) => sum + n, 0), wrong };
}

/** Downloads with retries, like a browser. */
async function download(url: string, giveUp: AbortSignal): Promise<string> {
  for (;;) {
    giveUp.throwIfAborted();
    const text = await fetch(url, { signal: AbortSignal.timeout(30_000) })
      .then(async (response) => (response.ok ? await response.text() : null))
      .catch(() => null);
    if (text !== null) return text;
    await pause(200);
  }
}
