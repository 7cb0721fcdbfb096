import { asTenant } from '../../adapters/postgres/tenancy.ts';
import { Service } from '../kernel/service.ts';

/** Minimum interval between writes of a key's last use, and the batching interval, in ms. */
const perKeyMs = 60_000;
const lingerMs = 2_000;
/** Maximum keys remembered as written; beyond that some are written too often. */
const mostKept = 50_000;

/** Records when keys were last used, to the minute. Costs a call one map lookup. */
export class KeyUsage extends Service {
  private readonly writtenAt = new Map<string, number>();
  private waiting = new Map<string, { tenant: string; at: Date }>();
  private timer: NodeJS.Timeout | null = null;

  used(tenant: string, keyId: string, now = Date.now()): void {
    if (now - (this.writtenAt.get(keyId) ?? 0) < perKeyMs) return;
    if (this.writtenAt.size > mostKept) this.writtenAt.clear();
    this.writtenAt.set(keyId, now);
    this.waiting.set(keyId, { tenant, at: new Date(now) });
    this.timer ??= setTimeout(() => void this.flush(), lingerMs).unref();
  }

  /** Never throws: a missing last use must not fail anything. */
  async flush(): Promise<void> {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    const uses = this.waiting;
    this.waiting = new Map();
    const tenants = Map.groupBy(uses, ([, { tenant }]) => tenant);
    for (const [tenant, keys] of tenants) {
      await asTenant(tenant, () =>
        this.db.query(
          `update api_keys k set last_used_at = greatest(k.last_used_at, u.at)
           from unnest($2::text[], $3::timestamptz[]) as u (id, at) where k.tenant_id = $1 and k.id = u.id`,
          [tenant, keys.map(([id]) => id), keys.map(([, { at }]) => at.toISOString())],
        ),
      ).catch(() => {
        // The next use tries again.
        for (const [id] of keys) this.writtenAt.delete(id);
      });
    }
  }
}
