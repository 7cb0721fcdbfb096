/** Tasks and actors for the tests beside. */
import type { TaskSnapshot } from '../../../contracts/activities/work/work.ts';
import type { Actor } from './lease.ts';
import { TaskState } from './state.ts';

export const fresh = (changes: Partial<TaskSnapshot> = {}): TaskState =>
  new TaskState({
    status: 'ready',
    rev: 0,
    pendingBlockers: [],
    agent: null,
    token: 0,
    leaseSeconds: 60,
    leaseExpiresAt: null,
    attempts: 0,
    maxAttempts: 2,
    needsReview: false,
    createdBy: 'pm',
    createdLine: 'key-of-pm',
    progress: null,
    result: null,
    failure: null,
    startedAt: null,
    completedAt: null,
    ...changes,
  });

export const actor = (line: string, id: string, fields: Partial<Actor> = {}): Actor => ({
  id,
  person: false,
  owner: { line, principal: id },
  named: false,
  session: null,
  ...fields,
});
