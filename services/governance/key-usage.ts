import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { Caller } from '../../contracts/caller.ts';
import { noteEvent } from '../kernel/outbox.ts';
import { Service } from '../kernel/service.ts';

/** Minimum interval between writes of a key's last use, and the batching interval, in ms. */
const perKeyMs = 60_000;
const lingerMs = 2_000;
/** Maximum keys remembered as written; beyond that some are written too often. */
const mostKept = 50_000;
/** As many calls of a new key are told as events. */
const firstCalls = 3;
/** Maximum new keys whose calls are counted. */
const mostNew = 1_000;

/** A call, for the events about a new key's first calls. */
export interface FirstCall {
  tool: string;
  toolCallId: string;
  front: string;
  code: string | null;
}

/**
 * Records when keys were last used, to the minute. Of a key that was made with a tool, whose maker may wait for it, the
 * first use and the first calls are told as events. Costs a call two map lookups.
 */
export class KeyUsage extends Service {
  private readonly writtenAt = new Map<string, number>();
  /** Keys whose first use this process has seen, with the number of calls told since. */
  private readonly fresh = new Map<string, number>();
  private waiting = new Map<string, { tenant: string; at: Date }>();
  private calls: { tenant: string; keyId: string; data: object }[] = [];
  private timer: NodeJS.Timeout | null = null;
  private soon = false;
  /** One after the other, so that a stop waits for the last. */
  private flushing = Promise.resolve();

  /** @param first the key was made with a tool, and nothing says yet that it was used */
  used(tenant: string, keyId: string, now = Date.now(), first = false): void {
    if (now - (this.writtenAt.get(keyId) ?? 0) < perKeyMs) return;
    if (this.writtenAt.size > mostKept) this.writtenAt.clear();
    this.writtenAt.set(keyId, now);
    this.waiting.set(keyId, { tenant, at: new Date(now) });
    if (first && this.fresh.size < mostNew) this.fresh.set(keyId, 0);
    this.schedule(first);
  }

  called({ tenant, keyId, principal }: Caller, { tool, toolCallId, front, code }: FirstCall): void {
    if (this.fresh.size === 0) return;
    const before = this.fresh.get(keyId);
    if (before === undefined) return;
    const n = before + 1;
    if (n >= firstCalls) this.fresh.delete(keyId);
    else this.fresh.set(keyId, n);
    this.calls.push({ tenant, keyId, data: { n, by: principal, tool, front, code, tool_call_id: toolCallId } });
    this.schedule(true);
  }

  private schedule(soon: boolean): void {
    if (soon && !this.soon && this.timer) {
      clearTimeout(this.timer);
      this.timer = null;
    }
    this.soon ||= soon;
    this.timer ??= setTimeout(() => void this.flush(), soon ? 0 : lingerMs).unref();
  }

  /** Never throws: a missing last use must not fail anything. */
  flush(): Promise<void> {
    return (this.flushing = this.flushing.then(() => this.write()));
  }

  private async write(): Promise<void> {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    this.soon = false;
    const [uses, calls] = [this.waiting, this.calls];
    this.waiting = new Map();
    this.calls = [];
    for (const [tenant, keys] of Map.groupBy(uses, ([, { tenant }]) => tenant)) {
      await asTenant(tenant, () => this.writeUses(tenant, keys)).catch(() => {
        // The next use tries again.
        for (const [id] of keys) this.writtenAt.delete(id);
      });
    }
    for (const { tenant, keyId, data } of calls) {
      await asTenant(tenant, () => noteEvent(this.db.query, tenant, 'key.called', keyId, data)).catch(() => {});
    }
  }

  /** Of several processes that see a first use, the one that gets the row's lock first tells it. */
  private async writeUses(tenant: string, keys: [string, { at: Date }][]): Promise<void> {
    await this.db.query(
      `with before as (
         select id, last_used_at from api_keys where tenant_id = $1 and id = any($2::text[]) order by id for update),
       used as (
         update api_keys k set last_used_at = greatest(k.last_used_at, u.at)
         from unnest($2::text[], $3::timestamptz[]) as u (id, at), before b
         where k.tenant_id = $1 and k.id = u.id and b.id = u.id
         returning k.id, k.name, k.replaces, b.last_used_at is null and k.made_by is not null as first)
       insert into outbox (tenant_id, type, subject, data)
       select $1, 'key.used_first', id, jsonb_build_object('name', name, 'replaces', replaces) from used where first`,
      [tenant, keys.map(([id]) => id), keys.map(([, { at }]) => at.toISOString())],
    );
  }
}
