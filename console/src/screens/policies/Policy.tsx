import { Link, useParams } from '@tanstack/react-router';
import type { WhatIf } from '../../../../contracts/governance/what-if.ts';
import { usePages, useRead } from '../../api/call.ts';
import { useUrl } from '../../url.ts';
import { useMay } from '../../ui/Act.tsx';
import { Facts, Page, Tabs } from '../../ui/Page.tsx';
import { Empty, NoRight, Panel } from '../../ui/Panel.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { Age } from '../../ui/Time.tsx';
import { Change } from './Change.tsx';
import { hitsOf, levels, type Version } from './model.ts';
import { Cel, Effect } from './parts.tsx';
import { Versions } from './Versions.tsx';

const defaults = { tab: 'rules', v: '', against: '', role: 'agent', kind: '', team: '', scopes: '', days: '7' };
const versionRows = ({ versions }: { versions: Version[] }) => versions;

/** One policy: its rules, a change with what it would do, and its versions. */
export default function Policy() {
  const { name = '' } = useParams({ strict: false }) as { name?: string };
  const [url, set, type] = useUrl(defaults);
  const may = useMay();
  const readable = may('system.policy.list') !== 'deny';
  const all = useRead<{ policies: Version[] }>('system.policy.list', {}, readable);
  const versions = usePages('system.policy.history', { name }, versionRows, readable);
  const hits = useRead<WhatIf>(
    'system.policy.simulate',
    { policy: name, show: 'changed', replay_days: 7 },
    readable && may('system.policy.simulate') !== 'deny' && may('system.ledger.search') !== 'deny',
  );
  const above = (
    <Link to="/console/policies" className="hit">
      Policies
    </Link>
  );
  if (!readable) {
    return (
      <Page title={name} above={above}>
        <NoRight tool="system.policy.list" scope="policy:read" />
      </Page>
    );
  }
  // A name that nobody has saved is a policy, too: with it a key may as little as under strict.
  const latest = all.data && (all.data.policies.find((one) => one.name === name) ?? unsaved(name));
  const chosen = url.v === '' ? latest : versions.data?.rows.find(({ version }) => String(version) === url.v);
  const change = may('system.policy.save') !== 'deny';
  return (
    <Page title={name} above={above}>
      <Tabs
        label="Parts of the policy"
        at={url.tab}
        onChange={(tab) => set({ tab })}
        tabs={[
          ['rules', 'Rules'],
          ...(change ? [['change', 'Change'] as const] : []),
          ['versions', 'Versions', versions.data?.rows.length],
        ]}
      />
      {url.tab === 'versions' ? (
        <Versions versions={versions} url={url} set={set} />
      ) : url.tab === 'change' && change ? (
        latest ? (
          <Change key={`${name} ${latest.version}`} name={name} saved={latest} url={url} set={set} type={type} />
        ) : (
          <Panel title="Change" query={all}>
            {() => null}
          </Panel>
        )
      ) : (
        <Panel title={url.v === '' ? 'Rules' : `Rules of version ${url.v}`} query={all}>
          {() =>
            chosen ? (
              <Rules version={chosen} hits={url.v === '' ? hits.data : undefined} />
            ) : (
              <Empty>There is no version {url.v} here.</Empty>
            )
          }
        </Panel>
      )}
    </Page>
  );
}

const unsaved = (name: string): Version => ({
  name,
  version: 0,
  definition: { base: 'strict', rules: [] },
  note: null,
  created_by: null,
  created_at: null,
});

function Rules({
  version: { name, version, definition, note, created_by, created_at },
  hits,
}: {
  version: Version;
  hits: WhatIf | undefined;
}) {
  const replay = hits?.replay ?? undefined;
  const counts = hitsOf(name, replay?.rules);
  return (
    <>
      <Facts
        rows={[
          ['Version', version === 0 ? 'built in: nobody has changed it' : version],
          created_at !== null && [
            'Saved',
            <>
              {created_by && <Outside text={created_by} />} <Age at={created_at} />
            </>,
          ],
          note !== null && ['Note', <Outside text={note} most={2_000} />],
          ['Four eyes', definition.four_eyes ? 'the requester may not approve' : null],
        ]}
      />
      <ol className="divide-y divide-line border-t border-line">
        {definition.rules.map((rule, i) => (
          <li key={i} id={`rule-${i + 1}`} className="grid gap-x-4 gap-y-1 px-4 py-2 sm:grid-cols-[4rem_5rem_minmax(0,1fr)]">
            <span className="text-soft">rule {i + 1}</span>
            <Effect is={rule.effect} />
            <span className="min-w-0">
              <Cel text={rule.when} />
              <span className="block">
                <Outside text={rule.reason} />
              </span>
              {replay && (
                <span className="block text-soft">
                  {(counts.get(i + 1) ?? 0).toLocaleString('en')} of the last {replay.days} days’ calls
                  {replay.more ? ' (the newest 50,000)' : ''}
                </span>
              )}
            </span>
          </li>
        ))}
        <li className="grid gap-x-4 px-4 py-2 sm:grid-cols-[4rem_5rem_minmax(0,1fr)]">
          <span className="text-soft">else</span>
          <span className="font-semibold sm:col-span-2">{levels[definition.base]}</span>
        </li>
      </ol>
    </>
  );
}
