import type { Database } from '../../adapters/postgres/database.ts';
import { derivedId, hashOf } from '../../contracts/ids.ts';
import { lockRecipient, type NotificationRow } from './records.ts';

/** In one message; what is beyond it goes into the next. */
const inOne = 50;
/** Of each, in characters: the whole stands in the log of deliveries. */
const bodyLength = 600;

/**
 * Puts what waits for a recipient into one notification, which is then on its way like any other.
 * @returns those on their way, also from an earlier call that did not come to their start, and how many went in now
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

/** Titles are plain text; bodies are Markdown already. */
const section = ({ title, body, url }: NotificationRow): string =>
  [
    `## ${title.replace(/\s+/g, ' ').replace(/[\\`*_[\]<>#|~]/g, '\\$&')}`,
    shortened(body),
    url === null ? '' : `<${url.replace(/[<>\s]/g, encodeURIComponent)}>`,
  ]
    .filter(Boolean)
    .join('\n\n');

/** Without a code block left open, which would take in what follows. */
function shortened(body: string): string {
  const cut = body.length <= bodyLength ? body : `${body.slice(0, bodyLength)}…`;
  return (cut.match(/^\s{0,3}(```|~~~)/gm)?.length ?? 0) % 2 === 0 ? cut : `${cut}\n${/^\s{0,3}~~~/m.test(cut) ? '~~~' : '```'}`;
}
