import type { RunCheck } from '../../../../contracts/work/runs.ts';
import { Aspect } from '../../ui/Aspect.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { Empty } from '../../ui/Panel.tsx';
import { Json } from '../../ui/Text.tsx';
import { lasted } from './run.ts';

/** The commands of the phase, with the end of what they printed; that of a failed one is open. */
export function Checks({ checks }: { checks: RunCheck[] }) {
  if (checks.length === 0) return <Empty>No check ran. Phases have them: work.phase.set.</Empty>;
  return (
    <ul aria-label="Checks" className="divide-y divide-line">
      {checks.map(({ command, exit_code: code, seconds, output }, i) => (
        <li key={i}>
          <details open={code !== 0}>
            <summary className="hit w-full cursor-pointer flex-wrap gap-x-3">
              <Aspect is={code === 0 ? 'clear' : 'stop'}>
                {code === 0 ? 'passed' : code === null ? 'stopped at its time limit' : `failed with ${code}`}
              </Aspect>
              <code className="min-w-0 font-mono text-xs">
                <Outside text={command} most={300} />
              </code>
              <span className="text-soft">{lasted(seconds * 1000)}</span>
            </summary>
            <div className="pb-2">
              {output === '' ? (
                <p className="text-soft">It printed nothing.</p>
              ) : (
                <Json value={output} label={`output of check ${i + 1}`} whole />
              )}
            </div>
          </details>
        </li>
      ))}
    </ul>
  );
}
