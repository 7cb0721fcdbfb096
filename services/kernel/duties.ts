import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { Database, Row } from '../../adapters/postgres/database.ts';

/** `ledger`: links the rows of all tenants. `waiting`: counts what waits. `health`: notes how the parts are. */
export type DutyName = 'ledger' | 'waiting' | 'health';

interface Seen<R> {
  doneAt: Date | null;
  report: R | null;
}

/**
 * Work of the whole installation that one process at a time does. The holder is a row, not a lock of a session, so it
 * works behind every pooler, and a killed holder is followed by another process when its time is over.
 */
export class Duties {
  private readonly db: Pick<Database, 'query'>;
  private readonly holder: string;

  constructor(db: Pick<Database, 'query'>, holder = `${hostname()}:${process.pid}:${randomBytes(3).toString('hex')}`) {
    this.db = db;
    this.holder = holder;
  }

  /** Takes a free duty, or extends one's own. @returns whether this process has it for so long */
  async take(name: DutyName, seconds: number): Promise<boolean> {
    const taken = await this.db.query(
      `insert into duties as d (name, holder, until) values ($1, $2, now() + make_interval(secs => $3))
       on conflict (name) do update set holder = excluded.holder, until = excluded.until
       where d.holder = excluded.holder or d.until < now() returning name`,
      [name, this.holder, seconds],
    );
    return taken.length > 0;
  }

  /** A round has ended. Not noted when another process has taken over meanwhile. */
  async done(name: DutyName, report: object | null = null): Promise<void> {
    await this.db.query('update duties set done_at = now(), report = $3 where name = $1 and holder = $2', [
      name,
      this.holder,
      report === null ? null : JSON.stringify(report),
    ]);
  }

  /** Lets another process take over at once. */
  async release(name: DutyName): Promise<void> {
    await this.db.query('update duties set until = now() where name = $1 and holder = $2 and until > now()', [name, this.holder]);
  }

  async last<R>(name: DutyName): Promise<Seen<R>> {
    const [row] = await this.db.query<{ done_at: Date | null; report: R | null } & Row>(
      'select done_at, report from duties where name = $1',
      [name],
    );
    return { doneAt: row?.done_at ?? null, report: row?.report ?? null };
  }
}
