import { Select, TextArea, TextField } from '../ui/Field.tsx';
import { Outside } from '../ui/Outside.tsx';
import { problemAt } from './check.ts';
import { entered, fresh, isLong, isObject, limitsOf, shown, withKey, type Field, type Problem } from './schema.ts';

interface Part {
  field: Field;
  value: unknown;
  onChange: (value: unknown) => void;
  path: Problem['path'];
  problems: readonly Problem[];
}

/** Fields for the arguments of a tool. The arguments are the state: what is written elsewhere shows here, too. */
export function Form({
  fields,
  args,
  onChange,
  problems,
}: {
  fields: readonly Field[];
  args: Record<string, unknown>;
  onChange: (args: Record<string, unknown>) => void;
  problems: readonly Problem[];
}) {
  return (
    <div className="grid gap-4">
      {fields.map((field) => (
        <Entry
          key={field.name}
          field={field}
          value={args[field.name]}
          onChange={(value) => onChange(withKey(args, field.name, value))}
          path={[field.name]}
          problems={problems}
        />
      ))}
    </div>
  );
}

const nameOf = ({ field, path }: Part): string => field.name || `${String(path.at(-2) ?? 'item')} ${Number(path.at(-1)) + 1}`;

function Entry(part: Part) {
  const { field, value, onChange, path, problems } = part;
  if (field.nullable && field.kind !== 'object' && field.kind !== 'list') {
    return (
      <div className="grid gap-1">
        {value !== null && <Own {...part} />}
        <label className="hit gap-2 text-soft">
          <input
            type="checkbox"
            className="size-4"
            checked={value === null}
            onChange={({ target }) => onChange(target.checked ? null : undefined)}
          />
          {nameOf(part)}: null
        </label>
        {value === null && problemAt(problems, path) && <p className="text-xs text-stop">{problemAt(problems, path)}</p>}
      </div>
    );
  }
  return <Own {...part} />;
}

function Own(part: Part) {
  const { field, value, onChange, path, problems } = part;
  if (field.kind === 'object') return <Group {...part} />;
  if (field.kind === 'list') return <List {...part} />;
  const limits = limitsOf(field);
  const common = {
    label: nameOf(part),
    hint: (
      <>
        {field.schema.description && <Outside text={field.schema.description} most={600} />}{' '}
        {limits && <span className="font-mono">{limits}</span>}
      </>
    ),
    error: problemAt(problems, path),
    value: shown(field, value),
    onChange: (text: string) => onChange(entered(field, text)),
  };
  if (field.kind === 'choice' || field.kind === 'boolean') {
    const choices = field.kind === 'boolean' ? ['true', 'false'] : (field.schema.enum as string[]);
    const { default: preset } = field.schema;
    const none = ['', preset === undefined ? (field.required ? 'choose' : 'not given') : `default: ${String(preset)}`] as const;
    const strange = common.value !== '' && !choices.includes(common.value) ? [common.value] : [];
    return <Select {...common} options={[none, ...choices, ...strange]} />;
  }
  if (isLong(field))
    return <TextArea {...common} mono={field.kind === 'json'} rows={field.kind === 'json' ? 4 : 3} required={field.required} />;
  const example = field.schema.examples?.[0];
  return <TextField {...common} required={field.required} {...(typeof example === 'string' ? { placeholder: example } : {})} />;
}

const Caption = ({ part }: { part: Part }) => {
  const { field, path, problems } = part;
  const problem = problemAt(problems, path);
  return (
    <>
      <legend className="px-1 text-soft">{nameOf(part)}</legend>
      <p className="text-xs text-soft">
        {field.schema.description && <Outside text={field.schema.description} most={600} />}{' '}
        <span className="font-mono">{limitsOf(field)}</span>
      </p>
      {problem && <p className="text-xs text-stop">{problem}</p>}
    </>
  );
};

const frame = 'grid min-w-0 gap-3 rounded-card border border-line p-3';

function Group(part: Part) {
  const { field, value, onChange, path, problems } = part;
  if (!isObject(value)) {
    return (
      <fieldset className={frame}>
        <Caption part={part} />
        {value !== undefined && <p className="text-xs text-stop">The JSON has something else here.</p>}
        <button type="button" className="control justify-self-start" onClick={() => onChange({})}>
          Fill in {nameOf(part)}
        </button>
      </fieldset>
    );
  }
  return (
    <fieldset className={frame}>
      <Caption part={part} />
      {field.fields.map((inner) => (
        <Entry
          key={inner.name}
          field={inner}
          value={value[inner.name]}
          onChange={(next) => onChange(withKey(value, inner.name, next))}
          path={[...path, inner.name]}
          problems={problems}
        />
      ))}
      {field.name !== '' && (
        <button type="button" className="control justify-self-start" onClick={() => onChange(undefined)}>
          Leave {nameOf(part)} out
        </button>
      )}
    </fieldset>
  );
}

function List(part: Part) {
  const { field, value, onChange, path, problems } = part;
  const items = Array.isArray(value) ? (value as unknown[]) : [];
  const item = field.item!;
  const set = (next: unknown[]): void => onChange(next.length === 0 && !field.required ? undefined : next);
  return (
    <fieldset className={frame}>
      <Caption part={part} />
      {items.map((one, i) => (
        <div key={i} className="flex items-start gap-2">
          <div className="min-w-0 flex-1">
            <Entry
              field={item}
              value={one}
              // An emptied text stays an item until it is removed.
              onChange={(next) => set(items.with(i, next === undefined ? fresh(item) : next))}
              path={[...path, i]}
              problems={problems}
            />
          </div>
          <button
            type="button"
            className="control mt-6"
            aria-label={`Remove ${nameOf(part)} ${i + 1}`}
            onClick={() => set(items.toSpliced(i, 1))}
          >
            Remove
          </button>
        </div>
      ))}
      <button type="button" className="control justify-self-start" onClick={() => set([...items, fresh(item)])}>
        Add to {nameOf(part)}
      </button>
    </fieldset>
  );
}
