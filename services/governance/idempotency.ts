import { lineOf, type Caller } from '../../contracts/caller.ts';
import { AppError } from '../../contracts/errors.ts';
import { hashOf } from '../../contracts/ids.ts';
import { storable } from '../../contracts/json.ts';
import { Service } from '../kernel/service.ts';

/** Seconds after which a repeat takes over a call that has not ended, although its process is alive. */
const takeOverAfter = 60;
const retention = '24 hours';
/** Failures of a call to another system in which nothing arrived there. */
const untouched = new Set<unknown>(['not_sent', 'busy', 'session']);

interface Once<T> {
  answer: T;
  repeated: boolean;
  /** Why the answer could not be stored, although the call was made. */
  unkept?: { code?: unknown };
}

/**
 * One effect per key: the same key with the same arguments gets the stored answer, with other arguments a CONFLICT. A
 * call that died half-way is executed again under the same `callKey`, from which its workflow and update ids derive,
 * so that effects are not repeated. A call to another system without idempotency keys is not executed again; the
 * answer says that its outcome is unknown.
 */
export class Idempotency extends Service {
  private readonly running = new Map<string, Promise<unknown>>();

  /**
   * @param execute gets the time of the key's first use: after its retention the same key is a new call
   * @param options.kept what of the answer is stored
   */
  async once<T>(
    caller: Caller,
    tool: string,
    key: string,
    inputHash: string,
    execute: (since: string) => Promise<T>,
    { repeatable = true, kept = (answer) => answer }: { repeatable?: boolean; kept?: (answer: T) => T } = {},
  ): Promise<Once<T>> {
    const id = [caller.tenant, lineOf(caller), tool, key];
    // Workers may share a key, so the worker's name is part of the hash.
    const argsHash = caller.principal === caller.keyName ? inputHash : hashOf([inputHash, caller.principal]);
    const local = JSON.stringify([...id, argsHash]);
    const joined = this.running.get(local) as Promise<{ answer: T }> | undefined;
    if (joined) return { answer: (await joined).answer, repeated: true };
    const running = this.perform(id, argsHash, execute, { repeatable, kept });
    this.running.set(local, running);
    try {
      return await running;
    } finally {
      this.running.delete(local);
    }
  }

  private async perform<T>(
    id: string[],
    argsHash: string,
    execute: (since: string) => Promise<T>,
    { repeatable, kept }: { repeatable: boolean; kept: (answer: T) => T },
  ): Promise<Once<T>> {
    const begun = await this.begin(id, argsHash, repeatable);
    if ('answer' in begun) return { answer: begun.answer as T, repeated: true };
    let answer: T;
    try {
      answer = await execute(begun.since);
    } catch (error) {
      await this.left(id, error, repeatable).catch(() => {});
      throw error;
    }
    try {
      await this.db.query(
        `update idempotency_records set state = 'done', answer = $5, updated_at = now()
         where tenant_id = $1 and key_id = $2 and tool = $3 and key = $4`,
        [...id, JSON.stringify(storable(kept(answer)))],
      );
      return { answer, repeated: false };
    } catch (error) {
      // The call was made: an error here must neither free its key nor report a failure.
      await this.left(id, null, repeatable).catch(() => {});
      return { answer, repeated: false, unkept: error as { code?: unknown } };
    }
  }

  /**
   * After a failure: a definite refusal had no effect, so the key is free again, also for other arguments; otherwise
   * the key stays reserved for a repeat. The record stays, so that a repeat is recognized.
   * @param error null: the call was made, but its answer could not be stored
   */
  private async left(id: string[], error: unknown, repeatable: boolean): Promise<void> {
    const reason = error instanceof AppError ? error.details?.['reason'] : undefined;
    // If an answer of another system is too large, the call was made.
    const answered = !repeatable && error instanceof AppError && error.code === 'PAYLOAD_TOO_LARGE';
    const refused = error instanceof AppError && !error.retryable && error.code !== 'INTERNAL' && !answered;
    const where = 'where tenant_id = $1 and key_id = $2 and tool = $3 and key = $4';
    if (refused || (!repeatable && untouched.has(reason)))
      await this.db.query(`update idempotency_records set owner = '', args_hash = '' ${where}`, id);
    else if (repeatable) await this.db.query(`update idempotency_records set owner = '' ${where}`, id);
    else await this.db.query(`update idempotency_records set state = 'unknown', updated_at = now() ${where}`, id);
  }

  /**
   * The stored answer, or the start time for executing the call.
   * @throws AppError CONFLICT
   */
  private async begin(id: string[], argsHash: string, repeatable: boolean): Promise<{ answer: unknown } | { since: string }> {
    const rows = await this.db.query<{ args_hash: string; state: string; answer: unknown; mine: boolean; fresh: boolean; since: string }>(
      `insert into idempotency_records as r (tenant_id, key_id, tool, key, args_hash, state, owner)
       values ($1, $2, $3, $4, $5, 'started', $6)
       on conflict (tenant_id, key_id, tool, key) do update
         set owner = case when takeover then $6 else r.owner end,
             args_hash = case when expired or r.args_hash = '' then $5 else r.args_hash end,
             state = case when expired then 'started' when takeover and not $7 and r.args_hash <> '' then 'unknown' else r.state end,
             answer = case when expired then null else r.answer end,
             created_at = case when expired then now() else r.created_at end,
             updated_at = case when takeover then now() else r.updated_at end
       returning args_hash, state, answer, owner = $6 as mine, updated_at = now() as fresh,
         extract(epoch from created_at)::text as since`
        .replaceAll(
          'takeover',
          `((r.state = 'started' and (r.owner = '' or r.updated_at < now() - interval '${takeOverAfter} s' or not exists (
              select from pg_stat_activity a where a.application_name = r.owner))) or expired)`,
        )
        .replaceAll('expired', `(r.created_at < now() - interval '${retention}')`),
      [...id, argsHash, this.db.sessions, repeatable],
    );
    const row = rows[0];
    if (!row) throw new AppError('INTERNAL', 'The idempotency record could not be read.');
    if (row.args_hash !== argsHash) {
      throw new AppError('CONFLICT', 'This idempotency key was used with other arguments, or by another worker.', {
        hint: 'Use a new key for a new call, or repeat the call exactly.',
      });
    }
    if (row.state === 'done') return { answer: row.answer };
    // Ours and not new: an earlier attempt ended in this process, but its end could not be written.
    if (row.state === 'unknown' || (row.mine && !row.fresh && !repeatable)) {
      throw new AppError('CONFLICT', 'This call was begun, and whether it took effect is not known.', {
        hint: 'Check there whether it did. To repeat it, call with a new idempotency key.',
        details: { reason: 'unknown_outcome' },
      });
    }
    if (row.mine) return { since: row.since };
    throw new AppError('CONFLICT', 'A call with this idempotency key is still running.', {
      hint: 'Repeat the same call in a moment to get its answer.',
      retryAfterSeconds: 2,
    });
  }

  /**
   * Deletes expired records.
   * @returns how many
   */
  async sweep(): Promise<number> {
    const rows = await this.db.query(`delete from idempotency_records where created_at < now() - interval '${retention}' returning 1`);
    return rows.length;
  }
}
