import { z } from 'zod';
import { historyEntry, runningLease } from '../../contracts/work/history.ts';
import { taskId } from '../../contracts/work/work.ts';
import { paged } from '../catalogue/pages.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'work.task.history',
  title: 'Show the history of a task',
  description:
    'Changes of a task, newest first: each claim with its lease, how and why it ended, heartbeats in one line per lease, and writes that were refused because their lease had expired.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['work:read'],
  latency: 'L1',
  input: z.object({
    task_id: taskId,
    oldest_first: z.boolean().default(false),
    limit: z.number().int().min(1).max(500).default(100),
    cursor: z.string().max(512).optional(),
  }),
  output: z.object({ entries: z.array(historyEntry), lease: runningLease.nullable().describe('The lease that runs now') }),
  intents: ['what happened to this task', 'who held this task before', 'why was my write refused'],
  aliases: [],
  async handler({ task_id, oldest_first: oldestFirst, ...paging }, { caller, services }) {
    const { lease, ...page } = await services.work.histories.get(caller, task_id, { oldestFirst, ...paging });
    const { data, metadata } = paged('entries', page);
    return { data: { ...data, lease }, metadata: { ...metadata }, refs: services.work.refs(caller.tenant, task_id) };
  },
});
