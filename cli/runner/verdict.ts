/** From what the agent's format says to the end of its run. */
import type { Verdict } from './agents/agent.ts';
import type { Ending } from './state.ts';

export const unsaid = 'It ended without saying how: the last line was neither DONE, BLOCKED nor QUESTION.';

/** @param cut why the runner ended the agent, if it did */
export function endingOf({ well, outcome, summary, reason, retry }: Verdict, cut: Pick<Verdict, 'reason' | 'retry'> | null): Ending {
  if (cut) return { outcome: 'failed', summary, ...cut };
  if (!well) return { outcome: 'failed', summary, reason: reason ?? 'It did not end well.', retry };
  // `unsaid` is no outcome of a run: the agent is asked once more.
  return { outcome: outcome ?? 'failed', summary, reason: outcome === null ? unsaid : reason, retry };
}
