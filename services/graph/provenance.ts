import type { Row } from '../../adapters/postgres/database.ts';
import { AppError } from '../../contracts/errors.ts';
import type { EntityRef, Evidence } from '../../contracts/graph/graph.ts';
import { countsIn, coverage, nameSpans, namesIn, restOf, type Counted } from './claims.ts';
import { refView } from './entity-view.ts';
import { survivors, type FoundEntity } from './lookup-sql.ts';
import type { EntityLookup } from './lookup.ts';
import { excerptAt, isSignal, passagesOf, type MentionedPassage, type Place } from './signals.ts';
import { Service } from '../kernel/service.ts';

/** A passage from the search. */
export interface FoundPassage {
  citation: string;
  content: string;
  document_id: string;
  /** Cosine of claim and passage; absent: not found by meaning. */
  cosine?: number | undefined;
}

export type FindPassages = (tenant: string, query: string, limit: number) => Promise<FoundPassage[]>;

/** Statements of an opportunity with their passages. @throws AppError NOT_FOUND */
export type OpportunityChain = (
  tenant: string,
  id: string,
  limit: number,
) => Promise<{ title: string; entities: EntityRef[]; chain: Evidence[]; total: number; warnings: string[] }>;

export interface Asked {
  claim?: string | undefined;
  entityId?: string | undefined;
  opportunityId?: string | undefined;
}

/** The counted value of a number in the claim. */
export interface Check extends Counted {
  counted: number;
}

export interface Provenance {
  subject: { kind: 'claim' | 'entity' | 'opportunity'; claim?: string; title?: string; entities: EntityRef[] };
  chain: Evidence[];
  checks: Check[];
  total: number;
  warnings: string[];
}

const searched = 50;
const read = 100;
const facts = 50;
/** Minimum share of a claim's words besides names that evidence must contain, unless its meaning is close. */
const wordsFrom = 1 / 3;
const cosineFrom = 0.75;

/** Traces a claim, a number or an entity back to its passages. */
export class ProvenanceTracer extends Service<never, { lookup: EntityLookup; find: FindPassages; opportunity: OpportunityChain }> {
  /** @throws AppError VALIDATION_ERROR unless exactly one is asked for, NOT_FOUND */
  async trace(tenant: string, asked: Asked, limit: number): Promise<Provenance> {
    const given = [asked.claim, asked.entityId, asked.opportunityId].filter((each) => each !== undefined);
    if (given.length !== 1) {
      throw new AppError('VALIDATION_ERROR', 'Give exactly one of claim, entity_id and opportunity_id.', {
        hint: 'A claim is a sentence, e.g. "47 customers affected by the auth issue".',
      });
    }
    if (asked.opportunityId !== undefined) {
      const { title, entities, ...found } = await this.deps.opportunity(tenant, asked.opportunityId, limit);
      return { subject: { kind: 'opportunity', title, entities }, checks: [], ...found };
    }
    const traced = asked.claim === undefined ? await this.entity(tenant, asked.entityId!) : await this.claim(tenant, asked.claim.trim());
    return { ...traced, chain: traced.chain.slice(0, limit), total: traced.chain.length };
  }

  private async entity(tenant: string, id: string): Promise<Omit<Provenance, 'total'>> {
    const entity = await this.deps.lookup.byId(tenant, id);
    const passages = await passagesOf(this.db.query, tenant, [entity.id], { all: true, limit: read });
    const told = await this.facts(tenant, [entity.id]);
    return {
      subject: { kind: 'entity', entities: [refView(entity)] },
      chain: sorted([
        ...told.filter((fact) => fact.current).map(factStep),
        ...passages.map((passage) => passageStep(passage, passage.confidence)),
      ]),
      checks: [],
      warnings: passages.length === read ? [`Only the newest ${read} passages that mention it were looked at.`] : [],
    };
  }

  private async claim(tenant: string, claim: string): Promise<Omit<Provenance, 'total'>> {
    const { entities, names } = await this.named(tenant, claim);
    const rest = restOf(claim, names);
    const found = await this.deps.find(tenant, claim, searched);
    const cosines = new Map(found.map((passage) => [passage.citation, passage.cosine ?? 0]));
    /** How well a text supports the rest of the claim. */
    const said = (text: string, cosine = 0): number => Math.max(coverage(rest, text), cosine >= cosineFrom ? cosine : 0);

    const chain: Evidence[] = [];
    const warnings: string[] = [];
    if (entities.length === 0) {
      for (const { citation, content, cosine } of found) {
        const weight = rest.size > 0 ? said(content, cosine) : 0;
        // No entity in the claim: only the words count.
        if (weight >= 2 / 3) chain.push({ ref: citation, kind: 'passage', excerpt: excerptAt(content, 0, 0), weight: round(weight) });
      }
      await this.date(tenant, chain);
    } else {
      const ids = entities.map(({ id }) => id);
      const together = await passagesOf(this.db.query, tenant, ids, { all: true, limit: read });
      const among = found.map(placeOf);
      const some = ids.length > 1 ? await passagesOf(this.db.query, tenant, ids, { all: false, limit: read, among }) : [];
      for (const passage of new Map([...some, ...together].map((each) => [each.ref, each])).values()) {
        const share = passage.entities.length / ids.length;
        const words = said(passage.body, cosines.get(passage.ref));
        if (words >= wordsFrom && (share === 1 || words >= 2 / 3)) chain.push(passageStep(passage, (share + words) / 2));
      }
      for (const fact of await this.facts(tenant, ids)) {
        const words = coverage(rest, fact.statement);
        if (words < wordsFrom || !(fact.all || ids.length === 1)) continue;
        if (fact.current) chain.push({ ...factStep(fact), weight: round(fact.confidence * ((1 + words) / 2)) });
        else warnings.push(`A fact that says so holds no longer (${fact.id}): ${fact.statement}`);
      }
    }
    const checks = await this.checks(tenant, claim, entities);
    for (const { text, said: number, counted, what } of checks) {
      if (counted !== number)
        warnings.push(
          `The claim says "${text}"; counted ${counted} of kind ${what}${entities.length > 0 ? ' told together with what it names' : ''}.`,
        );
    }
    if (chain.length === 0) {
      warnings.push(
        entities.length > 0
          ? `Nothing that was ingested supports this about ${entities.map(({ name }) => `"${name}"`).join(', ')}.`
          : 'Nothing that was ingested supports this, and it names nothing that is known.',
      );
    }
    const subject = { kind: 'claim' as const, claim, entities: entities.map(refView) };
    return { subject, chain: sorted(chain), checks, warnings };
  }

  /** All entities named in the claim; an ambiguous name includes all candidates. */
  private async named(tenant: string, claim: string): Promise<{ entities: FoundEntity[]; names: string[] }> {
    const keys = [...new Set(nameSpans(claim).map(({ key }) => key))];
    const rows = await this.db.query<{ key: string; entity_id: string }>(
      'select key, entity_id from entity_aliases where tenant_id = $1 and key = any($2)',
      [tenant, keys],
    );
    const names = namesIn(claim, new Set(rows.map(({ key }) => key)));
    const meant = rows.filter(({ key }) => names.includes(key)).map(({ entity_id }) => entity_id);
    const entities = new Map([...(await survivors(this.db.query, tenant, meant)).values()].map((entity) => [entity.id, entity]));
    return { entities: [...entities.values()], names };
  }

  /** Compares numbers of the claim with counts: together with all its entities, or in total. */
  private async checks(tenant: string, claim: string, entities: readonly FoundEntity[]): Promise<Check[]> {
    const checks: Check[] = [];
    for (const counted of countsIn(claim)) {
      const ids = entities.filter(({ type }) => type !== counted.what || entities.length > 1).map(({ id }) => id);
      checks.push({ ...counted, counted: await this.count(tenant, counted.what, ids) });
    }
    return checks;
  }

  private async count(tenant: string, what: string, ids: readonly string[]): Promise<number> {
    const text =
      what === 'signal'
        ? `select count(*)::int as n from (select d.id from documents d where ${isSignal} and
             (select count(distinct m.entity_id) from entity_mentions m where m.tenant_id = $1 and m.document_id = d.id and m.entity_id = any($2)) = cardinality($2::text[])) told`
        : `select count(*)::int as n from entities e where e.tenant_id = $1 and e.status = 'active' and e.type = $3 and e.id <> all($2)
             and (select count(distinct o.id) from unnest($2::text[]) o(id) where exists (select from entity_relations r
               where r.tenant_id = $1 and r.passages > 0 and r.source_id = least(e.id, o.id) and r.target_id = greatest(e.id, o.id) and r.kind = 'mentioned_with')) = cardinality($2::text[])`;
    const [row] = await this.db.query<{ n: number }>(text, what === 'signal' ? [tenant, ids] : [tenant, ids, what]);
    return row?.n ?? 0;
  }

  private async facts(tenant: string, ids: readonly string[]): Promise<FactRow[]> {
    return await this.db.query<FactRow & Row>(
      `select id, statement, confidence, recorded_to is null and (valid_to is null or valid_to > now()) as current,
         coalesce(valid_from, recorded_from) as at, subject_id = any($2) and object_id = any($2) as all
       from graph_facts where tenant_id = $1 and (subject_id = any($2) or object_id = any($2))
       order by recorded_to is null desc, passages desc, id limit ${facts}`,
      [tenant, ids],
    );
  }

  /** Dates of the documents of these passages. */
  private async date(tenant: string, chain: Evidence[]): Promise<void> {
    const ids = [...new Set(chain.map(({ ref }) => ref.split('#')[0]!))];
    const rows = await this.db.query<{ id: string; at: Date }>(
      'select id, coalesce(said_at, created_at) as at from documents where tenant_id = $1 and id = any($2)',
      [tenant, ids],
    );
    const dates = new Map(rows.map(({ id, at }) => [id, at.toISOString()]));
    for (const step of chain) {
      const at = dates.get(step.ref.split('#')[0]!);
      if (at !== undefined) step.occurred_at = at;
    }
  }
}

interface FactRow {
  id: string;
  statement: string;
  confidence: number;
  current: boolean;
  at: Date;
  /** Both its ends are among the entities. */
  all: boolean | null;
}

const factStep = ({ id, statement, at, confidence }: FactRow): Evidence => ({
  ref: id,
  kind: 'fact',
  excerpt: statement,
  occurred_at: at.toISOString(),
  weight: round(confidence),
});

const passageStep = ({ ref, body, start, end, occurred_at }: MentionedPassage, weight: number): Evidence => ({
  ref,
  kind: 'passage',
  excerpt: excerptAt(body, start, end),
  occurred_at,
  weight: round(weight),
});

function placeOf({ citation, document_id }: FoundPassage): Place {
  return { documentId: document_id, ordinal: Number(citation.slice(citation.lastIndexOf('#') + 1)) };
}

/** By weight, then the newest. */
const sorted = (chain: readonly Evidence[]): Evidence[] =>
  chain.toSorted(
    (a, b) => (b.weight ?? 0) - (a.weight ?? 0) || (b.occurred_at ?? '').localeCompare(a.occurred_at ?? '') || a.ref.localeCompare(b.ref),
  );

const round = (weight: number): number => Math.round(Math.min(1, weight) * 1000) / 1000;
