import type { PolicyEffect } from '../../../../contracts/governance/policy.ts';
import type { WhatIf } from '../../../../contracts/governance/what-if.ts';
import { useRead } from '../../api/call.ts';
import { Filters, FilterText, Select, TextField } from '../../ui/Field.tsx';
import { NoMatch, Panel } from '../../ui/Panel.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { here, Table, type Column } from '../../ui/Table.tsx';
import type { Url } from '../../url.ts';
import { effects, kinds, listed, matrixOf, type Counts } from './model.ts';
import { Effect } from './parts.tsx';
import { useRested } from './rested.ts';

export const whoDefaults = {
  policy: 'standard',
  role: 'agent',
  kind: '',
  team: '',
  scopes: '',
  caps: '',
  front: 'mcp',
  q: '',
  verdict: '',
  domain: '',
  effect: '',
};
type Who = typeof whoDefaults;

export const roles = ['admin', 'pm', 'pm_leader', 'operator', 'new_pm', 'stakeholder', 'agent', 'readonly'] as const;
const fronts = ['mcp', 'rest', 'console', 'a2a', 'stdio'] as const;

/** The caller that a person imagines, as the simulation takes it. */
export const asOf = ({
  role,
  kind,
  team,
  scopes,
  caps = '',
  front = 'mcp',
}: Pick<Who, 'role' | 'kind' | 'team' | 'scopes'> & Partial<Who>) => ({
  role,
  ...(kind ? { kind } : {}),
  ...(team.trim() ? { team: team.trim() } : {}),
  scopes: listed(scopes),
  capabilities: listed(caps),
  front,
});

type Row = WhatIf['tools'][number];
const columns: Column<Row>[] = [
  {
    title: 'Tool',
    cell: ({ tool, title }) => (
      <>
        <code className="font-mono text-xs">{tool}</code>
        <span className="block text-soft">
          <Outside text={title} most={80} />
        </span>
      </>
    ),
  },
  { title: 'Effect', cell: ({ effect }) => effect, wide: true },
  { title: 'Verdict', cell: ({ before }) => <Effect is={before.effect} /> },
  { title: 'Rule', cell: ({ before }) => before.rule, wide: true },
  { title: 'Why', cell: ({ before }) => <Outside text={before.reason} />, wide: true },
];

/** The verdict for each tool, for a caller that is chosen here: no key of it need exist. */
export function WhoMayWhat({ url, set, type, names }: { url: Who; set: Url<Who>[1]; type: Url<Who>[2]; names: string[] }) {
  const args = useRested({ policy: url.policy, as: asOf(url), show: 'all' });
  const found = useRead<WhatIf>('system.policy.simulate', args);
  const words = url.q.trim().toLowerCase();
  const shown = (found.data?.tools ?? []).filter(
    ({ tool, title, effect, before }) =>
      (!words || tool.includes(words) || title.toLowerCase().includes(words)) &&
      (!url.verdict || before.effect === url.verdict) &&
      (!url.domain || tool.startsWith(`${url.domain}.`)) &&
      (!url.effect || effect === url.effect),
  );
  const clear = { q: '', verdict: '', domain: '', effect: '' };
  return (
    <>
      <Filters>
        <Select label="Policy" value={url.policy} onChange={(policy) => set({ policy })} options={[...new Set([url.policy, ...names])]} />
        <Select label="Role" value={url.role} onChange={(role) => set({ role })} options={[...roles]} />
        <Select
          label="Kind"
          value={url.kind}
          onChange={(kind) => set({ kind })}
          options={[['', 'default of the role'], 'human', 'agent']}
        />
        <TextField label="Team" value={url.team} onChange={(team) => type({ team })} placeholder="none" />
        <TextField label="Scopes" value={url.scopes} onChange={(scopes) => type({ scopes })} placeholder="all of its role" />
        <TextField label="Capabilities" value={url.caps} onChange={(caps) => type({ caps })} placeholder="none" />
        <Select label="Calls by" value={url.front} onChange={(front) => set({ front })} options={[...fronts]} />
      </Filters>
      <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
        <Panel title="By domain" query={found}>
          {(data) => <Matrix tools={data.tools} url={url} set={set} />}
        </Panel>
        <Panel title="By tool" query={found}>
          {() => (
            <>
              <div className="px-4 pt-3">
                <Filters>
                  <FilterText value={url.q} onChange={(q) => type({ q })} placeholder="name or title" />
                  <Select label="Verdict" value={url.verdict} onChange={(verdict) => set({ verdict })} options={['', ...effects]} />
                  <Select label="Effect" value={url.effect} onChange={(effect) => set({ effect })} options={['', ...kinds]} />
                </Filters>
              </div>
              <Table
                label="tools"
                query={here(shown)}
                columns={columns}
                keyOf={({ tool }) => tool}
                empty={<NoMatch onClear={() => set(clear)} />}
              />
            </>
          )}
        </Panel>
      </div>
    </>
  );
}

function Matrix({ tools, url, set }: { tools: WhatIf['tools']; url: Who; set: Url<Who>[1] }) {
  return (
    <div className="overflow-x-auto" tabIndex={0} role="region" aria-label="Verdicts by domain">
      <table className="w-full border-collapse text-left">
        <thead>
          <tr className="border-b border-edge text-soft">
            <th scope="col" className="px-3 py-2 font-normal">
              Domain
            </th>
            {kinds.map((kind) => (
              <th key={kind} scope="col" className="px-3 py-2 font-normal">
                {kind}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {matrixOf(tools).map(({ domain, cells }) => (
            <tr key={domain} className={`border-b border-line ${url.domain === domain ? 'bg-sunk' : ''}`}>
              <th scope="row" className="px-3 font-normal">
                <button
                  type="button"
                  className="hit rounded text-route"
                  aria-pressed={url.domain === domain}
                  onClick={() => set({ domain: url.domain === domain ? '' : domain })}
                >
                  {domain}
                </button>
              </th>
              {kinds.map((kind) => (
                <td key={kind} className="px-3 py-1.5 align-top">
                  <Cell counts={cells[kind]} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Cell({ counts }: { counts: Counts }) {
  const some = effects.filter((effect) => counts[effect] > 0);
  if (some.length === 0) return <span className="text-soft">–</span>;
  return (
    <span className="flex flex-wrap gap-x-3">
      {some.map((effect: PolicyEffect) => (
        <span key={effect} className="whitespace-nowrap">
          {counts[effect]} <Effect is={effect} />
        </span>
      ))}
    </span>
  );
}
