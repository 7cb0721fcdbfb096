/** Invariants of knowledge: compares ingested, remembered and deleted content with the rows. */
import type { Evidence, Invariant } from './checks.ts';

export async function documents({ journal, db, tenant }: Evidence): Promise<Invariant> {
  const { rows } = await db.query<{ source_id: string; active: string[]; stray: string }>(
    `select s.id as source_id, array(select d.id from documents d where d.tenant_id = $1 and d.source_id = s.id and d.status = 'active') as active,
       (select count(*) from chunks c where c.tenant_id = $1 and c.source_id = s.id
          and not exists (select from documents d where d.tenant_id = $1 and d.id = c.document_id and d.status = 'active')) as stray
     from knowledge_sources s where s.tenant_id = $1`,
    [tenant],
  );
  const breaches: string[] = [];
  const by = new Map(rows.map((row) => [row.source_id, row]));
  for (const { source, document, title } of journal.ingested.values()) {
    const active = by.get(source)?.active ?? [];
    if (active.length !== 1) breaches.push(`"${title}" (${source}) has ${active.length} active documents`);
    else if (active[0] !== document) breaches.push(`"${title}" (${source}): ${document} was acknowledged last, ${active[0]} is active`);
  }
  for (const { source_id: source, stray } of rows)
    if (Number(stray) > 0) breaches.push(`${source} has ${stray} chunks of documents that are not active`);
  return { name: 'one active document per source, no chunks of others', checked: rows.length, breaches };
}

export async function folders({ journal, db, tenant }: Evidence): Promise<Invariant> {
  const { rows } = await db.query<{ kb_id: string; title: string; bodies: string[] }>(
    `select s.kb_id, regexp_replace(s.identity, '^.*/', '') as title,
       array(select c.body from chunks c join documents d on d.tenant_id = $1 and d.id = c.document_id and d.status = 'active'
             where c.tenant_id = $1 and c.source_id = s.id) as bodies
     from knowledge_sources s where s.tenant_id = $1 and s.kb_id like 'folder-%'`,
    [tenant],
  );
  const by = new Map(rows.map((row) => [`${row.kb_id}/${row.title}`, row.bodies]));
  const breaches: string[] = [];
  let checked = 0;
  for (const [name, files] of journal.folders) {
    for (const [file, marker] of files) {
      checked += 1;
      const bodies = by.get(`${name}/${file}`) ?? [];
      if (bodies.length !== 1) breaches.push(`${name}/${file} stands there ${bodies.length} times`);
      else if (!bodies[0]!.includes(marker)) breaches.push(`${name}/${file} should say ${marker}: ${bodies[0]}`);
    }
  }
  return { name: 'every file of a folder taken in stands there once, as it was last', checked, breaches };
}

export async function memories({ journal, db, tenant }: Evidence): Promise<Invariant> {
  const { rows } = await db.query<{ id: string; content: string; passages: string }>(
    `select m.id, m.content, (select count(*) from chunks c where c.tenant_id = $1 and c.document_id = m.id) as passages
     from memories m where m.tenant_id = $1`,
    [tenant],
  );
  const by = new Map(rows.map((row) => [row.id, row]));
  const breaches: string[] = [];
  for (const [id, marker] of journal.memories) {
    const row = by.get(id);
    if (!row?.content.includes(marker)) breaches.push(`lost: memory ${id} (${marker})`);
    else if (Number(row.passages) !== 1) breaches.push(`memory ${id} has ${row.passages} passages`);
  }
  for (const id of journal.forgotten.keys()) if (by.has(id)) breaches.push(`memory ${id} was deleted and is there`);
  if (rows.length !== journal.memories.size) breaches.push(`${rows.length} memories are there, ${journal.memories.size} were acknowledged`);
  return {
    name: 'every memory acknowledged is kept once, every forgotten one gone',
    checked: journal.memories.size + journal.forgotten.size,
    breaches,
  };
}

export async function deletions({ journal, db, tenant }: Evidence): Promise<Invariant> {
  const { rows } = await db.query<{ source_id: string; left: string }>(
    `select u.source_id, (select count(*) from knowledge_sources s where s.tenant_id = $1 and s.id = u.source_id)
       + (select count(*) from documents d where d.tenant_id = $1 and d.source_id = u.source_id)
       + (select count(*) from chunks c where c.tenant_id = $1 and c.source_id = u.source_id) as left
     from unnest($2::text[]) u(source_id)`,
    [tenant, [...journal.deleted]],
  );
  return {
    name: 'nothing is left of what was deleted',
    checked: rows.length,
    breaches: rows.filter((row) => Number(row.left) > 0).map((row) => `${row.source_id} left ${row.left} rows`),
  };
}
