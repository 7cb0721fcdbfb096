import { useState } from 'react';
import { useRead } from '../../api/call.ts';
import { useSession } from '../../api/session.ts';
import { useMay } from '../../ui/Act.tsx';
import { Copy } from '../../ui/Copy.tsx';
import { Select, TextField } from '../../ui/Field.tsx';
import { Page, Tabs } from '../../ui/Page.tsx';
import { Failure, Panel, Skeleton } from '../../ui/Panel.tsx';
import { useUrl } from '../../url.ts';
import type { MadeKey } from '../keys/model.ts';
import { NewKey } from '../keys/NewKey.tsx';
import { Secret } from '../keys/Secret.tsx';
import { isAgentId, keyed, troubles, type Connection, type Described } from './model.ts';
import { Profiles } from './Profiles.tsx';
import { Watching } from './Watching.tsx';

const defaults = { client: 'claude-code', profile: '', agent: '', key: '' };

/** From a client to its first call: what to copy, a key for it, and the call as it comes. */
export default function Connect() {
  const [url, set, type] = useUrl(defaults);
  const { data: facts } = useSession();
  const may = useMay();
  // Its secret is here and nowhere else, until it is forgotten or the screen is left.
  const [made, setMade] = useState<MadeKey | null>(null);
  const agent = isAgentId(url.agent) ? url.agent : '';
  const described = useRead<Described>(
    'system.connection.describe',
    {
      url: location.origin,
      keyed: facts?.sign_in ?? true,
      ...(url.profile ? { profile: url.profile } : {}),
      ...(agent ? { agent_id: agent } : {}),
    },
    facts != null,
  );
  const { data } = described;
  const makes = may('access.key.create') !== 'deny' && facts?.sign_in;
  if (!data) {
    return (
      <Page title="Connect">
        {described.isError ? <Failure error={described.error} retry={() => void described.refetch()} /> : <Skeleton />}
      </Page>
    );
  }
  const client = data.clients.find(({ name }) => name === url.client) ?? data.clients[0]!;
  return (
    <Page title="Connect">
      <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <div className="grid min-w-0 gap-4">
          <Panel title="1. Client">
            {() => (
              <div className="p-4">
                <Tabs
                  label="Client"
                  tabs={data.clients.map(({ name, title }) => [name, title] as const)}
                  at={client.name}
                  onChange={(name) => set({ client: name })}
                />
                <div className="grid gap-3 sm:grid-cols-2">
                  <TextField
                    label="Name of the worker"
                    value={url.agent}
                    onChange={(text) => type({ agent: text })}
                    placeholder="the key's own name"
                    error={isAgentId(url.agent) ? undefined : 'Letters, digits and . _ : @ / -'}
                    hint="Where several workers share a key, each has its own name."
                  />
                  <Select
                    label="Profile"
                    value={url.profile}
                    onChange={(profile) => set({ profile })}
                    options={[['', 'the key’s own, else core'] as const, ...data.profiles.map(({ name }) => name)]}
                    hint="The tools that the client lists at first. It may call every tool that its key may call."
                  />
                </div>
              </div>
            )}
          </Panel>
          <Panel title="2. Key">
            {() => (
              <div className="grid gap-3 p-4">
                {facts?.sign_in === false ? (
                  <p>This server needs no key.</p>
                ) : (
                  <>
                    <p>
                      Use an existing key in place of <code className="font-mono text-xs">{data.key_placeholder}</code>
                      {makes ? ', or create one here.' : '. An administrator of this server can create one.'}
                    </p>
                    {made && <Secret made={made} onChange={setMade} onClose={() => setMade(null)} />}
                    {makes && !made && (
                      <NewKey
                        presets={data.presets}
                        scopes={data.scopes}
                        profile={url.profile}
                        onMade={(key) => {
                          setMade(key);
                          set({ key: key.key_id });
                        }}
                      />
                    )}
                  </>
                )}
              </div>
            )}
          </Panel>
          <Snippet of={client} secret={made?.api_key ?? null} placeholder={data.key_placeholder} />
        </div>
        <div className="grid min-w-0 gap-4">
          <Watching keyId={url.key} />
          <Profiles profiles={data.profiles} at={url.profile} onChoose={(profile) => set({ profile })} />
          <Panel title="Troubleshooting">
            {() => (
              <dl className="grid gap-3 p-4">
                {troubles.map(([shows, means, mend]) => (
                  <div key={shows}>
                    <dt className="font-semibold">{shows}</dt>
                    <dd>
                      {means} <span className="text-soft">{mend}</span>
                    </dd>
                  </div>
                ))}
              </dl>
            )}
          </Panel>
        </div>
      </div>
    </Page>
  );
}

function Snippet({ of: client, secret, placeholder }: { of: Connection; secret: string | null; placeholder: string }) {
  const text = keyed(client.text, placeholder, secret);
  const command = client.command === undefined ? null : keyed(client.command, placeholder, secret);
  const place = client.file ?? client.user_file;
  return (
    <Panel title={`3. ${client.title}`}>
      {() => (
        <div className="grid gap-3 p-4">
          {command !== null && (
            <>
              <p>Run</p>
              <Shown text={command} label="command" />
              <p>or put this into {place}</p>
            </>
          )}
          {command === null && place !== undefined && (
            <p>
              Put this into <code className="font-mono text-xs">{place}</code>
              {client.file !== undefined && client.user_file !== undefined && (
                <>
                  , or for all projects into <code className="font-mono text-xs">{client.user_file}</code>
                </>
              )}
            </p>
          )}
          <Shown text={text} label="configuration" />
          <p>{client.after}</p>
          {place !== undefined && (
            <p className="text-soft">
              <code className="font-mono text-xs">npx signalbox connect {client.name} --write</code> does the same on the server’s machine.
            </p>
          )}
        </div>
      )}
    </Panel>
  );
}

const Shown = ({ text, label }: { text: string; label: string }) => (
  <div>
    <pre
      tabIndex={0}
      role="region"
      aria-label={label}
      className="overflow-x-auto rounded bg-sunk p-3 font-mono text-xs whitespace-pre-wrap"
    >
      {text}
    </pre>
    <Copy text={text} label={`Copy the ${label}`} />
  </div>
);
