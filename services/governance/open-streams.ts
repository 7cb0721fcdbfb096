import type { Database } from '../../adapters/postgres/database.ts';
import { asScoped } from '../../adapters/postgres/tenancy.ts';
import type { AppError } from '../../contracts/errors.ts';
import { Service } from '../kernel/service.ts';
import { lock } from '../kernel/locks.ts';

export interface OpenStream {
  tenant: string;
  /** Its own id. */
  id: string;
  kind: 'events' | 'sse';
  /** A key, or a session of the console. */
  holder: string;
}

/** Streams of processes that have ended are not counted. */
const alive = 'exists (select from pg_stat_activity a where a.application_name = s.process)';

/** How often a process with open streams uses a connection, so that it is seen in pg_stat_activity, in ms. */
const seenEvery = 10_000;

/** Open streams at all apis, for limits per key, and to find the api that holds one. */
export class OpenStreams extends Service {
  private readonly open = new Map<string, OpenStream>();
  /** Ended, but the database did not answer. */
  private readonly ended = new Map<string, OpenStream>();
  private heart: NodeJS.Timeout | null = null;

  /**
   * @param refusal of the holder's stream beyond `most` of this kind
   * @returns a function to call at its end
   * @throws AppError SERVICE_UNAVAILABLE
   */
  async enter(stream: OpenStream, most: number, refusal: (open: number) => AppError): Promise<() => void> {
    const { tenant, id, kind, holder } = stream;
    await asScoped(tenant, null, () =>
      this.db.transaction(async (query) => {
        await lock(query, `streams/${tenant}/${kind}/${holder}`);
        const open = await this.count(query, stream);
        if (open >= most) throw refusal(open);
        await query('insert into open_streams (tenant_id, id, kind, holder, process) values ($1, $2, $3, $4, $5)', [
          tenant,
          id,
          kind,
          holder,
          this.db.sessions,
        ]);
      }),
    );
    this.open.set(id, stream);
    this.heart ??= setInterval(() => void this.beat(), seenEvery).unref();
    return () => void (this.open.has(id) && this.leave(stream));
  }

  /** Whether this holder has this stream open at any api. */
  async has({ tenant, id, kind, holder }: OpenStream): Promise<boolean> {
    const rows = await asScoped(tenant, null, () =>
      this.db.query(`select from open_streams s where tenant_id = $1 and id = $2 and kind = $3 and holder = $4 and ${alive}`, [
        tenant,
        id,
        kind,
        holder,
      ]),
    );
    return rows.length > 0;
  }

  /** Deletes those of ended processes, and messages that no api has taken: they hold arguments of calls. @returns how many */
  async sweep(tenant: string): Promise<number> {
    const gone = await this.db.query(
      `delete from open_streams s where tenant_id = $1 and opened_at < now() - interval '1 hour' and not ${alive} returning 1`,
      [tenant],
    );
    const untaken = await this.db.query(
      `delete from mcp_messages where tenant_id = $1 and sent_at < now() - interval '5 minutes' returning 1`,
      [tenant],
    );
    return gone.length + untaken.length;
  }

  private async count(query: Database['query'], { tenant, kind, holder }: OpenStream): Promise<number> {
    const [row] = await query<{ open: number }>(
      `select count(*)::int as open from open_streams s where tenant_id = $1 and kind = $2 and holder = $3 and ${alive}`,
      [tenant, kind, holder],
    );
    return row!.open;
  }

  private async leave(stream: OpenStream): Promise<void> {
    const { tenant, id } = stream;
    this.open.delete(id);
    this.ended.set(id, stream);
    await asScoped(tenant, null, () => this.db.query('delete from open_streams where tenant_id = $1 and id = $2', [tenant, id])).then(
      () => this.ended.delete(id),
      () => {},
    );
  }

  private async beat(): Promise<void> {
    for (const one of this.ended.values()) await this.leave(one);
    if (this.open.size > 0) await this.db.query('select').catch(() => {});
    else if (this.ended.size === 0 && this.heart) {
      clearInterval(this.heart);
      this.heart = null;
    }
  }
}
