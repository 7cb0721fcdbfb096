import type { PullRequest as Pull } from '../../../../contracts/work/trackers.ts';
import { Outside, OutsideLink } from '../../ui/Outside.tsx';

const states: Record<Pull['state'], string> = {
  wanted: 'is about to be opened',
  open: 'open',
  merged: 'merged',
  closed: 'closed without a merge',
  dropped: 'no longer followed: the run was sent back',
};

/** Where approved work waits outside, and what became of it there. */
export function PullRequest({ is: { number, url, state, error } }: { is: Pull }) {
  return (
    <span>
      {number !== null && (
        <>
          <OutsideLink url={url} text={`#${number}`} />,{' '}
        </>
      )}
      {states[state]}
      {error !== null && (
        <>
          : <Outside text={error} />
        </>
      )}
    </span>
  );
}
