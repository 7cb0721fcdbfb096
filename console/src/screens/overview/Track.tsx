import { Link } from '@tanstack/react-router';
import type { Overview } from '../../../../contracts/overview.ts';
import type { useRead } from '../../api/call.ts';
import { hasScreen } from '../../screens.ts';
import { Aspect } from '../../ui/Aspect.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { sections, shown } from './model.ts';

/** The board as a line: its sections in the order in which tasks pass them. */
export function Track({ counts }: { counts: ReturnType<typeof useRead<Overview>> }) {
  return (
    <Panel title="Tasks" query={counts}>
      {(now) => (
        <ol className="grid grid-cols-6 max-md:grid-cols-3 max-[22rem]:grid-cols-2">
          {sections(now).map(({ name, count, aspect, word }) => (
            <li key={name} className="relative border-line p-4 pt-6">
              <span
                aria-hidden="true"
                className={`absolute inset-x-0 top-2 border-t-2 ${count > 0 ? 'border-ink' : 'border-dashed border-edge'}`}
              />
              <span aria-hidden="true" className="absolute top-0.5 left-0 h-3.5 border-l-2 border-ink" />
              <p className="text-soft">{hasScreen('/console/work') ? <Link to="/console/work">{name}</Link> : name}</p>
              <p className="text-xl font-semibold">{shown(count)}</p>
              {count > 0 && (
                <p className="text-xs">
                  <Aspect is={aspect}>{word}</Aspect>
                </p>
              )}
            </li>
          ))}
        </ol>
      )}
    </Panel>
  );
}
