import { useState } from 'react';
import type { OutputStatus, Verdict } from '../../../../contracts/agents/agents.ts';
import { useAct } from '../../api/act.ts';
import { useRead } from '../../api/call.ts';
import { ActButton, Outcome, useMay } from '../../ui/Act.tsx';
import { Aspect, type AspectName } from '../../ui/Aspect.tsx';
import { Select, TextArea, TextField, useTyped } from '../../ui/Field.tsx';
import { Code } from '../../ui/LazyCode.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { Facts, Split } from '../../ui/Page.tsx';
import { Empty, NoMatch, NoRight, Panel } from '../../ui/Panel.tsx';
import { Table, type Column } from '../../ui/Table.tsx';
import { Json } from '../../ui/Text.tsx';
import { Age } from '../../ui/Time.tsx';
import { toast } from '../../ui/toasts.tsx';
import { rate, type Agent } from './model.ts';

interface Output {
  output_id: string;
  agent_version: number;
  kind: string;
  title: string;
  content: string;
  status: OutputStatus;
  correction: string | null;
  notes: string | null;
  decided_by: string | null;
  decided_at: string | null;
  created_at: string;
}

const aspects: Record<OutputStatus, AspectName> = { pending: 'caution', accepted: 'clear', corrected: 'held', rejected: 'stop' };
const tool = 'agent.output.review';

const columns: Column<Output>[] = [
  {
    title: 'Output',
    cell: (output) => (
      <>
        <Outside text={output.title} most={120} />
        <span className="block text-xs text-soft">
          <Outside text={output.kind} most={64} />
        </span>
      </>
    ),
  },
  { title: 'Judged', className: 'whitespace-nowrap', cell: (output) => <Aspect is={aspects[output.status]}>{output.status}</Aspect> },
  { title: 'Version', wide: true, className: 'text-right whitespace-nowrap', cell: (output) => output.agent_version },
  { title: 'Created', cell: (output) => <Age at={output.created_at} /> },
];

/** What the agent produced, what people said of it, and the way to judge it. */
export function Outputs({ id, agent, open, onOpen }: { id: string; agent: Agent; open: string; onOpen: (output: string) => void }) {
  const may = useMay()(tool) !== 'deny';
  const [status, setStatus] = useState<OutputStatus | 'all'>('all');
  const read = useRead<{ groups: { outputs: Output[] }[] }>(tool, { agent_id: id, status, limit: 100 }, may);
  if (!may) return <NoRight tool={tool} scope="agent:write" />;
  const rows = read.data?.groups.flatMap(({ outputs }) => outputs).toReversed();
  const chosen = rows?.find(({ output_id }) => output_id === open);
  const { judged, acceptance_rate } = agent.quality;
  return (
    <>
      <div className="mb-3 flex flex-wrap items-end gap-4">
        <Select label="Judged" value={status} onChange={setStatus} options={['all', ...(Object.keys(aspects) as OutputStatus[])]} />
        <p className="text-soft">
          {judged === 0
            ? 'No output was judged in the last 30 days.'
            : `${rate(acceptance_rate)} of ${judged} judged in the last 30 days were accepted.`}
        </p>
      </div>
      <Split
        onBack={() => onOpen('')}
        list={
          <Table
            label="outputs of the agent"
            query={{ ...read, data: rows && { rows } }}
            columns={columns}
            keyOf={({ output_id }) => output_id}
            open={open}
            onOpen={({ output_id }) => onOpen(output_id)}
            empty={
              status === 'all' ? (
                <Empty>No outputs yet. An agent submits one with agent.output.submit.</Empty>
              ) : (
                <NoMatch onClear={() => setStatus('all')} />
              )
            }
          />
        }
        detail={chosen ? <Detail key={chosen.output_id} output={chosen} /> : null}
      />
    </>
  );
}

function Detail({ output }: { output: Output }) {
  return (
    <Panel title="Output">
      {() => (
        <>
          <Facts
            rows={[
              ['Title', <Outside key="t" text={output.title} />],
              ['Kind', <Outside key="k" text={output.kind} />],
              [
                'Judged',
                <Aspect key="j" is={aspects[output.status]}>
                  {output.status}
                </Aspect>,
              ],
              output.decided_by !== null && ['By', <Outside key="b" text={output.decided_by} />],
              output.decided_at !== null && ['When', <Age key="w" at={output.decided_at} />],
              output.notes !== null && ['Note', <Outside key="n" text={output.notes} most={2_000} />],
            ]}
          />
          <div className="grid gap-3 px-4 pb-4">
            {output.correction === null ? (
              <Json value={output.content} label="content" />
            ) : (
              <Code label="Correction compared with what the agent wrote" value={output.correction} before={output.content} />
            )}
            {output.status === 'pending' && <Judge output={output} />}
          </div>
        </>
      )}
    </Panel>
  );
}

function Judge({ output }: { output: Output }) {
  const [notes, setNotes] = useTyped(`output ${output.output_id} notes`);
  const [correction, setCorrection] = useTyped(`output ${output.output_id}`, output.content);
  const [correcting, setCorrecting] = useState(correction !== output.content);
  const act = useAct(tool, (_answer, args) => {
    setNotes('');
    setCorrection(output.content);
    toast(`“${output.title.slice(0, 60)}”: ${(args as { decision: Verdict }).decision}`);
  });
  const args = (decision: Verdict) => () => ({
    output_id: output.output_id,
    decision,
    ...(notes.trim() ? { notes: notes.trim().slice(0, 2_000) } : {}),
    ...(decision === 'correct' ? { correction } : {}),
  });
  return (
    <div className="grid gap-3 border-t border-line pt-3">
      {correcting && <TextArea label="Corrected output" rows={8} mono value={correction} onChange={setCorrection} />}
      <TextField
        label="Note to the agent"
        value={notes}
        onChange={setNotes}
        hint="The agent reads the note in its inbox. A judgement is final."
      />
      <div className="flex flex-wrap gap-3">
        {correcting ? (
          <ActButton tool={tool} act={act} args={args('correct')} disabled={correction === output.content || correction === ''}>
            Save the correction
          </ActButton>
        ) : (
          <>
            <ActButton tool={tool} act={act} args={args('accept')}>
              Accept
            </ActButton>
            <ActButton tool={tool} act={act} args={args('reject')} className="text-stop">
              Reject
            </ActButton>
          </>
        )}
        <button type="button" className="control" onClick={() => setCorrecting(!correcting)}>
          {correcting ? 'Cancel the correction' : 'Correct…'}
        </button>
      </div>
      <Outcome act={act} />
    </div>
  );
}
