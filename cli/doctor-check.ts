export interface Check {
  name: string;
  state: 'ok' | 'warn' | 'fail';
  detail: string;
  /** What to do next. */
  next?: string;
  /** What --fix has done, each process by itself; for --json. */
  changed?: { did: 'started' | 'ended' | 'ended and started'; kind: string; tenant: string; id: string; process: string }[];
}

export const ok = (name: string, detail: string): Check => ({ name, state: 'ok', detail });
export const warn = (name: string, detail: string, next: string): Check => ({ name, state: 'warn', detail, next });
export const fail = (name: string, detail: string, next: string): Check => ({ name, state: 'fail', detail, next });
