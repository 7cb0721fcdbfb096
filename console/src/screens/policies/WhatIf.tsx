import { Link } from '@tanstack/react-router';
import type { UseQueryResult } from '@tanstack/react-query';
import type { PolicyDefinition } from '../../../../contracts/governance/policy.ts';
import type { Replay, WhatIf as Answer } from '../../../../contracts/governance/what-if.ts';
import { hasScreen } from '../../screens.ts';
import type { Url } from '../../url.ts';
import { Select, TextField } from '../../ui/Field.tsx';
import { Empty, Panel } from '../../ui/Panel.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { RecordLink } from '../../ui/Text.tsx';
import { here, Table, type Column } from '../../ui/Table.tsx';
import { Age } from '../../ui/Time.tsx';
import { sentenceOf } from './model.ts';
import { Effect } from './parts.tsx';
import { asOf, roles } from './WhoMayWhat.tsx';
import { counted } from '../../ui/words.ts';

export type Who = { role: string; kind: string; team: string; scopes: string; days: string };

export const whatIfArgs = (policy: string, definition: PolicyDefinition | undefined, who: Who) => ({
  policy,
  ...(definition ? { definition } : {}),
  as: asOf(who),
  show: 'changed',
  replay_days: Number(who.days) || 0,
});

type Row = Answer['tools'][number];
const columns: Column<Row>[] = [
  { title: 'Tool', cell: ({ tool }) => <code className="font-mono text-xs">{tool}</code> },
  { title: 'Now', cell: ({ before }) => <Effect is={before.effect} /> },
  { title: 'Then', cell: ({ after }) => <Effect is={after.effect} /> },
  { title: 'By', cell: ({ after }) => after.rule, wide: true },
];

type Past = Replay['affected'][number];
const pastColumns: Column<Past>[] = [
  { title: 'Tool', cell: ({ tool }) => <code className="font-mono text-xs">{tool}</code> },
  { title: 'Who', cell: ({ principal }) => <Outside text={principal} most={60} /> },
  { title: 'Calls', cell: ({ calls }) => calls.toLocaleString('en') },
  {
    title: 'Now → then',
    cell: ({ before, after, depends_on_arguments }) => (
      <span className="flex flex-wrap gap-x-2">
        <Effect is={before.effect} /> → <Effect is={after.effect} />
        {depends_on_arguments && <span className="text-soft">by its arguments</span>}
      </span>
    ),
  },
  {
    title: 'Last',
    cell: ({ last_at, tool_call_ids: [id] }) => (
      <>
        <Age at={last_at} />{' '}
        {id !== undefined && hasScreen(`/console/calls/${id}`) ? (
          <Link to={`/console/calls/${id}` as never} className="hit">
            call
          </Link>
        ) : null}
      </>
    ),
    wide: true,
  },
];

/** What a draft would do: to tools for a chosen caller, to the calls of the last days, to approvals that wait. */
export function WhatIf({
  query,
  url,
  set,
  type,
  changed,
}: {
  query: UseQueryResult<Answer>;
  url: Who;
  set: (change: Partial<Who>) => void;
  type: Url<Who>[2];
  changed: boolean;
}) {
  return (
    <Panel title="Effect of the draft" query={query}>
      {({ tools, changed: n, judged, invalidated, replay }) => (
        <div className="grid gap-4 py-4" aria-busy={query.isFetching}>
          <div className="grid grid-cols-2 items-end gap-3 px-4 lg:grid-cols-4">
            <Select label="Role" value={url.role} onChange={(role) => set({ role })} options={[...roles]} />
            <Select
              label="Kind"
              value={url.kind}
              onChange={(kind) => set({ kind })}
              options={[['', 'default of the role'], 'human', 'agent']}
            />
            <TextField label="Team" value={url.team} onChange={(team) => type({ team })} placeholder="none" />
            <TextField label="Scopes" value={url.scopes} onChange={(scopes) => type({ scopes })} placeholder="all of its role" />
          </div>
          {changed ? (
            <section aria-label="Tools">
              <p className="px-4 pb-2 font-semibold" role="status">
                {n} of {judged} tools would get another verdict.
              </p>
              <Table label="changed tools" query={here(tools)} columns={columns} keyOf={({ tool }) => tool} empty={null} />
            </section>
          ) : (
            <Empty>Change the draft to see which tools would get another verdict.</Empty>
          )}
          <section aria-label="Past calls">
            <div className="flex flex-wrap items-end gap-3 px-4 pb-2">
              <p className="min-w-0 flex-1 basis-60 font-semibold">{replay ? sentenceOf(replay) : 'Past calls are not judged.'}</p>
              <Select
                label="Past calls within"
                value={url.days}
                onChange={(days) => set({ days })}
                options={[
                  ['0', 'do not check'],
                  ['1', '1 day'],
                  ['7', '7 days'],
                  ['30', '30 days'],
                ]}
              />
            </div>
            {replay && replay.affected.length > 0 && (
              <Table
                label="past calls"
                query={here(replay.affected)}
                columns={pastColumns}
                keyOf={(one) => `${one.tool} ${one.principal} ${one.front} ${one.tool_call_ids[0]}`}
                empty={null}
              />
            )}
            {replay && (
              <ul className="px-4 text-soft">
                <li>
                  {counted(replay.looked_at, 'call was', 'calls were')} read
                  {replay.more ? ', the newest; older ones were not' : ''}, {replay.calls.toLocaleString('en')} of them under this policy.
                </li>
                {replay.not_judged.map(({ reason, calls }) => (
                  <li key={reason}>
                    {calls.toLocaleString('en')} were not judged: {reason}
                  </li>
                ))}
                {replay.notes.map((note) => (
                  <li key={note}>{note}</li>
                ))}
              </ul>
            )}
          </section>
          {invalidated.count > 0 && (
            <section aria-label="Approvals" className="px-4">
              <p className="font-semibold">
                {invalidated.count > 100 ? 'More than 100' : invalidated.count} waiting approval{invalidated.count === 1 ? '' : 's'} would
                become void: each call must be requested again.
              </p>
              <ul>
                {invalidated.approvals.slice(0, 10).map(({ approval_id, tool, requested_by }) => (
                  <li key={approval_id} className="flex flex-wrap items-center gap-x-2">
                    <RecordLink type="approval" id={approval_id} /> <code className="font-mono text-xs">{tool}</code> for{' '}
                    <Outside text={requested_by} most={60} />
                  </li>
                ))}
              </ul>
            </section>
          )}
        </div>
      )}
    </Panel>
  );
}
