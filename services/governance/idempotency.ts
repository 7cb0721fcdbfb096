import { lineOf, type Caller } from '../../contracts/caller.ts';
import { AppError } from '../../contracts/errors.ts';
import { hashOf } from '../../contracts/ids.ts';
import { storable } from '../../contracts/json.ts';
import { Service } from '../kernel/service.ts';

/** Seconds after which a call that never reported its end is taken over by its repeat, although its process lives. */
const takeOverAfter = 60;
const retention = '24 hours';
/** Of a call to another system: nothing of it has arrived there. */
const untouched = new Set<unknown>(['not_sent', 'busy', 'session']);

interface Once<T> {
  answer: T;
  repeated: boolean;
  /** Why the answer could not be kept for a repeat, though the call has been made. */
  unkept?: { code?: unknown };
}

/**
 * One effect per key: the same key with the same arguments gets the stored answer, with other arguments
 * a CONFLICT. A call that died half-way is executed again under the same `callKey`, which its workflow
 * and update ids derive from, so that what had already happened does not happen twice. Where nothing derives from it,
 * at another system that knows no such keys, it is not executed again: that its outcome is unknown is said instead.
 */
export class Idempotency extends Service {
  private readonly running = new Map<string, Promise<unknown>>();

  /** @param execute is told when the key was first used: past its retention the same key names another call */
  async once<T>(
    caller: Caller,
    tool: string,
    key: string,
    inputHash: string,
    execute: (since: string) => Promise<T>,
    { repeatable = true }: { repeatable?: boolean } = {},
  ): Promise<Once<T>> {
    const id = [caller.tenant, lineOf(caller), tool, key];
    // Workers may share a key: what one was answered is not for another.
    const argsHash = caller.principal === caller.keyName ? inputHash : hashOf([inputHash, caller.principal]);
    const local = JSON.stringify([...id, argsHash]);
    const joined = this.running.get(local) as Promise<{ answer: T }> | undefined;
    if (joined) return { answer: (await joined).answer, repeated: true };
    const running = this.perform(id, argsHash, execute, repeatable);
    this.running.set(local, running);
    try {
      return await running;
    } finally {
      this.running.delete(local);
    }
  }

  private async perform<T>(id: string[], argsHash: string, execute: (since: string) => Promise<T>, repeatable: boolean): Promise<Once<T>> {
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
        [...id, JSON.stringify(storable(answer))],
      );
      return { answer, repeated: false };
    } catch (error) {
      // The call has been made: no error of ours frees its key, or tells its caller that it has not.
      await this.left(id, null, repeatable).catch(() => {});
      return { answer, repeated: false, unkept: error as { code?: unknown } };
    }
  }

  /**
   * After a failure: a clear refusal left nothing behind, so the key is free again, for other arguments too; anything else
   * stays open for its repeat. The record stays: a repeat must be known as one, also where a refusal was not the whole truth.
   * @param error null: the call was made, and its answer could not be kept
   */
  private async left(id: string[], error: unknown, repeatable: boolean): Promise<void> {
    const reason = error instanceof AppError ? error.details?.['reason'] : undefined;
    // What is too large of a call to another system is its answer.
    const answered = !repeatable && error instanceof AppError && error.code === 'PAYLOAD_TOO_LARGE';
    const refused = error instanceof AppError && !error.retryable && error.code !== 'INTERNAL' && !answered;
    const where = 'where tenant_id = $1 and key_id = $2 and tool = $3 and key = $4';
    if (refused || (!repeatable && untouched.has(reason)))
      await this.db.query(`update idempotency_records set owner = '', args_hash = '' ${where}`, id);
    else if (repeatable) await this.db.query(`update idempotency_records set owner = '' ${where}`, id);
    else await this.db.query(`update idempotency_records set state = 'unknown', updated_at = now() ${where}`, id);
  }

  /** The stored answer, or since when this call is to execute. @throws AppError CONFLICT */
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
    // Ours and not new: an earlier attempt ended here, and its end could not be written.
    if (row.state === 'unknown' || (row.mine && !row.fresh && !repeatable)) {
      throw new AppError('CONFLICT', 'This call was begun, and whether it took effect is not known.', {
        hint: 'Look there whether it did. To make it once more, call with a new idempotency key.',
        details: { reason: 'unknown_outcome' },
      });
    }
    if (row.mine) return { since: row.since };
    throw new AppError('CONFLICT', 'A call with this idempotency key is still running.', {
      hint: 'Repeat the same call in a moment to get its answer.',
      retryAfterSeconds: 2,
    });
  }

  /** Deletes records past their retention. Returns how many. */
  async sweep(): Promise<number> {
    const rows = await this.db.query(`delete from idempotency_records where created_at < now() - interval '${retention}' returning 1`);
    return rows.length;
  }
}
