import { z } from 'zod';

/** A JSONPath (RFC 9535); regular expressions and more than one `..` are refused when the source is saved. */
const jsonPath = z.string().min(1).max(300);

export const apiParam = z
  .object({
    type: z.enum(['text', 'number', 'boolean', 'list', 'date_range']),
    required: z.boolean().default(false),
    default: z.union([z.string().max(500), z.number(), z.boolean(), z.array(z.string().max(200)).max(50)]).optional(),
    /** Accepted values, or accepted members of a list; all others are refused. */
    allowed: z.array(z.string().max(200)).min(1).max(200).optional(),
    /** Separator between the members of a list. */
    join: z.string().max(20).default(','),
    /** Puts members of a list in double quotes, so that two words are one phrase. */
    quote: z.boolean().default(false),
    description: z.string().max(500).optional(),
  })
  .strict();
export type ApiParam = z.output<typeof apiParam>;

const location = z.union([
  jsonPath,
  z
    .object({
      path: jsonPath,
      /** `https://news.example/item?id={value}`: for APIs that return ids instead of addresses. */
      template: z
        .string()
        .max(500)
        .refine((text) => text.includes('{value}'), 'names {value}')
        .optional(),
      /** Splits a text into several values, e.g. categories "a, b". */
      split: z.string().min(1).max(10).optional(),
    })
    .strict(),
]);
export type FieldLocation = z.output<typeof location>;

/** Location of a field in an item; of several, the first non-empty one counts. */
const field = z.union([location, z.array(location).min(1).max(5)]);

const text = z.string().max(2000);
const inQuery = z.string().min(1).max(100);

/**
 * Request and answer format of an API. `{name}` in an address's path, headers, query and body stands for a parameter
 * of the call, `{name.from}` and `{name.to}` for the ends of a date range (also `from_date`, `to_date`, `from_unix`,
 * `to_unix`), and `${name}` in headers, query and body for one of the source's credentials. A header or query entry
 * whose parameter was not given is left out.
 */
export const apiFeedSettings = z
  .object({
    method: z.enum(['GET', 'POST']).default('GET'),
    headers: z.record(z.string().regex(/^[A-Za-z0-9-]{1,100}$/), text).default({}),
    query: z.record(inQuery, text).default({}),
    /** Body of a POST: JSON with `{name}` in its texts. A text that is exactly `{name}` becomes the value itself. */
    body: z.json().optional(),
    params: z.record(z.string().regex(/^[a-z][a-z0-9_]{0,39}$/), apiParam).default({}),
    /** Path of the articles in an answer. */
    items: jsonPath.default('$.articles[*]'),
    /** Paths of the fields in an item, which is `$` here. */
    fields: z
      .object({
        title: field,
        url: field,
        published_at: field.optional(),
        summary: field.optional(),
        author: field.optional(),
        content: field.optional(),
        source: field.optional(),
        categories: field.optional(),
      })
      .strict(),
    paging: z
      .discriminatedUnion('kind', [
        z
          .object({
            kind: z.literal('page'),
            param: inQuery,
            start: z.number().int().min(0).max(1).default(1),
            max_pages: z.number().int().min(1).max(20).default(1),
          })
          .strict(),
        z.object({ kind: z.literal('offset'), param: inQuery, max_pages: z.number().int().min(1).max(20).default(1) }).strict(),
        z
          .object({
            kind: z.literal('cursor'),
            param: inQuery,
            /** Path of the next page's cursor in an answer; if empty, the page was the last one. */
            next: jsonPath,
            max_pages: z.number().int().min(1).max(20).default(1),
          })
          .strict(),
      ])
      .optional(),
    max_articles: z.number().int().min(1).max(500).default(100),
    /** Per request. */
    timeout_seconds: z.number().int().min(1).max(60).default(30),
  })
  .strict();
export type ApiFeedSettings = z.output<typeof apiFeedSettings>;
