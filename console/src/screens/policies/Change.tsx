import { useState } from 'react';
import type { PolicyDefinition, PolicyEffect } from '../../../../contracts/governance/policy.ts';
import type { WhatIf as Answer } from '../../../../contracts/governance/what-if.ts';
import { useAct } from '../../api/act.ts';
import { useRead } from '../../api/call.ts';
import type { Url } from '../../url.ts';
import { ActButton, Outcome } from '../../ui/Act.tsx';
import { Select, TextArea, TextField, useTyped } from '../../ui/Field.tsx';
import { Code } from '../../ui/LazyCode.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { toast } from '../../ui/toasts.tsx';
import { draftOf, effects, levels, moved, same, type Rule, type Version } from './model.ts';
import { Cel, Effect } from './parts.tsx';
import { useRested } from './rested.ts';
import { WhatIf, whatIfArgs, type Who } from './WhatIf.tsx';

/** A draft of a policy, what it would do, and saving it: only what was looked at is saved. */
export function Change({
  name,
  saved,
  url,
  set,
  type,
}: {
  name: string;
  saved: Version;
  url: Who & { tab: string; v: string };
  set: (change: Partial<Who> & { tab?: string; v?: string }) => void;
  type: Url<Who>[2];
}) {
  const [text, setText] = useTyped(`policy ${name}`);
  const [note, setNote] = useTyped(`policy-note ${name}`);
  const draft = draftOf(text) ?? saved.definition;
  const changed = !same(draft, saved.definition);
  const put = (next: PolicyDefinition): void => setText(same(next, saved.definition) ? '' : JSON.stringify(next));
  const save = useAct('system.policy.save', () => {
    setText('');
    setNote('');
    toast(`A new version of ${name} is in force.`);
    set({ tab: 'versions', v: '' });
  });
  const args = whatIfArgs(name, changed ? draft : undefined, url);
  const rested = useRested(args);
  const found = useRead<Answer>('system.policy.simulate', rested);
  const looked = found.isSuccess && !found.isFetching && JSON.stringify(args) === JSON.stringify(rested);
  return (
    <div className="grid items-start gap-4 xl:grid-cols-2">
      <div className="grid gap-4">
        <Panel
          title="Draft"
          aside={
            changed && (
              <button type="button" className="control" onClick={() => setText('')}>
                Discard
              </button>
            )
          }
        >
          {() => (
            <div className="grid gap-3 p-4">
              <Select
                label="Level when no rule matches"
                value={draft.base}
                onChange={(base) => put({ ...draft, base })}
                options={(Object.keys(levels) as PolicyDefinition['base'][]).map((level) => [level, levels[level]] as const)}
              />
              <label className="hit gap-2">
                <input
                  type="checkbox"
                  className="size-4"
                  checked={Boolean(draft.four_eyes)}
                  onChange={({ target }) => put({ ...draft, four_eyes: target.checked })}
                />
                The requester of a call may not approve it
              </label>
              <Rules rules={draft.rules} onChange={(rules) => put({ ...draft, rules })} />
            </div>
          )}
        </Panel>
        <Panel title="Save">
          {() => (
            <div className="grid gap-3 p-4">
              <TextArea label="Note: what was changed, and why" value={note} onChange={setNote} rows={2} />
              <div className="flex flex-wrap items-center gap-3">
                <ActButton
                  tool="system.policy.save"
                  act={save}
                  disabled={!changed || !looked}
                  args={() => ({
                    name,
                    base: draft.base,
                    rules: draft.rules,
                    four_eyes: Boolean(draft.four_eyes),
                    ...(note.trim() ? { note: note.trim() } : {}),
                  })}
                >
                  {`Save as version ${saved.version + 1}`}
                </ActButton>
                <span className="text-soft">
                  {!changed
                    ? 'Nothing is changed yet.'
                    : found.isError
                      ? 'It cannot be saved as it is.'
                      : looked
                        ? ''
                        : 'The effect of the draft is being computed.'}
                </span>
              </div>
              <Outcome act={save} />
            </div>
          )}
        </Panel>
      </div>
      <WhatIf query={found} url={url} set={set} type={type} changed={changed} />
    </div>
  );
}

const fresh: Rule = { when: 'tool.effect == "destructive" && caller.kind == "agent"', effect: 'ask', reason: '' };

function Rules({ rules, onChange }: { rules: Rule[]; onChange: (rules: Rule[]) => void }) {
  const [open, setOpen] = useState(-1);
  const put = (at: number, change: Partial<Rule>): void => onChange(rules.map((rule, i) => (i === at ? { ...rule, ...change } : rule)));
  const move = (at: number, step: -1 | 1): void => {
    onChange(moved(rules, at, step));
    setOpen(-1);
  };
  return (
    <div className="grid gap-2">
      <h3 className="font-semibold">Rules, in order: the first that matches decides</h3>
      <ol className="grid gap-2">
        {rules.map((rule, i) => (
          <li key={i} className="rounded-card border border-line p-3">
            <div className="flex flex-wrap items-start gap-x-3 gap-y-1">
              <span className="text-soft">rule {i + 1}</span>
              <Effect is={rule.effect} />
              <span className="min-w-0 flex-1 basis-40">{open !== i && <Cel text={rule.when} />}</span>
              <span className="flex gap-1">
                <button
                  type="button"
                  className="control"
                  aria-label={`Rule ${i + 1} earlier`}
                  disabled={i === 0}
                  onClick={() => move(i, -1)}
                >
                  ↑
                </button>
                <button
                  type="button"
                  className="control"
                  aria-label={`Rule ${i + 1} later`}
                  disabled={i === rules.length - 1}
                  onClick={() => move(i, 1)}
                >
                  ↓
                </button>
                <button
                  type="button"
                  className="control"
                  aria-expanded={open === i}
                  aria-label={`Edit rule ${i + 1}`}
                  onClick={() => setOpen(open === i ? -1 : i)}
                >
                  {open === i ? 'Done' : 'Edit'}
                </button>
                <button
                  type="button"
                  className="control"
                  aria-label={`Remove rule ${i + 1}`}
                  onClick={() => {
                    onChange(rules.filter((_, at) => at !== i));
                    setOpen(-1);
                  }}
                >
                  Remove
                </button>
              </span>
            </div>
            {open === i && (
              <div className="mt-3 grid gap-3">
                <div className="grid gap-1">
                  <p className="text-soft">When (CEL over tool, caller and session)</p>
                  <Code label={`Condition of rule ${i + 1}`} language="cel" value={rule.when} onChange={(when) => put(i, { when })} />
                </div>
                <Select label="Then" value={rule.effect} onChange={(effect: PolicyEffect) => put(i, { effect })} options={effects} />
                <TextField
                  label="Reason, shown to the caller"
                  value={rule.reason}
                  onChange={(reason) => put(i, { reason })}
                  error={rule.reason.trim() === '' ? 'A rule needs a reason.' : undefined}
                />
              </div>
            )}
          </li>
        ))}
      </ol>
      <div>
        <button
          type="button"
          className="control"
          disabled={rules.length >= 100}
          onClick={() => {
            onChange([...rules, fresh]);
            setOpen(rules.length);
          }}
        >
          Add a rule
        </button>
      </div>
    </div>
  );
}
