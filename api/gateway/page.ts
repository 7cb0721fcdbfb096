import MarkdownIt from 'markdown-it';
import { escape, style } from '../rest/landing.ts';
import { openApiPath, type Json, type OpenApiDocument } from './openapi.ts';

const markdown = new MarkdownIt({ html: false });
const prose = (text: unknown): string => (typeof text === 'string' ? markdown.render(text) : '');
const inline = (text: unknown): string => (typeof text === 'string' ? markdown.renderInline(text) : '');
const code = (text: unknown): string => `<code>${escape(String(text))}</code>`;
const block = (value: unknown): string =>
  `<pre><code>${escape(typeof value === 'string' ? value : JSON.stringify(value, null, 2))}</code></pre>`;
const table = (head: string[], rows: string[][]): string =>
  rows.length === 0
    ? ''
    : `<table><tr>${head.map((cell) => `<th>${cell}</th>`).join('')}</tr>${rows
        .map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`)
        .join('')}</table>`;

/** The OpenAPI document as a plain page: no scripts, no external resources. */
export function apiPage(document: OpenApiDocument): string {
  /** Resolves a `$ref`; other values are returned unchanged. */
  const at = (value: unknown): Json => {
    const pointer = (value as Json).$ref;
    if (typeof pointer !== 'string') return value as Json;
    return pointer
      .slice(2)
      .split('/')
      .reduce<unknown>((inner, key) => (inner as Json)[key], document) as Json;
  };
  const all = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const tags = [...new Set(all.map(({ operation }) => (operation.tags as string[])[0]!))];
  const one = ({ path, method, operation }: (typeof all)[number]): string => {
    const id = String(operation.operationId);
    const parameters = (operation.parameters as unknown[]).map(at);
    const body = (operation.requestBody as { content: Record<string, Json> } | undefined)?.content['application/json'];
    return `<section id="${id}"><h3>${code(`${method} ${path}`)}${operation.deprecated ? ' <small>deprecated</small>' : ''}</h3>
<p><b>${escape(String(operation.summary))}</b></p>${prose(operation.description)}
${table(
  ['parameter', 'in', 'type', ''],
  parameters.map(({ name, in: place, required, schema, description }) => [
    code(name) + (required ? ' <small>required</small>' : ''),
    escape(String(place)),
    typeOf(schema as Json),
    inline(description),
  ]),
)}
${body ? `<h4>Body</h4>${fields(at(body.schema))}${block(body.example)}` : ''}
${table(
  ['answer', '', ''],
  Object.entries(operation.responses as Json).map(([status, response]) => answerRow(status, at(response), at)),
)}
</section>`;
  };
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(document.info.title)}</title><style>${style}h3{margin-top:2.5rem}main pre{border:1px solid var(--line)}</style></head><body><main>
<p><a href="/">Signalbox</a> · <a href="/docs">tools</a> · <a href="${openApiPath}">OpenAPI ${document.openapi}</a></p>
<h1>${escape(document.info.title)}</h1>${prose(document.info.description)}
<p>Every request carries ${code('X-API-Key: KEY')} or ${code('Authorization: Bearer KEY')}.</p>
${tags
  .map(
    (tag) =>
      `<h2>${escape(tag)}</h2><ul>${all
        .filter(({ operation }) => (operation.tags as string[])[0] === tag)
        .map(
          ({ path, method, operation }) =>
            `<li><a href="#${String(operation.operationId)}">${code(`${method} ${path}`)}</a> ${inline(operation.summary)}</li>`,
        )
        .join('')}</ul>`,
  )
  .join('')}
${all.map(one).join('')}
</main></body></html>
`;
}

function answerRow(status: string, response: Json, at: (value: unknown) => Json): string[] {
  const [type, content] = Object.entries((response.content ?? {}) as Record<string, Json>)[0] ?? [];
  if (!content) return [code(status), inline(response.description), ''];
  const shown = content.example === undefined ? '' : `<details><summary>example</summary>${block(content.example)}</details>`;
  const { properties } = at(content.schema) as { properties?: Record<string, Json> };
  // Only `data` differs between envelopes.
  const data = status === '200' && properties?.data ? `<details><summary>data</summary>${fields(at(properties.data))}</details>` : '';
  return [code(status), inline(response.description), data + shown || code(type)];
}

/** The fields of an object, nested ones by their path. */
function fields(schema: Json): string {
  return table(
    ['field', 'type', ''],
    flat(schema, '').map(({ name, required, schema: type }) => [
      code(name) + (required ? ' <small>required</small>' : ''),
      typeOf(type),
      inline(type.description),
    ]),
  );
}

interface Field {
  name: string;
  required: boolean;
  schema: Json;
}

function flat(schema: Json, prefix: string): Field[] {
  const { properties = {}, required = [] } = schema as { properties?: Record<string, Json>; required?: string[] };
  return Object.entries(properties).flatMap(([key, inner]) => {
    const name = prefix + key;
    const items = inner.items as Json | undefined;
    return [
      { name, required: required.includes(key), schema: inner },
      ...(inner.properties ? flat(inner, `${name}.`) : items?.properties ? flat(items, `${name}[].`) : []),
    ];
  });
}

/** A schema in short form. */
function typeOf(schema: Json): string {
  if (Array.isArray(schema.enum)) return schema.enum.map(code).join(', ') + fallback(schema);
  if (schema.const !== undefined) return code(schema.const);
  const choices = (schema.anyOf ?? schema.oneOf) as Json[] | undefined;
  if (choices) return [...new Set(choices.map(typeOf))].join(' or ') + fallback(schema);
  if (schema.type === 'array') return `list of ${schema.items ? typeOf(schema.items as Json) : 'anything'}`;
  const { minimum, maximum, maxLength, format } = schema;
  const kind = Array.isArray(schema.type) ? schema.type.join(' or ') : String(schema.type ?? 'anything');
  const range = minimum === undefined && maximum === undefined ? '' : ` ${String(minimum ?? '')}–${String(maximum ?? '')}`;
  return (
    escape(`${format ? String(format) : kind}${range}${maxLength === undefined ? '' : `, at most ${String(maxLength)}`}`) + fallback(schema)
  );
}

const fallback = (schema: Json): string => (schema.default === undefined ? '' : `, default ${code(JSON.stringify(schema.default))}`);
