import { useState } from 'react';
import type { ReportSchedule } from '../../../../contracts/authoring/report-schedules.ts';
import { useAct } from '../../api/act.ts';
import { ActButton, Outcome } from '../../ui/Act.tsx';
import { Select, TextField } from '../../ui/Field.tsx';
import { fieldsOf, newSchedule, options, scheduleArgs, scheduleFault, type ScheduleFields } from './model.ts';

const tool = 'authoring.schedule.save';
const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const times = [
  ['day', 'day'],
  ['week', 'week'],
  ['cron', 'cron expression'],
] as const;
const channels = ['email', 'slack', 'webhook'];
const nobody = { channel: 'email', recipient: '' };

/** A new schedule, or a change of one. A change keeps the recipients unless it names others: addresses of webhooks are not shown again. */
export function ScheduleForm({ schedule, onDone }: { schedule?: ReportSchedule; onDone?: () => void }) {
  const [fields, setFields] = useState<ScheduleFields>(() =>
    schedule ? fieldsOf(schedule) : { ...newSchedule, timezone: Intl.DateTimeFormat().resolvedOptions().timeZone },
  );
  const [recipients, setRecipients] = useState(schedule ? [] : [nobody]);
  const act = useAct(tool, () => {
    if (!schedule) {
      setFields((old) => ({ ...old, name: '' }));
      setRecipients([nobody]);
    }
    onDone?.();
  });
  const set = (name: keyof ScheduleFields) => (value: string) => setFields((old) => ({ ...old, [name]: value }));
  const field = (name: keyof ScheduleFields) => ({ value: fields[name], onChange: set(name) });
  const put = (i: number, change: Partial<typeof nobody>): void =>
    setRecipients((old) => old.map((one, at) => (at === i ? { ...one, ...change } : one)));
  const fault = scheduleFault(fields) ?? (recipients.some(({ recipient }) => recipient.trim() === '') ? 'A recipient is missing.' : null);
  return (
    <div className="grid gap-3 border-t border-line p-4">
      <div className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,9rem),1fr))] items-end gap-3">
        <TextField label="Name" {...field('name')} />
        <Select label="Report" {...field('report_type')} options={options.reports} />
        <Select label="Format" {...field('format')} options={options.formats} />
        <Select label="Audience" {...field('audience')} options={options.audiences} />
        <TextField label="Days back" {...field('time_window_days')} />
        <TextField label="Area" {...field('filter_area')} />
        <TextField label="Customer" {...field('filter_customer')} />
        <TextField label="Scope of team" {...field('for_team')} />
        <Select label="Every" {...field('every')} options={times} />
        {fields.every === 'week' && <Select label="On" {...field('weekday')} options={weekdays} />}
        {fields.every === 'cron' ? (
          <TextField label="Cron" {...field('cron')} placeholder="0 8 * * 1-5" />
        ) : (
          <TextField label="At" type="time" {...field('at')} />
        )}
        <TextField label="Time zone" {...field('timezone')} />
      </div>
      <fieldset className="grid gap-3">
        <legend className="mb-2 font-semibold">{schedule ? 'New recipients, in place of the present ones' : 'Recipients'}</legend>
        {recipients.map(({ channel, recipient }, i) => (
          <div key={i} className="grid grid-cols-[minmax(7rem,10rem)_minmax(0,30rem)_auto] items-end gap-3 max-sm:grid-cols-1">
            <Select label={`Channel ${i + 1}`} value={channel} onChange={(value) => put(i, { channel: value })} options={channels} />
            <TextField label={`Recipient ${i + 1}`} value={recipient} onChange={(value) => put(i, { recipient: value })} />
            {(schedule !== undefined || recipients.length > 1) && (
              <button
                type="button"
                className="control"
                aria-label={`Remove recipient ${i + 1}`}
                onClick={() => setRecipients((old) => old.filter((_, at) => at !== i))}
              >
                Remove
              </button>
            )}
          </div>
        ))}
        <button
          type="button"
          className="control justify-self-start"
          disabled={recipients.length >= 20}
          onClick={() => setRecipients((old) => [...old, nobody])}
        >
          Add a recipient
        </button>
      </fieldset>
      <div className="flex flex-wrap items-center gap-3">
        <ActButton
          tool={tool}
          act={act}
          disabled={fault !== null}
          args={() => ({
            ...scheduleArgs(fields),
            ...(schedule ? { schedule_id: schedule.schedule_id, paused: schedule.status === 'paused' } : {}),
            ...(recipients.length > 0
              ? { recipients: recipients.map(({ channel, recipient }) => ({ channel, recipient: recipient.trim() })) }
              : {}),
          })}
        >
          {schedule ? 'Save the schedule' : 'Schedule'}
        </ActButton>
        {fault !== null && fields.name !== '' && <span className="text-soft">{fault}</span>}
      </div>
      <Outcome act={act}>{schedule ? 'It is changed.' : 'It is scheduled.'}</Outcome>
    </div>
  );
}
