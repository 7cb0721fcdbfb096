import { FilterText, Filters, Select, TextField } from '../../ui/Field.tsx';
import { useMay } from '../../ui/Act.tsx';
import { useRead } from '../../api/call.ts';
import { Page, Tabs } from '../../ui/Page.tsx';
import { NoRight } from '../../ui/Panel.tsx';
import { Scope } from '../../ui/Scope.tsx';
import { useUrl } from '../../url.ts';
import { Ingest } from '../sources/Ingest.tsx';
import { FactResults } from './Facts.tsx';
import { chipsOf } from './model.ts';
import { Results } from './Results.tsx';

const defaults = {
  q: '',
  tab: 'passages',
  mode: 'hybrid',
  kb: '',
  tag: '',
  code: '',
  graph: '',
  open: '',
  why: '',
  as_of: '',
  known_at: '',
};
export type SearchUrl = typeof defaults;

export default function Search() {
  const [url, set, type] = useUrl(defaults);
  const may = useMay();
  const bases = useRead<{ bases: { kb_id: string }[] }>('knowledge.base.list', {}, may('knowledge.base.list') === 'allow');
  const facts = url.tab === 'facts';
  const chips = facts ? [] : chipsOf(url);
  return (
    <Page title="Search" above={<Scope />}>
      <Tabs
        label="What is searched"
        tabs={[
          ['passages', 'Passages'],
          ['facts', 'Facts'],
        ]}
        at={facts ? 'facts' : 'passages'}
        onChange={(tab) => set({ tab, open: '' })}
      />
      <Filters>
        <FilterText
          label={facts ? 'Facts about' : 'Search for'}
          placeholder="words, a question, a name"
          value={url.q}
          onChange={(q) => type({ q, open: '' })}
        />
        {!facts && (
          <>
            <Select
              label="By"
              value={url.mode === 'semantic' ? 'semantic' : 'hybrid'}
              onChange={(mode) => set({ mode })}
              options={[
                ['hybrid', 'words and meaning'],
                ['semantic', 'meaning only'],
              ]}
            />
            {bases.data && bases.data.bases.length > 1 && (
              <Select
                label="Knowledge base"
                value={url.kb}
                onChange={(kb) => set({ kb })}
                options={['', ...bases.data.bases.map(({ kb_id }) => kb_id)]}
              />
            )}
            <TextField label="Tag of the source" value={url.tag} onChange={(tag) => type({ tag })} />
            <Select
              label="Graph"
              value={url.graph}
              onChange={(graph) => set({ graph })}
              options={[
                ['', 'without'],
                ['on', 'include connected passages'],
              ]}
            />
            <Select
              label="Code"
              value={url.code}
              onChange={(code) => set({ code })}
              options={[
                ['', 'with or without'],
                ['yes', 'with code only'],
              ]}
            />
          </>
        )}
      </Filters>
      {chips.length > 0 && (
        <ul aria-label="Chosen filters" className="mb-3 flex flex-wrap gap-2">
          {chips.map(({ text, off }) => (
            <li key={text}>
              <button type="button" className="control" onClick={() => set(off)}>
                {text} <span aria-hidden="true">×</span>
                <span className="sr-only">: remove this filter</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {facts ? (
        may('graph.fact.search') === 'deny' ? (
          <NoRight tool="graph.fact.search" scope="graph:read" />
        ) : (
          <FactResults url={url} set={set} type={type} />
        )
      ) : may('index.chunk.search') === 'deny' ? (
        <NoRight tool="index.chunk.search" scope="knowledge:read" />
      ) : url.q.trim() === '' ? (
        <div className="grid gap-4">
          <p className="text-soft">
            Type what you are looking for. Passages of documents, transcripts and web pages are found by their words and their meaning.
          </p>
          <Ingest />
        </div>
      ) : (
        <Results url={url} set={set} />
      )}
    </Page>
  );
}
