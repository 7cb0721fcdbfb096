import { Link, useNavigate } from '@tanstack/react-router';
import type { ListedEntity, ReviewItem } from '../../../../contracts/graph/graph.ts';
import { usePages } from '../../api/call.ts';
import { useMay } from '../../ui/Act.tsx';
import { FilterText, Filters, Select } from '../../ui/Field.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { Page } from '../../ui/Page.tsx';
import { Empty, NoMatch, NoRight } from '../../ui/Panel.tsx';
import { Scope } from '../../ui/Scope.tsx';
import { Table, type Column } from '../../ui/Table.tsx';
import { useUrl } from '../../url.ts';
import { counted } from '../../ui/words.ts';

const defaults = { q: '', type: '' };
const rows = ({ entities }: { entities: ListedEntity[] }) => entities;
const items = ({ items: all }: { items: ReviewItem[] }) => all;
const types = ['', 'customer', 'feature', 'issue', 'theme', 'stakeholder', 'competitor'];

const columns: Column<ListedEntity>[] = [
  { title: 'Name', cell: ({ name }) => <Outside text={name} most={120} /> },
  { title: 'Type', cell: ({ type }) => <Outside text={type} most={40} /> },
  { title: 'Documents', cell: ({ signal_count }) => signal_count.toLocaleString('en') },
  { title: 'Also called', cell: ({ aliases }) => <Outside text={aliases.slice(0, 5).join(', ')} most={120} />, wide: true },
  { title: 'State', cell: ({ state }) => (state === null ? '' : <Outside text={state} most={40} />), wide: true },
];

export default function Entities() {
  const [url, set, type] = useUrl(defaults);
  const navigate = useNavigate();
  const may = useMay();
  const allowed = may('entity.record.list') !== 'deny';
  const search = url.q.trim();
  const args = { ...(search ? { search } : {}), ...(/^[a-z][a-z0-9_]{0,31}$/.test(url.type) ? { entity_type: url.type } : {}), limit: 50 };
  const entities = usePages('entity.record.list', args, rows, allowed);
  const asks = may('entity.review.list') !== 'deny';
  const open = usePages('entity.review.list', { limit: 1 }, items, asks);
  if (!allowed) {
    return (
      <Page title="Entities">
        <NoRight tool="entity.record.list" scope="graph:read" />
      </Page>
    );
  }
  return (
    <Page
      title="Entities"
      above={<Scope />}
      actions={
        asks && (
          <Link to="/console/reviews" className="control no-underline">
            {open.data?.total ? counted(open.data.total, 'open review') : 'Open reviews'}
          </Link>
        )
      }
    >
      <Filters>
        <FilterText label="Name" placeholder="name or start of a word" value={url.q} onChange={(q) => type({ q })} />
        <Select
          label="Type"
          value={url.type}
          onChange={(value) => set({ type: value })}
          options={types.includes(url.type) ? types : [...types, url.type]}
        />
      </Filters>
      <Table
        label="entities"
        query={entities}
        columns={columns}
        keyOf={({ entity_id }) => entity_id}
        onOpen={({ entity_id }) => void navigate({ to: `/console/entities/${encodeURIComponent(entity_id)}` })}
        empty={
          search || url.type ? (
            <NoMatch onClear={() => set({ q: '', type: '' })} />
          ) : (
            <Empty command="signalbox ingest ./folder">
              No entities yet. Customers, features, issues and people appear here when documents that name them are ingested.
            </Empty>
          )
        }
      />
    </Page>
  );
}
