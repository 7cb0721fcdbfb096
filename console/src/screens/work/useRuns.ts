import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { RunEvent, WorkRun } from '../../../../contracts/work/runs.ts';
import { call } from '../../api/call.ts';
import { told } from '../../api/live.ts';
import { queries } from '../../api/queries.ts';

/** Events that are read at once. */
const page = 500;
/** An event stands for what an agent says within this time. */
const toldMs = 2_000;
/** Events of a change of a task and of its run come together. */
const gatherMs = 200;

interface Tail {
  events: RunEvent[];
  run: WorkRun;
}

/**
 * Reads the runs of a task again when the stream tells of them. What an agent says after an event, within the stretch that
 * the event stands for, is told by no other: one more read, at the end of the stretch, gets it.
 */
export function useRunsFollowed(task: string): void {
  useEffect(() => {
    const timers = new Map<number, number>();
    const read = (after: number): void => {
      // The last event's stretch counts; what is read soon is not put off.
      if (after > gatherMs) window.clearTimeout(timers.get(after));
      else if (timers.has(after)) return;
      const timer = window.setTimeout(() => {
        timers.delete(after);
        void queries.invalidateQueries({ predicate: ({ queryKey }) => isOf(queryKey, task) });
      }, after);
      timers.set(after, timer);
    };
    const off = told.on((events) => {
      for (const { type, subject, data } of events) {
        const mine = type === 'work.task_changed' ? subject === task : type.startsWith('work.run_') && data['task_id'] === task;
        if (mine) read(gatherMs);
        if (mine && type === 'work.run_changed') read(toldMs + gatherMs);
      }
    });
    return () => {
      off();
      for (const timer of timers.values()) window.clearTimeout(timer);
    };
  }, [task]);
}

const isOf = ([, tool, args]: readonly unknown[], task: string): boolean =>
  /^work\.run\.(list|tail)$/.test(String(tool)) && (args as { task_id?: string }).task_id === task;

/** One run with its events after a number. What was read already is not read again. */
export function useTail(task: string, run: string, from: number) {
  const key = ['tool', 'work.run.tail', { task_id: task, run_id: run, from }] as const;
  return useQuery({
    queryKey: key,
    queryFn: async ({ signal }): Promise<Tail> => {
      let tail = queries.getQueryData<Tail>(key);
      for (;;) {
        const after: number = tail?.events.at(-1)?.seq ?? from;
        const next: Tail = await call<Tail>('work.run.tail', { run_id: run, after, limit: page }, signal);
        tail = { run: next.run, events: [...(tail?.events ?? []), ...next.events] };
        if (next.events.length < page) return tail;
      }
    },
  });
}
