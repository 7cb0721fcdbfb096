import { useRead } from '../../api/call.ts';
import { Filters, FilterText, Select } from '../../ui/Field.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { Empty, Panel } from '../../ui/Panel.tsx';
import { RecordLink } from '../../ui/Text.tsx';
import { Quote } from '../signals/Quote.tsx';
import type { Url } from './model.ts';
import { List } from './Strategy.tsx';
import { counted, worded } from '../../ui/words.ts';

interface Named {
  name: string;
  entity_id: string;
}
interface Answer {
  summary: string;
  affected_customer_count: number;
  affected_customers: (Named & { signals: number; sentiment: number | null; severity: string | null; known_by: string[] })[];
  related_issues: (Named & { state: string | null; shown_by: number })[];
  downstream_dependencies: (Named & { type: string; hops: number; path: string[] })[];
  evidence: { signal_id: string; ref: string; snippet: string; occurred_at: string; class: string; severity: string }[];
  missing: string[];
  assumptions: string[];
}

export function WhatIf({ url, set, type }: { url: Url; set: (change: Partial<Url>) => void; type: (change: Partial<Url>) => void }) {
  const name = url.name.trim();
  const query = useRead<Answer>('insight.scenario.analyze', { action: url.action, entity_name: name }, name !== '');
  const thing = url.action === 'fix_issue' ? 'issue' : 'feature';
  return (
    <>
      <Filters>
        <Select
          label="What if we"
          value={url.action}
          onChange={(action) => set({ action })}
          options={[
            ['fix_issue', 'fix an issue'],
            ['build_feature', 'build a feature'],
            ['deprecate_feature', 'deprecate a feature'],
          ]}
        />
        <FilterText label={`Name of the ${thing}`} value={url.name} onChange={(value) => type({ name: value })} />
      </Filters>
      {name === '' ? (
        <section className="card">
          <Empty>Enter the name of the {thing} to see affected customers, related issues and dependants.</Empty>
        </section>
      ) : (
        <Panel title="Consequences" query={query}>
          {(data) => (
            <div className="grid gap-4 p-4">
              <p className="text-lg">
                <Outside text={data.summary} most={600} />
              </p>
              <div className="grid gap-4 xl:grid-cols-2">
                <Card title={`${counted(data.affected_customer_count, 'customer')} affected`}>
                  {data.affected_customers.map(({ entity_id, name: who, signals, known_by }) => (
                    <li key={entity_id}>
                      <One id={entity_id} name={who} />{' '}
                      <span className="text-soft">{known_by.includes('signals') ? counted(signals, 'statement') : 'by a fact'}</span>
                    </li>
                  ))}
                </Card>
                <Card title="Related issues">
                  {data.related_issues.map(({ entity_id, name: issue, state, shown_by }) => (
                    <li key={entity_id}>
                      <One id={entity_id} name={issue} />{' '}
                      <span className="text-soft">
                        {state ?? 'state unknown'}, {counted(shown_by, 'passage')}
                      </span>
                    </li>
                  ))}
                </Card>
                <Card title="Dependants">
                  {data.downstream_dependencies.map(({ entity_id, name: what, type: kind, path }) => (
                    <li key={entity_id}>
                      <One id={entity_id} name={what} /> <span className="text-soft">{kind}, through </span>
                      <Outside text={path.join(' → ')} />
                    </li>
                  ))}
                </Card>
                <Card title="Evidence">
                  {data.evidence.map(({ signal_id, ref, snippet, occurred_at, class: kind, severity }) => (
                    <li key={signal_id}>
                      <Quote text={snippet} citation={ref} at={occurred_at}>
                        {worded(kind)}, severity {severity}
                      </Quote>
                    </li>
                  ))}
                </Card>
              </div>
              {data.missing.length > 0 && <List title="Missing information" items={data.missing} />}
              <List title="Assumptions" items={data.assumptions} />
            </div>
          )}
        </Panel>
      )}
    </>
  );
}

const One = ({ id, name }: { id: string; name: string }) => (
  <RecordLink type="entity" id={id}>
    <Outside text={name} most={80} />
  </RecordLink>
);

const Card = ({ title, children }: { title: string; children: React.ReactNode[] }) => (
  <section className="card grid content-start gap-2 p-4">
    <h3>{title}</h3>
    {children.length === 0 ? <p className="text-soft">None known.</p> : <ul className="grid gap-1">{children}</ul>}
  </section>
);
