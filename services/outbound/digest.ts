import type { Database } from '../../adapters/postgres/database.ts';
import { derivedId, hashOf } from '../../contracts/ids.ts';
import { lockRecipient, type NotificationRow } from './records.ts';

/** Notifications per digest; the rest goes into the next one. */
const inOne = 50;
/** Characters of each body in a digest. The log of deliveries has the full text. */
const bodyLength = 600;

/**
 * Collects a recipient's waiting notifications into one, which is then sent like any other.
 * @returns the digests to start, including those of an earlier call that died before starting them, and the number of
 * notifications collected now
 */
export async function gatherDigest(db: Database, tenant: string, recipientHash: string): Promise<{ digests: string[]; taken: number }> {
  return await db.transaction(async (query) => {
    await lockRecipient(query, tenant, recipientHash);
    const waiting = await query<NotificationRow>(
      `select * from notifications where tenant_id = $1 and recipient_hash = $2 and status = 'queued' and priority = 'low' and digest_id is null
       order by created_at, id limit $3`,
      [tenant, recipientHash, inOne],
    );
    const first = waiting[0];
    if (first) {
      const id = derivedId('notif', tenant, 'digest', first.id);
      const alone = waiting.length === 1;
      await query(
        `insert into notifications (tenant_id, id, channel, recipient, recipient_hash, recipient_shown, title, body, url, priority, content_hash,
           status, is_digest, created_by) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'normal', $10, 'queued', true, 'signalbox')`,
        [
          tenant,
          id,
          first.channel,
          first.recipient,
          recipientHash,
          first.recipient_shown,
          alone ? first.title : `${waiting.length} notifications`,
          alone ? first.body : waiting.map(section).join('\n\n'),
          alone ? first.url : null,
          hashOf({ digest: id }),
        ],
      );
      await query(`update notifications set digest_id = $3, updated_at = now() where tenant_id = $1 and id = any($2)`, [
        tenant,
        waiting.map((row) => row.id),
        id,
      ]);
    }
    const open = await query<{ id: string }>(
      `select id from notifications where tenant_id = $1 and recipient_hash = $2 and status = 'queued' and is_digest order by created_at limit 100`,
      [tenant, recipientHash],
    );
    return { digests: open.map(({ id }) => id), taken: waiting.length };
  });
}

/** Titles are plain text, bodies are Markdown. */
const section = ({ title, body, url }: NotificationRow): string =>
  [
    `## ${title.replace(/\s+/g, ' ').replace(/[\\`*_[\]<>#|~]/g, '\\$&')}`,
    shortened(body),
    url === null ? '' : `<${url.replace(/[<>\s]/g, encodeURIComponent)}>`,
  ]
    .filter(Boolean)
    .join('\n\n');

/** Closes an open code block, which would otherwise include the text after it. */
function shortened(body: string): string {
  const cut = body.length <= bodyLength ? body : `${body.slice(0, bodyLength)}…`;
  return (cut.match(/^\s{0,3}(```|~~~)/gm)?.length ?? 0) % 2 === 0 ? cut : `${cut}\n${/^\s{0,3}~~~/m.test(cut) ? '~~~' : '```'}`;
}
