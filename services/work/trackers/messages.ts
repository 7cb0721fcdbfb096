import type { TrackerPlace } from '../../../adapters/trackers/types.ts';
import type { TrackerRef } from '../../../contracts/activities/work/tracker.ts';
import { AppError } from '../../../contracts/errors.ts';
import type { Outcome } from '../../../contracts/outbound/connectors.ts';
import type { Columns } from '../../../prisma/rows.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { Service } from '../../kernel/service.ts';
import { asked, commentPages, type TrackerRow } from './rows.ts';

export interface Told {
  number: number;
  /** What it tells; the same thing is told once. */
  key: string;
  text: string;
}

/** `busy`: another process is writing it, or it is not known yet whether it was written. */
export type Sent = 'sent' | 'refused' | 'busy';

type MessageRow = Columns<'work_issue_messages', 'marker' | 'attempts' | 'created_at' | 'remote_id'> & Record<string, unknown>;

/** Tolerated difference of clocks, in ms. */
const slack = 120_000;

/**
 * Comments that are written to issues, each once: its row is reserved before it is sent, and one whose outcome is unknown
 * is looked for by its marker before it is sent again.
 */
export class IssueMessages extends Service<'trackers' | 'secrets'> {
  /** How long an attempt may take; longer than a request can. In seconds. */
  leaseSeconds = 60;
  /** How long a request whose answer was lost may still be on its way, in seconds. */
  settleSeconds = 10;

  /** @throws AppError as the port */
  async send(ref: TrackerRef, tracker: TrackerRow, place: TrackerPlace, told: Told): Promise<Sent> {
    const { number, key, text } = told;
    await this.db.query(
      `insert into work_issue_messages (tenant_id, tracker_id, number, key, marker) values ($1, $2, $3, $4, $5) on conflict do nothing`,
      [ref.tenant, ref.id, number, key, this.markerFor(ref, told)],
    );
    const [row] = await this.db.query<MessageRow>(
      `update work_issue_messages set state = 'sending', attempts = attempts + 1, sending_until = now() + make_interval(secs => $5)
       where tenant_id = $1 and tracker_id = $2 and number = $3 and key = $4 and state in ('wanted', 'sending')
         and (sending_until is null or sending_until <= now()) returning marker, attempts, created_at, remote_id`,
      [ref.tenant, ref.id, number, key, this.leaseSeconds],
    );
    if (!row) return await this.standing(ref, told);
    try {
      const remote =
        (row.attempts > 1 ? await this.find(ref, tracker, place, number, row) : null) ??
        (await asked(this.db, ref, () => this.deps.trackers[tracker.kind].comment(place, number, text, row.marker)));
      await adopt(this.db, ref, number, row.marker, remote);
      return 'sent';
    } catch (error) {
      return await this.failed(ref, tracker, place, told, error);
    }
  }

  private async standing({ tenant, id }: TrackerRef, { number, key }: Told): Promise<Sent> {
    const [row] = await this.db.query<{ state: string }>(
      'select state from work_issue_messages where tenant_id = $1 and tracker_id = $2 and number = $3 and key = $4',
      [tenant, id, number, key],
    );
    return row?.state === 'sent' || row?.state === 'refused' ? row.state : 'busy';
  }

  private async failed(ref: TrackerRef, tracker: TrackerRow, place: TrackerPlace, { number, key }: Told, error: unknown): Promise<Sent> {
    const outcome = error instanceof AppError ? (error.details?.['outcome'] as Outcome | undefined) : undefined;
    const again = outcome === 'not_sent' || outcome === 'refused';
    const refused = outcome === 'refused' && (await this.isForGood(tracker, place, error as AppError));
    await this.db.query(
      `update work_issue_messages set state = $5, attempts = attempts - $6, sending_until = case when $6 = 1 then null else now() + make_interval(secs => $7) end
       where tenant_id = $1 and tracker_id = $2 and number = $3 and key = $4 and state = 'sending'`,
      [ref.tenant, ref.id, number, key, refused ? 'refused' : again ? 'wanted' : 'sending', again ? 1 : 0, this.settleSeconds],
    );
    if (refused) return 'refused';
    throw error;
  }

  /** The issue is gone, locked, or does not take this text. What a token may do is mended by people, and tried again. */
  private async isForGood(tracker: TrackerRow, place: TrackerPlace, { details = {} }: AppError): Promise<boolean> {
    const { reason, said } = details as { reason?: string; said?: string };
    if (reason === 'http_403') return /locked/i.test(said ?? '');
    // Without the right to read the repository, everything seems to be missing.
    if (reason === 'http_404')
      return await this.deps.trackers[tracker.kind].check(place).then(
        () => true,
        () => false,
      );
    return reason === 'http_410' || reason === 'http_400' || reason === 'http_422';
  }

  /** The comment of an earlier attempt, by its marker. */
  private async find(ref: TrackerRef, tracker: TrackerRow, place: TrackerPlace, number: number, row: MessageRow): Promise<string | null> {
    if (row.remote_id !== null) return row.remote_id;
    const since = new Date(row.created_at.getTime() - slack).toISOString();
    for await (const comments of commentPages(this.deps, { ref, tracker, place }, number, since)) {
      const ours = comments.find(({ marker }) => marker === row.marker);
      if (ours) return ours.id;
    }
    return null;
  }

  /** Nobody else can make it, so nobody can pass for us before it has been written. */
  private markerFor({ tenant, id }: TrackerRef, { number, key }: Told): string {
    return uuidOf(this.deps.secrets.mac(JSON.stringify(['issue comment', tenant, id, number, key])));
  }
}

/** A UUID of version 4, which has 122 of these bits. */
export function uuidOf(bytes: Buffer): string {
  const own = Buffer.from(bytes.subarray(0, 16));
  own[6] = (own[6]! & 0x0f) | 0x40;
  own[8] = (own[8]! & 0x3f) | 0x80;
  return own.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/**
 * Notes that a comment with our marker is there.
 * @returns whether it is ours; a copy of our marker in another comment is not
 */
export async function adopt(
  db: Kernel['db'],
  { tenant, id }: TrackerRef,
  number: number,
  marker: string,
  remote: string,
): Promise<boolean> {
  const rows = await db.query(
    `update work_issue_messages set state = 'sent', remote_id = $5, sending_until = null
     where tenant_id = $1 and tracker_id = $2 and number = $3 and marker = $4 and (remote_id is null or remote_id = $5) returning 1`,
    [tenant, id, number, marker, remote],
  );
  return rows.length > 0;
}
