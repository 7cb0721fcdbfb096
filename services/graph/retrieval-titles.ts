import { terms } from '../../engines/retrieval/terms.ts';
import { prepared } from '../../adapters/postgres/prepared.ts';
import type { Database, Row } from '../../adapters/postgres/database.ts';
import type { Like, Scope } from '../knowledge/index.ts';

/** Documents whose titles a text mentions. */

type Query = Database['query'];

/** Maximum words of a title, and of word sequences of one text that are looked up. */
const longest = 7;
const most = 600;
/** A title of more documents names none of them. */
const homonyms = 10;
/** Passages of a document among which the best one is chosen. */
const looked = 200;

/**
 * Word sequences of a text that may be the title of a document, as written: each begins with a capital or a digit (in
 * scripts that have case), ends with a word that is more than a small one, and stays within a clause.
 */
export function titlesIn(text: string): string[] {
  const found = new Set<string>();
  for (const clause of text.split(/[!?;\n]+|(?<=\p{L}{3})\.\s/u)) {
    const words = [...clause.matchAll(/[\p{L}\p{N}][\p{L}\p{M}\p{N}'’&.+#/-]*/gu)].map((match) => ({
      from: match.index,
      to: match.index + match[0].replace(/(?:['’]s)?[.'’/-]*$/u, '').length,
      opens: !/^\p{Ll}/u.test(match[0]),
      telling: terms(match[0]).length > 0,
    }));
    for (const [i, first] of words.entries()) {
      if (!first.opens) continue;
      for (const last of words.slice(i, i + longest)) {
        if (found.size >= most) return [...found];
        if (last.telling) found.add(clause.slice(first.from, last.to).replace(/\s+/gu, ' '));
      }
    }
  }
  return [...found];
}

export interface TitledRow extends Row {
  /** As it is written in the text. */
  written: string;
  title: string;
  /** Documents of the scope with this title. */
  frequency: number;
  document: string;
  /** The document's passage that is nearest to the query; its first without vectors. */
  passage: string;
  /** Cosine with the query's vector; null: no vector. */
  cosine: number | null;
}

/**
 * Documents of the scope by their titles: in any case, without brackets at the end, and up to a comma. Titles that
 * many documents share are left out.
 */
export async function titledDocuments(query: Query, scope: Scope, written: readonly string[], like: Like | null): Promise<TitledRow[]> {
  if (written.length === 0) return [];
  return await query<TitledRow>(
    `select k.written, d.title, d.frequency, d.id as document, p.id::text as passage, p.cosine
     from (select distinct on (lower(w)) w as written, lower(w) as key from unnest($2::text[]) w) k
     cross join lateral (
       select id, title, count(*) over ()::int as frequency from (select id, title from documents
         where tenant_id = $1 and title_key = k.key and status = 'active' and scope = any($3) and not id = any($4)
         limit ${homonyms + 1} offset 0) e
     ) d
     cross join lateral (
       select id, case when $7::text is not null and model = $8 then 1 - (embedding <=> $7::halfvec)::float8 end as cosine
       from chunks where tenant_id = $1 and document_id = d.id and ordinal < ${looked}
         and ($5::text[] is null or source_id = any($5)) and ($6::boolean is null or has_code = $6)
       order by cosine desc nulls last, ordinal limit 1
     ) p
     where d.frequency <= ${homonyms}`,
    [
      scope.tenant,
      written,
      scope.scopes,
      scope.hidden,
      scope.sources ?? null,
      scope.hasCode ?? null,
      like ? `[${like.vector.join(',')}]` : null,
      like?.model ?? null,
    ],
  );
}

/** Bodies and documents of passages. */
export async function bodiesOf(
  query: Query,
  tenant: string,
  ids: readonly string[],
): Promise<{ passage: string; document: string; body: string }[]> {
  return await query<{ passage: string; document: string; body: string }>(
    'select id::text as passage, document_id as document, body from chunks where tenant_id = $1 and id = any($2::bigint[])',
    [tenant, ids],
  );
}

/** Titles of passages' documents, without headings. Passages that have none, or are of a conversation, are missing. */
export async function titlesById(query: Query, tenant: string, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await query<{ id: string; title: string }>(
    prepared(
      `select id::text as id, split_part(title, ' › ', 1) as title from chunks where tenant_id = $1 and id = any($2::bigint[]) and title <> '' and jsonb_array_length(turns) = 0`,
    ),
    [tenant, ids],
  );
  return new Map(rows.map(({ id, title }) => [id, title]));
}

/** Which of the terms each passage has. Passages with none of them are missing. */
export async function termsHeld(
  query: Query,
  { tenant, scopes }: Scope,
  terms: readonly string[],
  ids: readonly string[],
): Promise<Map<string, Set<string>>> {
  const rows = await query<{ passage: string; terms: string[] }>(
    `select p.chunk_id::text as passage, array_agg(p.term) as terms from unnest($2::int[]) s(scope) cross join unnest($3::text[]) t(term)
     cross join lateral (select chunk_id, term from postings where tenant_id = $1 and scope = s.scope and term = t.term
       and chunk_id = any($4::bigint[]) offset 0) p group by p.chunk_id`,
    [tenant, scopes, terms, ids],
  );
  return new Map(rows.map((row) => [row.passage, new Set(row.terms)]));
}
