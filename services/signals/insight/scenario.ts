import type { Database } from '../../../adapters/postgres/database.ts';
import type { EntityRef } from '../../../contracts/graph/graph.ts';
import { refView } from '../../graph/index.ts';
import type { Candidate } from '../../graph/index.ts';
import type { EntityLookup } from '../../graph/index.ts';
import { signalsAbout, type SignalView } from './evidence.ts';
import { isOpen, joinedWith, toldWith } from './profile-parts.ts';
import { isUse, linked, relatedIssues, type Linked } from './profiles.ts';
import { Service } from '../../kernel/service.ts';

type Query = Database['query'];

export const actions = ['fix_issue', 'build_feature', 'deprecate_feature'] as const;
export type Action = (typeof actions)[number];

export interface Downstream {
  name: string;
  entity_id: string;
  type: string;
  hops: number;
  /** Names, starting at the entity. */
  path: string[];
  /** Kinds of the relations between them; told_with: signals name both. */
  relations: string[];
}

export interface Scenario {
  action: Action;
  entity: EntityRef;
  others: Candidate[];
  /** One line. */
  summary: string;
  affected_customer_count: number;
  affected_customers: Linked[];
  /** Passages or signals as evidence. */
  related_issues: { name: string; entity_id: string; state: string | null; shown_by: number }[];
  downstream_dependencies: Downstream[];
  evidence: SignalView[];
  missing: string[];
  /** What the answer takes for granted. */
  assumptions: string[];
}

const looked = 10_000;
const shownEvidence = 5;
const mostHops = 3;
const mostDownstream = 100;
/** Features mentioned with an issue: entities that depend on these are downstream, too. */
const touched = 10;

/** Entities that an action would affect, according to signals and facts. */
export class Scenarios extends Service<never, { lookup: EntityLookup }> {
  /** @throws AppError NOT_FOUND, AMBIGUOUS_ENTITY */
  async analyze(tenant: string, action: Action, name: string): Promise<Scenario> {
    const { query } = this.db;
    const { entity, alternatives } = await this.deps.lookup.resolveName(tenant, name, {
      type: action === 'fix_issue' ? 'issue' : 'feature',
    });
    const about =
      action === 'fix_issue' ? await issueReach(query, tenant, entity.id) : await featureReach(query, tenant, entity.id, action);
    const downstream = await downstreamOf(query, tenant, entity, about.nextTo);
    const evidence = await signalsAbout(query, tenant, entity.id, shownEvidence);
    return {
      action,
      entity: refView(entity),
      others: alternatives,
      summary: `${words[action]} "${entity.name}" would reach ${count(about.customers.length, 'customer')}, ${count(about.issues.length, 'related issue')} and ${count(downstream.length, 'thing')} downstream.`,
      affected_customer_count: about.customers.length,
      affected_customers: about.customers.slice(0, 25),
      related_issues: about.issues.slice(0, 25),
      downstream_dependencies: downstream,
      evidence,
      missing: [
        ...(evidence.length === 0 ? [`No signal speaks of "${entity.name}": who would notice is not known.`] : []),
        ...(evidence.length > 0 && about.customers.length === 0 ? [about.nobody] : []),
        ...(downstream.length === 0 ? ['No fact says that anything depends on it; documents that name dependencies would tell.'] : []),
        ...about.doubts,
      ],
      assumptions: [...assumed[action], assumedOfAll],
    };
  }
}

const words: Record<Action, string> = { fix_issue: 'Fixing', build_feature: 'Building', deprecate_feature: 'Deprecating' };
const assumed: Record<Action, string[]> = {
  fix_issue: [
    'A customer is affected when a statement names it together with the issue, or a fact says that the issue affects it or that it reported the issue.',
    `Whatever depends on one of the ${touched} features named most often with the issue is affected, too.`,
  ],
  build_feature: ['A customer is affected when it asks for the feature in a statement, or a fact says that it requested it.'],
  deprecate_feature: [
    'A customer is affected when its statements are about having the feature (a bug, complaint, praise or question), or a fact says that it uses it.',
  ],
};
const assumedOfAll = `Customers who said nothing are not counted. Dependencies are followed along facts for ${mostHops} steps at most; all statements until today count.`;
const count = (n: number, word: string): string => `${n} ${word}${n === 1 ? '' : 's'}`;

interface Reach {
  customers: Linked[];
  issues: Scenario['related_issues'];
  /** Mentioned together with it, so also affected. */
  nextTo: { id: string; name: string }[];
  /** Message when no customer is affected. */
  nobody: string;
  doubts: string[];
}

async function issueReach(query: Query, tenant: string, id: string): Promise<Reach> {
  const customers = await toldWith(query, tenant, id, { kind: 'issue/customer', side: 'row', limit: looked });
  const hit = await joinedWith(query, tenant, id, { out: ['affects'], into: ['reported'], types: ['customer'] });
  const features = await toldWith(query, tenant, id, { kind: 'issue/feature', side: 'row', limit: touched });
  const related = await relatedIssues(query, tenant, id, 25);
  return {
    customers: linked(customers.told, hit, looked),
    issues: related.map(({ passages, relations: _, ...issue }) => ({ ...issue, shown_by: passages })),
    nextTo: features.told,
    nobody: 'No customer is named together with it: who is hit is not known.',
    doubts: [],
  };
}

async function featureReach(query: Query, tenant: string, id: string, action: 'build_feature' | 'deprecate_feature'): Promise<Reach> {
  const { told } = await toldWith(query, tenant, id, { kind: 'feature/customer', side: 'row', limit: looked });
  const issues = await toldWith(query, tenant, id, { kind: 'issue/feature', side: 'column', limit: looked });
  const building = action === 'build_feature';
  const facts = await joinedWith(query, tenant, id, { into: [building ? 'requested' : 'uses'], types: ['customer'] });
  const users = told.filter(isUse);
  return {
    customers: linked(building ? told.filter(({ requests }) => requests > 0) : users, facts, looked),
    issues: issues.told
      .filter(({ state }) => isOpen(state))
      .map(({ id: entity_id, name, state, signals }) => ({ name, entity_id, state, shown_by: signals })),
    nextTo: [],
    nobody: building ? 'No customer asks for it in any signal.' : 'No customer is known to use it.',
    doubts:
      building && users.length > 0 ? [`${count(users.length, 'customer')} speak of it as something they have: it may exist already.`] : [],
  };
}

/** Follows facts to entities that depend on this one, are part of it, or are blocked or affected by it. */
async function downstreamOf(
  query: Query,
  tenant: string,
  root: { id: string; name: string },
  nextTo: readonly { id: string; name: string }[],
): Promise<Downstream[]> {
  const rows = await query<{ id: string; name: string; type: string; hops: number; path: string[]; relations: string[] }>(
    `with recursive walk as (
       (select $2::text as id, 0 as hops, array[$2::text] as path, array[]::text[] as relations
        union all select n.id, 1, array[$2, n.id], array['told_with'] from unnest($3::text[]) n(id))
       union all
       select n.id, w.hops + 1, w.path || n.id, w.relations || n.kind from walk w cross join lateral (
         select b.id, b.kind from (
           select source_id as id, kind, passages from entity_relations
           where tenant_id = $1 and target_id = w.id and kind in ('depends_on', 'part_of') and passages > 0
           union all
           select target_id, kind, passages from entity_relations
           where tenant_id = $1 and source_id = w.id and kind in ('blocks', 'affects') and passages > 0) b
         order by b.passages desc, b.id limit 25) n
       where w.hops < ${mostHops} and n.id <> all(w.path)),
     nearest as (select distinct on (id) * from walk where hops > 0 order by id, hops, path)
     select w.id, e.name, e.type, w.hops, w.relations,
       array(select coalesce(x.name, p.id) from unnest(w.path) with ordinality p(id, at)
         left join entities x on x.tenant_id = $1 and x.id = p.id order by p.at) as path
     from nearest w join entities e on e.tenant_id = $1 and e.id = w.id and e.status = 'active'
     where e.type not in ('customer', 'stakeholder', 'person') and w.id <> $2
     order by w.hops, e.name, w.id limit ${mostDownstream}`,
    [tenant, root.id, nextTo.map(({ id }) => id)],
  );
  return rows.map(({ id, ...row }) => ({ ...row, entity_id: id }));
}
