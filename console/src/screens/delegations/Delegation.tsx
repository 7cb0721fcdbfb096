import type { DelegatedTask, TaskResult } from '../../../../contracts/agents/delegations.ts';
import { useAct } from '../../api/act.ts';
import { useRead } from '../../api/call.ts';
import { ActButton, Outcome } from '../../ui/Act.tsx';
import { Aspect } from '../../ui/Aspect.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { Facts } from '../../ui/Page.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { Id, Json, RecordLink } from '../../ui/Text.tsx';
import { Age } from '../../ui/Time.tsx';
import { aspects, isOpen, progressText } from './model.ts';

/** One delegated task: with whom, until when, what came of it. */
export function Delegation({ direction, task_id }: Pick<DelegatedTask, 'direction' | 'task_id'>) {
  const found = useRead<{ task: DelegatedTask }>('agent.task.get', { task_id, direction });
  const cancel = useAct('agent.task.cancel');
  return (
    <Panel title="Delegated task" query={found}>
      {({ task }) => (
        <>
          <Facts
            rows={[
              ['Capability', <Outside key="c" text={task.capability_name} />],
              [
                'Status',
                <Aspect key="s" is={aspects[task.status]}>
                  {task.status}
                </Aspect>,
              ],
              ['From', <Agent key="f" id={task.source_agent} />],
              ['To', <Agent key="t" id={task.target_agent} />],
              isOpen(task) && ['Progress', <Outside key="p" text={progressText(task)} most={2_000} />],
              ['Deadline', <Age key="d" at={task.deadline} />],
              ['Created', <Age key="m" at={task.created_at} />],
              task.completed_at !== null && ['Ended', <Age key="e" at={task.completed_at} />],
              ['Priority', task.priority],
              task.work_task_id !== null && ['Task', <RecordLink key="w" type="task" id={task.work_task_id} />],
              task.session_id !== null && ['Session', <Id key="x">{task.session_id}</Id>],
              task.remote_id !== null && ['Remote id', <Id key="r">{task.remote_id}</Id>],
              ['Correlation', <Id key="k">{task.correlation_id}</Id>],
              ['Id', <Id key="i">{task.task_id}</Id>],
              task.error !== null && [
                'Error',
                <span key="o">
                  <code className="font-mono text-xs">{task.error.code}</code> <Outside text={task.error.message} most={2_000} />
                </span>,
              ],
            ]}
          />
          {isOpen(task) ? (
            <div className="px-4 pb-4">
              <ActButton
                tool="agent.task.cancel"
                act={cancel}
                args={() => ({ task_id })}
                className="text-stop"
                confirm={{
                  title: 'Cancel this task?',
                  text:
                    direction === 'sent'
                      ? 'The other agent is told to stop. Work that it has already done may remain.'
                      : 'The sender is told that the task was cancelled.',
                }}
              >
                Cancel the task
              </ActButton>
            </div>
          ) : (
            task.status === 'completed' && <Result id={task_id} />
          )}
          <Outcome act={cancel} />
        </>
      )}
    </Panel>
  );
}

const Agent = ({ id }: { id: string }) => (
  <RecordLink type="agent" id={id}>
    <Outside text={id} most={128} />
  </RecordLink>
);

function Result({ id }: { id: string }) {
  const { data } = useRead<TaskResult>('agent.task.get_result', { task_id: id, wait_seconds: 0 });
  if (data === undefined) return null;
  return (
    <div className="px-4 pb-4">
      <h3 className="mb-1 text-soft">Result</h3>
      <Json value={data.result ?? null} label="result" />
    </div>
  );
}
