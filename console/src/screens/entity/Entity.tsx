import { Link, useParams } from '@tanstack/react-router';
import { usePages, useRead } from '../../api/call.ts';
import { CallError } from '../../api/errors.ts';
import type { Fact, MentionedPassage } from '../../../../contracts/graph/graph.ts';
import { useMay } from '../../ui/Act.tsx';
import { Copy } from '../../ui/Copy.tsx';
import { Outside, visible } from '../../ui/Outside.tsx';
import { Page, Tabs } from '../../ui/Page.tsx';
import { Empty, Failure, NoMatch, NoRight, Skeleton } from '../../ui/Panel.tsx';
import { CitationLink, Marked } from '../../ui/Passage.tsx';
import { Scope } from '../../ui/Scope.tsx';
import { More } from '../../ui/Table.tsx';
import { Age } from '../../ui/Time.tsx';
import { TimeSlider } from '../../ui/TimeSlider.tsx';
import { useUrl } from '../../url.ts';
import { Around, useAround } from './Around.tsx';
import { FactList, firstDay } from './FactList.tsx';
import { History } from './History.tsx';
import { Names } from './Names.tsx';
import { Profile } from './Profile.tsx';
import type { EntityDetail } from './types.ts';
import { counted } from '../../ui/words.ts';

const defaults = { tab: 'profile', depth: '1', at: '', as_of: '', known_at: '', of: '' };
export type EntityUrl = typeof defaults;
const tabs = ['profile', 'facts', 'mentions', 'around', 'history'] as const;
type Held = Fact & { holds: boolean };
const factRows = ({ facts }: { facts: Held[] }) => facts;
const passageRows = ({ passages }: { passages: MentionedPassage[] }) => passages;

export default function Entity() {
  const { id } = useParams({ strict: false }) as { id: string };
  const [url, set, type] = useUrl(defaults);
  const may = useMay();
  const allowed = may('entity.record.get') !== 'deny';
  const around = useAround(id, url.depth, url.tab === 'around' && may('graph.neighbourhood.get') !== 'deny');
  const read = useRead<{ entity: EntityDetail }>('entity.record.get', { entity_id: id }, allowed);
  if (!allowed) {
    return (
      <Page title="Entity">
        <NoRight tool="entity.record.get" scope="graph:read" />
      </Page>
    );
  }
  const entity = read.data?.entity;
  if (!entity) {
    const unknown = read.error instanceof CallError && read.error.code === 'NOT_FOUND';
    return (
      <Page title="Entity">
        {unknown ? (
          <div role="alert" className="card grid justify-items-start gap-2 p-4">
            <p className="font-semibold">{read.error!.message}</p>
            <p>It was deleted with the last document that named it, or never existed.</p>
            <Link to="/console/entities" className="hit">
              All entities
            </Link>
          </div>
        ) : read.isError ? (
          <Failure error={read.error} retry={() => void read.refetch()} />
        ) : (
          <Skeleton />
        )}
      </Page>
    );
  }
  const tab = tabs.find((each) => each === url.tab) ?? 'profile';
  return (
    <Page
      title={visible(entity.name)}
      above={
        <>
          <Link to="/console/entities" search={{ type: entity.type }} className="hit">
            {entity.type}
          </Link>
          {entity.state && (
            <>
              , <Outside text={entity.state} most={40} />
            </>
          )}{' '}
          <Scope />
        </>
      }
      actions={<Copy text={location.href} label="Copy link" />}
    >
      {entity.entity_id !== id && (
        <p role="status" className="mb-3 border-l-4 border-caution bg-sunk p-3">
          The entity of this address was merged into this one.
        </p>
      )}
      <p className="mb-3 flex flex-wrap gap-x-4 gap-y-1 text-soft">
        <span>{counted(entity.mention_count, 'mention')}</span>
        <span>{counted(entity.signal_count, 'document')}</span>
        {entity.first_seen_at && (
          <span>
            first <Age at={entity.first_seen_at} />
          </span>
        )}
        {entity.last_seen_at && (
          <span>
            last <Age at={entity.last_seen_at} />
          </span>
        )}
      </p>
      <Names entity={entity} />
      <Tabs
        label="About the entity"
        tabs={[
          ['profile', 'Profile'],
          ['facts', 'Facts'],
          ['mentions', 'Mentions', entity.mention_count],
          ['around', 'Neighbourhood'],
          ['history', 'History'],
        ]}
        at={tab}
        onChange={(next) => set({ tab: next })}
      />
      {tab === 'profile' && <Profile entity={entity} />}
      {tab === 'facts' && <FactsTab id={entity.entity_id} url={url} set={set} type={type} />}
      {tab === 'mentions' && <Mentions id={entity.entity_id} />}
      {tab === 'around' && (
        <Around key={`${entity.entity_id} ${url.depth}`} entity={entity} read={around} url={url} set={set} type={type} />
      )}
      {tab === 'history' && <History entity={entity} />}
    </Page>
  );
}

interface Tab {
  id: string;
  url: EntityUrl;
  set: (change: Partial<EntityUrl>) => void;
  type: (change: Partial<EntityUrl>) => void;
}

function FactsTab({ id, url, set, type }: Tab) {
  const when = { ...(url.as_of ? { as_of: url.as_of } : {}), ...(url.known_at ? { known_at: url.known_at } : {}) };
  const facts = usePages('graph.fact.list', { entity_id: id, ...when }, factRows);
  const all = usePages('graph.fact.list', { entity_id: id }, factRows);
  const from = firstDay(all.data?.rows ?? []);
  return (
    <div className="grid gap-3">
      <div className="grid gap-3 sm:grid-cols-2">
        <TimeSlider label="Valid on" value={url.as_of} onChange={(as_of) => type({ as_of })} from={from} />
        <TimeSlider label="Known on" value={url.known_at} onChange={(known_at) => type({ known_at })} from={from} />
      </div>
      {!facts.data ? (
        facts.isError ? (
          <Failure error={facts.error} retry={() => void facts.refetch()} />
        ) : (
          <Skeleton />
        )
      ) : facts.data.rows.length === 0 ? (
        url.as_of || url.known_at ? (
          <NoMatch onClear={() => set({ as_of: '', known_at: '' })} />
        ) : (
          <Empty>No fact about it is known. Facts come from sentences such as “Ann leads Payments since May”.</Empty>
        )
      ) : (
        <>
          <FactList facts={facts.data.rows} />
          <More query={facts} shown={facts.data.rows.length} />
        </>
      )}
    </div>
  );
}

export function Mentions({ id, label = 'Passages that mention it' }: { id: string; label?: string }) {
  const mentions = usePages('entity.mention.list', { entity_id: id }, passageRows);
  if (!mentions.data) return mentions.isError ? <Failure error={mentions.error} retry={() => void mentions.refetch()} /> : <Skeleton />;
  if (mentions.data.rows.length === 0) return <Empty>No passage mentions it.</Empty>;
  return (
    <>
      <ul aria-label={label} className="grid gap-2">
        {mentions.data.rows.map((passage) => (
          <li key={passage.citation} className="card p-3">
            <p>
              <Marked text={passage.content} marks={passage.marks.map((mark) => ({ ...mark, is: 'match' as const }))} />
            </p>
            <p className="flex flex-wrap gap-x-3 text-soft">
              <CitationLink citation={passage.citation}>
                <Outside text={passage.title} most={100} />
              </CitationLink>
              <Age at={passage.occurred_at} />
            </p>
          </li>
        ))}
      </ul>
      <More query={mentions} shown={mentions.data.rows.length} />
    </>
  );
}
