import { useState } from 'react';
import { usePages } from '../../api/call.ts';
import { useMay } from '../../ui/Act.tsx';
import { TextField } from '../../ui/Field.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { Page, Split } from '../../ui/Page.tsx';
import { Empty, NoRight, Panel } from '../../ui/Panel.tsx';
import { Table, type Column } from '../../ui/Table.tsx';
import { Age } from '../../ui/Time.tsx';
import { useUrl } from '../../url.ts';
import { ages, type Row } from './model.ts';
import { Team } from './Team.tsx';

const defaults = { team: '' };
const rows = ({ teams }: { teams: Row[] }) => teams;

const columns: Column<Row>[] = [
  {
    title: 'Team',
    cell: ({ team }) => (
      <span className="font-semibold">
        <Outside text={team} />
      </span>
    ),
  },
  { title: 'Areas', className: 'min-w-24', cell: ({ product_areas }) => <Outside text={product_areas.join(', ') || 'all'} /> },
  { title: 'Types', className: 'min-w-24', cell: ({ entity_types }) => <Outside text={entity_types.join(', ') || 'all'} /> },
  { title: 'Shown when', cell: ({ data_freshness }) => ages[data_freshness], wide: true },
  { title: 'Keys', className: 'min-w-14', cell: ({ keys }) => keys },
  {
    title: 'Saved',
    cell: ({ updated_by, updated_at }) => (
      <>
        <Outside text={updated_by} most={60} /> <Age at={updated_at} />
      </>
    ),
    wide: true,
  },
];

/** Stakeholder teams: what each may see, and what it sees now. */
export default function Teams() {
  const [url, set] = useUrl(defaults);
  const may = useMay();
  const readable = may('access.stakeholder.list') !== 'deny';
  const teams = usePages('access.stakeholder.list', {}, rows, readable);
  if (!readable) {
    return (
      <Page title="Teams">
        <NoRight tool="access.stakeholder.list" scope="policy:read" />
      </Page>
    );
  }
  const saved = teams.data?.rows.find(({ team }) => team === url.team);
  return (
    <Page title="Teams">
      <Split
        wide
        onBack={() => set({ team: '' })}
        list={
          <div className="grid gap-4">
            <div className="card">
              <Table
                label="teams"
                query={teams}
                columns={url.team ? columns.filter(({ title }) => !['Saved', 'Shown when'].includes(title)) : columns}
                keyOf={({ team }) => team}
                open={url.team}
                onOpen={({ team }) => set({ team })}
                empty={
                  <Empty command="npx signalbox keys create --tenant NAME --role stakeholder --team sales">
                    No team yet. Keys of a team see only evidence within the team’s scope, and nothing until a scope is saved here.
                  </Empty>
                }
              />
            </div>
            {may('access.stakeholder.configure') !== 'deny' && <Make onMake={(team) => set({ team })} />}
          </div>
        }
        detail={url.team && teams.data ? <Team key={url.team} team={url.team} saved={saved} /> : null}
      />
    </Page>
  );
}

function Make({ onMake }: { onMake: (team: string) => void }) {
  const [team, setTeam] = useState('');
  return (
    <Panel title="Another team">
      {() => (
        <form
          className="flex flex-wrap items-end gap-3 p-4"
          onSubmit={(event) => {
            event.preventDefault();
            if (team.trim()) onMake(team.trim());
          }}
        >
          <TextField label="Name, as on its keys" value={team} onChange={setTeam} className="min-w-0 flex-1 basis-40" />
          <button type="submit" className="control" disabled={team.trim() === ''}>
            Set its scope
          </button>
        </form>
      )}
    </Panel>
  );
}
