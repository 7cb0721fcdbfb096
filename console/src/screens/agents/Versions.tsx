import type { AgentVersion } from '../../../../contracts/agents/past.ts';
import { useAct } from '../../api/act.ts';
import { usePages } from '../../api/call.ts';
import { ActButton, Outcome, useMay } from '../../ui/Act.tsx';
import { Select, TextField, useTyped } from '../../ui/Field.tsx';
import { Code } from '../../ui/LazyCode.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { Empty } from '../../ui/Panel.tsx';
import { Table, type Column } from '../../ui/Table.tsx';
import { Age } from '../../ui/Time.tsx';
import { toast } from '../../ui/toasts.tsx';
import type { Agent } from './model.ts';

const rows = ({ versions }: { versions: AgentVersion[] }) => versions;
const text = (version: AgentVersion): string => JSON.stringify(version.definition, null, 2);

const columns: Column<AgentVersion>[] = [
  {
    title: 'Version',
    className: 'whitespace-nowrap',
    cell: ({ version, current }) => (
      <>
        {version} {current && <span className="rounded border border-proceed px-1 text-xs text-proceed">in use</span>}
      </>
    ),
  },
  { title: 'Created', cell: (version) => <Age at={version.created_at} /> },
  { title: 'By', wide: true, cell: (version) => <Outside text={version.created_by} most={80} /> },
  { title: 'Note', cell: (version) => version.note && <Outside text={version.note} most={300} /> },
];

/** The agent's definitions, two of them compared, and the way back to an earlier one. */
export function Versions({
  agent,
  left,
  right,
  onChoose,
}: {
  agent: Agent;
  left: string;
  right: string;
  onChoose: (left: string, right: string) => void;
}) {
  const versions = usePages('agent.version.list', { agent_id: agent.agent_id, limit: 50 }, rows);
  const all = versions.data?.rows ?? [];
  const current = all.find((one) => one.current);
  // The one that was opened, against the one in use; else against the one before.
  const shown = all.find((one) => String(one.version) === right) ?? current;
  const before =
    all.find((one) => String(one.version) === left) ?? (shown?.current ? all.find((one) => one.version < shown.version) : current);
  const options = all.map((one) => [String(one.version), `${one.version}${one.current ? ' (in use)' : ''}`] as const);
  return (
    <div className="grid gap-4">
      <Table
        label="versions"
        query={versions}
        columns={columns}
        keyOf={({ version }) => String(version)}
        open={shown && String(shown.version)}
        onOpen={({ version }) => onChoose('', String(version))}
        empty={
          <Empty command={`npx signalbox tools describe agent.registry.register`}>
            This agent has no definition. A managed agent gets a version with each registration that changes it:
          </Empty>
        }
      />
      {shown && (
        <section aria-label="Definition" className="card grid gap-3 p-4">
          {all.length > 1 && (
            <div className="grid grid-cols-2 gap-3 sm:max-w-96">
              <Select
                label="Compare version"
                value={before ? String(before.version) : ''}
                onChange={(value) => onChoose(value, String(shown.version))}
                options={before ? options : [['', 'none'], ...options]}
              />
              <Select
                label="with"
                value={String(shown.version)}
                onChange={(value) => onChoose(before ? String(before.version) : '', value)}
                options={options}
              />
            </div>
          )}
          {before && before.version !== shown.version ? (
            <Code
              key={`${before.version} ${shown.version}`}
              label={`Version ${shown.version} compared with version ${before.version}`}
              value={text(shown)}
              before={text(before)}
              language="json"
            />
          ) : (
            <Code label={`Definition, version ${shown.version}`} value={text(shown)} language="json" />
          )}
          {!shown.current && <Rollback agent={agent} to={shown.version} />}
        </section>
      )}
    </div>
  );
}

function Rollback({ agent, to }: { agent: Agent; to: number }) {
  const tool = 'agent.version.rollback';
  const may = useMay()(tool);
  const [reason, setReason] = useTyped(`agent ${agent.agent_id} rollback`);
  const act = useAct(tool, () => {
    setReason('');
    toast(`${agent.agent_id} is at version ${to}`);
  });
  if (may === 'deny') return null;
  return (
    <div className="grid gap-2 border-t border-line pt-3">
      <div className="flex flex-wrap items-center gap-3">
        <TextField
          className="flex-1 basis-60"
          label={`Reason for going to version ${to}`}
          hint="Required. Later versions are kept; you roll forward in the same way."
          value={reason}
          onChange={setReason}
        />
        <ActButton
          tool={tool}
          act={act}
          args={() => ({ agent_id: agent.agent_id, target_version: to, reason: reason.trim().slice(0, 2_000) })}
          disabled={reason.trim() === ''}
          confirm={{
            title: `Roll back to version ${to}?`,
            text: `${agent.agent_id} runs version ${agent.version} now. It runs version ${to} from its next start.`,
            type: agent.agent_id,
          }}
        >
          {`Roll back to version ${to}`}
        </ActButton>
      </div>
      <Outcome act={act} />
    </div>
  );
}
