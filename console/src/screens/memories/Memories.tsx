import { useMay } from '../../ui/Act.tsx';
import { Page, Tabs } from '../../ui/Page.tsx';
import { NoRight } from '../../ui/Panel.tsx';
import { useUrl } from '../../url.ts';
import { List } from './List.tsx';
import { defaults } from './model.ts';
import { Remember } from './Remember.tsx';
import { Repeats } from './Repeats.tsx';
import { Talk } from './Talk.tsx';

const tabs = [
  ['all', 'All', 'memory.record.list'],
  ['repeats', 'Say the same', 'memory.record.consolidate'],
  ['talk', 'From a conversation', 'memory.record.extract'],
] as const;

/** What the team and its agents keep for later: found, corrected, merged, and taken from conversations. */
export default function Memories() {
  const [url, set, type] = useUrl(defaults);
  const may = useMay();
  const [tab, , tool] = tabs.find(([name]) => name === url.tab) ?? tabs[0];
  const offered = tabs.filter(([name, , own]) => name === tab || may(own) !== 'deny');
  const remembers = may('memory.record.save') !== 'deny';
  return (
    <Page
      title="Memories"
      actions={
        remembers && (
          <button
            type="button"
            className="control"
            aria-expanded={url.add === 'yes'}
            onClick={() => set({ add: url.add === 'yes' ? '' : 'yes' })}
          >
            Remember something
          </button>
        )
      }
    >
      {url.add === 'yes' && remembers && (
        <div className="mb-4">
          <Remember />
        </div>
      )}
      {offered.length > 1 && (
        <Tabs
          label="Memories"
          tabs={offered.map(([name, text]) => [name, text] as const)}
          at={tab}
          onChange={(next) => set({ tab: next })}
        />
      )}
      {may(tool) === 'deny' ? (
        <NoRight tool={tool} scope={tab === 'all' ? 'memory:read' : 'memory:write'} />
      ) : tab === 'all' ? (
        <List url={url} set={set} type={type} />
      ) : tab === 'repeats' ? (
        <Repeats url={url} set={set} type={type} />
      ) : (
        <Talk url={url} set={set} type={type} />
      )}
    </Page>
  );
}
