import {
  ApplicationFailure,
  log,
  type WorkflowInboundCallsInterceptor,
  type WorkflowInterceptors,
  type WorkflowOutboundCallsInterceptor,
  workflowInfo,
} from '@temporalio/workflow';
import { failureType, sealedSinceMark, stampFor, stampOf, type Stamp } from '../../contracts/temporal.ts';

/**
 * A workflow accepts only input with the seal of this installation (adapters/temporal/sealing.ts), and stamps its own
 * output so that its worker seals it. Refused input does not affect a running process.
 */

/** Set by the worker in its copy of the bundle; NaN when histories are only replayed. */
const sealedSince = Number(sealedSinceMark);

/**
 * A seal is made when the payload is sent; older ones are copies from a history. In ms; allows for small clock
 * differences.
 */
const longestOnTheWay = 300_000;

/**
 * Started by Temporal Schedules, whose input has no seal. Their rows determine the work; Temporal can trigger a
 * schedule anyway.
 */
const byClock = new Set(['sweep', 'briefClock', 'reportSchedule', 'recurrence', 'trackerSync']);

/** Signals that only request another look; their arguments are ignored. */
const harmless = new Set(['wake', 'hurry', 'news', 'more']);

interface Given {
  what: string;
  id?: string;
  args: unknown[];
  /** Arrival at Temporal, by Temporal's clock; ms. */
  at: number;
}

/** @returns the arguments without their stamp; null: not sealed for this purpose */
function opened({ what, id, args, at }: Given): unknown[] | null {
  const stamp = stampOf(args);
  const given = stamp ? args.slice(0, -1) : args;
  // From before seals existed, or before the key was changed.
  if (Number.isNaN(sealedSince) || at < sealedSince) return given;
  const holds = stamp?.sealed === true && stamp.signalboxStamp === what && stamp.id === id && at - (stamp.at ?? 0) < longestOnTheWay;
  return holds ? given : null;
}

function refused(what: string): ApplicationFailure {
  log.warn('refused: not sealed by this installation', { refused: what });
  return ApplicationFailure.create({
    type: failureType('FORBIDDEN'),
    message: 'Not sealed by this installation: it did not come from its api or workers.',
    nonRetryable: true,
    details: [{ hint: 'Api and workers need the same SIGNALBOX_SECRET_KEY.', reason: 'not_sealed' }],
  });
}

/** A schedule's time comes from Temporal: an explicit time needs a seal. */
const ofClock = (arg: unknown): unknown => (typeof arg === 'object' && arg !== null && 'firedAt' in arg ? { ...arg, firedAt: null } : arg);

const orRefuse = (given: Given): unknown[] => {
  const args = opened(given);
  if (args === null) throw refused(given.what);
  return args;
};

const inbound: WorkflowInboundCallsInterceptor = {
  async execute(input, next) {
    const { workflowType, startTime } = workflowInfo();
    const given = { what: stampFor.start(workflowType), args: input.args, at: startTime.getTime() };
    const args = byClock.has(workflowType) ? (opened(given) ?? input.args.map(ofClock)) : orRefuse(given);
    return await next({ ...input, args });
  },
  validateUpdate(input, next) {
    next({ ...input, args: orRefuse(update(input)) });
  },
  // Checked again: a false worker accepts updates without running the validator.
  async handleUpdate(input, next) {
    return await next({ ...input, args: orRefuse(update(input)) });
  },
  async handleSignal(input, next) {
    const { signalName: name, args } = input;
    // Without an age limit: a signal waits in the history for a worker.
    const sealed = opened({ what: stampFor.signal(name), args, at: Math.min(Date.now(), stampOf(args)?.at ?? Infinity) });
    if (sealed === null && !harmless.has(name)) return void refused(stampFor.signal(name));
    await next({ ...input, args: sealed ?? [] });
  },
};

const update = ({ name, updateId, args }: { name: string; updateId: string; args: unknown[] }): Given => ({
  what: stampFor.update(name),
  id: updateId,
  args,
  at: Date.now(),
});

const stamped = (args: readonly unknown[], what: string): unknown[] => [...args, { signalboxStamp: what, at: Date.now() } satisfies Stamp];

const outbound: WorkflowOutboundCallsInterceptor = {
  scheduleActivity: (input, next) => next({ ...input, args: stamped(input.args, stampFor.activity(input.activityType)) }),
  scheduleLocalActivity: (input, next) => next({ ...input, args: stamped(input.args, stampFor.activity(input.activityType)) }),
  startChildWorkflowExecution: (input, next) => {
    const args = stamped(input.options.args ?? [], stampFor.start(input.workflowType));
    return next({ ...input, options: { ...input.options, args } });
  },
  signalWorkflow: (input, next) => next({ ...input, args: stamped(input.args, stampFor.signal(input.signalName)) }),
  continueAsNew: (input, next) => next({ ...input, args: stamped(input.args, stampFor.start(input.options.workflowType)) }),
};

export const interceptors = (): WorkflowInterceptors => ({ inbound: [inbound], outbound: [outbound] });
