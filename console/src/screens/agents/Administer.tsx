import { useAct } from '../../api/act.ts';
import { settings, useStore } from '../../settings.ts';
import { ActButton, Outcome, useMay } from '../../ui/Act.tsx';
import { TextField, useTyped } from '../../ui/Field.tsx';
import { clock } from '../../ui/Time.tsx';
import { toast } from '../../ui/toasts.tsx';
import { pauseText, type Agent } from './model.ts';

/** Pauses an agent, or lets it go on. */
export function Administer({ agent }: { agent: Agent }) {
  const paused = agent.status === 'paused';
  const tool = paused ? 'agent.registry.activate' : 'agent.registry.deactivate';
  const may = useMay()(tool);
  const utc = useStore(settings.utc);
  const [reason, setReason] = useTyped(`agent ${agent.agent_id} ${tool}`);
  const act = useAct(tool, () => {
    setReason('');
    toast(`${agent.agent_id} ${paused ? 'is active again' : 'is paused'}`);
  });
  if (may === 'deny') return null;
  const given = reason.trim();
  return (
    <div className="grid gap-2 border-t border-line p-4">
      <div className="flex flex-wrap items-center gap-3">
        <TextField
          className="flex-1 basis-60"
          label={paused ? 'Reason for resuming' : 'Reason for the pause'}
          hint={paused ? 'Not required.' : 'Required. It is stored and shown with the agent.'}
          value={reason}
          onChange={setReason}
        />
        <ActButton
          key={tool}
          tool={tool}
          act={act}
          args={() => ({ agent_id: agent.agent_id, ...(given ? { reason: given.slice(0, 2_000) } : {}) })}
          disabled={!paused && given === ''}
          label={agent.agent_id}
          {...(paused ? {} : { confirm: { title: 'Pause this agent?', text: pauseText(agent, (at) => clock(at, utc)) } })}
        >
          {paused ? 'Resume' : 'Pause'}
        </ActButton>
      </div>
      <Outcome act={act} />
    </div>
  );
}
