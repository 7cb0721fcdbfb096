import { useState } from 'react';
import { useAct } from '../../api/act.ts';
import { usePages } from '../../api/call.ts';
import { ActButton, Outcome, useMay } from '../../ui/Act.tsx';
import { TextArea, TextField } from '../../ui/Field.tsx';
import { Empty, Panel } from '../../ui/Panel.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { Table, type Column } from '../../ui/Table.tsx';
import { listed } from './model.ts';

interface Capability {
  name: string;
  tools: string[];
  description: string;
}

const rows = ({ capabilities }: { capabilities: Capability[] }) => capabilities;
const columns: Column<Capability>[] = [
  { title: 'Capability', cell: ({ name }) => <code className="font-mono text-xs">{name}</code> },
  { title: 'Tools', cell: ({ tools }) => <code className="font-mono text-xs">{tools.join(', ')}</code> },
  { title: 'Description', cell: ({ description }) => <Outside text={description} />, wide: true },
];

/** Sets of tools that keys declare. */
export function Capabilities() {
  const may = useMay();
  const list = usePages('system.capability.list', {}, rows, may('system.capability.list') !== 'deny');
  const [form, setForm] = useState({ name: '', tools: '', description: '' });
  const save = useAct('system.capability.save', () => setForm({ name: '', tools: '', description: '' }));
  const edit = ({ name, tools, description }: Capability): void => setForm({ name, tools: tools.join('\n'), description });
  const change = may('system.capability.save') !== 'deny';
  return (
    <div className="grid gap-4">
      <div className="card">
        <Table
          label="capabilities"
          query={list}
          columns={columns}
          keyOf={({ name }) => name}
          {...(change ? { onOpen: edit } : {})}
          empty={<Empty>No custom capabilities. cap:DOMAIN covers the tools of a domain, cap:DOMAIN:read those that only read.</Empty>}
        />
      </div>
      {change && (
        <Panel title="Define a capability">
          {() => (
            <div className="grid max-w-2xl gap-3 p-4">
              <TextField label="Name" value={form.name} onChange={(name) => setForm({ ...form, name })} placeholder="cap:triage" />
              <TextArea
                label="Tools"
                mono
                value={form.tools}
                onChange={(tools) => setForm({ ...form, tools })}
                hint="Tool names, or prefixes that end in *. If empty, the name returns to its built-in meaning."
              />
              <TextField label="Description" value={form.description} onChange={(description) => setForm({ ...form, description })} />
              <div>
                <ActButton
                  tool="system.capability.save"
                  act={save}
                  disabled={form.name.trim() === ''}
                  args={() => ({ name: form.name.trim(), tools: listed(form.tools), description: form.description })}
                >
                  Save the capability
                </ActButton>
              </div>
              <Outcome act={save}>Saved.</Outcome>
            </div>
          )}
        </Panel>
      )}
    </div>
  );
}
