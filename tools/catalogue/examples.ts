import type { z } from 'zod';
import type { Schema } from '../../contracts/json-schema.ts';

export const resolveRef = (schema: Schema, root: Schema): Schema => {
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined ? schema : (root.$defs?.[name] ?? schema);
};

/** A plausible value for a field: from the schema, else by its type. */
function exampleOf(given: Schema, root: Schema, name: string): unknown {
  const schema = resolveRef(given, root);
  if (schema.examples?.length) return schema.examples[0];
  if (schema.const !== undefined) return schema.const;
  if (schema.default !== undefined && schema.default !== '' && schema.default !== null) return schema.default;
  if (schema.enum) return schema.enum[0];
  const choice = (schema.anyOf ?? schema.oneOf)?.find((option) => option.type !== 'null');
  if (choice) return exampleOf(choice, root, name);
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case 'object':
      return requiredOnly(schema, root);
    case 'array':
      return [exampleOf(schema.items ?? {}, root, name.replace(/s$/, ''))];
    case 'integer':
    case 'number':
      return schema.minimum ?? Math.min(1, schema.maximum ?? 1);
    case 'boolean':
      return true;
    default:
      return textFor(schema, name);
  }
}

function textFor(schema: Schema, name: string): string {
  if (schema.format === 'date-time') return '2026-01-31T09:00:00Z';
  if (schema.format === 'date') return '2026-01-31';
  if (schema.format === 'uri' || /(^|_)ur[il]$/.test(name)) return 'https://example.com/page';
  if (schema.format === 'email') return 'ada@example.com';
  if (/(^|_)id$/.test(name)) return `${name === 'id' ? 'item' : name.replace(/_id$/, '')}_1`;
  return name.padEnd(schema.minLength ?? 0, '.').slice(0, schema.maxLength ?? 200);
}

const requiredOnly = (schema: Schema, root: Schema): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(schema.properties ?? {})
      .filter(([name, field]) => schema.required?.includes(name) && field.default === undefined)
      .map(([name, field]) => [name, exampleOf(field, root, name)]),
  );

/** Arguments that the schema accepts: the required ones (or else the first), otherwise all of them. */
export function exampleArguments(input: z.ZodObject, schema: Schema): Record<string, unknown> | null {
  const names = Object.keys(schema.properties ?? {});
  const choices = [schema.required ?? names.slice(0, 1), schema.required ?? [], names];
  for (const required of choices) {
    const example = requiredOnly({ ...schema, required }, schema);
    if (input.safeParse(example).success) return example;
  }
  return null;
}
