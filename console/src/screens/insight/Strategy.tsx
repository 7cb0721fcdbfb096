import { useRead } from '../../api/call.ts';
import { Aspect, type AspectName } from '../../ui/Aspect.tsx';
import { Filters, FilterText, Select } from '../../ui/Field.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { RecordLink } from '../../ui/Text.tsx';
import { Quote } from '../signals/Quote.tsx';
import { AsOf } from './AsOf.tsx';
import type { Url } from './model.ts';
import { counted, percent } from '../../ui/words.ts';

interface Answer {
  insights: {
    kind: 'pattern' | 'risk' | 'opportunity';
    statement: string;
    confidence: number;
    evidence: { ref: string; excerpt?: string; occurred_at?: string }[];
    entity: { entity_id: string; name: string; type: string };
    breadth: { statements: number; documents: number; sources: number; customers: number };
  }[];
  window: { from: string; to: string; days: number };
  focus: string | null;
  signals_considered: number;
  missing: string[];
  assumptions: string[];
}

const kinds = { pattern: 'out', risk: 'stop', opportunity: 'clear' } satisfies Record<string, AspectName>;

export function Strategy({ url, set, type }: { url: Url; set: (change: Partial<Url>) => void; type: (change: Partial<Url>) => void }) {
  const focus = url.focus.trim();
  const query = useRead<Answer>('insight.strategy.generate', {
    time_window_days: Number(url.days),
    ...(focus ? { focus_area: focus } : {}),
    ...(url.as_of ? { as_of: url.as_of } : {}),
  });
  return (
    <>
      <Filters>
        <FilterText
          label="About"
          placeholder="an area, theme, feature, customer or topic"
          value={url.focus}
          onChange={(value) => type({ focus: value })}
        />
        <Select
          label="Window"
          value={url.days}
          onChange={(days) => set({ days })}
          options={[
            ['30', '30 days'],
            ['90', '90 days'],
            ['365', 'a year'],
          ]}
        />
        <AsOf url={url} set={set} />
      </Filters>
      <Panel title="Patterns, risks, opportunities" query={query}>
        {(data) => (
          <div className="grid gap-4 p-4">
            <p className="text-soft">
              From {counted(data.signals_considered, 'statement')}, {data.window.from} to {data.window.to}.{' '}
              {data.focus !== null && <Outside text={`About: ${data.focus}`} />}
            </p>
            <ul className="grid gap-4 xl:grid-cols-2">
              {data.insights.map(({ kind, statement, confidence, evidence, entity, breadth }) => (
                <li key={`${kind} ${entity.entity_id}`} className="card grid content-start gap-2 p-4">
                  <h3 className="flex flex-wrap items-center gap-3">
                    <Aspect is={kinds[kind]}>{kind}</Aspect>
                    <RecordLink type="entity" id={entity.entity_id}>
                      <Outside text={entity.name} most={80} />
                    </RecordLink>
                  </h3>
                  <p>
                    <Outside text={statement} most={600} />
                  </p>
                  <p className="text-soft">
                    {percent(confidence)} sure: {counted(breadth.statements, 'different statement')} in{' '}
                    {counted(breadth.documents, 'document')}, {counted(breadth.customers, 'customer')}
                  </p>
                  {evidence.map(({ ref, excerpt = '', occurred_at = '' }) => (
                    <Quote key={ref + excerpt} text={excerpt} citation={ref} at={occurred_at} />
                  ))}
                </li>
              ))}
            </ul>
            {data.missing.length > 0 && <List title="Missing information" items={data.missing} />}
            <List title="Assumptions" items={data.assumptions} />
          </div>
        )}
      </Panel>
    </>
  );
}

export const List = ({ title, items }: { title: string; items: string[] }) => (
  <section>
    <h3>{title}</h3>
    <ul className="list-disc pl-5 text-soft">
      {items.map((item) => (
        <li key={item}>
          <Outside text={item} most={600} />
        </li>
      ))}
    </ul>
  </section>
);
