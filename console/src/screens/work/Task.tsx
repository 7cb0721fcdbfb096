import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { Board } from '../../../../contracts/work/board.ts';
import type { PullRequest as Pull, TaskIssue } from '../../../../contracts/work/trackers.ts';
import type { Comment, Phase, Task as TaskRecord, TaskLink } from '../../../../contracts/work/work.ts';
import { ask, useRead } from '../../api/call.ts';
import { CallError } from '../../api/errors.ts';
import { told } from '../../api/live.ts';
import { queries } from '../../api/queries.ts';
import { useShortcuts } from '../../keys.ts';
import { useUrl } from '../../url.ts';
import { useMay } from '../../ui/Act.tsx';
import { Aspect } from '../../ui/Aspect.tsx';
import { Markdown } from '../../ui/Markdown.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { Facts, Page } from '../../ui/Page.tsx';
import { Failure, NoRight, Panel, Skeleton } from '../../ui/Panel.tsx';
import { Id, Json, RecordLink } from '../../ui/Text.tsx';
import { Age } from '../../ui/Time.tsx';
import { Actions } from './Actions.tsx';
import { Comments } from './Comments.tsx';
import { History } from './History.tsx';
import { Issue } from './Issue.tsx';
import { Lease, Priority } from './Lease.tsx';
import { columns, headline } from './model.ts';
import { Runs } from './Runs.tsx';
import { movesOf, type Move } from './moves.ts';
import { PullRequest } from './PullRequest.tsx';
import { statusAspects } from './status.ts';

type Whole = TaskRecord & {
  comments: Comment[];
  blockers: TaskLink[];
  dependants: TaskLink[];
  issue: TaskIssue | null;
  pull_request: Pull | null;
};
const defaults = { show: 'all', run: '', part: '' };
/** Events of one task come together. */
const gatherMs = 200;

/** What its events make stale: the task and its history. */
function useFollowed(id: string, others: string[]): void {
  const ids = useRef(new Set<string>());
  useLayoutEffect(() => {
    ids.current = new Set([id, ...others]);
  });
  useEffect(() => {
    let timer: number | undefined;
    const off = told.on((events) => {
      if (!events.some(({ type, subject }) => type === 'work.task_changed' && ids.current.has(subject))) return;
      timer ??= window.setTimeout(() => {
        timer = undefined;
        void queries.invalidateQueries({
          predicate: ({ queryKey }) =>
            /^work\.task\.(get|history)$/.test(String(queryKey[1])) && (queryKey[2] as { task_id?: string } | undefined)?.task_id === id,
        });
      }, gatherMs);
    });
    return () => {
      off();
      window.clearTimeout(timer);
    };
  }, [id]);
}

/** The tasks before and after it in its column, as the board was read last. */
function neighbours(id: string): { before?: string | undefined; after?: string | undefined } {
  for (const [, board] of queries.getQueriesData<Board>({ queryKey: ['tool', 'work.board.get'] })) {
    for (const column of board ? columns : []) {
      const at = board!.columns[column].findIndex((task) => task.id === id);
      if (at >= 0) return { before: board!.columns[column][at - 1]?.id, after: board!.columns[column][at + 1]?.id };
    }
  }
  return {};
}

export default function Task() {
  const { id } = useParams({ strict: false }) as { id: string };
  const [url, set] = useUrl(defaults);
  const may = useMay();
  const navigate = useNavigate();
  const [move, setMove] = useState<Move | null>(null);
  const query = useQuery({
    queryKey: ['tool', 'work.task.get', { task_id: id }, 'answer'],
    enabled: may('work.task.get') !== 'deny',
    queryFn: async ({ signal }) => {
      const { data, refs } = await ask('work.task.get', { task_id: id }, { signal });
      return { task: (data as { task: Whole }).task, process: refs.find(({ type, url: at }) => type === 'workflow' && at)?.url };
    },
  });
  const task = query.data?.task;
  useFollowed(
    id,
    [...(task?.blockers ?? []), ...(task?.dependants ?? [])].map((one) => one.id),
  );
  useShortcuts(
    useMemo(() => {
      const go = (side: 'before' | 'after') => (): void => {
        const next = neighbours(id)[side];
        if (next) void navigate({ to: '/console/work/$id', params: { id: next } });
      };
      return [
        { keys: '[', label: 'Previous task of its column', run: go('before') },
        { keys: ']', label: 'Next task of its column', run: go('after') },
      ];
    }, [id, navigate]),
  );
  const above = (
    <Link to="/console/work" className="hit">
      Work
    </Link>
  );
  if (may('work.task.get') === 'deny') {
    return (
      <Page title="Task" above={above}>
        <NoRight tool="work.task.get" scope="work:read" />
      </Page>
    );
  }
  if (task === undefined) {
    const missing = query.error instanceof CallError && query.error.code === 'NOT_FOUND';
    return (
      <Page title="Task" above={above}>
        {missing ? (
          <p className="card p-4">
            No task has the id <code className="font-mono text-xs">{id}</code> here. It may belong to another tenant.
          </p>
        ) : query.isError ? (
          <Failure error={query.error} retry={() => void query.refetch()} />
        ) : (
          <Skeleton />
        )}
      </Page>
    );
  }
  const moves = movesOf(task).filter(({ tool }) => may(tool) !== 'deny');
  return (
    <Page
      title={headline(task.description).slice(0, 200)}
      above={above}
      actions={<Aspect is={statusAspects[task.status]}>{task.status.replace('_', ' ')}</Aspect>}
    >
      {query.isError && <Failure error={query.error} retry={() => void query.refetch()} />}
      <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <div className="grid min-w-0 gap-4">
          <Panel title="Description">
            {() => (
              <div className="px-4 py-2">
                <Markdown text={task.description} />
              </div>
            )}
          </Panel>
          <Done id={task.phase_id} />
          {(task.progress ?? task.result ?? task.failure) !== null && (
            <Panel title="Outcome">
              {() => (
                <div className="grid gap-3 p-4">
                  {task.failure !== null && (
                    <p className="border-l-4 border-stop pl-3">
                      <Outside text={task.failure} most={4_000} />
                    </p>
                  )}
                  {task.result !== null && <Markdown text={task.result} />}
                  {task.progress !== null && (
                    <p className="text-soft">
                      Progress: <Outside text={task.progress} most={4_000} />
                    </p>
                  )}
                </div>
              )}
            </Panel>
          )}
          <Comments id={id} comments={task.comments} />
        </div>
        <div className="grid min-w-0 gap-4">
          <Panel title="Facts">
            {() => (
              <Facts
                rows={[
                  ['Id', <Id key="id">{task.id}</Id>],
                  ['Priority', <Priority key="p" is={task.priority} />],
                  task.assigned_agent_id !== null && [
                    'Holder',
                    <RecordLink key="a" type="agent" id={task.assigned_agent_id}>
                      <Outside text={task.assigned_agent_id} most={80} />
                    </RecordLink>,
                  ],
                  task.status === 'in_progress' && ['Lease', <Lease key="l" task={task} />],
                  ['Attempts', `${task.attempts} of ${task.max_attempts}`],
                  ['Review', task.needs_review ? 'waits for approval before it is done' : 'none'],
                  task.issue !== null && ['Issue', <Issue key="i" is={task.issue} />],
                  task.pull_request !== null && ['Pull request', <PullRequest key="r" is={task.pull_request} />],
                  task.tags.length > 0 && ['Tags', <Outside key="t" text={task.tags.join(', ')} />],
                  [
                    'Created',
                    <span key="c">
                      <Age at={task.created_at} /> by <Outside text={task.created_by} most={60} />
                    </span>,
                  ],
                  task.completed_at !== null && ['Completed', <Age key="d" at={task.completed_at} />],
                  task.ended_by !== null && ['Ended by', `${task.ended_by}${task.ended_as ? `, as ${task.ended_as}` : ''}`],
                  query.data?.process !== undefined && [
                    'Process',
                    <a key="w" href={query.data.process} className="hit">
                      Open in Temporal
                    </a>,
                  ],
                ]}
              />
            )}
          </Panel>
          {moves.length > 0 && (
            <Panel title="Actions">
              {() => (
                <div className="flex flex-wrap gap-3 p-4">
                  {moves.map((one) => (
                    <button key={one.verb} type="button" className="control" onClick={() => setMove(one)}>
                      {may(one.tool) === 'ask' ? `Ask to ${one.verb.toLowerCase()}` : one.verb}
                    </button>
                  ))}
                </div>
              )}
            </Panel>
          )}
          <Links title="Blocked by" tasks={task.blockers} />
          <Links title="Dependants" tasks={task.dependants} />
          {Object.keys(task.metadata).length > 0 && (
            <Panel title="Metadata">
              {() => (
                <div className="p-4">
                  <Json value={task.metadata} label="metadata" />
                </div>
              )}
            </Panel>
          )}
        </div>
      </div>
      <div className="mt-4 grid min-w-0 gap-4">
        <Runs
          task={id}
          comments={task.comments}
          open={url.run}
          part={url.part}
          onOpen={(run) => set({ run, part: '' })}
          onPart={(part) => set({ part })}
        />
        {may('work.task.history') !== 'deny' && <History id={id} show={url.show} onShow={(show) => set({ show })} />}
      </div>
      {move && <Actions task={task} chosen={move} onClose={() => setMove(null)} onAsking={() => {}} />}
    </Page>
  );
}

/** When the phase counts as done. */
function Done({ id }: { id: number }) {
  const phase = useRead<{ phase: Phase }>('work.phase.get', { phase_id: id });
  if (phase.data && phase.data.phase.done_definitions.length === 0) return null;
  return (
    <Panel title="Done when" query={phase}>
      {({ phase: { name, done_definitions: all } }) => (
        <div className="p-4">
          <p className="text-soft">
            Phase {id}: <Outside text={name} />
          </p>
          <ul className="mt-1 grid gap-1">
            {all.map((text) => (
              <li key={text} className="flex gap-2">
                <span aria-hidden="true">☐</span>
                <Outside text={text} most={1_000} />
              </li>
            ))}
          </ul>
        </div>
      )}
    </Panel>
  );
}

function Links({ title, tasks }: { title: string; tasks: TaskLink[] }) {
  if (tasks.length === 0) return null;
  return (
    <Panel title={title}>
      {() => (
        <ul className="divide-y divide-line">
          {tasks.map((task) => (
            <li key={task.id} className="flex flex-wrap items-center gap-x-3 px-4 py-1">
              <Link to="/console/work/$id" params={{ id: task.id }} className="hit min-w-0 flex-1">
                <span className="min-w-0">
                  <Outside text={headline(task.description)} most={100} />
                </span>
              </Link>
              <Aspect is={statusAspects[task.status]}>{task.status.replace('_', ' ')}</Aspect>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
