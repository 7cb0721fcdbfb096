import { Link } from '@tanstack/react-router';
import type { Overview } from '../../../../contracts/overview.ts';
import { useRead } from '../../api/call.ts';
import { useMay } from '../../ui/Act.tsx';
import { Aspect } from '../../ui/Aspect.tsx';
import { parseSearch } from '../../url.ts';
import { waitingOf } from '../overview/model.ts';

const tool = 'system.overview.get';

/** What needs a person and is decided on screens of its own: stuck tasks, agents that are offline, changed tools. */
export function Beside() {
  const may = useMay();
  const { data } = useRead<Overview>(tool, {}, may(tool) !== 'deny');
  const lines = data ? waitingOf(data).filter(({ path }) => !path.startsWith('/console/inbox')) : [];
  if (lines.length === 0) return null;
  return (
    <ul aria-label="On other screens" className="mb-3 flex flex-wrap gap-x-6 gap-y-1">
      {lines.map(({ text, aspect, path }) => {
        const [to, search = ''] = path.split('?');
        return (
          <li key={text}>
            <Aspect is={aspect} />{' '}
            <Link to={to!} search={parseSearch(search)} className="hit">
              {text}
            </Link>
          </li>
        );
      })}
    </ul>
  );
}
