import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import type { DraftSummary } from '../../../../contracts/authoring/authoring.ts';
import type { OpportunityDetails } from '../../../../contracts/signals/opportunities.ts';
import { useAct } from '../../api/act.ts';
import { usePages, useRead } from '../../api/call.ts';
import { ActButton, Outcome } from '../../ui/Act.tsx';
import { Aspect } from '../../ui/Aspect.tsx';
import { TextField, useTyped } from '../../ui/Field.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { Page } from '../../ui/Page.tsx';
import { Failure, Panel, Skeleton } from '../../ui/Panel.tsx';
import { Scope } from '../../ui/Scope.tsx';
import { RecordLink } from '../../ui/Text.tsx';
import { Age } from '../../ui/Time.tsx';
import { toast } from '../../ui/toasts.tsx';
import { Generate } from '../drafts/Generate.tsx';
import { stepsOf } from '../insight/model.ts';
import { Trend } from '../insight/Trend.tsx';
import { Quote } from '../signals/Quote.tsx';
import { Factors } from './Factors.tsx';
import { happened, statusAspects, verbs } from './model.ts';
import { counted, worded } from '../../ui/words.ts';

const today = (): string => new Date().toISOString().slice(0, 10);

export default function Opportunity() {
  const { id } = useParams({ strict: false }) as { id: string };
  const [shown, setShown] = useState(20);
  const query = useRead<OpportunityDetails>('opportunity.record.get', { opportunity_id: id, limit: shown });
  if (query.data === undefined)
    return (
      <Page title="Opportunity" above={<Scope />}>
        {query.isError ? <Failure error={query.error} retry={() => void query.refetch()} /> : <Skeleton />}
      </Page>
    );
  const one = query.data;
  return (
    <Page
      title={one.title}
      above={
        <>
          <Link to="/console/opportunities" className="hit">
            Opportunities
          </Link>{' '}
          <Scope />
        </>
      }
      actions={<Aspect is={statusAspects[one.status]}>{one.status}</Aspect>}
    >
      {query.isError && <Failure error={query.error} retry={() => void query.refetch()} />}
      {one.closed && (
        <p className="card mb-4 border-l-4 border-l-caution p-4">
          {one.closed.merged_into === null ? (
            'It is closed: its statements no longer exist.'
          ) : (
            <>
              It was merged into <RecordLink type="opportunity" id={one.closed.merged_into} />
            </>
          )}
        </p>
      )}
      <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <div className="grid min-w-0 gap-4">
          <Factors opportunity={one} />
          <Panel
            title="Evidence"
            aside={
              <Link to="/console/signals" search={{ opportunity: id, fold: 'no' }} className="hit">
                All {counted(one.signal_count, 'statement')}
              </Link>
            }
          >
            {() => (
              <div className="grid gap-4 p-4">
                {one.evidence.map(({ signal_id, statement, ref, occurred_at, customers, author, told, class: kind, severity }) => (
                  <Quote key={signal_id} text={statement} citation={ref} at={occurred_at}>
                    <Outside text={customers.join(', ') || author || 'unknown'} most={80} />
                    <span>
                      {worded(kind)}, severity {severity}
                      {told > 1 && `, said ${told} times`}
                    </span>
                    <RecordLink type="signal" id={signal_id}>
                      Signal
                    </RecordLink>
                  </Quote>
                ))}
                {one.evidence.length < Math.min(100, one.statement_count) && one.evidence.length >= shown && (
                  <button type="button" className="control justify-self-start" onClick={() => setShown(100)}>
                    More of {one.statement_count}
                  </button>
                )}
              </div>
            )}
          </Panel>
        </div>
        <div className="grid min-w-0 gap-4">
          <Decide one={one} />
          <Panel title="Trend">
            {() => (
              <div className="p-4">
                <Trend
                  title="Statements per week"
                  steps={stepsOf({ series: one.series, previous: one.previous_series, days: one.series_days, to: today() })}
                />
              </div>
            )}
          </Panel>
          <Panel title="Customers" aside={<span className="text-soft">{one.customer_count}</span>}>
            {() =>
              one.customers.length === 0 ? (
                <p className="p-4 text-soft">No customer is named.</p>
              ) : (
                <ul className="p-4">
                  {one.customers.map(({ entity_id, name, signal_count }) => (
                    <li key={entity_id} className="flex items-center justify-between gap-3">
                      <RecordLink type="entity" id={entity_id}>
                        <Outside text={name} most={80} />
                      </RecordLink>
                      <Link to="/console/signals" search={{ opportunity: id, entities: entity_id, fold: 'no' }} className="hit">
                        {counted(signal_count, 'statement')}
                      </Link>
                    </li>
                  ))}
                </ul>
              )
            }
          </Panel>
          <Drafts one={one} />
          <Panel title="History">
            {() =>
              one.history.length === 0 ? (
                <p className="p-4 text-soft">No decisions yet.</p>
              ) : (
                <ol className="grid gap-1 p-4">
                  {one.history.map((each, i) => (
                    <li key={i}>
                      <Outside text={happened(each)} most={600} />{' '}
                      <span className="text-soft">
                        {each.by}, <Age at={each.at} />
                      </span>
                    </li>
                  ))}
                </ol>
              )
            }
          </Panel>
        </div>
      </div>
    </Page>
  );
}

/** Status with a reason, and the name. */
function Decide({ one }: { one: OpportunityDetails }) {
  const { opportunity_id, next_statuses } = one;
  const [reason, setReason] = useTyped(`opportunity ${opportunity_id}`);
  const [title, setTitle] = useState('');
  const status = useAct('opportunity.status.set', () => {
    setReason('');
    toast('Decided');
  });
  const name = useAct('opportunity.title.set', () => setTitle(''));
  if (one.closed) return null;
  return (
    <Panel title="Decide">
      {() => (
        <div className="grid gap-3 p-4">
          <TextField label="Reason for the decision" value={reason} onChange={setReason} />
          <div className="flex flex-wrap gap-3">
            {next_statuses.map((to) => (
              <ActButton
                key={to}
                tool="opportunity.status.set"
                act={status}
                args={() => ({ opportunity_id, status: to, ...(reason.trim() ? { reason: reason.trim() } : {}) })}
              >
                {verbs[to]}
              </ActButton>
            ))}
          </div>
          <Outcome act={status} />
          <div className="flex flex-wrap items-end gap-3">
            <TextField label="New title" className="flex-1" value={title} onChange={setTitle} />
            <ActButton
              tool="opportunity.title.set"
              act={name}
              disabled={title.trim() === ''}
              args={() => ({ opportunity_id, title: title.trim() })}
            >
              Rename
            </ActButton>
            {one.titled_by !== null && (
              <ActButton tool="opportunity.title.set" act={name} args={() => ({ opportunity_id, title: null })}>
                Name by evidence
              </ActButton>
            )}
          </div>
          <Outcome act={name} />
        </div>
      )}
    </Panel>
  );
}

const rows = ({ drafts }: { drafts: DraftSummary[] }) => drafts;

function Drafts({ one }: { one: OpportunityDetails }) {
  const drafts = usePages('authoring.draft.list', { opportunity_id: one.opportunity_id, limit: 10 }, rows);
  return (
    <Panel title="Drafts">
      {() => (
        <div className="grid gap-3 p-4">
          {drafts.isError && <Failure error={drafts.error} retry={() => void drafts.refetch()} />}
          {drafts.data?.rows.length === 0 && <p className="text-soft">None yet.</p>}
          {drafts.data && (
            <ul>
              {drafts.data.rows.map(({ draft_id, title, type, status, created_at }) => (
                <li key={draft_id} className="flex flex-wrap items-center gap-x-3">
                  <RecordLink type="draft" id={draft_id}>
                    <Outside text={title} most={80} />
                  </RecordLink>
                  <span className="text-soft">
                    {worded(type)}, {status}, <Age at={created_at} />
                  </span>
                </li>
              ))}
            </ul>
          )}
          {!one.closed && <Generate about={{ opportunity_id: one.opportunity_id }} />}
        </div>
      )}
    </Panel>
  );
}
