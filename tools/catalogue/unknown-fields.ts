import type { z } from 'zod';

/** A field that its schema does not have. */
export interface UnknownField {
  /** `filters.from`, `topics[2].nam`. */
  path: string;
  key: string;
  holder: Record<string, unknown>;
  /** The fields that the schema has there. */
  known: string[];
}

type Schema = { _zod: { def: Definition } };
interface Definition {
  type: string;
  shape?: Record<string, Schema>;
  catchall?: Schema;
  element?: Schema;
  valueType?: Schema;
  options?: Schema[];
  in?: Schema;
  innerType?: Schema;
}

/** Every field of a value, at all levels, that the schema would drop silently. Ignores objects that accept any field. */
export function unknownFields(schema: z.ZodType, value: unknown): UnknownField[] {
  const found: UnknownField[] = [];
  look([schema], value, '', found);
  return found;
}

/** @param schemas the schemas that the value may have; a field of any of them is known */
function look(schemas: Schema[], value: unknown, path: string, found: UnknownField[]): void {
  if (value === null || typeof value !== 'object') return;
  const definitions = schemas.flatMap(unwrapped);
  if (Array.isArray(value)) {
    const elements = definitions.flatMap(({ type, element }) => (type === 'array' && element ? [element] : []));
    if (elements.length > 0) for (const [i, item] of value.entries()) look(elements, item, `${path}[${i}]`, found);
    return;
  }
  const holder = value as Record<string, unknown>;
  const values = definitions.flatMap(({ type, valueType }) => (type === 'record' && valueType ? [valueType] : []));
  const shapes = definitions.flatMap(({ type, shape }) => (type === 'object' && shape ? [shape] : []));
  const open = definitions.some(({ type, catchall }) =>
    type === 'object'
      ? catchall !== undefined && catchall._zod.def.type !== 'never'
      : type === 'unknown' || type === 'any' || type === 'json' || type === 'lazy',
  );
  for (const [key, inner] of Object.entries(holder)) {
    const at = path === '' ? key : `${path}.${key}`;
    const fields = shapes.flatMap((shape) => (Object.hasOwn(shape, key) ? [shape[key]!] : []));
    if (fields.length > 0 || values.length > 0) look([...fields, ...values], inner, at, found);
    else if (shapes.length > 0 && !open)
      found.push({ path: at, key, holder, known: [...new Set(shapes.flatMap((shape) => Object.keys(shape)))] });
  }
}

/** The schema inside wrappers such as `default` and `optional`; for a union, each choice. */
function unwrapped(schema: Schema): Definition[] {
  const { def } = schema._zod;
  if (def.options) return def.options.flatMap(unwrapped);
  if (def.type === 'pipe' && def.in) return unwrapped(def.in);
  return def.innerType ? unwrapped(def.innerType) : [def];
}
