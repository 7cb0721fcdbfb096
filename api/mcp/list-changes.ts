import { setTimeout as sleep } from 'node:timers/promises';
import { topics } from '../../contracts/notices.ts';
import type { ServerParts } from '../parts.ts';

/** A client that wants to know when what it would list has changed. */
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

/** Changes that come together are told together, in ms. */
const together = 150;
/** How long one wait for a notice lasts, and how soon it is tried again while the database is not reached, in ms. */
const waitMs = 60_000;
const retryMs = 1_000;

/** Tools of other servers are in these lists alone. */
const withExternal = new Set(['all', 'unified']);

/**
 * Tells clients that their list of tools has changed, whichever process changed it: what is mounted in their work
 * session, tools of external servers, what the tenant's policies and capabilities say. Nobody else's.
 */
export class ListChanges {
  private readonly parts: Pick<ServerParts, 'notices' | 'services'>;
  private readonly watched = new Map<string, Watched>();

  constructor(parts: Pick<ServerParts, 'notices' | 'services'>) {
    this.parts = parts;
  }

  /** @returns what ends it */
  follow(follower: Follower): () => void {
    const mine = topicsOf(follower);
    for (const topic of mine) this.watch(topic, follower.tenant).followers.add(follower);
    return () => {
      for (const topic of mine) this.leave(topic, follower);
    };
  }

  close(): void {
    for (const { over } of this.watched.values()) over.abort();
    this.watched.clear();
  }

  private watch(topic: string, tenant: string): Watched {
    let watched = this.watched.get(topic);
    if (!watched) {
      this.watched.set(topic, (watched = { followers: new Set(), over: new AbortController() }));
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

  private async listen(topic: string, tenant: string, { followers, over: { signal } }: Watched): Promise<void> {
    const pause = (ms: number): Promise<void> => sleep(ms, undefined, { signal, ref: false }).catch(() => {});
    while (!signal.aborted) {
      const notices = this.parts.notices?.();
      if (!notices) {
        await pause(retryMs);
        continue;
      }
      if (!(await notices.wait(topic, waitMs, signal))) continue;
      await pause(together);
      // Whoever lists now must not be shown what this process has kept.
      const services = this.parts.services?.();
      services?.governance.policies.forget();
      services?.external.tools.forget(tenant);
      if (!signal.aborted) for (const { tell } of followers) tell();
    }
  }
}

const topicsOf = ({ tenant, profile, session }: Follower): string[] => [
  topics.toolRights(tenant),
  ...(withExternal.has(profile) ? [topics.externalTools(tenant)] : []),
  ...(session === undefined ? [] : [topics.workSession(tenant, session)]),
];
