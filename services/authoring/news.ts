import type { Database } from '../../adapters/postgres/database.ts';
import { currentScope } from '../../adapters/postgres/tenancy.ts';
import type { Directory } from '../../engines/evidence/types.ts';
import { nameKey } from '../../engines/text/names.ts';
import { directoryOfTenant } from '../graph/index.ts';
import { dateOf } from './names.ts';
import { shortened } from './phrases.ts';
import type { Filter, NameNews } from './types.ts';

/** A change of a name that the directory knows. */
interface Known {
  text: string;
  day: string;
  kinds: string[];
  /** Keys in the clues. */
  keys: string[];
  /** What the passage must name. */
  named: string[];
}

const most = 20;
const excerptLength = 280;

/**
 * Renamed features, and people who changed employer, as of the filter's day, each with the passage that tells it. A
 * stakeholder team gets none: the directory is put together from all documents.
 */
export async function nameNews(query: Database['query'], filter: Filter): Promise<NameNews[]> {
  if (currentScope()) return [];
  const known = changesIn(await directoryOfTenant(query, filter.tenant), filter.asOf.slice(0, 10));
  if (known.length === 0) return [];
  const rows = await query<{ place: number; ref: string; body: string; at: Date; named: string }>(
    `select distinct on (w.place) w.place, c.document_id || '#' || c.ordinal as ref, c.body, d.said_at as at, n.name as named
     from jsonb_to_recordset($2::jsonb) as w(place int, kinds jsonb, keys jsonb, named jsonb)
     join evidence_clues k on k.tenant_id = $1 and w.kinds ? k.kind and (w.keys ? k.subject_key or w.keys ? k.object_key)
     join documents d on d.tenant_id = $1 and d.id = k.document_id and d.status = 'active' and d.said_at <= $3
     join chunks c on c.tenant_id = $1 and c.document_id = d.id
     cross join lateral (select t.name, t.at from jsonb_array_elements_text(w.named) with ordinality t(name, at)
       where position(lower(t.name) in lower(c.body)) > 0 order by t.at limit 1) n
     order by w.place, n.at, d.said_at, c.ordinal`,
    [filter.tenant, JSON.stringify(known.map(({ kinds, keys, named }, place) => ({ place, kinds, keys, named }))), filter.asOf],
  );
  return rows.map(({ place, ref, body, at, named }) => {
    const { text, day } = known[place]!;
    return { ref, kind: 'passage', text, day, excerpt: around(body, named), at: at.toISOString(), weight: 1 };
  });
}

/** @param asOf ISO day */
function changesIn({ features, people }: Directory, asOf: string): Known[] {
  const renames = features.flatMap(({ name, renamed }): Known[] => {
    if (!renamed || renamed.day === null || renamed.day > asOf) return [];
    return [
      {
        text: `${renamed.from} was renamed to ${name} on ${dateOf(renamed.day)}: both names mean one feature.`,
        day: renamed.day,
        kinds: ['renamed'],
        keys: [nameKey(renamed.from), nameKey(name)],
        named: [name, renamed.from],
      },
    ];
  });
  const moves = people.flatMap(({ name, aliases, side, posts }): Known[] => {
    const post = posts.findLast(({ from }) => from !== null && from <= asOf);
    if (side === 'vendor' || !post || post.from === null) return [];
    const former = posts[posts.indexOf(post) - 1]?.organisation;
    if (former === undefined || former === post.organisation) return [];
    return [
      {
        text: `${name} works for ${post.organisation} since ${dateOf(post.from)}, no longer for ${former}.`,
        day: post.from,
        kinds: ['moved', 'left', 'person'],
        keys: [name, ...aliases].map(nameKey),
        named: [name, ...aliases],
      },
    ];
  });
  return [...renames, ...moves].slice(0, most);
}

/** The part of a passage around a name. */
function around(body: string, name: string): string {
  const at = Math.max(0, body.toLowerCase().indexOf(name.toLowerCase()));
  const start = Math.max(0, body.lastIndexOf('\n', at) + 1, at - excerptLength / 2);
  return shortened(body.slice(start, start + 2 * excerptLength), excerptLength);
}
