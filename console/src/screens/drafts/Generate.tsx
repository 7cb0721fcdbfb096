import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Envelope } from '../../../../contracts/envelope.ts';
import { useAct } from '../../api/act.ts';
import { ActButton, Outcome, useMay } from '../../ui/Act.tsx';
import { Select, TextField } from '../../ui/Field.tsx';
import { options } from './model.ts';

const given = (fields: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value.trim() !== ''));

/** Opens the draft that an answer tells of, ready or not. */
function useOpened() {
  const navigate = useNavigate();
  return ({ data }: Envelope): void => {
    const { draft_id, report_id } = data as { draft_id?: string; report_id?: string };
    void navigate({ to: `/console/drafts/${draft_id ?? report_id}` });
  };
}

/** An artifact about an opportunity, or about a thing that is named. */
export function Generate({ about }: { about?: { opportunity_id: string } }) {
  const tool = 'authoring.artifact.generate';
  const may = useMay();
  const [type, setType] = useState<string>('prd');
  const [template, setTemplate] = useState<string>('standard');
  const [audience, setAudience] = useState<string>('general');
  const [name, setName] = useState('');
  const act = useAct(tool, useOpened());
  if (may(tool) === 'deny') return null;
  return (
    <div className="grid gap-3">
      <div className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,9rem),1fr))] items-end gap-3">
        <Select label="Artifact" value={type} onChange={setType} options={options.artifacts} />
        <Select label="Length" value={template} onChange={setTemplate} options={options.templates} />
        <Select label="Audience" value={audience} onChange={setAudience} options={options.audiences} />
        {!about && <TextField label="About" placeholder="a feature, issue, theme or customer" value={name} onChange={setName} />}
      </div>
      <div>
        <ActButton
          tool={tool}
          act={act}
          disabled={!about && name.trim() === ''}
          args={() => ({ artifact_type: type, template, audience, ...(about ?? given({ entity_name: name })) })}
        >
          Create a draft
        </ActButton>
      </div>
      <Outcome act={act} />
    </div>
  );
}

export function GenerateReport() {
  const tool = 'authoring.report.generate';
  const may = useMay();
  const [fields, setFields] = useState({
    report_type: 'weekly_digest',
    format: 'executive_summary',
    audience: 'general',
    filter_area: '',
    filter_customer: '',
    for_team: '',
    as_of: '',
  });
  const [days, setDays] = useState('30');
  const act = useAct(tool, useOpened());
  if (may(tool) === 'deny') return null;
  const set = (name: keyof typeof fields) => (value: string) => setFields((old) => ({ ...old, [name]: value }));
  return (
    <div className="grid gap-3">
      <div className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,9rem),1fr))] items-end gap-3">
        <Select label="Report" value={fields.report_type} onChange={set('report_type')} options={options.reports} />
        <Select label="Format" value={fields.format} onChange={set('format')} options={options.formats} />
        <Select label="Audience" value={fields.audience} onChange={set('audience')} options={options.audiences} />
        <Select
          label="Period"
          value={days}
          onChange={setDays}
          options={[
            ['7', '7 days'],
            ['30', '30 days'],
            ['90', '90 days'],
            ['365', 'a year'],
          ]}
        />
        <TextField label="Area" value={fields.filter_area} onChange={set('filter_area')} />
        <TextField label="Customer" value={fields.filter_customer} onChange={set('filter_customer')} />
        <TextField label="Scope of team" value={fields.for_team} onChange={set('for_team')} />
        <TextField label="As of" type="date" value={fields.as_of} onChange={set('as_of')} />
      </div>
      <div>
        <ActButton tool={tool} act={act} args={() => ({ ...given(fields), time_window_days: Number(days) })}>
          Create a report
        </ActButton>
      </div>
      <Outcome act={act} />
    </div>
  );
}
