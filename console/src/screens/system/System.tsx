import { useMay } from '../../ui/Act.tsx';
import { Page, Tabs } from '../../ui/Page.tsx';
import { NoRight } from '../../ui/Panel.tsx';
import { useUrl } from '../../url.ts';
import { Budget } from './Budget.tsx';
import { Exports } from './Exports.tsx';
import { Health } from './Health.tsx';
import { Names } from './Names.tsx';
import { Runs } from './Runs.tsx';
import { Subscriptions } from './Subscriptions.tsx';
import { Trackers } from './Trackers.tsx';

const defaults = { tab: 'parts', id: '', days: '7', by: 'day', job: '' };
export type SystemUrl = typeof defaults;

/** The parts of the server, its budget, and what it exchanges with others. */
const tabs = [
  ['parts', 'Parts', 'system.health.get'],
  ['budget', 'Language model', 'system.model.get'],
  ['agents', 'Coding agents', 'work.usage.get'],
  ['trackers', 'Issue trackers', 'work.tracker.list'],
  ['events', 'Subscriptions', 'event.subscription.list'],
  ['names', 'Deprecated names', 'system.deprecation.list'],
  ['exports', 'Exports', 'system.data.export'],
] as const;

export default function System() {
  const [url, set] = useUrl(defaults);
  const may = useMay();
  const tool = tabs.find(([tab]) => tab === url.tab)?.[2] ?? 'system.health.get';
  const allowed = may(tool) !== 'deny';
  return (
    <Page title="System">
      <Tabs
        label="Parts of the system"
        at={url.tab}
        onChange={(tab) => set({ tab, id: '' })}
        tabs={tabs.filter(([, , needs]) => may(needs) !== 'deny').map(([tab, text]) => [tab as string, text] as const)}
      />
      {!allowed ? (
        <NoRight tool={tool} />
      ) : url.tab === 'budget' ? (
        <Budget days={url.days} onDays={(days) => set({ days })} />
      ) : url.tab === 'agents' ? (
        <Runs days={url.days} by={url.by} onDays={(days) => set({ days })} onBy={(by) => set({ by })} />
      ) : url.tab === 'trackers' ? (
        <Trackers id={url.id} onOpen={(id) => set({ id })} />
      ) : url.tab === 'events' ? (
        <Subscriptions id={url.id} onOpen={(id) => set({ id })} />
      ) : url.tab === 'names' ? (
        <Names />
      ) : url.tab === 'exports' ? (
        <Exports job={url.job} onJob={(job) => set({ job })} />
      ) : (
        <Health />
      )}
    </Page>
  );
}
