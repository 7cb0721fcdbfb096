/** The board as lines: a line for each phase, its sections in the order in which tasks pass them. */
import type { Board } from '../../../../contracts/work/board.ts';
import type { Phase, TaskSummary } from '../../../../contracts/work/work.ts';
import type { AspectName } from '../../ui/Aspect.tsx';

/** With more trains than these the sections show counts alone. */
export const mostTrains = 40;

export interface Train {
  id: string;
  agent: string;
  stuck: boolean;
}
export interface Section {
  name: string;
  count: number;
  aspect: AspectName;
  word: string;
  /** The board's filter that shows these. */
  column: string;
  trains: Train[];
}
export interface Line {
  id: number;
  name: string;
  sections: Section[];
}

const sections = [
  ['Backlog', 'blocked', 'caution', 'blocked', 'backlog'],
  ['Ready', 'ready', 'clear', 'ready', 'ready'],
  ['In progress', 'in_progress', 'held', 'held', 'in_progress'],
  ['Review', 'review', 'caution', 'to review', 'review'],
  ['Failed', 'failed', 'stop', 'failed', 'review'],
  ['Done', 'done', 'clear', 'done', 'done'],
] as const satisfies [name: string, status: TaskSummary['status'], aspect: AspectName, word: string, column: string][];

/** Phases with tasks, and those that people made; trains are tasks in somebody's hands. */
export function linesOf(board: Board, phases: Phase[]): Line[] {
  const held = board.columns.in_progress;
  const drawn = board.stats.in_progress <= mostTrains ? held : [];
  return phases.map(({ id, name }) => {
    const counts = board.by_phase.find(({ phase_id }) => phase_id === id);
    return {
      id,
      name,
      sections: sections.map(([title, status, aspect, word, column]) => ({
        name: title,
        count: counts?.[status] ?? 0,
        aspect,
        word,
        column,
        trains:
          status === 'in_progress'
            ? drawn
                .filter((task) => task.phase_id === id)
                .map((task) => ({
                  id: task.id,
                  agent: task.assigned_agent_id ?? '?',
                  stuck: task.stuck !== null,
                }))
            : [],
      })),
    };
  });
}
