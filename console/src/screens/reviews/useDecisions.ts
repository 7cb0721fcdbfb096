import { useCallback, useLayoutEffect, useRef, useState } from 'react';
import type { ReviewCase } from '../../../../contracts/graph/graph.ts';
import { act } from '../../api/act.ts';
import { lastOf, type Answer, type Decision } from './model.ts';

export interface Decisions {
  all: Decision[];
  decide(review: ReviewCase, answer: Answer): void;
  undo(): void;
  /** The question that was asked again after an undo. */
  reopened: string | null;
  undoing: boolean;
}

const tools = { same: 'entity.merge.confirm', different: 'entity.merge.reject' } as const;

/**
 * The decisions of this visit. The next question is shown at once, while answers are carried out one after the other in
 * the order in which they were given: a later one may be about what an earlier one made.
 */
export function useDecisions(onSettled: () => void): Decisions {
  const [all, setAll] = useState<Decision[]>([]);
  const [reopened, setReopened] = useState<string | null>(null);
  const [undoing, setUndoing] = useState(false);
  const last = useRef<Promise<unknown>>(Promise.resolve());
  const now = useRef({ all, undoing, onSettled });
  useLayoutEffect(() => {
    now.current = { all, undoing, onSettled };
  });

  const mark = useCallback((id: string, change: Partial<Decision>) => {
    setAll((before) => before.map((one) => (one.feedback_id === id ? { ...one, ...change } : one)));
  }, []);

  const decide = useCallback(
    (review: ReviewCase, answer: Answer) => {
      const id = review.feedback_id;
      if (now.current.all.some(({ feedback_id, state }) => feedback_id === id && state !== 'failed')) return;
      const decision: Decision = {
        feedback_id: id,
        names: [review.a.name, review.b.name],
        answer,
        probability: review.match?.probability ?? null,
        state: 'sending',
      };
      setAll((before) => [...before.filter(({ feedback_id }) => feedback_id !== id), decision]);
      setReopened(null);
      last.current = last.current.then(async () => {
        try {
          await act(tools[answer], { feedback_id: id });
          mark(id, { state: 'done' });
        } catch (error) {
          mark(id, { state: 'failed', error: (error as Error).message });
        }
        now.current.onSettled();
      });
    },
    [mark],
  );

  const undo = useCallback(() => {
    if (now.current.undoing || !lastOf(now.current.all)) return;
    setUndoing(true);
    last.current = last.current.then(async () => {
      // What was being sent may have failed meanwhile; then it is the one before.
      await new Promise((done) => requestAnimationFrame(done));
      const target = lastOf(now.current.all);
      try {
        if (target) {
          const answer = await act('entity.change.undo', { feedback_id: target.feedback_id });
          mark(target.feedback_id, { state: 'undone' });
          setReopened((answer.data as { reopened: string | null }).reopened);
        }
      } catch (error) {
        if (target) mark(target.feedback_id, { error: (error as Error).message });
      }
      setUndoing(false);
      now.current.onSettled();
    });
  }, [mark]);

  return { all, decide, undo, reopened, undoing };
}
