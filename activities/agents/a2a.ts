import { Context } from '@temporalio/activity';
import type { A2aActivities } from '../../contracts/activities/agents/a2a.ts';
import type { Services } from '../../services/index.ts';
import type { Execute } from '../../services/kernel/execution.ts';
import { longStage, stage } from '../kernel/stage.ts';

export const a2aActivities = ({ a2a: { turns } }: Services, execute: Execute): Omit<A2aActivities, 'pushA2aEvents'> => ({
  loadA2aTask: (ref) => stage(ref.tenant, () => turns.load(ref)),
  planA2aTask: (ref, rev) => longStage(ref.tenant, () => turns.plan(ref, rev)),
  callA2aTool: (ref, rev) => longStage(ref.tenant, () => turns.call(ref, rev, execute, Context.current().cancellationSignal)),
  followA2aJob: (ref, rev, job) => stage(ref.tenant, () => turns.follow(ref, rev, job)),
  openA2aWork: (ref, rev) => longStage(ref.tenant, () => turns.openWork(ref, rev, execute)),
  tellA2aWork: (ref, rev) => stage(ref.tenant, () => turns.tellWork(ref, rev)),
  playA2aStep: (ref, rev, step) => stage(ref.tenant, () => turns.play(ref, rev, step)),
  endA2aTask: (ref, rev, state, text) => stage(ref.tenant, () => turns.end(ref, rev, state, text)),
});

/** Runs on the queue for requests to other hosts. */
export const a2aPushActivities = ({ a2a }: Services): Pick<A2aActivities, 'pushA2aEvents'> => ({
  pushA2aEvents: (ref) => longStage(ref.tenant, () => a2a.sendPushes(ref, Context.current().cancellationSignal)),
});
