import { Link } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { useRead } from '../../api/call.ts';
import { Outside } from '../../ui/Outside.tsx';
import { Empty, NoMatch, Panel } from '../../ui/Panel.tsx';
import { defaults, metricNames, moved, signalsAbout, stepOf, steps, type Url } from './model.ts';

interface Axis {
  entity_id: string;
  name: string;
}
interface Matrix {
  metric: string;
  cell_metric: string;
  row_type: string;
  column_type: string;
  rows: (Axis & { total: number; cells: number[] })[];
  columns: Axis[];
  total_rows: number;
  total_columns: number;
  since: string | null;
  as_of: string | null;
}

/** One hue in seven steps; the text stays readable on the darkest. */
const shades = [
  '',
  'bg-[color-mix(in_srgb,var(--color-route)_5%,var(--color-panel))]',
  'bg-[color-mix(in_srgb,var(--color-route)_10%,var(--color-panel))]',
  'bg-[color-mix(in_srgb,var(--color-route)_16%,var(--color-panel))]',
  'bg-[color-mix(in_srgb,var(--color-route)_22%,var(--color-panel))]',
  'bg-[color-mix(in_srgb,var(--color-route)_29%,var(--color-panel))]',
  'bg-[color-mix(in_srgb,var(--color-route)_36%,var(--color-panel))]',
  'bg-[color-mix(in_srgb,var(--color-route)_44%,var(--color-panel))]',
];

export function Heatmap({ url, set }: { url: Url; set: (change: Partial<Url>) => void }) {
  const query = useRead<Matrix>('insight.matrix.get', {
    dimension: url.dimension,
    metric: url.metric,
    rows: 20,
    columns: 12,
    ...(url.from ? { date_from: url.from } : {}),
    ...(url.as_of ? { as_of: url.as_of } : {}),
  });
  return (
    <Panel title="Heatmap" query={query}>
      {(data) =>
        data.rows.length === 0 ? (
          url.from || url.as_of ? (
            <NoMatch onClear={() => set({ from: defaults.from, as_of: defaults.as_of })} />
          ) : (
            <Empty command="npx signalbox ingest FOLDER">No statement names entities of these types. Ingest statements of customers.</Empty>
          )
        ) : (
          <Cells data={data} />
        )
      }
    </Panel>
  );
}

function Cells({ data }: { data: Matrix }) {
  const table = useRef<HTMLTableElement>(null);
  const [at, setAt] = useState<[number, number]>([0, 0]);
  const columns = data.columns.length + 1;
  const largest = Math.max(0, ...data.rows.flatMap(({ cells }) => cells));
  const largestTotal = Math.max(0, ...data.rows.map(({ total }) => total));
  const period = { from: data.since, as_of: data.as_of };
  const what = metricNames[data.cell_metric] ?? data.cell_metric;
  const whole = metricNames[data.metric] ?? data.metric;
  const cell = (row: number, column: number, value: number, name: string, ids: string[], most: number) => (
    <td key={column} className={`border border-line p-0 text-right ${shades[stepOf(value, most)]}`}>
      <Link
        to="/console/signals"
        search={signalsAbout(ids, period)}
        data-at={`${row},${column}`}
        data-step={stepOf(value, most)}
        tabIndex={at[0] === row && at[1] === column ? 0 : -1}
        aria-label={name}
        className="hit w-full justify-end px-2 whitespace-nowrap text-ink no-underline hover:underline"
        onFocus={() => setAt([row, column])}
      >
        {value}
      </Link>
    </td>
  );
  return (
    <figure aria-label="Heatmap" className="grid min-w-0 gap-2 p-4">
      <figcaption className="text-soft">
        {data.rows.length} of {data.total_rows} {data.row_type}s with the most {whole}, by the {data.columns.length} of {data.total_columns}{' '}
        {data.column_type}s most frequent among them. Cells count {what}. Arrow keys move, Enter shows the statements.
      </figcaption>
      <div className="overflow-x-auto pb-1">
        <table
          ref={table}
          role="grid"
          aria-label={`${data.row_type}s by ${data.column_type}, ${what}`}
          className="border-collapse"
          onKeyDown={(event) => {
            if (event.ctrlKey || event.metaKey || event.altKey) return;
            const to = moved(at, event.key, [data.rows.length, columns]);
            if (!to) return;
            event.preventDefault();
            setAt(to);
            table.current?.querySelector<HTMLElement>(`[data-at="${to.join(',')}"]`)?.focus();
          }}
        >
          <thead>
            <tr className="text-soft">
              <th scope="col" className="px-2 py-1 text-left font-normal">
                {data.row_type}
              </th>
              <th scope="col" className="px-2 py-1 text-right font-normal whitespace-nowrap">
                all ({whole})
              </th>
              {data.columns.map(({ entity_id, name }) => (
                <th key={entity_id} scope="col" className="max-w-36 min-w-20 px-2 py-1 text-right font-normal">
                  <Outside text={name} most={40} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {data.rows.map(({ entity_id, name, total, cells }, row) => (
              <tr key={entity_id}>
                <th scope="row" className="min-w-32 max-w-72 border-b border-line px-2 text-left font-normal">
                  <Outside text={name} most={60} />
                </th>
                {cell(row, 0, total, `${name}, all: ${total} ${whole}`, [entity_id], largestTotal)}
                {cells.map((value, i) => {
                  const column = data.columns[i]!;
                  return cell(row, i + 1, value, `${name}, ${column.name}: ${value} ${what}`, [entity_id, column.entity_id], largest);
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="flex flex-wrap items-center gap-1 text-xs text-soft">
        1
        {Array.from({ length: steps }, (_, i) => (
          <span key={i} aria-hidden="true" className={`inline-block size-4 border border-line ${shades[i + 1]}`} />
        ))}
        {largest} {what}, shaded by square root
      </p>
    </figure>
  );
}
