import { Link } from '@tanstack/react-router';
import { useRead } from '../../api/call.ts';
import { Filters, Select } from '../../ui/Field.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { Split } from '../../ui/Page.tsx';
import { Empty, NoMatch, Panel } from '../../ui/Panel.tsx';
import { Table, type Column } from '../../ui/Table.tsx';
import { RecordLink } from '../../ui/Text.tsx';
import { AsOf } from './AsOf.tsx';
import { changeText, signalsAbout, stepsOf, type Step, type Url } from './model.ts';
import { Sparkline, Trend } from './Trend.tsx';
import { counted } from '../../ui/words.ts';

interface Moving {
  entity_id: string;
  name: string;
  direction: string;
  current_count: number;
  previous_count: number;
  change_pct: number | null;
  series: number[];
  previous_series: number[];
}
interface Answer {
  trends: Moving[];
  window_days: number;
  series_days: number;
  from: string;
  to: string;
}

const arrows: Record<string, string> = { emerging: '✦', growing: '↗', declining: '↘', stable: '→' };

export function Trends({ url, set }: { url: Url; set: (change: Partial<Url>) => void }) {
  const query = useRead<Answer>('insight.trend.list', {
    entity_type: url.type,
    direction: url.direction,
    window_days: Number(url.window),
    limit: 50,
    ...(url.as_of ? { as_of: url.as_of } : {}),
  });
  const steps = ({ series, previous_series }: Moving): Step[] =>
    query.data ? stepsOf({ series, previous: previous_series, days: query.data.series_days, to: query.data.to }) : [];
  const columns: Column<Moving>[] = [
    { title: 'Name', cell: ({ name }) => <Outside text={name} most={80} /> },
    {
      title: 'Direction',
      cell: ({ direction }) => (
        <span className="whitespace-nowrap">
          <span aria-hidden="true">{arrows[direction]}</span> {direction}
        </span>
      ),
      wide: true,
    },
    { title: 'Now', cell: ({ current_count }) => current_count, className: 'whitespace-nowrap text-right' },
    { title: 'Before', cell: ({ previous_count }) => previous_count, className: 'whitespace-nowrap text-right', wide: true },
    { title: 'Change', cell: changeText, className: 'whitespace-nowrap text-right' },
    { title: 'Over time', cell: (each) => <Sparkline steps={steps(each)} />, wide: true },
  ];
  const shown = query.data?.trends.find(({ entity_id }) => entity_id === url.entity);
  return (
    <>
      <Filters>
        <Select
          label="Of"
          value={url.type}
          onChange={(type) => set({ type, entity: '' })}
          options={['issue', 'feature', 'theme', 'customer', 'competitor']}
        />
        <Select
          label="Direction"
          value={url.direction}
          onChange={(direction) => set({ direction, entity: '' })}
          options={['all', 'emerging', 'growing', 'declining', 'stable']}
        />
        <Select
          label="Window"
          value={url.window}
          onChange={(window) => set({ window })}
          options={[
            ['7', '7 days'],
            ['28', '28 days'],
            ['90', '90 days'],
            ['365', 'a year'],
          ]}
        />
        <AsOf url={url} set={set} />
      </Filters>
      <Split
        onBack={() => set({ entity: '' })}
        list={
          <Table
            label="trends"
            query={{ ...query, data: query.data && { rows: query.data.trends } }}
            columns={columns}
            keyOf={({ entity_id }) => entity_id}
            open={url.entity}
            onOpen={({ entity_id }) => set({ entity: entity_id })}
            empty={
              url.direction !== 'all' ? (
                <NoMatch onClear={() => set({ direction: 'all' })} />
              ) : (
                <Empty command="npx signalbox ingest FOLDER">
                  No {url.type} has statements in these {url.window} days or the {url.window} before. A longer window may show some.
                </Empty>
              )
            }
          />
        }
        detail={
          shown && query.data ? (
            <Panel title="Over time">
              {() => (
                <div className="grid gap-3 p-4">
                  <h3 className="text-lg">
                    <Outside text={shown.name} />
                  </h3>
                  <p>
                    {shown.direction}: {counted(shown.current_count, 'statement')} from {query.data.from} to {query.data.to},{' '}
                    {shown.previous_count} in the {query.data.window_days} days before ({changeText(shown)}).
                  </p>
                  <Trend title={`Statements about ${shown.name}`} steps={steps(shown)} />
                  <p className="flex flex-wrap gap-3">
                    <Link
                      to="/console/signals"
                      search={signalsAbout([shown.entity_id], { from: query.data.from, as_of: query.data.to })}
                      className="hit"
                    >
                      Its {counted(shown.current_count, 'statement')}
                    </Link>
                    <RecordLink type="entity" id={shown.entity_id}>
                      The {url.type}
                    </RecordLink>
                  </p>
                </div>
              )}
            </Panel>
          ) : null
        }
      />
    </>
  );
}
