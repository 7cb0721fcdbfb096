import { useState } from 'react';
import type { Phase, Task, ListedTask } from '../../../../contracts/work/work.ts';
import { useAct } from '../../api/act.ts';
import { useRead } from '../../api/call.ts';
import { ActButton, Outcome } from '../../ui/Act.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Select, TextArea, TextField, useTyped } from '../../ui/Field.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { toast } from '../../ui/toasts.tsx';
import { headline } from './model.ts';
import { useRested } from './useBoard.ts';

/** A new task. What was typed outlives a reload; a lost answer is asked for again, so one task comes of it. */
export function Create({ phase, onClose, onMade }: { phase: string; onClose: () => void; onMade: (task: Task) => void }) {
  const phases = useRead<{ phases: Phase[] }>('work.phase.list');
  const [description, setDescription] = useTyped('new task');
  const [tags, setTags] = useTyped('new task tags');
  const [chosen, setPhase] = useState(phase);
  const [priority, setPriority] = useState<'high' | 'medium' | 'low'>('medium');
  const [review, setReview] = useState('');
  const [blockers, setBlockers] = useState<ListedTask[]>([]);
  const act = useAct('work.task.create', ({ data }) => {
    setDescription('');
    setTags('');
    const { task } = data as { task: Task };
    toast(`Created ${task.id}`);
    onMade(task);
  });
  const all = phases.data?.phases ?? [];
  const at = chosen || String(all[0]?.id ?? '');
  return (
    <Dialog open onClose={onClose} title="New task">
      <TextArea
        label="Description"
        hint="Markdown. The card shows the first line."
        value={description}
        onChange={setDescription}
        rows={6}
        required
      />
      <div className="grid gap-3 sm:grid-cols-3">
        <Select label="Phase" value={at} onChange={setPhase} options={all.map(({ id, name }) => [String(id), `${id} ${name}`] as const)} />
        <Select label="Priority" value={priority} onChange={setPriority} options={['high', 'medium', 'low']} />
        <Select
          label="Review"
          value={review}
          onChange={setReview}
          options={[
            ['', 'default of the phase'],
            ['yes', 'waits for approval'],
            ['no', 'none'],
          ]}
        />
      </div>
      <TextField label="Tags" hint="Separated by commas" value={tags} onChange={setTags} />
      <Blockers chosen={blockers} onChange={setBlockers} />
      <Outcome act={act} />
      <div className="flex justify-end gap-3">
        <button type="button" className="control" onClick={onClose}>
          Cancel
        </button>
        <ActButton
          tool="work.task.create"
          act={act}
          disabled={description.trim() === '' || at === ''}
          args={() => ({
            description: description.trim(),
            phase_id: Number(at),
            priority,
            tags: tags.split(',').flatMap((tag) => tag.trim() || []),
            blocked_by: blockers.map(({ id }) => id),
            ...(review ? { needs_review: review === 'yes' } : {}),
          })}
        >
          Create task
        </ActButton>
      </div>
    </Dialog>
  );
}

/** Tasks that it waits for, found by their words. */
export function Blockers({
  chosen,
  onChange,
  label = 'Blocked by',
}: {
  chosen: ListedTask[];
  onChange: (tasks: ListedTask[]) => void;
  label?: string;
}) {
  const [words, setWords] = useState('');
  const search = useRested(words.trim());
  const found = useRead<{ tasks: ListedTask[] }>('work.task.list', { search, limit: 6, order: 'newest' }, search.length > 1);
  const others = (found.data?.tasks ?? []).filter(({ id, status }) => status !== 'done' && !chosen.some((one) => one.id === id));
  return (
    <div className="grid gap-2">
      <TextField label={label} hint="Words of a task, or its id" value={words} onChange={setWords} />
      {search.length > 1 && (
        <ul aria-label="Tasks found" className="grid gap-1">
          {others.map((task) => (
            <li key={task.id}>
              <button
                type="button"
                className="hit w-full rounded border border-line px-2 text-left"
                onClick={() => {
                  onChange([...chosen, task]);
                  setWords('');
                }}
              >
                <span className="min-w-0">
                  <Outside text={headline(task.description)} most={80} /> <span className="text-soft">{task.status}</span>
                </span>
              </button>
            </li>
          ))}
          {found.data && others.length === 0 && <li className="text-soft">No open task matches.</li>}
        </ul>
      )}
      {chosen.length > 0 && (
        <ul aria-label="Blockers" className="flex flex-wrap gap-2">
          {chosen.map((task) => (
            <li key={task.id}>
              <button type="button" className="control" onClick={() => onChange(chosen.filter(({ id }) => id !== task.id))}>
                <Outside text={headline(task.description)} most={40} />
                <span aria-hidden="true">×</span>
                <span className="sr-only">remove</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
