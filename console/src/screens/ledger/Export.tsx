import type { ExportAnswer } from '../../../../contracts/governance/exports.ts';
import { useAct } from '../../api/act.ts';
import { call } from '../../api/call.ts';
import { ActButton, Outcome } from '../../ui/Act.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { Age } from '../../ui/Time.tsx';
import { useState } from 'react';

/** What the export cannot be filtered by. */
const left = ['front', 'changes_only', 'key_id', 'session_id', 'trace_id', 'approval_id'];

/** The ledger as a file; by time alone it can be verified without this server. */
export function Export({ args, filtered }: { args: Record<string, string | boolean>; filtered: boolean }) {
  const [file, setFile] = useState<ExportAnswer | null>(null);
  const act = useAct('system.ledger.export', (answer) => {
    const first = answer.data as ExportAnswer;
    setFile(first);
    if (first.export_id === undefined) void waitFor(first.job_id).then(setFile, () => setFile(null));
  });
  const given = Object.fromEntries(Object.entries(args).filter(([name]) => !left.includes(name)));
  const ignored = left.filter((name) => name in args);
  return (
    <Panel title="Take it along">
      {() => (
        <div className="grid gap-3 p-4">
          <p className="text-soft">
            {filtered
              ? 'The entries that match the filters, as JSON lines.'
              : 'The whole ledger as JSON lines with its links: signalbox ledger verify --file verifies it without this server.'}
            {ignored.length > 0 && ` Exports are not filtered by ${ignored.join(', ')}.`}
          </p>
          <ActButton tool="system.ledger.export" act={act} args={() => given} className="justify-self-start">
            Export
          </ActButton>
          <Outcome act={act} />
          {file && (
            <p role="status">
              {file.export_id === undefined ? (
                'The file is being written…'
              ) : (
                <>
                  <a href={`/console/api/exports/${file.job_id}`} className="hit" download>
                    {file.filename}
                  </a>
                  {file.expires_at && (
                    <>
                      {' '}
                      until <Age at={file.expires_at} />
                    </>
                  )}
                </>
              )}
            </p>
          )}
        </div>
      )}
    </Panel>
  );
}

/** The file, when its job has ended. */
async function waitFor(job_id: string): Promise<ExportAnswer> {
  for (;;) {
    const { job } = await call<{ job: { finished_at: string | null } }>('system.job.get', { job_id, wait_seconds: 60 });
    if (job.finished_at !== null) return await call<ExportAnswer>('system.export.get', { job_id });
  }
}
