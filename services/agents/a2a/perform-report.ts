import type { Envelope } from '../../../contracts/envelope.ts';
import type { TurnCall } from './perform.ts';
import { writeReport } from './report.ts';

type Args = Record<string, unknown>;

/**
 * A report on a subject. Authoring writes reports about a customer, another entity or a product area. For any other
 * subject, the report quotes the passages that mention it.
 */
export async function reportOn({ subject, limit, ...args }: Args, call: TurnCall): Promise<Envelope> {
  const known = await call('entity.record.get', { entity_name: subject }, 'subject');
  if (known.error?.code === 'AMBIGUOUS_ENTITY') return known;
  const { name, type } = (known.data as { entity?: { name: string; type: string } } | null)?.entity ?? {};
  const made =
    args['report_type'] !== undefined
      ? await call(
          'authoring.report.generate',
          { ...args, ...(type === 'customer' ? { filter_customer: name } : { filter_area: subject }) },
          'main',
        )
      : type === 'customer'
        ? await call('authoring.report.generate', { ...args, report_type: 'customer_health_summary', filter_customer: name }, 'main')
        : type !== undefined
          ? await call('authoring.artifact.generate', onePager(args, name!, type), 'main')
          : await call('authoring.report.generate', { ...args, report_type: 'product_area_overview', filter_area: subject }, 'area');
  // Authoring knows this name, so its answer is final, also when it lacks evidence.
  if (made.error === undefined || args['report_type'] !== undefined) return made;
  const unknown = made.error.code === 'NOT_FOUND' && type === undefined && made.error.details?.['reason'] !== 'not_enough_evidence';
  if (!unknown && made.error.code !== 'FORBIDDEN') return made;
  return await quoting({ query: subject, ...(limit === undefined ? {} : { limit }) }, call);
}

const onePager = ({ audience }: Args, name: string, type: string): Args => ({
  artifact_type: 'one_pager',
  entity_name: name,
  entity_type: type,
  ...(audience === undefined ? {} : { audience }),
});

/** Quotes the passages about a subject, with the graph's summary; without a subject, the summary only. */
export async function quoting(args: Args, call: TurnCall): Promise<Envelope> {
  const query = args['query'];
  const summary = await call('graph.summary.get', typeof query === 'string' ? {} : args, 'summary');
  if (typeof query !== 'string') return summary.error ? summary : { ...summary, data: writeReport(null, summary.data, null) };
  const found = await call('index.chunk.search', args, 'quotes');
  if (found.error) return found;
  // A caller who may search but not read the graph gets the report without the summary.
  return {
    ...found,
    data: writeReport(query, summary.error ? null : summary.data, found.data),
    warnings: [
      ...found.warnings,
      ...(summary.error ? [`Without the summary of what is known: ${summary.error.message}`] : summary.warnings),
    ],
  };
}

/** The newest report of a type about a customer or, if there is none, a product area. */
export async function latestOn({ subject, ...args }: Args, call: TurnCall): Promise<Envelope> {
  const known = await call('entity.record.get', { entity_name: subject, entity_type: 'customer' }, 'subject');
  if (known.error?.code === 'AMBIGUOUS_ENTITY') return known;
  return await call(
    'authoring.report.get_latest',
    { ...args, ...(known.error ? { filter_area: subject } : { filter_customer: subject }) },
    'main',
  );
}

/** The newest report of any type. */
export async function newestReport(call: TurnCall): Promise<Envelope> {
  const listed = await call('authoring.draft.list', { kind: 'report', limit: 100 }, 'list');
  if (listed.error) return listed;
  const { drafts } = listed.data as { drafts: { draft_id: string; status: string }[] };
  const newest = drafts.find(({ status }) => status === 'ready');
  if (newest === undefined) {
    const suggestion = 'Ask for one, e.g. "Write a weekly digest".';
    return {
      ...listed,
      status: 'error',
      data: null,
      error: { code: 'NOT_FOUND', message: 'There is no report yet that you may see.', suggestion, retryable: false },
    };
  }
  const found = await call('authoring.draft.get', { draft_id: newest.draft_id }, 'main');
  return found.error ? found : { ...found, data: (found.data as { draft: unknown }).draft };
}
