import { usePages } from '../../api/call.ts';
import { Aspect } from '../../ui/Aspect.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { Empty } from '../../ui/Panel.tsx';
import { Table, type Column } from '../../ui/Table.tsx';
import { Age } from '../../ui/Time.tsx';

interface Name {
  name: string;
  tool: string;
  replacement: string;
  removed_in: string | null;
  calls_14_days: number;
  last_used_at: string | null;
  callers: { principal: string; calls: number }[];
  unused: boolean;
}

const rows = ({ deprecated_tools }: { deprecated_tools: Name[] }) => deprecated_tools.toSorted((a, b) => b.calls_14_days - a.calls_14_days);
const Code = ({ text }: { text: string }) => <code className="font-mono text-xs">{text}</code>;

const columns: Column<Name>[] = [
  { title: 'Name', cell: ({ name }) => <Code text={name} /> },
  { title: 'Use instead', cell: ({ replacement }) => <Code text={replacement} /> },
  { title: 'Calls in 14 days', cell: ({ calls_14_days }) => calls_14_days.toLocaleString('en') },
  {
    title: 'Who still calls it',
    cell: ({ callers }) =>
      callers.map(({ principal, calls }) => (
        <span key={principal} className="block">
          <Outside text={principal} most={60} /> {calls.toLocaleString('en')}
        </span>
      )),
  },
  { title: 'Last', cell: ({ last_used_at }) => last_used_at && <Age at={last_used_at} />, wide: true },
  {
    title: 'Removed',
    cell: ({ removed_in, unused }) => (
      <>
        {removed_in ? `in ${removed_in}` : 'stays'} {unused && <Aspect is="clear">unused</Aspect>}
      </>
    ),
    wide: true,
  },
];

/** Names of tools that are kept for old clients, and who still uses them. */
export function Names() {
  const names = usePages('system.deprecation.list', {}, rows);
  return (
    <div className="card">
      <Table
        label="deprecated names"
        query={names}
        columns={columns}
        keyOf={({ name }) => name}
        empty={<Empty>No name is deprecated.</Empty>}
      />
    </div>
  );
}
