import type { UsageGroup, UsageRow } from '../../../../contracts/work/runs.ts';
import type { Phase } from '../../../../contracts/work/work.ts';
import { useRead } from '../../api/call.ts';
import { useMay } from '../../ui/Act.tsx';
import { Select } from '../../ui/Field.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { Empty, Panel } from '../../ui/Panel.tsx';
import { Picture } from '../../ui/Text.tsx';
import { counted } from '../../ui/words.ts';
import { RunBudgets } from './RunBudgets.tsx';
import { allDays, firstDay, money, tokensOf } from './model.ts';

interface Usage {
  rows: UsageRow[];
  total: Omit<UsageRow, 'key'>;
}
const groups: (readonly [UsageGroup, string])[] = [
  ['day', 'day'],
  ['phase', 'phase'],
  ['agent', 'agent'],
  ['task', 'task'],
];

/** What runs of coding agents used, and what they may use in a day. */
export function Runs({ days, by, onDays, onBy }: { days: string; by: string; onDays: (days: string) => void; onBy: (by: string) => void }) {
  const may = useMay();
  const group = groups.find(([one]) => one === by)?.[0] ?? 'day';
  const since = firstDay(Number(days) || 7, new Date());
  const usage = useRead<Usage>('work.usage.get', { by: group, since: `${since}T00:00:00Z`, limit: 100 });
  const phases = useRead<{ phases: Phase[] }>('work.phase.list', {}, group === 'phase' && may('work.phase.list') !== 'deny');
  const nameOf = ({ key }: UsageRow): string =>
    group === 'phase' ? `${key} ${phases.data?.phases.find(({ id }) => String(id) === key)?.name ?? ''}`.trim() : key;
  return (
    <div className="grid items-start gap-4">
      <Panel
        title="Usage of coding agents"
        query={usage}
        aside={
          <span className="my-1 flex gap-3">
            <Select label="By" value={group} onChange={onBy} options={groups} />
            <Select label="Days back" value={days} onChange={onDays} options={['1', '7', '30', '90']} />
          </span>
        }
      >
        {({ rows, total }) => {
          const shown = group === 'day' ? allDays(rows, since, new Date()) : rows;
          const most = Math.max(1, ...shown.map(tokensOf));
          if (total.runs === 0)
            return (
              <Empty command="npx signalbox work --phase 2 --agent claude">
                No coding agent has run in these days. On the machine of a repository:
              </Empty>
            );
          return (
            <div className="p-4">
              <Picture
                title={`Usage by ${group}`}
                description={`${counted(total.runs, 'run')}, ${tokensOf(total).toLocaleString('en')} tokens, ${money(total.cost_usd)}`}
                table={{
                  head: [group, 'Runs', 'Tokens in', 'Tokens out', 'From a cache', 'Cost', 'Minutes'],
                  rows: shown.map((row) => [
                    nameOf(row),
                    row.runs,
                    row.input_tokens.toLocaleString('en'),
                    row.output_tokens.toLocaleString('en'),
                    row.cached_tokens.toLocaleString('en'),
                    money(row.cost_usd),
                    Math.round(row.seconds / 60),
                  ]),
                }}
              >
                <ul className="mt-2 grid gap-1" aria-label={`Usage by ${group}`}>
                  {shown.map((row) => (
                    <li key={row.key} data-key={row.key} className="grid grid-cols-[8rem_minmax(0,1fr)] items-center gap-x-3">
                      <span className="min-w-0">
                        <Outside text={nameOf(row)} most={60} />
                      </span>
                      <span className="flex min-w-0 flex-wrap items-center gap-x-2">
                        <span
                          aria-hidden="true"
                          className="h-3 rounded-sm bg-route"
                          style={{ width: `${Math.round((tokensOf(row) / most) * 50)}%`, minWidth: row.runs > 0 ? 2 : 0 }}
                        />
                        <span>
                          {tokensOf(row).toLocaleString('en')} tokens
                          <span className="text-soft">
                            , {money(row.cost_usd)}, {counted(row.runs, 'run')}
                          </span>
                        </span>
                      </span>
                    </li>
                  ))}
                </ul>
              </Picture>
            </div>
          );
        }}
      </Panel>
      <RunBudgets />
    </div>
  );
}
