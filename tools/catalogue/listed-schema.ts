/** JSON Schema for lists of tools. */
import { statuses } from '../../contracts/envelope.ts';

const string = { type: 'string' };

/** Open, so that clients accept the envelope's other fields. */
const envelopeSchema = {
  type: 'object',
  properties: {
    status: { enum: statuses },
    warnings: { type: 'array', items: string },
    error: { type: 'object', properties: { code: string, message: string, suggestion: string }, required: ['code', 'message'] },
  },
  required: ['status', 'data'],
};
const waitingSchema = {
  type: 'object',
  properties: { approval_id: string, approval_status: string },
  required: ['approval_id', 'approval_status'],
};

/** The envelope around a tool's data, or around the answer while an approval is pending. */
export const envelopeOver = (data: Record<string, unknown>): Record<string, unknown> => ({
  ...envelopeSchema,
  properties: { ...envelopeSchema.properties, data: { anyOf: [data, waitingSchema, { type: 'null' }] } },
});

/** The output of another server's tool: its content blocks, and structured content if it declares some. */
export const foreignOutput = (structured: Record<string, unknown> | undefined): Record<string, unknown> => ({
  type: 'object',
  properties: { content: { type: 'array', items: { type: 'object' } }, ...(structured ? { structured_content: structured } : {}) },
  required: ['content'],
});

/** Characters per token of lists of tools as JSON, as `npm run tokens` measures them (o200k_base). */
const charactersPerToken = 4.13;
/** About how many tokens tools cost in a list. */
export const listedTokens = (listed: unknown): number => Math.round(JSON.stringify(listed).length / charactersPerToken);

const bounds = new Set(['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum']);
/** Bounds from this value on only reflect a column's type or a number's representation. */
const machineBound = 2 ** 31 - 1;

/** Removes regexes (five lines for a date), and bounds and key types without information. */
export const slim = (schema: unknown): unknown =>
  without(
    schema,
    (key, inner) =>
      (key === 'pattern' && typeof inner === 'string' && inner.length > 60) ||
      (bounds.has(key) && typeof inner === 'number' && Math.abs(inner) >= machineBound) ||
      (key === 'propertyNames' && JSON.stringify(inner) === '{"type":"string"}'),
  );

const lengths = new Set(['minLength', 'maxLength', 'maxItems']);

/**
 * Without lengths, which the call checks, and without inputs that are seldom needed.
 * @param hint says where those are told
 */
export function brief<T extends { description: string; inputSchema: Record<string, unknown>; annotations: { title?: string } }>(
  listed: T,
  core: true | { seldom: string[] },
  hint: string,
): T {
  const seldom = new Set(core === true ? [] : core.seldom);
  const { properties, additionalProperties: _, ...rest } = listed.inputSchema as { properties: Record<string, unknown> } & T['inputSchema'];
  const shown = Object.fromEntries(Object.entries(properties).filter(([name]) => !seldom.has(name)));
  const { title: _title, ...annotations } = listed.annotations;
  return {
    ...listed,
    ...(seldom.size > 0 ? { description: `${listed.description} ${hint}` } : {}),
    // A client that checks arguments lets those through that are not shown.
    inputSchema: {
      ...rest,
      properties: without(shown, (key, inner) => lengths.has(key) && typeof inner === 'number'),
      ...(seldom.size > 0 ? {} : { additionalProperties: false }),
    },
    annotations,
  };
}

/** A schema without the fields that `drops` names. Defaults and choices are data and stay as they are. */
function without(schema: unknown, drops: (key: string, inner: unknown) => boolean): unknown {
  if (Array.isArray(schema)) return schema.map((each) => without(each, drops));
  if (schema === null || typeof schema !== 'object') return schema;
  return Object.fromEntries(
    Object.entries(schema).flatMap(([key, inner]) =>
      drops(key, inner) ? [] : [[key, key === 'default' || key === 'enum' ? inner : without(inner, drops)]],
    ),
  );
}

/** A schema with its descriptions rewritten. */
export function mapText(value: unknown, change: (text: string) => string): unknown {
  if (Array.isArray(value)) return value.map((each) => mapText(each, change));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === 'description' && typeof inner === 'string'
        ? change(inner)
        : key === 'default' || key === 'enum'
          ? inner
          : mapText(inner, change),
    ]),
  );
}
