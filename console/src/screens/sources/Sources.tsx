import { useState } from 'react';
import type { Source, SourceDetail } from '../../../../contracts/knowledge/knowledge.ts';
import { useAct } from '../../api/act.ts';
import { usePages, useRead } from '../../api/call.ts';
import { ActButton, Outcome, useMay } from '../../ui/Act.tsx';
import { Aspect } from '../../ui/Aspect.tsx';
import { FilterText, Filters, Select, TextField } from '../../ui/Field.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { Facts, Page, Split } from '../../ui/Page.tsx';
import { Empty, NoMatch, NoRight, Panel } from '../../ui/Panel.tsx';
import { Scope } from '../../ui/Scope.tsx';
import { Table, type Column } from '../../ui/Table.tsx';
import { Id, Json, RecordLink } from '../../ui/Text.tsx';
import { Age } from '../../ui/Time.tsx';
import { useUrl } from '../../url.ts';
import { Ingest } from './Ingest.tsx';
import { counted } from '../../ui/words.ts';

const defaults = { q: '', tag: '', status: '', kb: '', id: '', add: '' };
const rows = ({ sources }: { sources: Source[] }) => sources;
const aspects = { active: 'clear', indexing: 'caution', error: 'stop' } as const;

const columns: Column<Source>[] = [
  { title: 'Title', cell: ({ title }) => <Outside text={title} most={120} />, className: 'min-w-32' },
  { title: 'State', cell: ({ status }) => <Aspect is={aspects[status]}>{status}</Aspect>, className: 'whitespace-nowrap' },
  { title: 'Type', cell: ({ type }) => <Outside text={type} most={40} />, wide: true, className: 'whitespace-nowrap' },
  { title: 'Tags', cell: ({ tags }) => <Outside text={tags.join(', ')} most={80} />, wide: true },
  { title: 'Passages', cell: ({ chunk_count }) => chunk_count.toLocaleString('en'), wide: true, className: 'whitespace-nowrap' },
  { title: 'Changed', cell: ({ last_updated }) => <Age at={last_updated} />, wide: true, className: 'whitespace-nowrap' },
];

export default function Sources() {
  const [url, set, type] = useUrl(defaults);
  const may = useMay();
  const words = url.q.trim();
  const filter = {
    ...(words ? { search: words } : {}),
    ...(url.tag ? { tags: [url.tag] } : {}),
    ...(url.status ? { status: url.status } : {}),
    ...(url.kb ? { kb_id: url.kb } : {}),
  };
  const sources = usePages('knowledge.source.list', filter, rows, may('knowledge.source.list') !== 'deny');
  const filtered = Object.keys(filter).length > 0;
  // Where nothing is yet, it is offered; and it stays, with what it tells, when the first source is there.
  const [began, setBegan] = useState(false);
  if (!began && !filtered && sources.data?.rows.length === 0) setBegan(true);
  if (may('knowledge.source.list') === 'deny') {
    return (
      <Page title="Sources">
        <NoRight tool="knowledge.source.list" scope="knowledge:read" />
      </Page>
    );
  }
  return (
    <Page
      title="Sources"
      above={<Scope />}
      actions={
        may('ingest.document.submit') !== 'deny' && (
          <button
            type="button"
            className="control"
            aria-expanded={url.add === 'yes'}
            onClick={() => set({ add: url.add === 'yes' ? '' : 'yes' })}
          >
            Ingest
          </button>
        )
      }
    >
      {(url.add === 'yes' || began) && (
        <div className="mb-4">
          <Ingest />
        </div>
      )}
      <Filters>
        <FilterText label="Words" placeholder="words of the title, or its id" value={url.q} onChange={(q) => type({ q })} />
        <TextField label="Tag" value={url.tag} onChange={(tag) => type({ tag })} />
        <Select label="State" value={url.status} onChange={(status) => set({ status })} options={['', 'active', 'indexing', 'error']} />
        <TextField label="Knowledge base" value={url.kb} onChange={(kb) => type({ kb })} />
      </Filters>
      <Split
        onBack={() => set({ id: '' })}
        list={
          <Table
            label="sources"
            query={sources}
            columns={columns}
            keyOf={({ id }) => id}
            open={url.id}
            onOpen={({ id }) => set({ id })}
            empty={
              filtered ? (
                <NoMatch onClear={() => set({ q: '', tag: '', status: '', kb: '' })} />
              ) : (
                <Empty>Nothing has been ingested yet. Documents, transcripts and web pages appear here.</Empty>
              )
            }
          />
        }
        detail={url.id ? <One id={url.id} onGone={() => set({ id: '' })} /> : null}
      />
    </Page>
  );
}

function One({ id, onGone }: { id: string; onGone: () => void }) {
  const read = useRead<{ source: SourceDetail }>('knowledge.source.get', { source_id: id });
  const remove = useAct('knowledge.source.delete', onGone);
  return (
    <Panel title="Source" query={read}>
      {({ source }) => (
        <>
          <Facts
            rows={[
              ['title', <Outside key="t" text={source.title} />],
              [
                'state',
                <Aspect key="s" is={aspects[source.status]}>
                  {source.status}
                </Aspect>,
              ],
              [
                'read it',
                source.document_id && (
                  <RecordLink type="document" id={source.document_id}>
                    Open the document
                  </RecordLink>
                ),
              ],
              ['type', <Outside key="y" text={source.type} />],
              ['base', source.kb_id],
              ['address', source.url && <Outside text={source.url} />],
              ['tags', source.tags.length > 0 && <Outside text={source.tags.join(', ')} />],
              ['about', source.description && <Outside text={source.description} />],
              ['passages', source.chunk_count.toLocaleString('en')],
              ['taken in', <Age key="c" at={source.created_at} />],
              ['changed', <Age key="u" at={source.updated_at} />],
              ['id', <Id key="i">{source.id}</Id>],
            ]}
          />
          {Object.keys(source.metadata).length > 0 && (
            <div className="px-4 pb-4">
              <Json value={source.metadata} label="metadata" />
            </div>
          )}
          <div className="flex flex-wrap gap-3 px-4 pb-4">
            <ActButton
              tool="knowledge.source.delete"
              act={remove}
              args={() => ({ source_id: source.id })}
              confirm={{
                title: 'Delete this source?',
                text: (
                  <>
                    <Outside text={source.title} most={120} /> is deleted for good, with its {counted(source.chunk_count, 'passage')}, its
                    file and what no other source supports. Citations of it stop working.
                  </>
                ),
                type: 'delete',
              }}
            >
              Delete
            </ActButton>
          </div>
          <Outcome act={remove} />
        </>
      )}
    </Panel>
  );
}
