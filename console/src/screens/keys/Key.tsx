import { useState } from 'react';
import type { KeyView } from '../../../../contracts/governance/keys.ts';
import { useAct } from '../../api/act.ts';
import { useRead } from '../../api/call.ts';
import { useSession } from '../../api/session.ts';
import { ActButton, Outcome } from '../../ui/Act.tsx';
import { Select } from '../../ui/Field.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { Facts } from '../../ui/Page.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { Id } from '../../ui/Text.tsx';
import { Age, span, useNow } from '../../ui/Time.tsx';
import { State } from './State.tsx';
import { graces, isCollectable, scopesText, type MadeKey } from './model.ts';

interface Props {
  id: string;
  onOpen: (id: string) => void;
  onSecret: (made: MadeKey) => void;
}

/** One key with those that it replaced or that replaced it. */
export function Key({ id, onOpen, onSecret }: Props) {
  const found = useRead<{ keys: KeyView[] }>('access.key.list', { search: id, limit: 1 });
  const key = found.data?.keys[0];
  return (
    <Panel title="Key" query={found}>
      {() => (key ? <Shown of={key} onOpen={onOpen} onSecret={onSecret} /> : <p className="p-4 text-soft">There is no key {id}.</p>)}
    </Panel>
  );
}

function Shown({ of: key, onOpen, onSecret }: { of: KeyView } & Omit<Props, 'id'>) {
  const { data: facts } = useSession();
  const now = useNow(5);
  const [grace, setGrace] = useState('24');
  const told = (answer: { data: unknown }): void => onSecret(answer.data as MadeKey);
  const rotate = useAct('access.key.rotate', (answer) => {
    told(answer);
    rotate.reset();
  });
  const collect = useAct('access.key.collect', (answer) => {
    told(answer);
    collect.reset();
  });
  const revoke = useAct('access.key.revoke');
  const line = useRead<{ keys: KeyView[] }>('access.key.list', { line: key.line, limit: 20 });
  const others = line.data?.keys.filter(({ key_id }) => key_id !== key.key_id) ?? [];
  // What cannot be read cannot be typed either.
  const plain = /^[\x20-\x7e]{1,60}$/.test(key.name) ? key.name : key.key_id;
  const mine = facts?.key.id === key.key_id;
  const used = key.last_used_at ? `used ${span(now - Date.parse(key.last_used_at))} ago by ${plain}` : 'never used';
  return (
    <>
      <Facts
        rows={[
          ['Name', <Outside text={key.name} most={128} />],
          ['State', <State of={key} />],
          ['Id', <Id>{key.key_id}</Id>],
          ['Role', `${key.role} (${key.kind})`],
          ['Scopes', scopesText(key)],
          ['Capabilities', key.capabilities.join(', ')],
          ['Team', key.team && <Outside text={key.team} />],
          ['Policy', key.policy],
          ['Profile', key.profile],
          ['Limit', `${key.rate.limit} calls a minute, burst ${key.rate.burst}; ${key.rate.used} used in this one`],
          [
            'Created',
            <>
              <Age at={key.created_at} />
              {key.made_by && (
                <>
                  {' '}
                  by <Outside text={key.made_by} />
                </>
              )}
            </>,
          ],
          ['Last used', key.last_used_at ? <Age at={key.last_used_at} /> : 'never'],
          ['Expires', key.expires_at ? <Age at={key.expires_at} /> : 'never'],
          ['Revoked', key.revoked_at && <Age at={key.revoked_at} />],
        ]}
      />
      {others.length > 0 && (
        <section aria-label="Rotations" className="border-t border-line p-4">
          <h3 className="mb-1">The key before and after each rotation</h3>
          <ul>
            {others.map((one) => (
              <li key={one.key_id}>
                <button type="button" className="hit gap-2 rounded" onClick={() => onOpen(one.key_id)}>
                  <code className="font-mono text-xs text-route">{one.key_id}</code> <State of={one} />
                  <span className="text-soft">
                    made <Age at={one.created_at} />
                  </span>
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
      {key.state === 'valid' && (
        <section aria-label="Actions" className="grid gap-3 border-t border-line p-4">
          {facts && isCollectable(key, facts.principal, now) && (
            <div>
              <ActButton tool="access.key.collect" act={collect} args={() => ({ key_id: key.key_id })} label={plain}>
                Collect the secret
              </ActButton>
            </div>
          )}
          <div className="flex flex-wrap items-end gap-3">
            <Select label="The old secret expires" value={grace} onChange={setGrace} options={graces} />
            <ActButton
              tool="access.key.rotate"
              act={rotate}
              args={() => ({ key_id: key.key_id, grace_hours: Number(grace) })}
              label={plain}
              confirm={{
                title: `Replace the secret of ${plain}?`,
                text: `A new secret is created with the same name, rights and limits. The old one (${used}) expires ${graces.find(([hours]) => hours === grace)![1]}.${mine ? ' It is the key that you are signed in with.' : ''}`,
              }}
            >
              Rotate
            </ActButton>
          </div>
          <div>
            <ActButton
              tool="access.key.revoke"
              act={revoke}
              args={() => ({ key_id: key.key_id })}
              label={plain}
              className="border-stop text-stop"
              confirm={{
                title: `Revoke the key ${plain}?`,
                text: `It was ${used}. Its calls are refused within two seconds; its streams and sessions end.${mine ? ' You are signed in with it: this signs you out.' : ''}`,
                type: plain,
              }}
            >
              Revoke
            </ActButton>
          </div>
          <Outcome act={rotate} />
          <Outcome act={collect} />
          <Outcome act={revoke} />
        </section>
      )}
    </>
  );
}
