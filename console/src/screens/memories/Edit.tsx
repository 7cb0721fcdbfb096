import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { MemoryVersion, RememberedHistory, UpdatedMemory } from '../../../../contracts/knowledge/memory.ts';
import { useAct, type Act } from '../../api/act.ts';
import { useRead } from '../../api/call.ts';
import { CallError } from '../../api/errors.ts';
import { ActButton, Outcome } from '../../ui/Act.tsx';
import { Code } from '../../ui/LazyCode.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { Failure, Skeleton } from '../../ui/Panel.tsx';
import { Age } from '../../ui/Time.tsx';
import { toast } from '../../ui/toasts.tsx';
import { Fields, today, useForm } from './Fields.tsx';
import { memoryPath } from './MemoryLink.tsx';
import { changeOf, faultsOf, formOf, type Change } from './model.ts';

const tool = 'memory.record.update';

/** Another text or category makes a new version; tags and expiry change in place. */
export function Edit({ memory, onDone }: { memory: MemoryVersion; onDone: () => void }) {
  const navigate = useNavigate();
  // What others change meanwhile is not what was changed here.
  const [base] = useState(memory);
  const [form, change, reset] = useForm(`memory ${base.memory_id}`, formOf(base));
  const act = useAct(tool, ({ data }) => {
    const { memory_id, status } = data as UpdatedMemory;
    reset();
    toast(status === 'changed' ? 'The memory was changed.' : 'A new version was saved.');
    if (memory_id === base.memory_id) onDone();
    else void navigate({ to: memoryPath(memory_id) });
  });
  const wish = changeOf(base, form);
  const nothing = Object.keys(wish).length === 0;
  const newer = conflictOf(act);
  return (
    <div className="grid gap-3 p-4">
      <Fields form={form} change={change} touched />
      <p className="text-soft">
        {nothing
          ? 'Nothing is changed yet.'
          : wish.content !== undefined || wish.category !== undefined
            ? 'This makes a new version; the former one stays readable.'
            : 'Tags and expiry change in place, without a new version.'}
      </p>
      {newer === null ? (
        <>
          <div>
            <ActButton
              tool={tool}
              act={act}
              args={() => ({ memory_id: base.memory_id, ...wish })}
              disabled={nothing || Object.keys(faultsOf(form, today())).length > 0}
              className="border-route"
            >
              Save the change
            </ActButton>
          </div>
          <Outcome act={act} />
        </>
      ) : (
        <Conflict
          id={newer}
          mine={wish}
          act={act}
          onTheirs={() => {
            reset();
            void navigate({ to: memoryPath(newer) });
          }}
        />
      )}
    </div>
  );
}

/** The version that replaced the one that is being changed; null: none did. */
function conflictOf({ state }: Act): string | null {
  if (state.is !== 'failed' || !(state.error instanceof CallError) || state.error.code !== 'CONFLICT') return null;
  const current = state.error.details['current_id'];
  return typeof current === 'string' ? current : null;
}

/** Somebody was faster: both are shown, and the one who writes decides. */
function Conflict({ id, mine, act, onTheirs }: { id: string; mine: Change; act: Act; onTheirs: () => void }) {
  const read = useRead<RememberedHistory>('memory.record.get', { memory_id: id });
  if (!read.data) return read.isError ? <Failure error={read.error} retry={() => void read.refetch()} /> : <Skeleton />;
  const { memory } = read.data;
  return (
    <div role="alert" className="grid gap-3 border-l-4 border-caution bg-sunk p-3">
      <p className="font-semibold">Another version took its place while you wrote.</p>
      <p>
        <Outside text={memory.created_by} most={60} /> saved it <Age at={memory.valid_from} />:
      </p>
      <blockquote className="max-w-[75ch] border-l-4 border-line pl-3 whitespace-pre-wrap">
        <Outside text={memory.content} most={2_000} />
      </blockquote>
      {mine.content !== undefined && mine.content !== memory.content && (
        <Code label="Theirs and yours" value={mine.content} before={memory.content} />
      )}
      <div className="flex flex-wrap gap-3">
        <ActButton tool={tool} act={act} args={() => ({ memory_id: id, ...mine })}>
          Replace theirs by mine
        </ActButton>
        <button type="button" className="control" onClick={onTheirs}>
          Keep theirs
        </button>
      </div>
    </div>
  );
}
