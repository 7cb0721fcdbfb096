import { AppError, notFound } from '../../contracts/errors.ts';
import { keyOf } from './aliases.ts';
import { ambiguous, otherTypeFrom, ranked, unknownName, verdictOn, type Candidate, type Rules } from './lookup-decide.ts';
import { byKey, completedNames, nearestNames, similarNames, survivors, type FoundEntity } from './lookup-sql.ts';
import { numbersOf } from '../../engines/text/names.ts';
import { nameSimilarity } from '../../engines/text/similarity.ts';
import { scaleOf } from '../kernel/model-scale.ts';
import { Service } from '../kernel/service.ts';

export interface WantedName {
  /** Only entities of this type; others with the name are returned as alternatives. */
  type?: string | undefined;
  /** Or: one of these types. */
  types?: readonly string[] | undefined;
}

export interface Resolved {
  entity: FoundEntity;
  /** Confidence from 0 to 1. */
  confidence: number;
  /** exact: its name; alias: another of its names; fuzzy: a similar spelling; embedding: the same meaning. */
  how: 'exact' | 'alias' | 'fuzzy' | 'embedding';
  /** Other candidates, most likely first. */
  alternatives: Candidate[];
}

/** Types with proper names, which are never matched by meaning. */
const properNames = new Set(['customer', 'stakeholder', 'person', 'organization', 'place']);
/** How long to wait for a name's vector, in ms. */
const embedWithin = 2_000;
const nearest = 20;
/** Minimum similarity of a useful candidate. */
const leastLike = 0.3;

/** Finds the entity of a name, for every tool with a name argument; never guesses. */
export class EntityLookup extends Service<'embedder' | 'matching'> {
  /**
   * An exact name, else a similar one, else one with the same meaning.
   * @throws AppError AMBIGUOUS_ENTITY with `candidates`, NOT_FOUND with `alternatives`, VALIDATION_ERROR (not a name)
   */
  async resolveName(
    tenant: string,
    name: string,
    { type, types = type === undefined ? undefined : [type] }: WantedName = {},
  ): Promise<Resolved> {
    const key = keyOf(name);
    const wanted = (each: { type: string }): boolean => types === undefined || types.includes(each.type);

    const same = await this.exact(tenant, key);
    const meant = same.filter(wanted);
    const others = same.filter((each) => !wanted(each));
    if (meant.length > 1) throw ambiguous(name, meant, others);
    if (meant[0]) return found(meant[0], meant[0].how, others);

    const like = await this.similar(tenant, key);
    const oneType = types?.length === 1;
    const rules = { margin: this.deps.matching.margin, otherType: oneType ? null : otherTypeFrom };
    const elsewhere = [...others, ...like.filter((each) => !wanted(each))];
    const fuzzy = settled(name, like.filter(wanted), elsewhere, { ...rules, accept: this.deps.matching.fuzzy });
    if (fuzzy) return found(fuzzy, 'fuzzy', without(fuzzy, [...like, ...others]));

    const meaning = await this.meaning(tenant, name, key, types);
    // Every name has some cosine with every other: only the close ones compete.
    const lettered = like.filter((each) => wanted(each) && each.confidence >= otherTypeFrom);
    const byMeaning = settled(name, merged(meaning, lettered), elsewhere, {
      ...rules,
      otherType: null,
      accept: this.deps.matching.embedding,
    });
    if (byMeaning) return found(byMeaning, 'embedding', without(byMeaning, merged(meaning, like)));

    // Two unrelated names have a cosine of about one half.
    const close = meaning.filter(({ confidence }) => confidence >= this.deps.matching.embedding - this.deps.matching.margin);
    throw unknownName(name, types, merged(merged(like, others), close));
  }

  /**
   * The entity of this id, or the one it was merged into.
   * @throws AppError NOT_FOUND, also for another tenant's id
   */
  async byId(tenant: string, id: string): Promise<FoundEntity> {
    const entity = (await survivors(this.db.query, tenant, [id])).get(id);
    if (!entity) throw notFound('entity', id, 'entity.record.list shows the entities of your tenant.');
    return entity;
  }

  private async exact(tenant: string, key: string): Promise<(Candidate & { how: 'exact' | 'alias' })[]> {
    const rows = await byKey(this.db.query, tenant, key);
    const now = await survivors(
      this.db.query,
      tenant,
      rows.map((row) => row.entity_id),
    );
    const entities = new Map<string, Candidate & { how: 'exact' | 'alias' }>();
    for (const { entity_id, own } of rows) {
      const entity = now.get(entity_id);
      if (entity) entities.set(entity.id, { ...candidate(entity, 1), how: own && entity.id === entity_id ? 'exact' : 'alias' });
    }
    return ranked([...entities.values()]);
  }

  /** Entities with similar names, most likely first; includes exact matches. */
  async similar(tenant: string, key: string): Promise<Candidate[]> {
    const { query } = this.db;
    const names = [...(await similarNames(query, tenant, key)), ...(await completedNames(query, tenant, key))];
    const scores = new Map<string, number>();
    for (const other of names) {
      const score = nameSimilarity(key, other.key);
      if (score >= leastLike) scores.set(other.entity_id, Math.max(score, scores.get(other.entity_id) ?? 0));
    }
    const now = await survivors(this.db.query, tenant, [...scores.keys()]);
    const entities = new Map<string, Candidate>();
    for (const [id, score] of scores) {
      const entity = now.get(id);
      if (entity && (entities.get(entity.id)?.confidence ?? 0) < score) entities.set(entity.id, candidate(entity, score));
    }
    return ranked([...entities.values()]);
  }

  /** Empty when no model is available. */
  private async meaning(tenant: string, name: string, key: string, types: readonly string[] | undefined): Promise<Candidate[]> {
    const { db, embedder } = this.deps;
    if (!embedder) return [];
    let vector: Float32Array | undefined;
    let model: string;
    try {
      model = embedder.id;
      [vector] = await embedder.embed([name], { priority: 'query', signal: AbortSignal.timeout(embedWithin) });
    } catch (error) {
      if (error instanceof AppError || (error instanceof Error && error.name === 'TimeoutError')) return [];
      throw error;
    }
    if (!vector) return [];
    const numbers = numbersOf(key).toSorted().join(' ');
    const rows = await nearestNames(db.query, tenant, { vector, model, types, limit: nearest });
    const scale = await scaleOf(embedder);
    return rows
      .filter((row) => !properNames.has(row.type) && numbersOf(keyOf(row.name)).toSorted().join(' ') === numbers)
      .map((row) => candidate(row, Math.round(Math.max(0, Math.min(1, scale.shipped(row.cosine))) * 1000) / 1000));
  }
}

/**
 * The matching entity; undefined: none.
 * @throws AppError AMBIGUOUS_ENTITY
 */
function settled(name: string, candidates: readonly Candidate[], others: readonly Candidate[], rules: Rules): Candidate | undefined {
  const verdict = verdictOn(candidates, rules);
  if (verdict.kind === 'several') throw ambiguous(name, verdict.candidates, others);
  return verdict.kind === 'one' ? verdict.best : undefined;
}

function found(best: Candidate, how: Resolved['how'], alternatives: readonly Candidate[]): Resolved {
  const { entity_id: id, type, name, signal_count, confidence } = best;
  return { entity: { id, type, name, signal_count }, confidence, how, alternatives: ranked(alternatives).slice(0, 5) };
}

const without = (best: Candidate, all: readonly Candidate[]): Candidate[] => all.filter(({ entity_id }) => entity_id !== best.entity_id);

/** Each entity once, at its higher confidence. */
function merged(some: readonly Candidate[], more: readonly Candidate[]): Candidate[] {
  const entities = new Map(some.map((each) => [each.entity_id, each]));
  for (const each of more) if ((entities.get(each.entity_id)?.confidence ?? -1) < each.confidence) entities.set(each.entity_id, each);
  return [...entities.values()];
}

const candidate = ({ id, type, name, signal_count }: FoundEntity, confidence: number): Candidate => ({
  entity_id: id,
  type,
  name,
  signal_count,
  confidence,
});
