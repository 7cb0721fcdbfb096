import { useState } from 'react';
import type { RunBudget } from '../../../../contracts/work/runs.ts';
import { useAct } from '../../api/act.ts';
import { useRead } from '../../api/call.ts';
import { ActButton, Outcome, useMay } from '../../ui/Act.tsx';
import { Aspect } from '../../ui/Aspect.tsx';
import { TextField } from '../../ui/Field.tsx';
import { Empty, Panel } from '../../ui/Panel.tsx';
import { here, Table, type Column } from '../../ui/Table.tsx';
import { limitOf } from './model.ts';

const of = (used: number, limit: number | null, digits: number): string => {
  const shown = (n: number): string => n.toLocaleString('en', { maximumFractionDigits: digits });
  return `${shown(used)} of ${limit === null ? 'any number' : shown(limit)}`;
};

const columns: Column<RunBudget>[] = [
  { title: 'Phase', cell: ({ phase_id: phase }) => (phase === null ? 'all together' : phase) },
  { title: 'Tokens today', cell: ({ tokens_today, tokens_per_day }) => of(tokens_today, tokens_per_day, 0) },
  { title: 'USD today', cell: ({ usd_today, usd_per_day }) => of(usd_today, usd_per_day, 2) },
  { title: 'State', cell: ({ spent }) => <Aspect is={spent ? 'stop' : 'clear'}>{spent ? 'spent' : 'left'}</Aspect> },
];

/** What coding agents may use per day; when it is spent, runners get no new task. */
export function RunBudgets() {
  const may = useMay();
  const budgets = useRead<{ budgets: RunBudget[] }>('work.budget.get', {}, may('work.budget.get') !== 'deny');
  if (may('work.budget.get') === 'deny') return null;
  return (
    <Panel title="Budgets of coding agents" query={budgets}>
      {({ budgets: all }) => (
        <>
          <Table
            label="budgets"
            query={here(all)}
            columns={columns}
            keyOf={({ phase_id: phase }) => String(phase)}
            empty={<Empty>No budget limits what coding agents use.</Empty>}
          />
          {may('work.budget.set') !== 'deny' && <Edit />}
        </>
      )}
    </Panel>
  );
}

/** Absent, or greater than zero. */
const limit = (text: string): number | null | undefined => {
  const number = limitOf(text);
  return number === 0 ? undefined : number;
};

function Edit() {
  const [phase, setPhase] = useState('');
  const [tokens, setTokens] = useState('');
  const [usd, setUsd] = useState('');
  const save = useAct('work.budget.set');
  const [tokenLimit, usdLimit] = [limit(tokens), limit(usd)];
  const wrong = 'A number above 0, or nothing.';
  const noPhase = /^\d{0,9}$/.test(phase) ? undefined : 'The number of a phase, or nothing.';
  return (
    <div className="grid gap-3 p-4">
      <div className="grid gap-3 sm:grid-cols-3">
        <TextField label="Phase" value={phase} onChange={setPhase} hint="None: all phases together." error={noPhase} />
        <TextField
          label="Tokens per day"
          value={tokens}
          onChange={setTokens}
          hint="None: no limit."
          error={tokenLimit === undefined ? wrong : undefined}
        />
        <TextField
          label="USD per day"
          value={usd}
          onChange={setUsd}
          hint="None: no limit."
          error={usdLimit === undefined ? wrong : undefined}
        />
      </div>
      <ActButton
        tool="work.budget.set"
        act={save}
        className="justify-self-start"
        disabled={tokenLimit === undefined || usdLimit === undefined || noPhase !== undefined}
        args={() => ({
          ...(phase === '' ? {} : { phase_id: Number(phase) }),
          tokens_per_day: tokenLimit === null ? null : Math.round(tokenLimit!),
          usd_per_day: usdLimit,
        })}
      >
        Save the budget
      </ActButton>
      <Outcome act={save}>Saved. A budget without limits is removed.</Outcome>
    </div>
  );
}
