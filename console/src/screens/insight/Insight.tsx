import { useUrl } from '../../url.ts';
import { Filters, Select, TextField } from '../../ui/Field.tsx';
import { Page, Tabs } from '../../ui/Page.tsx';
import { Scope } from '../../ui/Scope.tsx';
import { AsOf } from './AsOf.tsx';
import { Heatmap } from './Heatmap.tsx';
import { defaults, dimensions, metrics, tabs } from './model.ts';
import { Strategy } from './Strategy.tsx';
import { Trends } from './Trends.tsx';
import { WhatIf } from './WhatIf.tsx';

export default function Insight() {
  const [url, set, type] = useUrl(defaults);
  const tab = tabs.find(([value]) => value === url.tab)?.[0] ?? 'heatmap';
  const own = { url, set, type };
  return (
    <Page title="Insight" above={<Scope />}>
      <Tabs label="Views" tabs={tabs} at={tab} onChange={(value) => set({ tab: value })} />
      {tab === 'heatmap' && (
        <>
          <Filters>
            <Select label="Rows and columns" value={url.dimension} onChange={(dimension) => set({ dimension })} options={dimensions} />
            <Select label="Count" value={url.metric} onChange={(metric) => set({ metric })} options={metrics} />
            <TextField label="From" type="date" value={url.from} onChange={(from) => set({ from })} />
            <AsOf {...own} />
          </Filters>
          <Heatmap {...own} />
        </>
      )}
      {tab === 'trends' && <Trends {...own} />}
      {tab === 'strategy' && <Strategy {...own} />}
      {tab === 'whatif' && <WhatIf {...own} />}
    </Page>
  );
}
