import { useState } from 'react';
import type { Consolidated } from '../../../../contracts/knowledge/memory.ts';
import { useAct } from '../../api/act.ts';
import { ActButton, Outcome } from '../../ui/Act.tsx';
import { Filters, Select, TextField } from '../../ui/Field.tsx';
import { Outside, visible } from '../../ui/Outside.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { counted } from '../../ui/words.ts';
import type { Tab } from './List.tsx';
import { MemoryLink } from './MemoryLink.tsx';
import { scopes } from './model.ts';
import { UndoMerge } from './UndoMerge.tsx';

const tool = 'memory.record.consolidate';

interface Looked {
  /** What was asked, without `apply`. */
  args: { scope: string; category?: string; cursor?: string };
  told: Consolidated;
}

/** Memories that say the same: proposed, then merged, each merge with its undo. */
export function Repeats({ url, set, type }: Tab) {
  const [looked, setLooked] = useState<Looked | null>(null);
  const act = useAct(tool, ({ data }, given) => {
    const { apply: _, ...args } = given as Looked['args'] & { apply: boolean };
    setLooked({ args, told: data as Consolidated });
  });
  const args = { scope: url.scope || 'team', ...(url.category ? { category: url.category } : {}) };
  // What is on the screen is of this choice.
  const shown = looked && looked.args.scope === args.scope && looked.args.category === args.category ? looked : null;
  const groups = shown?.told.groups.length ?? 0;
  return (
    <div className="grid gap-4">
      <div>
        <Filters>
          <Select label="Whose" value={args.scope} onChange={(scope) => set({ scope })} options={scopes} />
          <TextField label="Category" value={url.category} onChange={(category) => type({ category })} hint="Empty: all" />
        </Filters>
        <p className="mb-3 max-w-[75ch] text-soft">
          Two memories are merged only if each sentence of the shorter one stands in the longer one. Other numbers, names or negations stay
          apart. The longest stays, of equal ones the newest, with the tags and metadata of all.
        </p>
        <div className="flex flex-wrap gap-3">
          <ActButton tool={tool} act={act} args={() => ({ ...args, apply: false })}>
            Look for repetitions
          </ActButton>
          {shown && !shown.told.applied && groups > 0 && (
            <ActButton
              tool={tool}
              act={act}
              args={() => ({ ...shown.args, apply: true })}
              className="border-route"
              confirm={{
                title: 'Merge what says the same?',
                text: `${counted(groups, 'memory stays', 'memories stay')}; the others are superseded and remain readable. What was saved since is looked at, too. Each merge can be undone.`,
              }}
            >
              Merge them
            </ActButton>
          )}
          {shown?.told.next_cursor !== undefined && (
            <ActButton tool={tool} act={act} args={() => ({ ...args, cursor: shown.told.next_cursor, apply: false })}>
              Look at older ones
            </ActButton>
          )}
        </div>
      </div>
      <Outcome act={act}>
        {shown && (
          <p>
            {counted(shown.told.examined, 'memory', 'memories')} looked at,{' '}
            {shown.told.left === 0 ? 'none' : shown.told.left.toLocaleString('en')} left.{' '}
            {groups === 0
              ? shown.told.applied
                ? 'Nothing was merged.'
                : 'None say the same.'
              : shown.told.applied
                ? `${counted(groups, 'merge')} made.`
                : `${counted(groups, 'group says', 'groups say')} the same.`}
          </p>
        )}
      </Outcome>
      {shown && groups > 0 && (
        <Panel title={shown.told.applied ? 'Merged' : 'Say the same'}>
          {() => (
            <ul aria-label="Groups" className="divide-y divide-line">
              {shown.told.groups.map((group) => (
                <Group key={group.keep.memory_id} group={group} />
              ))}
            </ul>
          )}
        </Panel>
      )}
      {shown && shown.told.skipped.length > 0 && (
        <Panel title="Left as they are">
          {() => (
            <ul className="divide-y divide-line">
              {shown.told.skipped.map(({ memory_id, reason }) => (
                <li key={memory_id} className="flex flex-wrap gap-x-3 px-4 py-2">
                  <MemoryLink id={memory_id}>
                    <code className="font-mono text-xs">{memory_id}</code>
                  </MemoryLink>
                  <span>{reason}</span>
                </li>
              ))}
            </ul>
          )}
        </Panel>
      )}
      {shown && shown.told.apart.length > 0 && <Apart pairs={shown.told.apart} />}
    </div>
  );
}

const alike = (similarity: number | null): string => (similarity === null ? '' : `similarity ${similarity.toFixed(2)}`);

function Group({ group: { keep, merge, merge_id } }: { group: Consolidated['groups'][number] }) {
  return (
    <li className="grid gap-2 p-4">
      <p>
        <span className="text-soft">stays: </span>
        <MemoryLink id={keep.memory_id}>
          <span className="min-w-0">
            <Outside text={keep.content} />
          </span>
        </MemoryLink>
      </p>
      <ul className="grid gap-1 border-l-4 border-line pl-3">
        {merge.map(({ memory_id, content, similarity }) => (
          <li key={memory_id}>
            <MemoryLink id={memory_id}>
              <span className="min-w-0">
                <Outside text={content} />
              </span>
            </MemoryLink>{' '}
            <span className="text-soft">{alike(similarity)}</span>
          </li>
        ))}
      </ul>
      {merge_id !== undefined && <UndoMerge id={merge_id} label={visible(keep.content, 60)} />}
    </li>
  );
}

/** Near pairs: a person may correct or delete one of them. */
const Apart = ({ pairs }: { pairs: Consolidated['apart'] }) => (
  <Panel title="Near, but apart">
    {() => (
      <ul aria-label="Near pairs" className="divide-y divide-line">
        {pairs.map(({ memory_ids, contents, similarity, reason }) => (
          <li key={memory_ids.join(' ')} className="grid gap-1 p-4">
            <p className="text-soft">
              <Outside text={reason} /> {similarity !== null && <>({alike(similarity)})</>}
            </p>
            {memory_ids.map((id, i) => (
              <p key={id}>
                <MemoryLink id={id}>
                  <span className="min-w-0">
                    <Outside text={contents[i] ?? id} />
                  </span>
                </MemoryLink>
              </p>
            ))}
          </li>
        ))}
      </ul>
    )}
  </Panel>
);
