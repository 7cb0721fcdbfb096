/** The jobs that were begun in this browser. They are kept until somebody takes them out of the tray. */
import type { Job } from '../../../contracts/jobs.ts';
import { Store } from './signals.ts';

export interface Followed {
  id: string;
  /** Its end was announced. */
  over: boolean;
}

/** The oldest give way. */
const most = 20;

export const followed = new Store<Followed[]>([]);
let place: string | null = null;

/** The jobs of another user of this browser are not shown. @param user as the live stream names it */
export function followJobsOf(user: string): () => void {
  const own = (place = `sb-jobs ${user}`);
  const load = (): void => followed.set(readKept(own));
  const heard = ({ key }: StorageEvent): void => void (key === own && load());
  load();
  // Other tabs of this browser.
  window.addEventListener('storage', heard);
  return () => {
    window.removeEventListener('storage', heard);
    if (place === own) place = null;
  };
}

/** Puts a job into the tray. `act` does it for each call that is answered with `accepted`. */
export function follow(jobId: string): void {
  const rest = followed.get().filter(({ id }) => id !== jobId);
  keep([{ id: jobId, over: false }, ...rest].slice(0, most));
}

export const forget = (...ids: string[]): void => keep(followed.get().filter(({ id }) => !ids.includes(id)));

/** Notes the ends of jobs. @returns those whose end was not told before */
export function noteEnds(jobs: readonly Job[]): Job[] {
  const fresh = jobs.filter(
    ({ job_id, finished_at }) => finished_at !== null && followed.get().some(({ id, over }) => id === job_id && !over),
  );
  if (fresh.length > 0) keep(followed.get().map((one) => (fresh.some(({ job_id }) => job_id === one.id) ? { ...one, over: true } : one)));
  return fresh;
}

function keep(list: Followed[]): void {
  followed.set(list);
  if (place === null) return;
  try {
    localStorage.setItem(place, JSON.stringify(list));
  } catch {
    // A browser without storage forgets them at a reload.
  }
}

function readKept(from: string): Followed[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(from) ?? '[]');
    if (!Array.isArray(kept)) return [];
    return kept.filter((one): one is Followed => typeof one?.id === 'string' && typeof one.over === 'boolean').slice(0, most);
  } catch {
    return [];
  }
}
