import { useState } from 'react';
import { useAct } from '../../api/act.ts';
import { ActButton, Outcome } from '../../ui/Act.tsx';
import { Select, TextField } from '../../ui/Field.tsx';
import { faultOf, lives, presetOf, wishArgs, type MadeKey, type Preset, type Wish } from './model.ts';

const roles = ['agent', 'readonly', 'pm', 'pm_leader', 'new_pm', 'stakeholder', 'admin'] as const;

/** Makes a key. @param onMade gets it with its secret, which is told once */
export function NewKey({
  presets,
  scopes,
  profile = '',
  onMade,
}: {
  presets: readonly Preset[];
  scopes: readonly string[];
  /** Of the client that the key is for. */
  profile?: string;
  onMade: (key: MadeKey) => void;
}) {
  const [wish, setWish] = useState<Wish>({ name: '', role: 'agent', scopes: [], days: 90, rpm: '' });
  const [touched, setTouched] = useState(false);
  const act = useAct('access.key.create', (answer) => {
    onMade(answer.data as MadeKey);
    // The answer holds the secret.
    act.reset();
    setWish((old) => ({ ...old, name: '' }));
    setTouched(false);
  });
  const change = (more: Partial<Wish>): void => setWish({ ...wish, ...more });
  const fault = faultOf(wish);
  const preset = presetOf(presets, wish);
  return (
    <div className="grid gap-3">
      <div className="grid gap-3 sm:grid-cols-2">
        <TextField
          label="Name"
          placeholder="worker-7"
          value={wish.name}
          onChange={(name) => {
            setTouched(true);
            change({ name });
          }}
          error={touched ? fault : undefined}
          hint="The ledger records its calls under this name."
          required
        />
        <Select
          label="Permissions"
          value={preset?.name ?? ''}
          onChange={(name) => {
            const chosen = presets.find((one) => one.name === name);
            if (chosen) change({ role: chosen.role, scopes: chosen.scopes });
          }}
          options={[...(preset ? [] : [['', 'as chosen below'] as const]), ...presets.map(({ name, title }) => [name, title] as const)]}
        />
        <Select
          label="Role"
          value={wish.role}
          onChange={(role) => change({ role })}
          options={roles.map((role) => [role as string, role] as const)}
        />
        <Select label="Expires" value={String(wish.days)} onChange={(days) => change({ days: Number(days) })} options={lives} />
        <TextField label="Calls per minute" value={wish.rpm} onChange={(rpm) => change({ rpm })} placeholder="the server's default" />
      </div>
      <details>
        <summary className="hit cursor-pointer text-route underline">
          Scopes: {wish.scopes.length === 0 ? 'all scopes of the role' : wish.scopes.join(', ')}
        </summary>
        <div className="grid grid-cols-[repeat(auto-fill,minmax(11rem,1fr))] gap-x-3">
          {[...new Set([...wish.scopes, ...scopes])].toSorted().map((scope) => (
            <label key={scope} className="hit gap-2">
              <input
                type="checkbox"
                className="size-4"
                checked={wish.scopes.includes(scope)}
                onChange={({ target }) =>
                  change({ scopes: target.checked ? [...wish.scopes, scope] : wish.scopes.filter((one) => one !== scope) })
                }
              />
              <span className="font-mono text-xs">{scope}</span>
            </label>
          ))}
        </div>
      </details>
      <div>
        <ActButton
          tool="access.key.create"
          act={act}
          disabled={fault !== undefined}
          className="border-route"
          args={() => wishArgs(wish, profile)}
        >
          Create the key
        </ActButton>
      </div>
      <Outcome act={act} />
    </div>
  );
}
