import { queryOptions, useQuery } from '@tanstack/react-query';
import type { ConsoleFacts, SignInFacts } from '../../../contracts/governance/console.ts';
import { CallError } from './errors.ts';
import { http } from './http.ts';
import { queries } from './queries.ts';
import { sessionEnded, Store } from './signals.ts';

export type Facts = ConsoleFacts;

/** Who is signed in; null: nobody. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  staleTime: 60_000,
  queryFn: async ({ signal }): Promise<Facts | null> => {
    const former = queries.getQueryData<Facts | null>(['session']) ?? null;
    try {
      const facts = (await (await http('GET', 'session', undefined, { signal })).json()) as Facts;
      // The stream begins where the tab did; facts that say the same stay the same object.
      return former ? { ...facts, session: { ...facts.session, events: former.session.events } } : facts;
    } catch (error) {
      if (error instanceof CallError && error.status === 401) return former;
      throw error;
    }
  },
});

export const useSession = () => useQuery(sessionQuery);

/** True while the screen stays, but its session is over. */
export const ended = new Store(false);
sessionEnded.on(() => ended.set(Boolean(queries.getQueryData(['session']))));

/** Other tabs of this browser have the same cookie. */
const tabs = new BroadcastChannel('signalbox-session');
tabs.addEventListener('message', ({ data }) => (data === 'out' ? location.reload() : void queries.invalidateQueries()));

const who = (facts: Facts): string => `${facts.tenant} ${facts.principal} ${facts.key.name}`;

/** @throws CallError */
export async function signIn(given: { key: string } | { code: string }): Promise<void> {
  const facts = (await (await http('POST', 'session', given)).json()) as Facts;
  const former = queries.getQueryData<Facts | null>(['session']);
  // Nothing that another person has seen stays on the screen.
  if (former && who(former) !== who(facts)) return location.reload();
  queries.setQueryData(['session'], facts);
  ended.set(false);
  tabs.postMessage('in');
  await queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' });
}

/** What the sign-in page offers, and why the last sign-in at the issuer failed: the server says that once. */
export const signInQuery = queryOptions({
  queryKey: ['sign-in'],
  staleTime: Infinity,
  queryFn: async ({ signal }) => (await (await http('GET', 'sign-in', undefined, { signal })).json()) as SignInFacts,
});

/** Ends the session here, and at the issuer where it offers that. */
export async function signOut(): Promise<void> {
  const answer = await http('DELETE', 'session', undefined, { keepalive: true }).catch(() => null);
  const elsewhere = answer?.status === 200 ? ((await answer.json()) as { sign_out: string }).sign_out : null;
  tabs.postMessage('out');
  if (elsewhere === null) location.reload();
  else location.assign(elsewhere);
}

/** Whether the server would let the user call one of these tools now. It decides again at the call. */
export const mayAny = (facts: Facts, tools: string[]): boolean =>
  tools.some((tool) => facts.may[tool] !== undefined && facts.may[tool] !== 'deny');
