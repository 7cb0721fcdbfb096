/** Activities of the rereading workflow. Imports nothing, so that workflow code may use it. */

export interface Reread {
  /** `empty`: nothing left; `more`: call again. */
  state: 'empty' | 'more';
  /** Documents that were compared with the directory, and those that were read again. */
  compared: number;
  read: number;
}

/** Idempotent: may run twice, late, or be killed half-way. */
export interface RereadingActivities {
  /** Reads documents again whose names have changed meanwhile, for some seconds. */
  rereadSome(tenant: string): Promise<Reread>;
}
