import { asScoped, type RowScope } from '../../adapters/postgres/tenancy.ts';
import type { Row } from '../../adapters/postgres/database.ts';
import type { Embedder } from '../../adapters/models/embedder.ts';
import type { DraftMade } from '../../contracts/activities/authoring/draft.ts';
import type { JobRef } from '../../contracts/activities/kernel/jobs.ts';
import type { DraftSource } from '../../contracts/authoring/authoring.ts';
import { AppError } from '../../contracts/errors.ts';
import type { LanguageService } from '../kernel/language/index.ts';
import { noteEvent } from '../kernel/outbox.ts';
import type { BasisDeps } from './basis.ts';
import { gather, lacking } from './evidence.ts';
import { citedBy, hold } from './hold.ts';
import { dateOf, many } from './names.ts';
import { leftOfIssues } from './outlines.ts';
import { issueViews, markdown, plainText, sectionViews, type Print } from './render.ts';
import type { DraftSpec, Evidence, Statement, Written } from './types.ts';
import { verify, type Verified } from './verify.ts';
import { write } from './write.ts';

export interface StageDeps extends BasisDeps {
  embedder: Embedder | null;
  /** Null: drafts are assembled without a model. */
  language: Pick<LanguageService, 'ask' | 'model'> | null;
}

/** How often a draft is rewritten when its evidence changes meanwhile. */
const retells = 3;

interface Stored {
  id: string;
  kind: 'artifact' | 'report';
  spec: DraftSpec;
  status: 'writing' | 'ready';
  evidence: Evidence | null;
  written: Written | null;
  created_by: string;
  scope: RowScope | null;
}

async function draftOf({ db }: StageDeps, { tenant, id }: JobRef): Promise<Stored> {
  const [row] = await db.query<
    Omit<Stored, 'scope'> & { scoped: boolean; scope_areas: string[]; scope_types: string[]; hours: number } & Row
  >(
    `select id, kind, spec, status, evidence, written, created_by, scoped, scope_areas, scope_types,
       (extract(epoch from scope_min_age) / 3600)::int as hours
     from drafts where tenant_id = $1 and job_id = $2`,
    [tenant, id],
  );
  if (!row) throw new Error(`job ${id} has no draft`);
  const { scoped, scope_areas: areas, scope_types: types, hours: minAgeHours, ...draft } = row;
  return { ...draft, scope: scoped ? { areas, types, minAgeHours } : null };
}

/**
 * Reads the evidence, within the draft's scope.
 * @returns the number of signals
 */
export async function gatherDraft(deps: StageDeps, job: JobRef): Promise<number> {
  const draft = await draftOf(deps, job);
  return draft.status === 'ready' ? 0 : (await keepEvidence(deps, job.tenant, draft)).totals.signals;
}

/** @throws AppError CONFLICT (retryable) when some of it was deleted meanwhile */
async function keepEvidence(deps: StageDeps, tenant: string, draft: Stored): Promise<Evidence> {
  const evidence = await asScoped(tenant, draft.scope, () => gather(deps, tenant, draft.spec));
  const { signals, opportunities, news, title } = evidence;
  const kept = await deps.db.transaction(async (query) => {
    if (!(await hold(query, tenant, { signals: Object.keys(signals), facts: [], passages: news.map(({ ref }) => ref), opportunities })))
      return false;
    await query(`update drafts set evidence = $3, title = $4, updated_at = now() where tenant_id = $1 and id = $2 and status = 'writing'`, [
      tenant,
      draft.id,
      JSON.stringify(evidence),
      title,
    ]);
    return true;
  });
  if (!kept) throw changed();
  return evidence;
}

const changed = (): AppError =>
  new AppError('CONFLICT', 'The evidence of the draft was deleted or changed while it was written.', {
    hint: 'Generate it again.',
    retryable: true,
  });

/** @returns the number of statements; an existing result stays, because a model would write another one */
export async function writeDraft(deps: StageDeps, job: JobRef, signal?: AbortSignal): Promise<number> {
  const draft = await draftOf(deps, job);
  if (draft.status === 'ready') return 0;
  if (draft.written) return allOf(draft.written).length;
  const evidence = draft.evidence ?? (await keepEvidence(deps, job.tenant, draft));
  const written = await write(evidence, { language: deps.language, signal });
  // Not if the evidence was deleted meanwhile: then the check rewrites it.
  await deps.db.query(
    `update drafts set written = $3, updated_at = now()
     where tenant_id = $1 and id = $2 and status = 'writing' and written is null and evidence->'filter'->>'known' = $4`,
    [job.tenant, draft.id, JSON.stringify(written), evidence.filter.known],
  );
  return allOf(written).length;
}

/**
 * Checks and stores; a ready draft stays unchanged.
 * @throws AppError NOT_FOUND when no statement passes; CONFLICT (retryable) when a source is deleted meanwhile
 */
export async function checkDraft(deps: StageDeps, job: JobRef): Promise<DraftMade> {
  const { tenant } = job;
  const draft = await draftOf(deps, job);
  if (draft.status === 'ready') return await madeOf(deps, tenant, draft.id);
  const scoped = <T>(work: () => Promise<T>): Promise<T> => asScoped(tenant, draft.scope, work);
  const tell = async (): Promise<[Evidence, Written]> => {
    const now = await gather(deps, tenant, draft.spec);
    return [now, await write(now, { language: null })];
  };
  // If the evidence has changed meanwhile, write from the current evidence.
  let [evidence, written] = draft.evidence && draft.written ? [draft.evidence, draft.written] : await scoped(tell);
  let verified = await scoped(() => verify(deps, evidence, written));
  for (let again = 0; again < retells && written.model === null && verified.dropped.length > 0; again += 1) {
    [evidence, written] = await scoped(tell);
    verified = await scoped(() => verify(deps, evidence, written));
  }
  if (allOf(verified).length === 0) throw await lacking(deps, tenant, draft.spec);
  const sources: DraftSource[] = verified.sources.map(({ ref, kind, excerpt, at, weight }, i) => ({
    number: i + 1,
    ref,
    kind,
    excerpt,
    occurred_at: at,
    weight,
  }));
  await store(deps, tenant, draft, { evidence, written, verified, sources });
  return await madeOf(deps, tenant, draft.id);
}

const allOf = ({ sections, issues }: Pick<Verified, 'sections' | 'issues'>): Statement[] => [
  ...sections.flatMap(({ statements }) => statements),
  ...(issues ?? []).flatMap(({ description, criteria }) => [...description, ...criteria]),
];

interface Result {
  evidence: Evidence;
  written: Written;
  verified: Verified;
  sources: DraftSource[];
}

async function store({ db }: StageDeps, tenant: string, draft: Stored, { evidence, written, verified, sources }: Result): Promise<void> {
  const { spec } = draft;
  const freshness = { newest_signal_at: evidence.newest, oldest_signal_at: evidence.oldest, generated_at: new Date().toISOString() };
  const print: Print = {
    title: evidence.title,
    about: aboutOf(evidence),
    sections: verified.sections,
    issues: verified.issues,
    sources,
    freshness,
    provenance: spec.provenance,
  };
  const numbers = new Map(sources.map(({ ref, number }) => [ref, number]));
  const statements = [
    ...verified.sections.flatMap(({ heading, statements: said }) => said.map((each) => ({ section: heading, ...each }))),
    ...(verified.issues ?? []).flatMap(({ title, description, criteria }) =>
      [...description, ...criteria].map((each) => ({ section: title, ...each })),
    ),
  ];
  const left = verified.issues ? leftOfIssues : verified.sections.filter(({ toFill }) => toFill !== null).map(({ heading }) => heading);
  const { dropped } = verified;
  const lost = dropped.length === 0 ? [] : [`${dropped.length} statements were left out because their sources do not support them.`];
  const stored = await db.transaction(async (query) => {
    if (!(await hold(query, tenant, { ...citedBy(sources), opportunities: evidence.opportunities }))) {
      await query(`update drafts set evidence = null, written = null where tenant_id = $1 and id = $2 and status = 'writing'`, [
        tenant,
        draft.id,
      ]);
      return false;
    }
    const done = await query(
      `update drafts set status = 'ready', evidence = null, written = null, title = $3, body = $4, content = $5, plain = $6, to_fill = $7, warnings = $8,
         statements = $9, dropped = $10, model = $11, newest_signal_at = $12, oldest_signal_at = $13, generated_at = $14, dropped_statements = $15, updated_at = now()
       where tenant_id = $1 and id = $2 and status = 'writing' returning 1`,
      [
        tenant,
        draft.id,
        evidence.title,
        JSON.stringify({ sections: sectionViews(print), issues: issueViews(print) }),
        markdown(print),
        plainText(print),
        left,
        [...evidence.warnings, ...written.warnings, ...lost],
        statements.length,
        dropped.length + written.dropped,
        written.model,
        freshness.newest_signal_at,
        freshness.oldest_signal_at,
        freshness.generated_at,
        JSON.stringify(dropped),
      ],
    );
    // Another attempt was faster.
    if (done.length === 0) return true;
    await query(
      `insert into draft_sources (tenant_id, draft_id, number, ref, kind, excerpt, occurred_at, weight)
       select $1, $2, s.number, s.ref, s.kind, s.excerpt, s.occurred_at, s.weight
       from jsonb_to_recordset($3::jsonb) as s(number int, ref text, kind text, excerpt text, occurred_at timestamptz, weight real)`,
      [tenant, draft.id, JSON.stringify(sources)],
    );
    await query(
      `insert into draft_statements (tenant_id, draft_id, ordinal, section, statement, sources, figures)
       select $1, $2, s.ordinal, s.section, s.statement, array(select jsonb_array_elements_text(s.sources)::int), s.figures
       from jsonb_to_recordset($3::jsonb) as s(ordinal int, section text, statement text, sources jsonb, figures jsonb)`,
      [
        tenant,
        draft.id,
        JSON.stringify(
          statements.map(({ section, text, sources: refs, figures }, ordinal) => ({
            ordinal,
            section,
            statement: text,
            sources: refs.map((ref) => numbers.get(ref)!),
            figures,
          })),
        ),
      ],
    );
    if (draft.kind === 'report') {
      await noteEvent(query, tenant, 'report.generated', draft.id, {
        report_type: spec.type,
        audience: spec.audience,
        format: spec.format,
      });
    } else {
      await noteEvent(query, tenant, 'draft.generated', draft.id, { artifact_type: spec.type, audience: spec.audience });
    }
    return true;
  });
  if (!stored) throw changed();
}

async function madeOf({ db }: StageDeps, tenant: string, id: string): Promise<DraftMade> {
  const [row] = await db.query<Omit<DraftMade, 'draft'> & Row>(
    `select statements, dropped, (select count(*)::int from draft_sources s where s.tenant_id = $1 and s.draft_id = d.id) as sources
     from drafts d where tenant_id = $1 and id = $2`,
    [tenant, id],
  );
  return { draft: id, ...row! };
}

const readers = {
  engineering: 'engineering',
  design: 'design',
  leadership: 'leadership',
  cs_sales: 'customer success and sales',
  general: 'everybody',
};

/** Readers, the day as of which it is written, and the period, in words. */
function aboutOf({ spec: { audience, windowDays, until, to }, filter: { from }, whole }: Evidence): string {
  const end = dateOf(to ?? until);
  const period =
    whole || from === null
      ? 'about everything said so far'
      : windowDays === null
        ? `about ${dateOf(from)} to ${end}`
        : `about the last ${many(windowDays, 'day')} (${dateOf(from)} to ${end})`;
  return `For ${readers[audience]}, as of ${dateOf(until)}, ${period}.`;
}
