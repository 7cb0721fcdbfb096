/** The keyboard on the board: through columns, to the next column, to the next lane. */
import { useEffect, useMemo, useRef, type RefObject } from 'react';
import type { Board } from '../../../../contracts/work/board.ts';
import type { Column as Name, TaskSummary } from '../../../../contracts/work/work.ts';
import { useShortcuts } from '../../keys.ts';
import type { CardProps } from './Card.tsx';
import { columns } from './model.ts';

/** The columns that are on the screen, by lane; without lanes there is one, ''. */
export type Lanes = Map<string, { board: Board; onMore: (column: Name) => void; scrollTo: (column: Name, index: number) => void }>;

interface Place {
  lane: string;
  column: Name;
  index: number;
}

/** Frames that a lane may take to be drawn: its cards are read from the server. */
const patience = 600;

/** @param order of the lanes, from top to bottom */
export function useCardKeys(lanes: Lanes, order: RefObject<readonly string[]>, shared: Pick<CardProps, 'onChoose' | 'onActions'>): void {
  const now = useRef({ last: '', shared });
  useEffect(() => {
    now.current.shared = shared;
  });
  useShortcuts(
    useMemo(() => {
      const cardsOf = (lane: string, column: Name): TaskSummary[] => lanes.get(lane)?.board.columns[column] ?? [];
      const place = (): Place | null => {
        const focused = document.activeElement?.closest<HTMLElement>('[data-task]')?.dataset['task'] ?? now.current.last;
        for (const lane of lanes.keys()) {
          for (const column of columns) {
            const index = cardsOf(lane, column).findIndex(({ id }) => id === focused);
            if (index >= 0) return { lane, column, index };
          }
        }
        return null;
      };
      const soon = (act: () => boolean, left = patience): void => {
        if (!act() && left > 0) requestAnimationFrame(() => soon(act, left - 1));
      };
      const go = (lane: string, column: Name, index: number): void => {
        const cards = cardsOf(lane, column);
        const task = cards[index];
        if (!task) return;
        now.current.last = task.id;
        if (index >= cards.length - 60) lanes.get(lane)!.onMore(column);
        lanes.get(lane)!.scrollTo(column, index);
        soon(() => {
          const link = document.querySelector<HTMLElement>(`[data-task="${CSS.escape(task.id)}"] a`);
          link?.focus({ preventScroll: true });
          return link !== null;
        }, 5);
      };
      const first = (lane: string): void => {
        const column = columns.find((one) => cardsOf(lane, one).length > 0);
        if (column) go(lane, column, 0);
      };
      const begin = (): void => {
        const lane = order.current.find((one) => lanes.has(one));
        if (lane !== undefined) first(lane);
      };
      const down = (step: number): void => {
        const here = place();
        if (!here) return begin();
        go(here.lane, here.column, Math.max(0, Math.min(cardsOf(here.lane, here.column).length - 1, here.index + step)));
      };
      const side = (step: number): void => {
        const here = place();
        if (!here) return begin();
        for (let i = columns.indexOf(here.column) + step; i >= 0 && i < columns.length; i += step) {
          const cards = cardsOf(here.lane, columns[i]!);
          if (cards.length > 0) return go(here.lane, columns[i]!, Math.min(here.index, cards.length - 1));
        }
      };
      const toLane = (step: number): void => {
        const at = document.activeElement?.closest<HTMLElement>('[data-lane]')?.dataset['lane'] ?? place()?.lane;
        const next = at === undefined ? order.current[0] : order.current[order.current.indexOf(at) + step];
        const heading = next === undefined ? null : document.querySelector<HTMLElement>(`[data-lane="${CSS.escape(next)}"] button`);
        if (next === undefined || !heading) return;
        // Its cards are drawn when it is seen. Until then, and where it has none, its heading has the focus.
        heading.scrollIntoView({ block: 'nearest' });
        heading.focus();
        soon(() => {
          if (!lanes.has(next) || document.activeElement !== heading) return document.activeElement !== heading;
          first(next);
          return true;
        });
      };
      const withTask = (act: (one: TaskSummary) => void) => (): void => {
        const here = place();
        const one = here && cardsOf(here.lane, here.column)[here.index];
        if (one) act(one);
      };
      return [
        { keys: 'j', label: 'Next card', run: () => down(1) },
        { keys: 'k', label: 'Previous card', run: () => down(-1) },
        { keys: 'l', label: 'Next column', run: () => side(1) },
        { keys: 'h', label: 'Previous column', run: () => side(-1) },
        { keys: ']', label: 'Next lane', run: () => toLane(1) },
        { keys: '[', label: 'Previous lane', run: () => toLane(-1) },
        { keys: ' ', label: 'Choose for an action on several', run: withTask(({ id }) => now.current.shared.onChoose(id)) },
        {
          keys: 'J',
          label: 'Choose and go on',
          run: withTask(({ id }) => {
            now.current.shared.onChoose(id);
            down(1);
          }),
        },
        { keys: '.', label: 'Actions of the card', run: withTask((one) => now.current.shared.onActions(one)) },
      ];
    }, [lanes, order]),
  );
}
