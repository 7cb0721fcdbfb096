import type { Row } from '../../adapters/postgres/database.ts';
import type { Draft, RecountedFigure, TracedDraft, TracedSource } from '../../contracts/authoring/authoring.ts';
import { notFound } from '../../contracts/errors.ts';
import { Service } from '../kernel/service.ts';
import { signalsById } from '../signals/index.ts';
import { filterOf, type BasisDeps } from './basis.ts';
import { countedHow } from './counted-how.ts';
import { counted, signalsOfFigure } from './figures-sql.ts';
import type { DraftQueries } from './queries.ts';
import type { DraftSpec, Figure, Filter } from './types.ts';

interface StatementRow extends Row {
  ordinal: number;
  section: string;
  statement: string;
  sources: number[];
  figures: Figure[];
}

interface PlaceRow extends Row {
  number: number;
  title: string | null;
  citation: string | null;
  start: number | null;
  end: number | null;
  author: string | null;
  customers: string[] | null;
}

/** The statements of a draft that is ready, each with its sources and figures. */
export class DraftStatements extends Service<never, { queries: DraftQueries; basis: BasisDeps }> {
  /** @throws AppError NOT_FOUND, CONFLICT while it is not ready, GONE when it was withdrawn */
  async of(tenant: string, id: string): Promise<TracedDraft> {
    const draft = await this.deps.queries.get(tenant, id);
    const { spec, dropped } = await this.row(tenant, id);
    const rows = await this.db.query<StatementRow>(
      'select ordinal, section, statement, sources, figures from draft_statements where tenant_id = $1 and draft_id = $2 order by ordinal',
      [tenant, id],
    );
    const names = await this.names(
      tenant,
      rows.flatMap(({ figures }) => figures),
    );
    const period = periodOf(spec);
    const statements = rows.map(({ ordinal, statement: text, sources, figures }) => ({
      ordinal,
      text,
      sources,
      figures: figures.map((figure) => ({ n: figure.n, of: figure.of, how: countedHow(figure, spec, names, period) })),
    }));
    let next = 0;
    const blocks = blocksOf(draft, rows).map(({ heading, to_fill, count }) => {
      const own = statements.slice(next, next + count);
      next += count;
      return { heading, to_fill, statements: own };
    });
    return { draft_id: id, blocks, sources: await this.placed(tenant, id, draft), dropped };
  }

  /**
   * The figures of one statement, counted again from what is known now.
   * @param limit of the statements that each counts
   * @throws AppError NOT_FOUND, also when what the draft is about was deleted; CONFLICT, GONE as above
   */
  async recount(tenant: string, id: string, ordinal: number, limit: number): Promise<RecountedFigure[]> {
    const { query } = this.db;
    await this.deps.queries.get(tenant, id);
    const { spec } = await this.row(tenant, id);
    const [row] = await query<StatementRow>(
      'select ordinal, section, statement, sources, figures from draft_statements where tenant_id = $1 and draft_id = $2 and ordinal = $3',
      [tenant, id, ordinal],
    );
    if (!row) throw notFound('statement', String(ordinal), 'authoring.statement.list shows the statements of the draft.');
    const { filter } = await filterOf(this.deps.basis, tenant, spec);
    const names = await this.names(tenant, row.figures);
    const period = periodOf(spec);
    const figures: RecountedFigure[] = [];
    for (const figure of row.figures) {
      const now = await counted(query, filter, figure);
      figures.push({
        n: figure.n,
        of: figure.of,
        how: countedHow(figure, spec, names, period),
        now,
        statements: await this.shown(tenant, filter, figure, limit),
      });
    }
    return figures;
  }

  private async shown(tenant: string, filter: Filter, figure: Figure, limit: number): Promise<RecountedFigure['statements']> {
    const { query } = this.db;
    const views = await signalsById(query, tenant, await signalsOfFigure(query, filter, figure, limit));
    return views.map(({ signal_id, snippet: text, citation, occurred_at, customers }) => ({
      signal_id,
      text,
      citation,
      occurred_at,
      customers,
    }));
  }

  private async row(tenant: string, id: string): Promise<{ spec: DraftSpec; dropped: TracedDraft['dropped'] }> {
    const [row] = await this.db.query<{ spec: DraftSpec; dropped: TracedDraft['dropped'] }>(
      'select spec, dropped_statements as dropped from drafts where tenant_id = $1 and id = $2',
      [tenant, id],
    );
    return row!;
  }

  private async names(tenant: string, figures: readonly Figure[]): Promise<Map<string, string>> {
    const rows = await this.db.query<{ id: string; name: string }>('select id, name from entities where tenant_id = $1 and id = any($2)', [
      tenant,
      [...new Set(figures.flatMap(({ entity }) => entity ?? []))],
    ]);
    return new Map(rows.map(({ id, name }) => [id, name]));
  }

  /** Where each source stands. Of a fact, its first passage. */
  private async placed(tenant: string, id: string, draft: Draft): Promise<TracedSource[]> {
    const rows = await this.db.query<PlaceRow>(
      `select o.number, p.title, p.citation, p.start, p."end", p.author, p.customers from draft_sources o cross join lateral (
         select d.title, s.document_id || '#' || c.ordinal as citation, s.start_at as start, s.end_at as "end", s.author,
           array(select e.name from signal_entities x join entities e on e.tenant_id = $1 and e.id = x.entity_id
             where x.tenant_id = $1 and x.signal_id = s.id and x.type = 'customer' order by e.name) as customers
         from signals s join chunks c on c.tenant_id = $1 and c.id = s.chunk_id join documents d on d.tenant_id = $1 and d.id = s.document_id
         where o.kind = 'signal' and s.tenant_id = $1 and s.id = o.ref
         union all
         (select d.title, a.document_id || '#' || c.ordinal, a.start_at, a.end_at, null, '{}' from fact_evidence f
           join graph_assertions a on a.tenant_id = $1 and a.id = f.assertion_id join chunks c on c.tenant_id = $1 and c.id = a.chunk_id
           join documents d on d.tenant_id = $1 and d.id = a.document_id
           where o.kind = 'fact' and f.tenant_id = $1 and f.fact_id = o.ref order by a.said_at, a.id limit 1)
         union all
         select d.title, o.ref, null, null, null, '{}' from documents d
         where o.kind = 'passage' and d.tenant_id = $1 and d.id = split_part(o.ref, '#', 1)
         union all
         select n.title, null, null, null, null, '{}' from opportunities n
         where o.kind = 'opportunity' and n.tenant_id = $1 and n.id::text = o.ref) p
       where o.tenant_id = $1 and o.draft_id = $2`,
      [tenant, id],
    );
    const places = new Map(rows.map((row) => [row.number, row]));
    return draft.provenance.map((source) => {
      const { title = null, citation = null, start = null, end = null, author = null, customers = null } = places.get(source.number) ?? {};
      return { ...source, title, citation, start, end, author, customers: customers ?? [] };
    });
  }
}

const periodOf = ({ from, to, until, windowDays }: DraftSpec): { from: string | null; until: string } => {
  const end = to ?? until;
  return { from: from ?? (windowDays === null ? null : new Date(Date.parse(end) - windowDays * 86_400_000).toISOString()), until: end };
};

interface Block {
  heading: string;
  to_fill: string | null;
  /** Of its statements. */
  count: number;
}

/** Sections, or issues, with the numbers of their statements, in the order in which these are stored. */
function blocksOf({ sections, issues, to_fill_by_pm }: Draft, rows: readonly StatementRow[]): Block[] {
  if (issues === null)
    return sections.map(({ heading, text, to_fill, statements }) => ({
      heading,
      to_fill: to_fill ? text : null,
      count: statements.length,
    }));
  const told: Block[] = [];
  for (const { section } of rows) {
    const last = told.at(-1);
    if (last?.heading === section) last.count += 1;
    else told.push({ heading: section, to_fill: null, count: 1 });
  }
  return [...told, ...to_fill_by_pm.map((heading) => ({ heading, to_fill: '', count: 0 }))];
}
