import { useEffect, useId, useMemo, useRef, useState, type ReactNode } from 'react';
import { useShortcuts } from '../keys.ts';

const look = 'hit w-full min-w-0 rounded-card border border-edge bg-paper px-2 placeholder:text-soft aria-invalid:border-stop';

interface Common {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
  className?: string;
}

function Around({ label, hint, error, className = '', id, children }: Common & { id: string; children: ReactNode }) {
  return (
    <div className={`grid min-w-0 content-start gap-1 ${className}`}>
      <label htmlFor={id} className="text-soft">
        {label}
      </label>
      {children}
      {hint && !error && (
        <p id={`${id}-hint`} className="text-xs text-soft">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-hint`} className="text-xs text-stop">
          {error}
        </p>
      )}
    </div>
  );
}

const described = (id: string, { hint, error }: Common) =>
  ({ ...(hint || error ? { 'aria-describedby': `${id}-hint` } : {}), ...(error ? { 'aria-invalid': true } : {}) }) as const;

export function TextField({
  value,
  onChange,
  type = 'text',
  placeholder,
  required,
  ...common
}: Common & { value: string; onChange: (value: string) => void; type?: string; placeholder?: string; required?: boolean }) {
  const id = useId();
  return (
    <Around {...common} id={id}>
      <input
        id={id}
        type={type}
        className={look}
        value={value}
        placeholder={placeholder}
        required={required}
        autoComplete="off"
        spellCheck={false}
        {...described(id, common)}
        onChange={({ target }) => onChange(target.value)}
      />
    </Around>
  );
}

export function TextArea({
  value,
  onChange,
  rows = 4,
  required,
  mono = false,
  ...common
}: Common & { value: string; onChange: (value: string) => void; rows?: number; required?: boolean; mono?: boolean }) {
  const id = useId();
  return (
    <Around {...common} id={id}>
      <textarea
        id={id}
        rows={rows}
        className={`${look} py-1 ${mono ? 'font-mono text-xs' : ''}`}
        value={value}
        required={required}
        {...described(id, common)}
        onChange={({ target }) => onChange(target.value)}
      />
    </Around>
  );
}

export function Select<T extends string>({
  value,
  onChange,
  options,
  ...common
}: Common & { value: T; onChange: (value: T) => void; options: readonly (T | readonly [value: T, text: string])[] }) {
  const id = useId();
  return (
    <Around {...common} id={id}>
      <select id={id} className={look} value={value} {...described(id, common)} onChange={({ target }) => onChange(target.value as T)}>
        {options.map((option) => {
          const [own, text] = typeof option === 'string' ? [option, option || 'all'] : option;
          return (
            <option key={own} value={own}>
              {text}
            </option>
          );
        })}
      </select>
    </Around>
  );
}

/** The row of filters above a list. */
export const Filters = ({ children }: { children: ReactNode }) => (
  <div role="search" aria-label="Filters" className="mb-3 grid grid-cols-[repeat(auto-fill,minmax(min(100%,10rem),1fr))] items-end gap-3">
    {children}
  </div>
);

/** The text that a list is filtered by; `/` goes there. */
export function FilterText({
  value,
  onChange,
  label = 'Filter',
  placeholder,
}: {
  value: string;
  onChange: (value: string) => void;
  label?: string;
  placeholder?: string;
}) {
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  useShortcuts(useMemo(() => [{ keys: '/', label, run: () => field.current?.focus() }], [label]));
  return (
    <div className="grid min-w-0 gap-1 sm:col-span-2">
      <label htmlFor={id} className="flex justify-between text-soft">
        {label}
        <kbd aria-hidden="true" className="font-mono text-xs max-sm:hidden">
          /
        </kbd>
      </label>
      <input
        ref={field}
        id={id}
        type="search"
        className={look}
        value={value}
        placeholder={placeholder}
        onChange={({ target }) => onChange(target.value)}
        onKeyDown={({ key, currentTarget }) => key === 'Escape' && (value === '' ? currentTarget.blur() : onChange(''))}
      />
    </div>
  );
}

/** What was typed outlives a reload and a new sign-in, in this tab. Never for secrets. */
export function useTyped(name: string, initial = ''): [string, (value: string) => void] {
  const place = `sb-typed ${name}`;
  const [value, setValue] = useState(() => sessionStorage.getItem(place) ?? initial);
  useEffect(() => {
    if (value === initial) sessionStorage.removeItem(place);
    else sessionStorage.setItem(place, value);
  }, [place, value, initial]);
  return [value, setValue];
}
