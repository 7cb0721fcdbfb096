import type { Overview } from '../../../../contracts/overview.ts';
import { useRead } from '../../api/call.ts';
import { useMay } from '../../ui/Act.tsx';
import { Aspect } from '../../ui/Aspect.tsx';
import { waitingOf } from '../overview/model.ts';
import { WaitingLink } from '../overview/WaitingLink.tsx';

const tool = 'system.overview.get';

/** What needs a person and is decided on screens of its own: stuck tasks, agents that are offline, changed tools. */
export function Beside() {
  const may = useMay();
  const { data } = useRead<Overview>(tool, {}, may(tool) !== 'deny');
  const lines = data ? waitingOf(data).filter(({ path }) => !path.startsWith('/console/inbox')) : [];
  if (lines.length === 0) return null;
  return (
    <ul aria-label="On other screens" className="mb-3 flex flex-wrap gap-x-6 gap-y-1">
      {lines.map((line) => (
        <li key={line.text}>
          <Aspect is={line.aspect} /> <WaitingLink {...line} />
        </li>
      ))}
    </ul>
  );
}
