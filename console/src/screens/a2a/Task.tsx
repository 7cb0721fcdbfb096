import { useState } from 'react';
import type { A2aTaskDetail } from '../../../../contracts/agents/a2a-tools.ts';
import { useAct } from '../../api/act.ts';
import { useRead } from '../../api/call.ts';
import { ActButton, Outcome, useMay } from '../../ui/Act.tsx';
import { Aspect } from '../../ui/Aspect.tsx';
import { TextArea, useTyped } from '../../ui/Field.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { Facts } from '../../ui/Page.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { Id, Json, RecordLink } from '../../ui/Text.tsx';
import { Age } from '../../ui/Time.tsx';
import { aspectOf, isOver } from './model.ts';
import { worded } from '../../ui/words.ts';

type Part = A2aTaskDetail['artifacts'][number]['parts'][number];

/** One A2A task with all that was said; its states come by events. */
export function Task({ id }: { id: string }) {
  const found = useRead<{ task: A2aTaskDetail }>('agent.a2a.get', { task_id: id });
  return (
    <Panel title="A2A task" query={found}>
      {({ task }) => <Shown task={task} />}
    </Panel>
  );
}

function Shown({ task }: { task: A2aTaskDetail }) {
  const may = useMay();
  const [text, setText] = useTyped(`a2a answer ${task.task_id}`);
  const answer = useAct('agent.a2a.send', () => setText(''));
  const cancel = useAct('agent.a2a.cancel');
  const said = [...task.history, ...(task.answer ? [task.answer] : [])];
  const waits = task.state === 'input_required' || task.state === 'auth_required';
  return (
    <>
      <Facts
        rows={[
          ['State', <Aspect is={aspectOf(task.state)}>{worded(task.state)}</Aspect>],
          ['Changed', <Age at={task.changed_at} />],
          ['Id', <Id>{task.task_id}</Id>],
          ['Requested by', <Outside text={task.asked_by} />],
          ['Skill', task.skill],
          ['Tool', task.tool],
          ['On the board', task.work_task_id && <RecordLink type="task" id={task.work_task_id} />],
        ]}
      />
      <ol aria-label="Messages" className="grid gap-3 border-t border-line p-4">
        {said.map(({ messageId, role, parts }) => (
          <li key={messageId} className={`rounded-card border border-line p-3 ${role === 'ROLE_USER' ? '' : 'bg-sunk'}`}>
            <p className="text-soft">{role === 'ROLE_USER' ? task.asked_by : 'Signalbox'}</p>
            <Parts parts={parts} />
          </li>
        ))}
      </ol>
      {task.artifacts.length > 0 && (
        <section aria-label="Artifacts" className="grid gap-3 border-t border-line p-4">
          {task.artifacts.map(({ artifactId, name, parts }) => (
            <div key={artifactId}>
              <h3>
                <Outside text={name ?? artifactId} />
              </h3>
              <Parts parts={parts} />
            </div>
          ))}
        </section>
      )}
      {!isOver(task.state) && (
        <section aria-label="Actions" className="grid gap-3 border-t border-line p-4">
          {waits && may('agent.a2a.send') !== 'deny' && (
            <>
              <TextArea label="Answer" value={text} onChange={setText} rows={2} />
              <div>
                <ActButton
                  tool="agent.a2a.send"
                  act={answer}
                  disabled={text.trim() === ''}
                  args={() => ({ task_id: task.task_id, text: text.trim() })}
                >
                  Answer
                </ActButton>
              </div>
              <Outcome act={answer} />
            </>
          )}
          <div>
            <ActButton
              tool="agent.a2a.cancel"
              act={cancel}
              args={() => ({ task_id: task.task_id })}
              confirm={{ title: 'Cancel this task?', text: 'The task ends; work that it has done stays.' }}
            >
              Cancel
            </ActButton>
          </div>
          <Outcome act={cancel} />
        </section>
      )}
    </>
  );
}

const Parts = ({ parts }: { parts: Part[] }) =>
  parts.map((part, i) =>
    part.text !== undefined ? (
      <Said key={i} text={part.text} />
    ) : part.data !== undefined ? (
      <Json key={i} value={part.data} label={`data ${i + 1}`} />
    ) : (
      <p key={i} className="font-mono text-xs">
        <Outside text={`${part.filename ?? part.url ?? 'file'} ${part.mediaType ?? ''}`} />
      </p>
    ),
  );

/** Longer texts are cut until somebody asks for all of them. */
const most = 2_000;

function Said({ text }: { text: string }) {
  const [all, setAll] = useState(false);
  return (
    <>
      <p className="whitespace-pre-wrap">
        <Outside text={text} most={all ? Infinity : most} />
      </p>
      {!all && text.length > most && (
        <button type="button" className="hit rounded text-route underline" onClick={() => setAll(true)}>
          Show all {text.length.toLocaleString('en')} characters
        </button>
      )}
    </>
  );
}
