import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { FactorName, OpportunityDetails } from '../../../../contracts/signals/opportunities.ts';
import { useAct } from '../../api/act.ts';
import { useShortcuts } from '../../keys.ts';
import { ActButton, Outcome, useMay } from '../../ui/Act.tsx';
import { TextArea, TextField } from '../../ui/Field.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { Picture } from '../../ui/Text.tsx';
import { Age } from '../../ui/Time.tsx';
import { placeOf, rounded, signed, stepsOf } from './model.ts';
import { worded } from '../../ui/words.ts';

const tool = 'opportunity.factor.set';

/** The score as a product, and each factor with its computed value and its override. */
export function Factors({ opportunity }: { opportunity: OpportunityDetails }) {
  const { factors, opportunity_id, score } = opportunity;
  const [at, setAt] = useState<FactorName>('impact');
  const [editing, setEditing] = useState<FactorName | null>(null);
  const steps = stepsOf(factors);
  const place = placeOf(steps);
  const may = useMay()(tool);
  const clear = useAct(tool);
  const set = useAct(tool, () => setEditing(null));
  const own = factors[at].override;
  const now = useRef({ at, own: own !== undefined, busy: clear.busy });
  useLayoutEffect(() => {
    now.current = { at, own: own !== undefined, busy: clear.busy };
  });
  const allowed = may !== 'deny' && !opportunity.closed;
  const { run } = clear;
  useShortcuts(
    useMemo(
      () =>
        allowed
          ? [
              {
                keys: 'u',
                label: 'Reset the chosen factor to its computed value',
                run: () => {
                  const { at: factor, own: set2, busy } = now.current;
                  if (set2 && !busy) void run({ opportunity_id, factor, value: null });
                },
              },
            ]
          : [],
      [allowed, opportunity_id, run],
    ),
  );
  return (
    <Panel title="Score" aside={<span className="text-lg">{rounded(score)}</span>}>
      {() => (
        <div className="grid gap-3 p-4">
          <Picture
            title="Factors of the score"
            description="Each factor multiplies the product, effort divides it; bars on a logarithmic scale."
            table={{
              head: ['Factor', 'Value', 'Computed', 'Change of the product', 'Product'],
              rows: steps.map(({ factor, value, before, after }) => [
                worded(factor),
                rounded(value),
                rounded(factors[factor].computed),
                signed(after - before),
                rounded(after),
              ]),
            }}
          >
            <ul aria-label="Factors" className="grid gap-1">
              {steps.map(({ factor, value, before, after }) => {
                const [from, to] = [place(before), place(after)].toSorted((a, b) => a - b);
                const change = signed(after - before);
                const sign = factor === 'effort' ? '÷' : '×';
                return (
                  <li key={factor}>
                    <button
                      type="button"
                      aria-pressed={factor === at}
                      aria-label={`${worded(factor)} ${sign} ${rounded(value)} ${change}, the product is ${rounded(after)}`}
                      data-factor={factor}
                      className={`hit grid w-full grid-cols-[9rem_3.5rem_minmax(0,1fr)_4.5rem] gap-2 rounded px-2 text-left max-sm:grid-cols-[7rem_3rem_minmax(0,1fr)_4rem] ${factor === at ? 'bg-sunk' : 'hover:bg-sunk'}`}
                      onClick={() => setAt(factor)}
                      onKeyDown={(event) => {
                        const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
                        const next = steps[steps.findIndex((step) => step.factor === factor) + by];
                        if (by === 0 || !next) return;
                        event.preventDefault();
                        setAt(next.factor);
                        event.currentTarget.closest('ul')?.querySelector<HTMLElement>(`[data-factor=${next.factor}]`)?.focus();
                      }}
                    >
                      <span>
                        {worded(factor)}
                        {factors[factor].override && (
                          <span aria-hidden="true" title="Set by a person">
                            {' '}
                            ✎
                          </span>
                        )}
                      </span>
                      <span className="text-right">
                        {sign} {rounded(value)}
                      </span>
                      <svg viewBox="0 0 100 16" preserveAspectRatio="none" className="h-4 w-full" aria-hidden="true">
                        <path d="M0 15.5H100" stroke="var(--color-line)" />
                        <rect
                          x={from! * 98}
                          y="2"
                          width={Math.max(1, (to! - from!) * 98)}
                          height="12"
                          fill={after >= before ? 'var(--color-proceed)' : 'var(--color-stop)'}
                        />
                      </svg>
                      <span className="text-right">{change}</span>
                    </button>
                  </li>
                );
              })}
            </ul>
          </Picture>
          <section aria-label={worded(at)} className="grid gap-2 border-t border-line pt-3">
            <h3>{worded(at)}</h3>
            <p>
              Computed {rounded(factors[at].computed)}: <Outside text={factors[at].reason} most={600} />
            </p>
            {own && (
              <p className="border-l-4 border-token pl-3">
                {own.set_by} says {rounded(own.value)} <Age at={own.set_at} />
                {own.reason === null ? '' : ': '}
                {own.reason !== null && <Outside text={own.reason} most={600} />}
              </p>
            )}
            {allowed && (
              <div className="flex flex-wrap gap-3">
                <button type="button" className="control" onClick={() => setEditing(at)}>
                  Override
                </button>
                {own && (
                  <ActButton tool={tool} act={clear} args={() => ({ opportunity_id, factor: at, value: null })} keys="u" label={worded(at)}>
                    Reset to computed
                  </ActButton>
                )}
              </div>
            )}
            <Outcome act={clear} />
          </section>
          {editing && <Override key={editing} factor={editing} opportunity={opportunity} act={set} onClose={() => setEditing(null)} />}
        </div>
      )}
    </Panel>
  );
}

function Override({
  factor,
  opportunity: { opportunity_id, factors },
  act,
  onClose,
}: {
  factor: FactorName;
  opportunity: OpportunityDetails;
  act: ReturnType<typeof useAct>;
  onClose: () => void;
}) {
  const [value, setValue] = useState(String(factors[factor].value));
  const [reason, setReason] = useState(factors[factor].override?.reason ?? '');
  const number = Number(value.replace(',', '.'));
  const fits = value.trim() !== '' && Number.isFinite(number);
  return (
    <Dialog open onClose={onClose} title={`What is the ${worded(factor)}?`}>
      <p>The evidence gives {rounded(factors[factor].computed)}. Your value stays when statements are added or removed.</p>
      <TextField
        label="Value"
        value={value}
        onChange={setValue}
        hint={factor === 'confidence' ? '0 to 1' : factor === 'effort' ? '0.5 to 10' : '0 to 10'}
        error={fits ? undefined : 'A number'}
      />
      <TextArea label="Why" value={reason} onChange={setReason} rows={3} />
      <Outcome act={act} />
      <div className="flex justify-end gap-3">
        <button type="button" className="control" onClick={onClose}>
          Cancel
        </button>
        <ActButton
          tool={tool}
          act={act}
          disabled={!fits}
          args={() => ({ opportunity_id, factor, value: number, ...(reason.trim() ? { reason: reason.trim() } : {}) })}
        >
          Set
        </ActButton>
      </div>
    </Dialog>
  );
}
