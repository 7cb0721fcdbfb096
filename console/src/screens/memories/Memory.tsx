import { Link, useNavigate, useParams } from '@tanstack/react-router';
import type { RememberedHistory } from '../../../../contracts/knowledge/memory.ts';
import { useAct } from '../../api/act.ts';
import { useRead } from '../../api/call.ts';
import { CallError } from '../../api/errors.ts';
import { ActButton, Outcome, useMay } from '../../ui/Act.tsx';
import { Aspect } from '../../ui/Aspect.tsx';
import { Copy } from '../../ui/Copy.tsx';
import { Outside, visible } from '../../ui/Outside.tsx';
import { Facts, Page } from '../../ui/Page.tsx';
import { Failure, NoRight, Panel, Skeleton } from '../../ui/Panel.tsx';
import { Id, Json } from '../../ui/Text.tsx';
import { Age } from '../../ui/Time.tsx';
import { toast } from '../../ui/toasts.tsx';
import { counted } from '../../ui/words.ts';
import { useUrl } from '../../url.ts';
import { Edit } from './Edit.tsx';
import { MemoryLink } from './MemoryLink.tsx';
import { finders } from './model.ts';
import { Origin } from './Origin.tsx';
import { UndoMerge } from './UndoMerge.tsx';
import { Versions } from './Versions.tsx';

const defaults = { edit: '' };
const tool = 'memory.record.get';

/** One memory: what it says, whose it is, where it is from, and what held before it. */
export default function Memory() {
  const { id } = useParams({ strict: false }) as { id: string };
  const [url, set] = useUrl(defaults);
  const allowed = useMay()(tool) !== 'deny';
  const read = useRead<RememberedHistory>(tool, { memory_id: id }, allowed);
  if (!allowed) {
    return (
      <Page title="Memory">
        <NoRight tool={tool} scope="memory:read" />
      </Page>
    );
  }
  if (!read.data) {
    return <Page title="Memory">{read.isError ? <Missing error={read.error} retry={() => void read.refetch()} /> : <Skeleton />}</Page>;
  }
  const { memory } = read.data;
  return (
    <Page
      title={visible(memory.content.split('\n', 1)[0]!, 80)}
      above={
        <>
          <Link to="/console/memories" className="hit">
            Memories
          </Link>
          , <Outside text={memory.category} most={40} />
        </>
      }
      actions={<Copy text={location.href} label="Copy link" />}
    >
      {/* It may have been deleted meanwhile; what was read stays on the screen. */}
      {read.isError && <Missing error={read.error} retry={() => void read.refetch()} />}
      <Shown key={id} told={read.data} edits={url.edit === 'yes'} onEdit={(on) => set({ edit: on ? 'yes' : '' })} />
    </Page>
  );
}

function Missing({ error, retry }: { error: Error; retry: () => void }) {
  if (!(error instanceof CallError && error.code === 'NOT_FOUND')) return <Failure error={error} retry={retry} />;
  return (
    <div role="alert" className="card mb-4 grid justify-items-start gap-2 p-4">
      <p className="font-semibold">
        <Outside text={error.message} />
      </p>
      <p>It was deleted, it expired long ago, it is somebody else’s, or it never existed.</p>
      <Link to="/console/memories" className="hit">
        All memories
      </Link>
    </div>
  );
}

function Shown({ told, edits, onEdit }: { told: RememberedHistory; edits: boolean; onEdit: (on: boolean) => void }) {
  const { memory, history, current_id, merges } = told;
  const navigate = useNavigate();
  const may = useMay();
  const remove = useAct('memory.record.delete', () => {
    toast('The memory was deleted.');
    void navigate({ to: '/console/memories' });
  });
  const holds = memory.valid_to === null;
  const changes = may('memory.record.update') !== 'deny';
  return (
    <div className="grid gap-4">
      {!holds && (
        <p role="status" className="border-l-4 border-caution bg-sunk p-3">
          {memory.superseded_by === null ? (
            'It has expired, and is no longer found.'
          ) : (
            <>
              Another version took its place. <MemoryLink id={current_id}>Open what holds now</MemoryLink>
            </>
          )}
        </p>
      )}
      <Panel
        title="Memory"
        aside={
          changes &&
          (holds || edits) && (
            <button type="button" className="control my-1" aria-expanded={edits} onClick={() => onEdit(!edits)}>
              {edits ? 'Cancel' : 'Change'}
            </button>
          )
        }
      >
        {() => (
          <>
            {edits && changes ? (
              <Edit memory={memory} onDone={() => onEdit(false)} />
            ) : (
              <p className="max-w-[75ch] p-4 whitespace-pre-wrap">
                <Outside text={memory.content} most={Infinity} />
              </p>
            )}
            <div className="border-t border-line">
              <Facts
                rows={[
                  [
                    'state',
                    <Aspect key="s" is={holds ? 'clear' : 'out'}>
                      {holds ? 'holds' : 'no longer holds'}
                    </Aspect>,
                  ],
                  ['found by', finders[memory.scope]],
                  ['category', <Outside key="c" text={memory.category} />],
                  ['tags', memory.tags.length > 0 ? <Outside key="t" text={memory.tags.join(', ')} most={2_000} /> : null],
                  ['holds since', <Age key="f" at={memory.valid_from} />],
                  ['held until', memory.valid_to && <Age key="v" at={memory.valid_to} />],
                  holds && ['holds until', memory.expires_at ? <Age key="e" at={memory.expires_at} /> : 'for ever'],
                  [
                    'saved',
                    <span key="b">
                      by <Outside text={memory.created_by} most={80} />, <Age at={memory.created_at} />
                    </span>,
                  ],
                  ['taken from', memory.origin && <Origin key="o" origin={memory.origin} />],
                  ['id', <Id key="i">{memory.memory_id}</Id>],
                ]}
              />
              {Object.keys(memory.metadata).length > 0 && (
                <div className="px-4 pb-4">
                  <Json value={memory.metadata} label="metadata" />
                </div>
              )}
            </div>
            <div className="grid gap-3 px-4 pb-4">
              <div>
                <ActButton
                  tool="memory.record.delete"
                  act={remove}
                  args={() => ({ memory_id: memory.memory_id })}
                  className="border-stop text-stop"
                  confirm={{
                    title: 'Delete this memory?',
                    text: (
                      <>
                        <Outside text={memory.content} most={160} /> is deleted for good
                        {history.length > 0 && `, with ${counted(history.length, 'former version')}`}. To correct it, change it instead.
                      </>
                    ),
                    type: 'delete',
                  }}
                >
                  Delete
                </ActButton>
              </div>
              <Outcome act={remove} />
            </div>
          </>
        )}
      </Panel>
      {merges.length > 0 && (
        <Panel title="Merged into it">
          {() => (
            <ul className="divide-y divide-line">
              {merges.map(({ merge_id, at, merged }) => (
                <li key={merge_id} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-2">
                  <span className="flex-1 basis-40">
                    {counted(merged.length, 'memory', 'memories')}, <Age at={at} />
                  </span>
                  <UndoMerge
                    id={merge_id}
                    label={`${counted(merged.length, 'memory', 'memories')}, ${at.slice(0, 16).replace('T', ' ')}`}
                  />
                </li>
              ))}
            </ul>
          )}
        </Panel>
      )}
      <Versions told={told} />
    </div>
  );
}
