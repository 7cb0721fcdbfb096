import type { IssueAway, TaskIssue } from '../../../../contracts/work/trackers.ts';
import { OutsideLink } from '../../ui/Outside.tsx';

const reasons: Record<IssueAway, string> = {
  filter: "no longer followed: it left the tracker's filter",
  moved: 'no longer followed: it was moved elsewhere',
  gone: 'no longer followed: it was deleted, or the tracker may not see it',
};

/** Where a task came from, and whether it still follows its issue. */
export function Issue({ is: { url, name, state, left } }: { is: TaskIssue }) {
  return (
    <span>
      <OutsideLink url={url} text={name} />, {left === null ? state : reasons[left]}
    </span>
  );
}
