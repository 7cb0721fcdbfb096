/** A property of a JSON schema. */
interface Property {
  type?: unknown;
  items?: Property;
  [more: string]: unknown;
}

export type Properties = Record<string, Property>;

const number = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/**
 * Converts query parameters by the types of a JSON schema: number, boolean or array. Text that cannot be converted
 * stays text, so that the schema refuses it. Arrays are repeated parameters.
 */
export function fromQuery(properties: Properties, query: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(query).map(([key, value]) => [key, Object.hasOwn(properties, key) ? read(properties[key]!, value) : value]),
  );
}

function read({ type, items }: Property, value: unknown): unknown {
  if (type === 'array') return [value].flat().map((each) => read(items ?? {}, each));
  if (typeof value !== 'string') return value;
  if (type === 'number' || type === 'integer') return number.test(value) ? Number(value) : value;
  if (type === 'boolean') return value === 'true' ? true : value === 'false' ? false : value;
  return value;
}
