import type { WorkRun } from '../../../../contracts/work/runs.ts';
import { Aspect } from '../../ui/Aspect.tsx';
import { asks, stateAspects, stateWords } from './run.ts';

/** How a run stands, in a word. */
export function Standing({ run }: { run: WorkRun }) {
  if (asks(run)) return <Aspect is="caution">asks a person</Aspect>;
  return run.stuck ? <Aspect is="caution">stuck</Aspect> : <Aspect is={stateAspects[run.state]}>{stateWords[run.state]}</Aspect>;
}
