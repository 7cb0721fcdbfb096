import { useState } from 'react';
import type { ReportSchedule } from '../../../../contracts/authoring/report-schedules.ts';
import { useAct } from '../../api/act.ts';
import { useRead } from '../../api/call.ts';
import { ActButton, Outcome, useMay } from '../../ui/Act.tsx';
import { Aspect, type AspectName } from '../../ui/Aspect.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { Facts } from '../../ui/Page.tsx';
import { Empty, Panel } from '../../ui/Panel.tsx';
import { RecordLink } from '../../ui/Text.tsx';
import { Age } from '../../ui/Time.tsx';
import { fieldsOf, scheduleArgs, whenOf, worded } from './model.ts';
import { ScheduleForm } from './ScheduleForm.tsx';

const outcomes: Record<string, AspectName> = {
  sent: 'clear',
  quiet: 'clear',
  started: 'held',
  partly: 'caution',
  skipped: 'out',
  failed: 'stop',
};

export function Schedules() {
  const query = useRead<{ schedules: ReportSchedule[] }>('authoring.schedule.list');
  return (
    <div className="grid gap-4">
      <New />
      <Panel title="Scheduled reports" query={query}>
        {({ schedules }) =>
          schedules.length === 0 ? (
            <Empty
              command={`npx signalbox tools call authoring.schedule.save '{"name": "Monday digest", "report_type": "weekly_digest", "every": "week", "weekday": "monday", "at": "09:00", "recipients": [{"channel": "email", "recipient": "team@example.com"}]}'`}
            >
              Scheduled reports appear here.
            </Empty>
          ) : (
            <ul>
              {schedules.map((each) => (
                <One key={each.schedule_id} schedule={each} />
              ))}
            </ul>
          )
        }
      </Panel>
    </div>
  );
}

function One({ schedule }: { schedule: ReportSchedule }) {
  const { schedule_id, name, report, recipients, status, paused_because, last } = schedule;
  const run = useAct('authoring.schedule.run');
  const remove = useAct('authoring.schedule.remove');
  const save = useAct('authoring.schedule.save');
  const [editing, setEditing] = useState(false);
  const may = useMay();
  const paused = status === 'paused';
  return (
    <li className="border-b border-line py-2">
      <h3 className="flex flex-wrap items-center gap-3 px-4">
        <Outside text={name} />
        <Aspect is={status === 'active' ? 'clear' : 'out'}>{status}</Aspect>
      </h3>
      <Facts
        rows={[
          ['report', worded(report.report_type)],
          ['when', whenOf(schedule)],
          ['for', <Outside key="for" text={recipients.map(({ channel, recipient }) => `${channel} ${recipient}`).join(', ')} />],
          ['paused', paused_because && <Outside text={paused_because} />],
          [
            'last',
            last && (
              <span key="last" className="flex flex-wrap items-center gap-2">
                <Aspect is={outcomes[last.outcome] ?? 'out'}>{last.outcome}</Aspect> <Age at={last.fired_at} />
                {last.draft_id && (
                  <RecordLink type="draft" id={last.draft_id}>
                    Report
                  </RecordLink>
                )}
                {last.error && <Outside text={last.error} />}
              </span>
            ),
          ],
        ]}
      />
      <div className="flex flex-wrap gap-3 px-4">
        <ActButton tool="authoring.schedule.run" act={run} args={() => ({ schedule_id })} label={name}>
          Run now
        </ActButton>
        <ActButton
          tool="authoring.schedule.save"
          act={save}
          args={() => ({ ...scheduleArgs(fieldsOf(schedule)), schedule_id, paused: !paused })}
          label={name}
        >
          {paused ? 'Resume' : 'Pause'}
        </ActButton>
        {may('authoring.schedule.save') !== 'deny' && (
          <button
            type="button"
            className="control"
            aria-expanded={editing}
            aria-label={`Change: ${name}`}
            onClick={() => setEditing(!editing)}
          >
            Change
          </button>
        )}
        <ActButton
          tool="authoring.schedule.remove"
          act={remove}
          args={() => ({ schedule_id })}
          label={name}
          confirm={{ title: 'Remove the schedule?', text: 'It creates no more reports. Existing reports stay.' }}
        >
          Remove
        </ActButton>
      </div>
      <Outcome act={run}>Started.</Outcome>
      <Outcome act={save} />
      <Outcome act={remove} />
      {editing && (
        <div className="mt-3">
          <ScheduleForm schedule={schedule} onDone={() => setEditing(false)} />
        </div>
      )}
    </li>
  );
}

function New() {
  const may = useMay();
  if (may('authoring.schedule.save') === 'deny') return null;
  return (
    <details className="card">
      <summary className="hit w-full cursor-pointer px-4 py-2">Schedule a report</summary>
      <ScheduleForm />
    </details>
  );
}
