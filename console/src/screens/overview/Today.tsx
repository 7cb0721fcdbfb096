import type { Overview } from '../../../../contracts/overview.ts';
import type { useRead } from '../../api/call.ts';
import { Panel } from '../../ui/Panel.tsx';
import { capped } from '../../ui/words.ts';

const names = { tasks_created: 'Tasks created', tasks_done: 'Tasks done' } as const;

/** Today beside the same weekday, until the same time of the day. */
export function Today({ counts }: { counts: ReturnType<typeof useRead<Overview>> }) {
  return (
    <Panel title="Today" query={counts} aside={<span className="text-xs text-soft">since midnight UTC</span>}>
      {({ at, today }) => {
        const weekday = new Date(at).toLocaleDateString('en', { weekday: 'long', timeZone: 'UTC' });
        return (
          <dl className="grid grid-cols-2 gap-4 p-4">
            {(Object.keys(names) as (keyof typeof names)[]).map((name) => (
              <div key={name}>
                <dt className="text-soft">{names[name]}</dt>
                <dd>
                  <span className="text-xl font-semibold">{capped(today[name].now)}</span>{' '}
                  <span className="text-soft">
                    {capped(today[name].week_before)} by this time last {weekday}
                  </span>
                </dd>
              </div>
            ))}
          </dl>
        );
      }}
    </Panel>
  );
}
