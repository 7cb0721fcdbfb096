import { useState } from 'react';
import type { Saved } from '../../../../contracts/knowledge/memory.ts';
import { useAct } from '../../api/act.ts';
import { ActButton, Outcome } from '../../ui/Act.tsx';
import { Select } from '../../ui/Field.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { Fields, today, useForm } from './Fields.tsx';
import { MemoryLink } from './MemoryLink.tsx';
import { emptyForm, faultsOf, finders, saveArgs, scopes } from './model.ts';

const tool = 'memory.record.save';

/** Saves what somebody writes. */
export function Remember() {
  const [form, change] = useForm('memory new', emptyForm);
  const [scope, setScope] = useState<(typeof scopes)[number][0]>('team');
  const [touched, setTouched] = useState(false);
  const act = useAct(tool, () => {
    change({ content: '' });
    setTouched(false);
  });
  const faulty = Object.keys(faultsOf(form, today())).length > 0;
  return (
    <Panel title="Remember something">
      {() => (
        <div className="grid gap-3 p-4">
          <Fields
            form={form}
            change={(more) => {
              setTouched(true);
              change(more);
            }}
            touched={touched}
          />
          <div className="flex flex-wrap items-end gap-3">
            <Select
              label="Whose"
              value={scope}
              onChange={setScope}
              options={scopes}
              hint={`Found by ${finders[scope]}`}
              className="flex-1 basis-60"
            />
            <ActButton tool={tool} act={act} args={() => saveArgs(form, scope)} disabled={faulty} className="border-route">
              Remember it
            </ActButton>
          </div>
          <Outcome act={act}>
            {act.state.is === 'done' && <Told saved={act.state.answer.data as Saved} warnings={act.state.answer.warnings} />}
          </Outcome>
        </div>
      )}
    </Panel>
  );
}

function Told({ saved, warnings }: { saved: Saved; warnings: string[] }) {
  return (
    <>
      <p>
        {saved.status === 'saved' ? 'It is remembered.' : 'The same was remembered before: it keeps the later expiry and the tags of both.'}{' '}
        <MemoryLink id={saved.memory_id}>Open it</MemoryLink>
      </p>
      {warnings.map((warning) => (
        <p key={warning} className="text-soft">
          <Outside text={warning} />
        </p>
      ))}
    </>
  );
}
