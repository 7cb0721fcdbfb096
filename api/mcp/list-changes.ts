import { setTimeout as sleep } from 'node:timers/promises';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import { topics } from '../../contracts/notices.ts';
import type { ServerParts } from '../parts.ts';

/** A client that subscribed to changes of its tool list. */
export interface Follower {
  tenant: string;
  profile: string;
  /** Its work session, when it names one. */
  session: string | undefined;
  tell(): void;
}

interface Watched {
  followers: Set<Follower>;
  over: AbortController;
}

/** Changes within this time are combined, in ms. */
const usualTogether = 150;
/** How long one wait for a notice lasts, and the retry interval while the database is unavailable, in ms. */
const waitMs = 60_000;
const retryMs = 1_000;

interface Topic {
  name: string;
  /** The work session of the list: it expires without a notice. */
  session?: string;
}

/** Only these lists have tools of other servers. */
const withExternal = new Set(['all', 'unified']);

/**
 * Notifies clients that their tool list has changed, whichever process changed it: mounts and end of their work
 * session, tools of external servers, the tenant's policies, capabilities and team scopes. Other clients are not
 * notified.
 */
export class ListChanges {
  private readonly parts: Pick<ServerParts, 'notices' | 'services' | 'togetherMs'>;
  private readonly watched = new Map<string, Watched>();

  constructor(parts: Pick<ServerParts, 'notices' | 'services' | 'togetherMs'>) {
    this.parts = parts;
  }

  /** @returns a function that ends it */
  follow(follower: Follower): () => void {
    const mine = topicsOf(follower);
    for (const topic of mine) this.watch(topic, follower.tenant).followers.add(follower);
    return () => {
      for (const { name } of mine) this.leave(name, follower);
    };
  }

  close(): void {
    for (const { over } of this.watched.values()) over.abort();
    this.watched.clear();
  }

  private watch(topic: Topic, tenant: string): Watched {
    let watched = this.watched.get(topic.name);
    if (!watched) {
      this.watched.set(topic.name, (watched = { followers: new Set(), over: new AbortController() }));
      void this.listen(topic, tenant, watched);
    }
    return watched;
  }

  private leave(topic: string, follower: Follower): void {
    const watched = this.watched.get(topic);
    if (!watched?.followers.delete(follower) || watched.followers.size > 0) return;
    this.watched.delete(topic);
    watched.over.abort();
  }

  private async listen({ name, session }: Topic, tenant: string, { followers, over: { signal } }: Watched): Promise<void> {
    const pause = (ms: number): Promise<void> => sleep(ms, undefined, { signal, ref: false }).catch(() => {});
    // When its session expires; null: not known yet.
    let ends = session === undefined ? Infinity : null;
    while (!signal.aborted) {
      // The wait begins before the session's end is looked up, so that no notice is missed meanwhile.
      const quiet = new AbortController();
      const heard = this.parts.notices?.()?.wait(name, waitMs, AbortSignal.any([signal, quiet.signal]));
      ends ??= await this.endOf(tenant, session!);
      if (!heard || ends === null) {
        quiet.abort();
        await pause(retryMs);
        continue;
      }
      const ending = setTimeout(() => quiet.abort(), Math.max(0, Math.min(waitMs, ends - Date.now())));
      const told = await heard;
      clearTimeout(ending);
      if (Date.now() >= ends) ends = Infinity;
      else if (!told) continue;
      // The session may have been closed.
      else if (session !== undefined) ends = null;
      await pause(this.parts.togetherMs ?? usualTogether);
      // A new list must not come from this process's caches.
      const services = this.parts.services?.();
      services?.governance.policies.forget();
      services?.external.tools.forget(tenant);
      if (!signal.aborted) for (const { tell } of followers) tell();
    }
  }

  /** When a session expires, by our clock; never if it is over already. Null: unknown at the moment. */
  private async endOf(tenant: string, session: string): Promise<number | null> {
    try {
      const left = await asTenant(tenant, async () => this.parts.services?.().governance.sessions.left(tenant, session));
      return left === undefined ? null : left === null ? Infinity : Date.now() + left;
    } catch {
      return null;
    }
  }
}

const topicsOf = ({ tenant, profile, session }: Follower): Topic[] => [
  { name: topics.toolRights(tenant) },
  ...(withExternal.has(profile) ? [{ name: topics.externalTools(tenant) }] : []),
  ...(session === undefined ? [] : [{ name: topics.workSession(tenant, session), session }]),
];
