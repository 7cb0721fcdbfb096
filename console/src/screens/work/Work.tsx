import { useNavigate } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useState } from 'react';
import type { Column, Phase, TaskSummary } from '../../../../contracts/work/work.ts';
import { usePages, useRead } from '../../api/call.ts';
import { useShortcuts } from '../../keys.ts';
import { useUrl } from '../../url.ts';
import { useMay } from '../../ui/Act.tsx';
import { Aspect } from '../../ui/Aspect.tsx';
import { Filters, FilterText, Select, TextField } from '../../ui/Field.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { Page, Tabs } from '../../ui/Page.tsx';
import { Empty, NoMatch, NoRight } from '../../ui/Panel.tsx';
import { Table, type Column as Cell } from '../../ui/Table.tsx';
import { Age } from '../../ui/Time.tsx';
import { Actions } from './Actions.tsx';
import { BoardView, LanesView } from './BoardView.tsx';
import { Bulk } from './Bulk.tsx';
import { ByAgent } from './ByAgent.tsx';
import { Create } from './Create.tsx';
import { Lease, Priority } from './Lease.tsx';
import { cleared, defaults, filterOf, headline, isFiltered, laneOf, laneWords, stuckWords } from './model.ts';
import type { Move } from './moves.ts';
import { statusAspects } from './status.ts';
import { useRested } from './useBoard.ts';

const rows = ({ tasks }: { tasks: TaskSummary[] }) => tasks;
const cells: Cell<TaskSummary>[] = [
  { title: 'Task', cell: ({ description }) => <Outside text={headline(description)} most={120} /> },
  {
    title: 'Status',
    cell: ({ status }) => <Aspect is={statusAspects[status]}>{status.replace('_', ' ')}</Aspect>,
    className: 'whitespace-nowrap',
  },
  { title: 'Priority', cell: ({ priority }) => <Priority is={priority} />, wide: true },
  { title: 'Holder', cell: ({ assigned_agent_id: agent }) => (agent === null ? '–' : <Outside text={agent} most={40} />), wide: true },
  { title: 'Lease', cell: (task) => (task.status === 'in_progress' ? <Lease task={task} /> : '–'), wide: true },
  { title: 'Stuck', cell: ({ stuck }) => (stuck === null ? '–' : <Aspect is="stop">{stuckWords[stuck]}</Aspect>), wide: true },
  { title: 'Phase', cell: ({ phase_id }) => phase_id, wide: true },
  { title: 'Changed', cell: ({ updated_at }) => <Age at={updated_at} />, wide: true },
];

/** Who holds what, and what is stuck. */
export default function Work() {
  const [url, set, type] = useUrl(defaults);
  const may = useMay();
  const navigate = useNavigate();
  const wanted = useRested(filterOf(url));
  const lanes = laneOf(url.lanes);
  const phases = useRead<{ phases: Phase[] }>('work.phase.list', {}, may('work.phase.list') !== 'deny');
  const list = usePages('work.task.list', { ...wanted, details: true, limit: 100 }, rows, url.view === 'list');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [asking, setAsking] = useState<ReadonlySet<string>>(new Set());
  const [allFilters, setAllFilters] = useState(false);
  const [acting, setActing] = useState<{ task: TaskSummary; move?: Move } | null>(null);

  const choose = useCallback((id: string) => {
    setChosen((old) => {
      const next = new Set(old);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  }, []);
  const ask = useCallback((id: string, on: boolean) => {
    setAsking((old) => {
      if (old.has(id) === on) return old;
      const next = new Set(old);
      if (on) next.add(id);
      else next.delete(id);
      return next;
    });
  }, []);
  const actions = useCallback((task: TaskSummary) => setActing({ task }), []);
  const drop = useCallback((task: TaskSummary, move: Move) => setActing({ task, move }), []);
  const none = useCallback(() => setChosen(new Set()), []);
  const onAt = useCallback((column: Column) => set({ column }), [set]);
  const create = useCallback(() => set({ create: 'yes' }), [set]);
  const mayCreate = may('work.task.create') !== 'deny';
  useShortcuts(useMemo(() => (mayCreate ? [{ keys: 'c', label: 'New task', run: create }] : []), [create, mayCreate]));
  useEffect(() => {
    if (url.view === 'board') setChosen(new Set());
  }, [url.view]);

  if (may('work.board.get') === 'deny') {
    return (
      <Page title="Work">
        <NoRight tool="work.board.get" scope="work:read" />
      </Page>
    );
  }
  const clear = (): void => set(cleared);
  const empty = isFiltered(url) ? (
    <NoMatch onClear={clear} />
  ) : (
    <Empty command={`npx signalbox tasks create "Try the board" --phase 1`}>
      Tasks for agents appear here with their holders. Create one, or connect an agent that creates tasks.
    </Empty>
  );
  const shown = { filter: wanted, at: url.column, onAt, empty, chosen, asking, onChoose: choose, onActions: actions, onDrop: drop };
  return (
    <Page
      title="Work"
      actions={
        mayCreate && (
          <button type="button" className="control" onClick={create}>
            New task{' '}
            <kbd aria-hidden="true" className="font-mono text-xs text-soft max-sm:hidden">
              c
            </kbd>
          </button>
        )
      }
    >
      <Tabs
        label="View"
        at={url.view}
        onChange={(view) => set({ view })}
        tabs={[
          ['board', 'Board'],
          ['list', 'List'],
          ['agents', 'By agent'],
        ]}
      />
      <Filters>
        <FilterText label="Words" placeholder="words of the task, or its id" value={url.q} onChange={(q) => type({ q })} />
        <button type="button" className="control sm:hidden" aria-expanded={allFilters} onClick={() => setAllFilters(!allFilters)}>
          {allFilters ? 'Fewer filters' : 'More filters'}
        </button>
        <div className={allFilters ? 'contents' : 'contents max-sm:hidden'}>
          <Select
            label="Phase"
            value={url.phase}
            onChange={(phase) => set({ phase })}
            options={[['', 'all'], ...(phases.data?.phases ?? []).map(({ id, name }) => [String(id), `${id} ${name}`] as const)]}
          />
          <Select
            label="Priority"
            value={url.priority}
            onChange={(priority) => set({ priority })}
            options={['', 'high', 'medium', 'low']}
          />
          <Select
            label="Stuck"
            value={url.stuck}
            onChange={(stuck) => set({ stuck })}
            options={[['', 'all'], ['any', 'stuck, for any reason'], ...Object.entries(stuckWords)]}
          />
          <TextField label="Holder" value={url.agent} onChange={(agent) => type({ agent })} />
          <TextField label="Tags" value={url.tag} onChange={(tag) => type({ tag })} />
          <Select
            label="Order"
            value={url.order}
            onChange={(order) => set({ order })}
            options={[
              ['priority', 'by priority'],
              ['oldest', 'oldest first'],
              ['newest', 'newest first'],
              ['updated', 'last changed first'],
            ]}
          />
          {url.view === 'board' && (
            <Select
              label="Lanes"
              value={url.lanes}
              onChange={(value) => set({ lanes: value })}
              options={[['', 'none'], ...Object.entries(laneWords)]}
            />
          )}
        </div>
      </Filters>
      <Bulk chosen={chosen} onClear={none} />
      {url.view === 'list' ? (
        <Table
          label="tasks"
          query={list}
          columns={cells}
          keyOf={({ id }) => id}
          onOpen={({ id }) => void navigate({ to: '/console/work/$id', params: { id } })}
          empty={empty}
          chosen={chosen}
          onChoose={setChosen}
        />
      ) : url.view === 'agents' ? (
        <ByAgent filter={wanted} />
      ) : lanes === null ? (
        <BoardView {...shown} />
      ) : (
        <LanesView key={lanes} by={lanes} phases={phases.data?.phases ?? []} {...shown} />
      )}
      {acting && <Actions key={acting.task.id} task={acting.task} chosen={acting.move} onClose={() => setActing(null)} onAsking={ask} />}
      {url.create !== '' && mayCreate && (
        <Create phase={url.phase} onClose={() => set({ create: '' })} onMade={() => set({ create: '' })} />
      )}
    </Page>
  );
}
