import type { Brief } from '../../../../contracts/feeds/briefs.ts';
import { useRead } from '../../api/call.ts';
import { Aspect } from '../../ui/Aspect.tsx';
import { Copy } from '../../ui/Copy.tsx';
import { Outside, OutsideLink } from '../../ui/Outside.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { here, Table, type Column } from '../../ui/Table.tsx';
import { Age } from '../../ui/Time.tsx';
import { counted } from '../../ui/words.ts';
import { bars } from './model.ts';

interface Source {
  feed_id: string;
  ok: boolean;
  articles: number;
  attempts: number;
  duration_ms: number;
  error: { code: string; message: string } | null;
}
interface Whole extends Brief {
  content: string;
  link: string;
  sources: Source[];
}

/** What a day brought, and how each of its sources did. */
export function DayBrief({ date }: { date: string }) {
  const query = useRead<Whole>('authoring.brief.get', { date });
  return (
    <div className="grid gap-4">
      <Panel title={`Brief of ${date}`} query={query} aside={query.data && <span className="text-soft">version {query.data.version}</span>}>
        {(brief) => (
          <div className="grid gap-4 p-4">
            <p className="text-lg">
              <Outside text={brief.executive_summary} most={Infinity} />
            </p>
            {brief.warnings.map((warning) => (
              <p key={warning} className="border-l-4 border-caution bg-sunk p-3">
                <Outside text={warning} most={600} />
              </p>
            ))}
            {brief.highlights.map((each) => (
              <section key={each.url + each.title} className="grid gap-1 border-t border-line pt-3">
                <h3 className="text-lg">
                  <Outside text={each.title} most={300} />
                </h3>
                {each.significance !== '' && (
                  <p>
                    <Outside text={each.significance} most={Infinity} />
                  </p>
                )}
                {each.strategic_implications !== '' && (
                  <p>
                    <Outside text={each.strategic_implications} most={Infinity} />
                  </p>
                )}
                <p className="text-soft">
                  relevance {each.relevance_score}
                  {each.categories.length > 0 && ', '}
                  <Outside text={each.categories.join(', ')} />
                </p>
                <ul aria-label="Articles">
                  {each.evidence.map((article) => (
                    <li key={article.url} className="flex flex-wrap items-center gap-x-3">
                      <Article {...article} />
                    </li>
                  ))}
                </ul>
              </section>
            ))}
            <p className="text-soft">
              From {counted(brief.total_articles_analyzed, 'article')}, <Age at={brief.generated_at} />
              {brief.model === null ? ", in the articles' own sentences" : `, by ${brief.model}`}
              {brief.dropped_statements > 0 &&
                `; ${counted(brief.dropped_statements, 'statement was', 'statements were')} left out because the articles do not support ${brief.dropped_statements === 1 ? 'it' : 'them'}`}
              .
            </p>
            <p className="flex flex-wrap gap-3">
              <Copy text={brief.link} label="Copy the link" />
              <Copy text={brief.content} label="Copy as Markdown" />
              <span className="text-soft">Anyone with the link can read the brief for 30 days.</span>
            </p>
          </div>
        )}
      </Panel>
      {query.data && <Breakdown of={query.data.topic_breakdown} />}
      {query.data && <Sources sources={query.data.sources} />}
    </div>
  );
}

function Article({ title, url, source, published_at }: Brief['highlights'][number]['evidence'][number]) {
  return (
    <>
      <OutsideLink url={url} text={title} most={200} />
      <span className="text-soft">
        <Outside text={source} most={80} /> {published_at !== null && <Age at={published_at} />}
      </span>
    </>
  );
}

function Breakdown({ of }: { of: Record<string, number> }) {
  const list = bars(of);
  if (list.length === 0) return null;
  return (
    <Panel title="Topics">
      {() => (
        <table className="m-4 border-collapse">
          <tbody>
            {list.map(({ name, n, share }) => (
              <tr key={name}>
                <th scope="row" className="pr-3 text-left font-normal">
                  <Outside text={name} most={80} />
                </th>
                <td className="pr-2 text-right">{n}</td>
                <td className="w-40 max-sm:hidden">
                  <svg viewBox="0 0 100 8" preserveAspectRatio="none" className="h-2 w-full text-route" aria-hidden="true">
                    <rect width={share * 100} height="8" fill="currentColor" />
                  </svg>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  );
}

const sourceColumns: Column<Source>[] = [
  { title: 'Source', cell: ({ feed_id }) => <Outside text={feed_id} /> },
  { title: 'Outcome', cell: ({ ok, error }) => <Aspect is={ok ? 'clear' : 'stop'}>{ok ? 'read' : (error?.code ?? 'failed')}</Aspect> },
  { title: 'Articles', cell: ({ articles }) => articles, className: 'whitespace-nowrap text-right' },
  { title: 'Attempts', cell: ({ attempts }) => attempts, className: 'whitespace-nowrap text-right', wide: true },
  {
    title: 'Duration',
    cell: ({ duration_ms }) => `${(duration_ms / 1000).toFixed(1)} s`,
    className: 'whitespace-nowrap text-right',
    wide: true,
  },
  { title: 'Error', cell: ({ error }) => error && <Outside text={error.message} most={300} />, wide: true },
];

const Sources = ({ sources }: { sources: Source[] }) => (
  <Panel title="Results by source">
    {() => (
      <Table
        label="sources of the brief"
        query={here(sources)}
        columns={sourceColumns}
        keyOf={({ feed_id }) => feed_id}
        empty={<p className="p-4 text-soft">No results are stored: the brief was made from given articles, or more than 30 days ago.</p>}
      />
    )}
  </Panel>
);
