import { defineUpdate } from '@temporalio/workflow';
import type { EditNote } from '../../../contracts/activities/work/shape.ts';
import type { TaskSnapshot } from '../../../contracts/activities/work/work.ts';
import type { Actor } from './lease.ts';
import type { TaskAnswer } from './state.ts';

/** What claims and leases of a task go by; undefined: unchanged. The running lease keeps its end. */
export type Settings = Partial<Pick<TaskSnapshot, 'phaseId' | 'priority' | 'leaseSeconds' | 'maxAttempts' | 'needsReview' | 'reservedFor'>>;

export interface Edit {
  key: string;
  /** Values of the row, for settings that the snapshot does not have. */
  was: Settings;
}

export interface Ending {
  actor: Actor;
  reason: string;
}

export const shape = defineUpdate<TaskAnswer, [{ actor: Actor; settings: Settings; edit: Edit }]>('shape');
/**
 * `free` takes the task off the blockers of its dependants. `unheld`: refused when somebody works on it, or it waits for a
 * review.
 */
export const cancel = defineUpdate<TaskAnswer, [Ending & { free: boolean; unheld?: boolean }]>('cancel');
/** Ends the process and deletes the task. */
export const remove = defineUpdate<TaskAnswer, [Ending]>('remove');

const names = {
  phaseId: 'phase_id',
  priority: 'priority',
  leaseSeconds: 'lease_seconds',
  maxAttempts: 'max_attempts',
  needsReview: 'needs_review',
  reservedFor: 'reserved_for',
} as const satisfies Record<keyof Settings, string>;

/** What the settings change in a task, for its history. */
export function editOf(task: TaskSnapshot, settings: Settings, { key, was }: Edit): EditNote {
  const text = (value: unknown): string | null => (value === undefined || value === null ? null : String(value));
  const fields = (Object.keys(settings) as (keyof Settings)[])
    .filter((name) => settings[name] !== undefined)
    .map((name) => ({ field: names[name], from: text(task[name] ?? was[name]), to: text(settings[name]) }))
    .filter(({ from, to }) => from !== to);
  return { key, fields };
}
