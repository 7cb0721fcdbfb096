import type { Overview } from '../../../../contracts/overview.ts';
import type { StuckReason } from '../../../../contracts/work/work.ts';
import type { AspectName } from '../../ui/Aspect.tsx';
import { capped } from '../../ui/words.ts';

export interface Waiting {
  aspect: AspectName;
  text: string;
  /** How to look at it where no screen shows it yet. */
  command: string;
  /** The screen that will show it. */
  path: string;
  since: string | null;
  until?: string | null;
}

const stuckShort: Record<StuckReason, string> = {
  lapsed: 'with an expired lease',
  silent: 'without a heartbeat for half the lease',
  blocked: 'blocked by a failed task',
  exhausted: 'without attempts left',
  waiting: 'waiting far longer than usual',
};
const stuckReasons = Object.keys(stuckShort) as StuckReason[];

const some = (count: number, one: string, many: string): string => `${capped(count)} ${count === 1 ? one : many}`;

/** What needs a person, by gravity; at most seven lines. */
export function waitingOf(now: Overview): Waiting[] {
  const { approvals, ambiguous, stuck, agents, external_tools: tools, dead_letters, outputs, reviews, undelivered, failed_notices } = now;
  const all: (Waiting & { count: number })[] = [
    {
      count: approvals.count,
      aspect: 'caution',
      text: some(approvals.count, 'call waits for a decision', 'calls wait for a decision'),
      command: 'npx signalbox approvals ls',
      path: '/console/inbox?kind=call',
      since: approvals.oldest_at,
      until: approvals.next_expires_at,
    },
    {
      count: ambiguous.count,
      aspect: 'stop',
      text: some(ambiguous.count, 'call may or may not have taken effect', 'calls may or may not have taken effect'),
      command: `npx signalbox tools call approval.request.list '{"status":"ambiguous"}'`,
      path: '/console/inbox?kind=ambiguous',
      since: ambiguous.oldest_at,
    },
    {
      count: stuck.count,
      aspect: 'stop',
      text: `${some(stuck.count, 'task is stuck', 'tasks are stuck')}: ${stuckReasons
        .filter((reason) => stuck[reason] > 0)
        .map((reason) => `${capped(stuck[reason])} ${stuckShort[reason]}`)
        .join(', ')}`,
      command: 'npx signalbox tasks board',
      path: '/console/work?stuck=any',
      since: stuck.oldest_at,
    },
    {
      count: agents.offline,
      aspect: 'stop',
      text: some(agents.offline, 'agent is offline', 'agents are offline'),
      command: 'npx signalbox agents ls',
      path: '/console/agents',
      since: null,
    },
    {
      count: tools.changed,
      aspect: 'caution',
      text: some(tools.changed, 'tool of another server has changed', 'tools of other servers have changed'),
      command: 'npx signalbox servers ls',
      path: '/console/servers',
      since: null,
    },
    {
      count: dead_letters.count,
      aspect: 'caution',
      text: some(dead_letters.count, 'failed ingestion waits', 'failed ingestions wait'),
      command: 'npx signalbox tools call ingest.dlq.list',
      path: '/console/inbox?kind=dead_letter',
      since: dead_letters.oldest_at,
    },
    {
      count: outputs.count,
      aspect: 'caution',
      text: some(outputs.count, 'output of an agent waits to be judged', 'outputs of agents wait to be judged'),
      command: 'npx signalbox tools describe agent.output.review',
      path: '/console/inbox?kind=output',
      since: outputs.oldest_at,
    },
    {
      count: reviews.count,
      aspect: 'caution',
      text: some(reviews.count, 'entity review is open', 'entity reviews are open'),
      command: 'npx signalbox tools call entity.review.list',
      path: '/console/inbox?kind=review',
      since: reviews.oldest_at,
    },
    {
      count: undelivered.count + failed_notices.count,
      aspect: 'caution',
      text: some(undelivered.count + failed_notices.count, 'message was not delivered', 'messages were not delivered'),
      command: 'npx signalbox tools call notification.message.list',
      path: '/console/inbox',
      since: undelivered.oldest_at ?? failed_notices.oldest_at,
    },
    {
      count: tools.waiting,
      aspect: 'caution',
      text: some(tools.waiting, 'tool of another server waits to be approved', 'tools of other servers wait to be approved'),
      command: 'npx signalbox servers ls',
      path: '/console/servers',
      since: null,
    },
  ];
  return all.filter(({ count }) => count > 0).slice(0, 7);
}

/** The sections of the line that a task passes. */
export const sections = (now: Overview): { name: string; count: number; aspect: AspectName; word: string }[] => {
  const { blocked, ready, in_progress, review, failed, done } = now.tasks;
  return [
    { name: 'Backlog', count: blocked, aspect: 'caution', word: 'blocked' },
    { name: 'Ready', count: ready, aspect: 'clear', word: 'ready' },
    { name: 'In progress', count: in_progress, aspect: 'held', word: 'held' },
    { name: 'Review', count: review, aspect: 'caution', word: 'to review' },
    { name: 'Failed', count: failed, aspect: 'stop', word: 'failed' },
    { name: 'Done', count: done, aspect: 'clear', word: 'done' },
  ];
};

export const isNew = (now: Overview): boolean =>
  Object.values(now.tasks).every((count) => count === 0) && Object.values(now.agents).every((count) => count === 0);
