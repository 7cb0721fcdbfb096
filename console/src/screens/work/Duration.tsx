import type { WorkRun } from '../../../../contracts/work/runs.ts';
import { useNow } from '../../ui/Time.tsx';
import { lasted } from './run.ts';

/** How long a run took, or has taken so far. */
export function Duration({ run: { started_at: from, ended_at: to } }: { run: WorkRun }) {
  const now = useNow(1);
  return <span className="whitespace-nowrap">{lasted((to === null ? now : Date.parse(to)) - Date.parse(from))}</span>;
}
