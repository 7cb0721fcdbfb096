import { useState } from 'react';
import { useAct } from '../../api/act.ts';
import { useRead } from '../../api/call.ts';
import { ActButton, Outcome } from '../../ui/Act.tsx';
import { Select, TextField } from '../../ui/Field.tsx';
import { Facts } from '../../ui/Page.tsx';
import { Empty, Panel } from '../../ui/Panel.tsx';
import { here, Table, type Column } from '../../ui/Table.tsx';
import { limitOf, usedOf } from './model.ts';

interface Use {
  model: string | null;
  budget: { tokens_per_day: number | null; usd_per_day: number | null };
  today: { tokens: number; cost_usd: number };
  usage: {
    day: string;
    purpose: string;
    model: string;
    calls: number;
    failed: number;
    input_tokens: number;
    output_tokens: number;
    cost_usd: number;
  }[];
}

const columns: Column<Use['usage'][number]>[] = [
  { title: 'Day', cell: ({ day }) => day },
  { title: 'Purpose', cell: ({ purpose }) => purpose },
  { title: 'Calls', cell: ({ calls, failed }) => `${calls.toLocaleString('en')}${failed ? `, ${failed} failed` : ''}` },
  { title: 'Tokens', cell: ({ input_tokens, output_tokens }) => (input_tokens + output_tokens).toLocaleString('en') },
  { title: 'USD', cell: ({ cost_usd }) => cost_usd.toFixed(2), wide: true },
  { title: 'Model', cell: ({ model }) => model, wide: true },
];

function Used({ used, limit, unit }: { used: string; limit: number | null; unit: string }) {
  const part = usedOf(Number(used.replaceAll(',', '')), limit);
  return (
    <>
      {used} of {limit === null ? 'any number' : limit.toLocaleString('en')} {unit}
      {part !== null && (
        <progress className="ml-2 h-2 w-32 align-middle accent-route" max={100} value={part} aria-label={`${unit} used today`}>
          {part} %
        </progress>
      )}
    </>
  );
}

/** The language model, what was used of it, and what it may use in a day. */
export function Budget({ days, onDays }: { days: string; onDays: (days: string) => void }) {
  const use = useRead<Use>('system.model.get', { days: Number(days) || 7 });
  return (
    <div className="grid items-start gap-4 lg:grid-cols-2">
      <Panel title="Today (UTC)" query={use}>
        {({ model, budget, today }) => (
          <Facts
            rows={[
              ['Model', model ?? 'none: everything is done by extraction'],
              ['Tokens', <Used used={today.tokens.toLocaleString('en')} limit={budget.tokens_per_day} unit="tokens" />],
              ['Cost', <Used used={today.cost_usd.toFixed(2)} limit={budget.usd_per_day} unit="USD" />],
            ]}
          />
        )}
      </Panel>
      <Panel title="Budget of a day" query={use}>
        {({ budget }) => <Edit key={JSON.stringify(budget)} budget={budget} />}
      </Panel>
      <Panel
        title="Usage"
        query={use}
        className="lg:col-span-2"
        aside={<Select label="Days back" value={days} onChange={onDays} options={['1', '7', '30', '90']} className="my-1" />}
      >
        {({ usage }) => (
          <Table
            label="usage"
            query={here(usage)}
            columns={columns}
            keyOf={(row) => `${row.day} ${row.purpose} ${row.model}`}
            empty={<Empty>The language model was not used in these days.</Empty>}
          />
        )}
      </Panel>
    </div>
  );
}

const typed = (limit: number | null): string => (limit === null ? '' : String(limit));

function Edit({ budget }: { budget: Use['budget'] }) {
  const [tokens, setTokens] = useState(typed(budget.tokens_per_day));
  const [usd, setUsd] = useState(typed(budget.usd_per_day));
  const save = useAct('system.budget.save');
  const [tokenLimit, usdLimit] = [limitOf(tokens), limitOf(usd)];
  const wrong = 'A number from 0, or nothing.';
  return (
    <div className="grid gap-3 p-4">
      <TextField
        label="Tokens"
        value={tokens}
        onChange={setTokens}
        hint="None: no limit. 0 switches the model off."
        error={tokenLimit === undefined ? wrong : undefined}
      />
      <TextField label="USD" value={usd} onChange={setUsd} hint="None: no limit." error={usdLimit === undefined ? wrong : undefined} />
      <div className="flex flex-wrap gap-3">
        <ActButton
          tool="system.budget.save"
          act={save}
          disabled={tokenLimit === undefined || usdLimit === undefined}
          args={() => ({ tokens_per_day: tokenLimit === null ? null : Math.round(tokenLimit!), usd_per_day: usdLimit })}
        >
          Save the budget
        </ActButton>
        <ActButton tool="system.budget.save" act={save} args={() => ({ use_default: true })}>
          Use the server’s default
        </ActButton>
      </div>
      <Outcome act={save}>Saved.</Outcome>
    </div>
  );
}
