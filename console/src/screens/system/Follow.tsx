import { useState } from 'react';
import type { TrackerKind } from '../../../../contracts/work/tracker-kinds.ts';
import type { Tracker } from '../../../../contracts/work/trackers.ts';
import type { Phase } from '../../../../contracts/work/work.ts';
import { useAct } from '../../api/act.ts';
import { useRead } from '../../api/call.ts';
import { ActButton, Outcome } from '../../ui/Act.tsx';
import { Select, TextField } from '../../ui/Field.tsx';
import { Panel } from '../../ui/Panel.tsx';

const kinds: Record<TrackerKind, { title: string; repository: string; address: string; token: string }> = {
  github: {
    title: 'GitHub',
    repository: 'owner/name',
    address: 'Of a server of your own: https://git.example.com/api/v3.',
    token: 'A fine-grained token with read and write for issues and pull requests.',
  },
  gitlab: {
    title: 'GitLab',
    repository: 'group/name',
    address: 'Of a server of your own: https://git.example.com/api/v4.',
    token: 'A token with the scope api.',
  },
  jira: {
    title: 'Jira',
    repository: 'The key of a project, such as SHOP.',
    address: 'Such as https://acme.atlassian.net.',
    token: 'Jira Cloud: address:token. Data Center: a personal access token.',
  },
  linear: { title: 'Linear', repository: 'The key of a team, such as ENG.', address: 'None is needed.', token: 'A personal API key.' },
};

/** A new tracker. Its token is kept in no storage of the browser. */
export function Follow({ onDone }: { onDone: (id: string) => void }) {
  const phases = useRead<{ phases: Phase[] }>('work.phase.list');
  const [kind, setKind] = useState<TrackerKind>('github');
  const [name, setName] = useState('');
  const [repository, setRepository] = useState('');
  const [address, setAddress] = useState('');
  const [token, setToken] = useState('');
  const [labels, setLabels] = useState('');
  const [phase, setPhase] = useState('');
  const save = useAct('work.tracker.save', ({ data }) => {
    setToken('');
    setName('');
    onDone((data as { tracker: Tracker }).tracker.tracker_id);
  });
  const all = phases.data?.phases ?? [];
  const at = phase || String(all[0]?.id ?? '');
  const hints = kinds[kind];
  const wanted = () => ({
    kind,
    name: name.trim() || repository.trim(),
    repository: repository.trim(),
    token: token.trim(),
    phase_id: Number(at),
    filter: {
      labels: labels
        .split(',')
        .map((label) => label.trim())
        .filter(Boolean),
    },
    ...(address.trim() === '' ? {} : { base_url: address.trim() }),
  });
  return (
    <Panel title="Make tasks of issues">
      {() => (
        <div className="grid gap-3 p-4">
          <Select
            label="Tracker"
            value={kind}
            onChange={setKind}
            options={Object.entries(kinds).map(([each, { title }]) => [each as TrackerKind, title] as const)}
          />
          <TextField label="Repository or project" value={repository} onChange={setRepository} hint={hints.repository} />
          <TextField label="Address of its API" value={address} onChange={setAddress} hint={hints.address} />
          <TextField label="Token" type="password" value={token} onChange={setToken} hint={`${hints.token} It is stored sealed.`} />
          <TextField
            label="Labels"
            value={labels}
            onChange={setLabels}
            hint="Issues that carry all of these, with commas between them. Choose one that only people you trust can set."
          />
          <Select
            label="Phase of new tasks"
            value={at}
            onChange={setPhase}
            options={all.map(({ id, name: of }) => [String(id), `${id} ${of}`] as const)}
          />
          <TextField label="Name" value={name} onChange={setName} hint="None: as the repository." />
          <div>
            <ActButton
              tool="work.tracker.save"
              act={save}
              disabled={repository.trim() === '' || token.trim().length < 8 || at === '' || (kind === 'jira' && address.trim() === '')}
              args={wanted}
            >
              Follow
            </ActButton>
          </div>
          <Outcome act={save} />
        </div>
      )}
    </Panel>
  );
}
