import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useAct } from '../../api/act.ts';
import { useRead } from '../../api/call.ts';
import { ActButton, Outcome, useMay } from '../../ui/Act.tsx';
import { Select, TextField } from '../../ui/Field.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { Empty, Panel } from '../../ui/Panel.tsx';
import { here, Table, type Column } from '../../ui/Table.tsx';
import { toast } from '../../ui/toasts.tsx';
import { ages, namesOf, scopeText, share, type Row, type Scope } from './model.ts';
import { capped } from '../../ui/words.ts';

interface Count {
  what: string;
  tool: string;
  seen: number;
  all: number;
}
interface Preview {
  scope: Scope;
  counts: Count[];
  entities: { area: string | null; type: string; seen: number }[];
}

const columns: Column<Count>[] = [
  { title: 'Records', cell: ({ what }) => what },
  { title: 'Sees', cell: ({ seen }) => capped(seen) },
  { title: 'Total', cell: ({ all }) => capped(all) },
  { title: 'Share', cell: ({ seen, all }) => share(seen, all), wide: true },
  { title: 'By', cell: ({ tool }) => <code className="font-mono text-xs">{tool}</code>, wide: true },
];

const entityColumns: Column<Preview['entities'][number]>[] = [
  { title: 'Area', cell: ({ area }) => (area === null ? <span className="text-soft">none</span> : <Outside text={area} />) },
  { title: 'Type', cell: ({ type }) => <Outside text={type} /> },
  { title: 'Sees', cell: ({ seen }) => capped(seen) },
];

/** One team: its scope, and what it sees with it, counted by the database under that scope. */
export function Team({ team, saved }: { team: string; saved: Row | undefined }) {
  const may = useMay();
  const preview = useRead<Preview>(
    'access.stakeholder.preview',
    { team },
    saved !== undefined && may('access.stakeholder.preview') !== 'deny',
  );
  return (
    <>
      {may('access.stakeholder.configure') !== 'deny' ? (
        <Edit team={team} saved={saved} />
      ) : (
        saved && <Panel title="Scope">{() => <p className="p-4">{scopeText(saved)}</p>}</Panel>
      )}
      {saved ? (
        <Panel
          title={`As ${team.slice(0, 40)} sees it`}
          query={preview}
          aside={
            <Link to="/console/policies" search={{ tab: 'who', role: 'stakeholder', team }} className="hit">
              Its tools
            </Link>
          }
        >
          {({ scope, counts, entities }) => (
            <>
              <p className="p-4">
                Shown within the scope of{' '}
                <strong>
                  <Outside text={team} />
                </strong>
                : <Outside text={scopeText(scope)} />
              </p>
              <Table label="what the team sees" query={here(counts)} columns={columns} keyOf={({ what }) => what} empty={null} />
              <Table
                label="entities that the team sees"
                query={here(entities)}
                columns={entityColumns}
                keyOf={({ area, type }) => `${area} ${type}`}
                empty={<Empty>The team sees no entity: its areas and types have none that is old enough.</Empty>}
              />
            </>
          )}
        </Panel>
      ) : (
        <Panel title="No scope yet">{() => <Empty>The team sees nothing until its scope is saved.</Empty>}</Panel>
      )}
    </>
  );
}

function Edit({ team, saved }: { team: string; saved: Row | undefined }) {
  const [areas, setAreas] = useState(saved?.product_areas.join(', ') ?? '');
  const [types, setTypes] = useState(saved?.entity_types.join(', ') ?? '');
  const [fresh, setFresh] = useState(saved?.data_freshness ?? 'realtime');
  const save = useAct('access.stakeholder.configure', ({ warnings }) =>
    toast(warnings.length > 0 ? warnings.join(' ') : `It applies to all keys of ${team} within two seconds.`),
  );
  const wanted = { team, product_areas: namesOf(areas), entity_types: namesOf(types), data_freshness: fresh };
  return (
    <Panel title={saved ? `Scope of ${team.slice(0, 40)}` : `A scope for ${team.slice(0, 40)}`}>
      {() => (
        <div className="grid gap-3 p-4">
          <TextField label="Product areas" value={areas} onChange={setAreas} hint="Separated by commas; empty: all." />
          <TextField label="Types of entities" value={types} onChange={setTypes} hint="E.g. feature, issue, theme; empty: all." />
          <Select
            label="A record is shown"
            value={fresh}
            onChange={setFresh}
            options={(Object.keys(ages) as (keyof typeof ages)[]).map(
              (value) => [value, value === 'realtime' ? 'at once' : `when it is ${ages[value]}`] as const,
            )}
          />
          <p className="text-soft">{scopeText(wanted)}</p>
          <div>
            <ActButton tool="access.stakeholder.configure" act={save} args={() => wanted} label={team}>
              Save the scope
            </ActButton>
          </div>
          <Outcome act={save} />
        </div>
      )}
    </Panel>
  );
}
