import type { Entity, EntityRef } from '../contracts/graph/graph.ts';
import { ok } from './client.ts';
import type { EntityFilters, RelatedOptions } from './commands/entities.ts';
import { defined, facts, note, oneLine, paint, say, sayJson, table } from './output.ts';
import { aside } from './tools.ts';

interface Detail extends Entity {
  description: string | null;
  area: string | null;
  state: string | null;
  state_source: string | null;
  first_seen_at: string | null;
  last_seen_at: string | null;
  links: { external_system: string; external_id: string; url: string | null }[];
  history: { event: string; at: string; by: string }[];
}

interface Related {
  root: EntityRef;
  related: { entity: string; entity_id: string; type: string; hops: number; path: string[]; strength: number; signal_count: number }[];
}

/** Ids are told from names by what we make them of. */
const which = (text: string): { entity_id: string } | { entity_name: string } =>
  /^ent_[0-9a-z]{20}$/.test(text) ? { entity_id: text } : { entity_name: text };

export async function listEntities(search: string, { type, limit }: EntityFilters, json: boolean): Promise<void> {
  const answer = await ok<{ entities: Entity[] }>('entity.record.list', defined({ search: search || undefined, entity_type: type, limit }));
  if (json) return sayJson({ ...answer.data, total: answer.metadata.total_count, next_cursor: answer.metadata.next_cursor });
  if (answer.data.entities.length === 0) return say('No entities.');
  table(
    ['id', 'type', 'signals', 'name', 'also'],
    answer.data.entities.map((each) => [each.entity_id, each.type, each.signal_count, each.name, each.aliases.join(', ')]),
  );
  const total = answer.metadata.total_count ?? 0;
  if (total > answer.data.entities.length)
    note(`\n${answer.data.entities.length} of ${total}; --limit shows more, a name or --type others.`);
}

export async function getEntity(name: string, { type }: { type?: string }, json: boolean): Promise<void> {
  const answer = await ok<{ entity: Detail }>('entity.record.get', defined({ ...which(name), entity_type: type }));
  if (json) return sayJson(answer.data);
  const { entity } = answer.data;
  facts([
    ['entity', entity.entity_id],
    ['type', entity.type],
    ['name', entity.name],
    ['also', entity.aliases.join(', ')],
    ['description', entity.description],
    ['area', entity.area],
    ['state', entity.state && `${entity.state} (${entity.state_source})`],
    ['signals', entity.signal_count],
    ['first seen', entity.first_seen_at],
    ['last seen', entity.last_seen_at],
    ['links', entity.links.map((link) => link.url ?? `${link.external_system} ${link.external_id}`).join('\n')],
  ]);
  for (const { at, event, by } of entity.history) say(`${paint('dim', at)}  ${oneLine(event.replaceAll('_', ' '))} by ${oneLine(by)}`);
  aside(answer);
}

export async function relatedEntities(name: string, { type, hops, only, limit }: RelatedOptions, json: boolean): Promise<void> {
  const answer = await ok<Related>(
    'graph.entity.find_related',
    defined({ ...which(name), entity_type: type, max_hops: hops, related_types: only, limit }),
  );
  if (json) return sayJson(answer.data);
  if (answer.data.related.length === 0) say(`Nothing is connected with ${oneLine(answer.data.root.name)}.`);
  else
    table(
      ['hops', 'strength', 'signals', 'type', 'over'],
      answer.data.related.map((each) => [each.hops, each.strength, each.signal_count, each.type, each.path.slice(1).join(' › ')]),
    );
  aside(answer);
}
