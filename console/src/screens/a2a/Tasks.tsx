import { useState } from 'react';
import type { A2aState } from '../../../../contracts/agents/a2a.ts';
import type { A2aTaskDetail, A2aTaskView } from '../../../../contracts/agents/a2a-tools.ts';
import { useAct } from '../../api/act.ts';
import { usePages } from '../../api/call.ts';
import { ActButton, Outcome, useMay } from '../../ui/Act.tsx';
import { Aspect } from '../../ui/Aspect.tsx';
import { Filters, Select, TextArea, TextField, useTyped } from '../../ui/Field.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { Split } from '../../ui/Page.tsx';
import { Empty, NoMatch, Panel } from '../../ui/Panel.tsx';
import { Table, type Column } from '../../ui/Table.tsx';
import { Age } from '../../ui/Time.tsx';
import type { A2aUrl } from './A2a.tsx';
import { aspectOf, messageOf } from './model.ts';
import { Task } from './Task.tsx';
import { worded } from '../../ui/words.ts';

const states: A2aState[] = ['submitted', 'working', 'input_required', 'auth_required', 'completed', 'failed', 'canceled', 'rejected'];
const rows = ({ tasks }: { tasks: A2aTaskView[] }) => tasks;

const columns: Column<A2aTaskView>[] = [
  { title: 'Message', cell: ({ first_text, task_id }) => <Outside text={first_text || task_id} most={100} /> },
  { title: 'State', cell: ({ state }) => <Aspect is={aspectOf(state)}>{worded(state)}</Aspect>, className: 'sm:whitespace-nowrap' },
  { title: 'Skill', cell: ({ skill, tool }) => skill ?? tool, wide: true },
  { title: 'By', cell: ({ asked_by }) => <Outside text={asked_by} most={60} />, wide: true },
  { title: 'Changed', cell: ({ changed_at }) => <Age at={changed_at} /> },
];

export function Tasks({ url, set }: { url: A2aUrl; set: (change: Partial<A2aUrl>) => void }) {
  const may = useMay();
  const tasks = usePages('agent.a2a.list', url.state ? { state: url.state } : {}, rows);
  return (
    <div className="grid gap-4">
      {may('agent.a2a.send') !== 'deny' && <Send skill={url.skill} onSkill={(skill) => set({ skill })} onSent={(id) => set({ id })} />}
      <Split
        wide
        onBack={() => set({ id: '' })}
        list={
          <div>
            <Filters>
              <Select
                label="State"
                value={url.state}
                onChange={(state) => set({ state })}
                options={['', ...states.map((state) => [state as string, worded(state)] as const)]}
              />
            </Filters>
            <div className="card">
              <Table
                label="A2A tasks"
                query={tasks}
                columns={url.id ? columns.filter(({ wide }) => !wide) : columns}
                keyOf={({ task_id }) => task_id}
                open={url.id}
                onOpen={({ task_id }) => set({ id: task_id })}
                empty={
                  url.state ? <NoMatch onClear={() => set({ state: '' })} /> : <Empty>No messages from peers. Send a message above.</Empty>
                }
              />
            </div>
          </div>
        }
        detail={url.id ? <Task key={url.id} id={url.id} /> : null}
      />
    </div>
  );
}

function Send({ skill, onSkill, onSent }: { skill: string; onSkill: (skill: string) => void; onSent: (id: string) => void }) {
  const [text, setText] = useTyped('a2a text');
  const [json, setJson] = useState('{}');
  const act = useAct('agent.a2a.send', (answer) => {
    setText('');
    onSent((answer.data as { task: A2aTaskDetail }).task.task_id);
  });
  const message = messageOf(text, skill, json);
  const fault = 'fault' in message ? message.fault : undefined;
  return (
    <Panel title="Send a message">
      {() => (
        <div className="grid gap-3 p-4">
          <div className="grid gap-3 lg:grid-cols-2">
            <TextArea label="Text" value={text} onChange={setText} rows={3} hint="As a peer would write to this platform." />
            <div className="grid content-start gap-3">
              <TextField
                label="Skill"
                value={skill}
                onChange={onSkill}
                placeholder="none: chosen by the text"
                hint="The id of a skill of the card."
              />
              {skill !== '' && (
                <TextArea
                  label="Arguments of the skill"
                  value={json}
                  onChange={setJson}
                  rows={3}
                  mono
                  error={text || json ? fault : undefined}
                />
              )}
            </div>
          </div>
          <div>
            <ActButton tool="agent.a2a.send" act={act} disabled={fault !== undefined} args={() => ('args' in message ? message.args : {})}>
              Send
            </ActButton>
          </div>
          <Outcome act={act} />
        </div>
      )}
    </Panel>
  );
}
