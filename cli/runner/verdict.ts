/** From what the agent's format says to the end of its run. */
import type { AgentEvent } from '../../contracts/work/runs.ts';
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

/**
 * An agent that does not know the session it shall continue says so at once, each in its own words, and has done nothing.
 * @param acted whether it has said or done anything
 */
export const sessionIsGone = ({ well, retry, reason }: Verdict, exitCode: number | null, acted: boolean): boolean =>
  !acted && !well && retry && (exitCode ?? 0) > 0 && /session|conversation|thread/i.test(reason ?? '');

export const isAct = ({ kind }: AgentEvent): boolean => kind === 'text' || kind === 'tool' || kind === 'tool_result' || kind === 'file';
