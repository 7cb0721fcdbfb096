import { Code } from '../../ui/LazyCode.tsx';
import { Empty, Panel } from '../../ui/Panel.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { Select } from '../../ui/Field.tsx';
import { Table, type Column } from '../../ui/Table.tsx';
import { Age } from '../../ui/Time.tsx';
import type { usePages } from '../../api/call.ts';
import { textOf, type Version } from './model.ts';

const columns: Column<Version>[] = [
  { title: 'Version', cell: ({ version }) => version },
  { title: 'Saved', cell: ({ created_at }) => created_at && <Age at={created_at} /> },
  { title: 'By', cell: ({ created_by }) => created_by && <Outside text={created_by} /> },
  { title: 'Note', cell: ({ note }) => note && <Outside text={note} /> },
  { title: 'Level', cell: ({ definition }) => definition.base, wide: true },
  { title: 'Rules', cell: ({ definition }) => definition.rules.length, wide: true },
];

/** Versions of a policy, and the difference of two. */
export function Versions({
  versions,
  url,
  set,
}: {
  versions: ReturnType<typeof usePages<{ versions: Version[] }, Version>>;
  url: { v: string; against: string };
  set: (change: { v?: string; against?: string }) => void;
}) {
  const rows = versions.data?.rows ?? [];
  const at = rows.findIndex(({ version }) => String(version) === url.v);
  const now = rows[Math.max(0, at)];
  // By default with the one before.
  const before = rows.find(({ version }) => String(version) === url.against) ?? rows[Math.max(0, at) + 1];
  return (
    <div className="grid gap-4">
      <div className="card">
        <Table
          label="versions"
          query={versions}
          columns={columns}
          keyOf={({ version }) => String(version)}
          open={now && String(now.version)}
          onOpen={({ version }) => set({ v: String(version), against: '' })}
          empty={<Empty>Nobody has changed this policy: the built-in version applies.</Empty>}
        />
      </div>
      {now && (
        <Panel
          title={before ? `Version ${now.version}, compared` : `Version ${now.version}`}
          aside={
            before && (
              <Select
                label="with version"
                value={String(before.version)}
                onChange={(against) => set({ against })}
                options={rows.filter((one) => one !== now).map(({ version }) => String(version))}
                className="my-1"
              />
            )
          }
        >
          {() => (
            <div className="p-4">
              <Code
                label={before ? `Version ${before.version} and version ${now.version}` : `Version ${now.version}`}
                value={textOf(now.definition)}
                {...(before ? { before: textOf(before.definition) } : {})}
              />
            </div>
          )}
        </Panel>
      )}
    </div>
  );
}
