import { useRead } from '../../api/call.ts';
import { useMay } from '../../ui/Act.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { Empty, Panel } from '../../ui/Panel.tsx';
import { CitationLink } from '../../ui/Passage.tsx';
import { RecordLink } from '../../ui/Text.tsx';
import { Age } from '../../ui/Time.tsx';
import type { EntityDetail, Linked } from './types.ts';
import { counted } from '../../ui/words.ts';

interface Said {
  signal_id: string;
  ref: string;
  snippet: string;
  class: string;
  severity: string;
  occurred_at: string;
}

interface Customer {
  features_used: Linked[];
  features_requested: Linked[];
  issues_reported: Linked[];
  signal_history: Said[];
}
interface Feature {
  adoption_count: number;
  adopters: Linked[];
  open_issues: Linked[];
  recent_signals: Said[];
  customer_sentiment: { average: number | null; signals: number };
}
interface Issue {
  affected_customer_count: number;
  affected_customers: Linked[];
  severity: string;
  frequency: { signals: number; per_week: number };
  affected_features: Linked[];
  related_issues: Linked[];
}

const tools = {
  customer: ['entity.customer.get_profile', 'customer_name'],
  feature: ['entity.feature.get_health', 'feature_name'],
  issue: ['entity.issue.get_impact', 'issue_name'],
} as const;

/** What the counted statements say about it: as each type's own tool tells. */
export function Profile({ entity }: { entity: EntityDetail }) {
  const own = tools[entity.type as keyof typeof tools];
  const allowed = useMay()(own?.[0] ?? '') !== 'deny';
  const read = useRead<Partial<Customer & Feature & Issue>>(own?.[0] ?? '', own ? { [own[1]]: entity.name } : {}, Boolean(own) && allowed);
  if (!own || !allowed) return <Empty>There is no profile of a {entity.type}. See its facts and mentions.</Empty>;
  return (
    <Panel title={entity.type === 'customer' ? 'Profile' : entity.type === 'feature' ? 'Health' : 'Impact'} query={read}>
      {(found) => (
        <div className="grid gap-4 p-4 md:grid-cols-2">
          <Figures found={found} />
          <Group title="Uses" all={found.features_used} />
          <Group title="Asks for" all={found.features_requested} />
          <Group title="Reported" all={found.issues_reported} />
          <Group title="Used by" all={found.adopters} />
          <Group title="Open issues" all={found.open_issues} />
          <Group title="Affected customers" all={found.affected_customers} />
          <Group title="Affected features" all={found.affected_features} />
          <Group title="Related issues" all={found.related_issues} />
          <Statements all={found.signal_history ?? found.recent_signals} />
        </div>
      )}
    </Panel>
  );
}

function Figures({ found }: { found: Partial<Customer & Feature & Issue> }) {
  const figures = [
    found.adoption_count === undefined ? null : counted(found.adoption_count, 'customer uses it', 'customers use it'),
    found.customer_sentiment && found.customer_sentiment.average !== null
      ? `tone ${found.customer_sentiment.average} over ${counted(found.customer_sentiment.signals, 'statement')}, −1 to 1`
      : null,
    found.affected_customer_count === undefined
      ? null
      : counted(found.affected_customer_count, 'customer is affected', 'customers are affected'),
    found.severity ? `severity ${found.severity}` : null,
    found.frequency ? `${counted(found.frequency.signals, 'statement')}, ${found.frequency.per_week} a week` : null,
  ].filter((text) => text !== null);
  return figures.length === 0 ? null : <p className="md:col-span-2">{figures.join(' · ')}</p>;
}

function Group({ title, all }: { title: string; all: Linked[] | undefined }) {
  if (!all || all.length === 0) return null;
  return (
    <section aria-label={title} className="min-w-0">
      <h3>{title}</h3>
      <ul>
        {all.slice(0, 20).map(({ entity_id, name, signals, passages, state }) => (
          <li key={entity_id} className="flex flex-wrap items-center gap-x-3">
            <RecordLink type="entity" id={entity_id}>
              <Outside text={name} most={80} />
            </RecordLink>
            <span className="text-soft">
              {signals === undefined ? counted(passages ?? 0, 'passage') : counted(signals, 'statement')}
              {state ? `, ${state}` : ''}
            </span>
          </li>
        ))}
      </ul>
      {all.length > 20 && <p className="text-soft">and {all.length - 20} more</p>}
    </section>
  );
}

function Statements({ all }: { all: Said[] | undefined }) {
  if (!all || all.length === 0) return <p className="text-soft">No statement about it has been counted.</p>;
  return (
    <section aria-label="Latest statements" className="min-w-0 md:col-span-2">
      <h3>Latest statements</h3>
      <ul className="divide-y divide-line">
        {all.slice(0, 10).map(({ signal_id, ref, snippet, class: kind, severity, occurred_at }) => (
          <li key={signal_id} className="py-1">
            <Outside text={snippet} />{' '}
            <span className="text-soft">
              {kind}
              {severity === 'none' ? '' : `, ${severity}`}, <Age at={occurred_at} />
            </span>{' '}
            <CitationLink citation={ref} quote={snippet}>
              passage
            </CitationLink>
          </li>
        ))}
      </ul>
    </section>
  );
}
