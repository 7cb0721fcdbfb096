import type { SecretBox } from '../../adapters/secrets/box.ts';
import type { Database, Row } from '../../adapters/postgres/database.ts';

/** The key that the workers use; null: none has started yet. */
export async function keyInUse(query: Database['query']): Promise<string | null> {
  const [row] = await query<Row & { key_id: string }>('select key_id from process_seals where id = 1');
  return row?.key_id ?? null;
}

/**
 * Time from which payloads for workers must be sealed; ms since the epoch. Older processes, unsealed or under a key
 * that is no longer known, continue, so a change to such a key resets this time.
 * @returns `changed`: a key was used until now that is no longer known
 */
export async function sealedSince(db: Database, secrets: Pick<SecretBox, 'keyIds'>): Promise<{ since: number; changed: boolean }> {
  const { keyIds } = secrets;
  const [row] = await db.query<Row & { since: Date; before: string | null }>(
    `with before as (select key_id from process_seals where id = 1)
     insert into process_seals as seals (id, key_id, since) values (1, $1, now())
     on conflict (id) do update set key_id = $1, since = case when seals.key_id = any($2) then seals.since else now() end
     returning since, (select key_id from before) as before`,
    [keyIds[0], keyIds],
  );
  return { since: row!.since.getTime(), changed: row!.before !== null && !keyIds.includes(row!.before) };
}
