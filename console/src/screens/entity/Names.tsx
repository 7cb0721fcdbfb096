import { useState } from 'react';
import { useAct } from '../../api/act.ts';
import { ActButton, Outcome, useMay } from '../../ui/Act.tsx';
import { TextField } from '../../ui/Field.tsx';
import { Outside, OutsideLink } from '../../ui/Outside.tsx';
import type { EntityDetail } from './types.ts';

/** What it is called, and its records in other systems. */
export function Names({ entity }: { entity: EntityDetail }) {
  const may = useMay();
  const [adding, setAdding] = useState(false);
  const [name, setName] = useState('');
  const add = useAct('entity.alias.add', () => {
    setName('');
    setAdding(false);
  });
  const args = (): object => ({ entity_name: entity.name, entity_type: entity.type, alias: name.trim() });
  return (
    <div className="mb-4 grid gap-2">
      <ul aria-label="Names" className="flex flex-wrap items-center gap-2">
        {entity.aliases.map((alias) => (
          <li key={alias} className="rounded border border-line px-2">
            <Outside text={alias} most={80} />
          </li>
        ))}
        {may('entity.alias.add') !== 'deny' && (
          <li>
            <button type="button" className="control" aria-expanded={adding} onClick={() => setAdding(!adding)}>
              Add a name
            </button>
          </li>
        )}
      </ul>
      {adding && (
        <form
          className="flex flex-wrap items-end gap-3"
          onSubmit={(event) => {
            event.preventDefault();
            if (name.trim()) void add.run(args());
          }}
        >
          <TextField label="Another name" className="basis-60" value={name} onChange={setName} required />
          <ActButton tool="entity.alias.add" act={add} args={args} disabled={name.trim() === ''}>
            Add
          </ActButton>
        </form>
      )}
      <Outcome act={add} />
      {entity.description && (
        <p>
          <Outside text={entity.description} most={600} />
        </p>
      )}
      {entity.links.length > 0 && (
        <ul aria-label="Records in other systems" className="flex flex-wrap gap-x-4">
          {entity.links.map(({ external_system, external_id, url }) => (
            <li key={`${external_system} ${external_id}`}>
              <Outside text={external_system} most={40} /> <OutsideLink url={url} text={external_id} most={60} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
