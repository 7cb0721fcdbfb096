import { useState } from 'react';
import { TextArea, TextField, useTyped } from '../../ui/Field.tsx';
import { faultsOf, type Form } from './model.ts';

/** A form that outlives a reload, under its name. @returns values, a change of some of them, and the way back to the first ones */
export function useForm(name: string, first: Form): [form: Form, change: (more: Partial<Form>) => void, reset: () => void] {
  const [initial] = useState(first);
  const [content, setContent] = useTyped(`${name} content`, initial.content);
  const [category, setCategory] = useTyped(`${name} category`, initial.category);
  const [tags, setTags] = useTyped(`${name} tags`, initial.tags);
  const [until, setUntil] = useTyped(`${name} until`, initial.until);
  const change = (more: Partial<Form>): void => {
    if (more.content !== undefined) setContent(more.content);
    if (more.category !== undefined) setCategory(more.category);
    if (more.tags !== undefined) setTags(more.tags);
    if (more.until !== undefined) setUntil(more.until);
  };
  return [{ content, category, tags, until }, change, () => change(initial)];
}

/** Today in UTC, because a day of the tools is one of UTC. */
export const today = (): string => new Date().toISOString().slice(0, 10);

/** What a memory says, and how long it holds. Faults are shown once somebody has typed. */
export function Fields({ form, change, touched }: { form: Form; change: (more: Partial<Form>) => void; touched: boolean }) {
  const faults: Partial<Record<keyof Form, string>> = touched ? faultsOf(form, today()) : {};
  return (
    <>
      <TextArea
        label="What is worth knowing later"
        rows={4}
        value={form.content}
        onChange={(content) => change({ content })}
        error={faults.content}
        required
      />
      <div className="grid gap-3 sm:grid-cols-3">
        <TextField
          label="Category"
          value={form.category}
          onChange={(category) => change({ category })}
          error={faults.category}
          hint="Usual: decision, pattern, problem, convention"
          required
        />
        <TextField
          label="Tags"
          value={form.tags}
          onChange={(tags) => change({ tags })}
          error={faults.tags}
          hint="With commas between them"
        />
        <TextField
          label="Holds until"
          type="date"
          value={form.until}
          onChange={(until) => change({ until })}
          error={faults.until}
          hint="Empty: for ever"
        />
      </div>
    </>
  );
}
