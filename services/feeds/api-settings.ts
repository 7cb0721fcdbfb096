import { AppError } from '../../contracts/errors.ts';
import { apiFeedSettings, type ApiFeedSettings, type FieldLocation } from '../../contracts/feeds/feed-settings.ts';
import { z } from 'zod';
import { rangeParts } from './api-params.ts';
import { paramsIn, paramsInPath } from './api-request.ts';
import { compilePath } from './json-paths.ts';

/** All locations of a field, in order of preference. */
export const locationsOf = (field: FieldLocation | FieldLocation[] | undefined): FieldLocation[] =>
  field === undefined ? [] : Array.isArray(field) ? field : [field];

const least = { items: '$.articles[*]', fields: { title: '$.title', url: '$.url' } };

/**
 * Validates the settings of an API feed before it is fetched.
 * @throws AppError VALIDATION_ERROR: their shape, a JSONPath, an undeclared parameter, a body without POST
 */
export function checkApiSettings(url: string, given: unknown): ApiFeedSettings {
  const parsed = apiFeedSettings.safeParse(given);
  if (!parsed.success) throw refused(z.prettifyError(parsed.error), `The least that is needed: ${JSON.stringify(least)}`);
  const settings = parsed.data;
  for (const path of pathsOf(settings)) compilePath(path);
  const { hostname, search } = new URL(url);
  if (/[{}]/.test(decodeURIComponent(hostname)))
    throw refused('The host of an API may not depend on a parameter.', 'Use parameters in its path.');
  if (/[{}]/.test(search)) throw refused('Parameters are not allowed in the address after "?".', 'Put them into settings.query.');
  if (settings.method === 'GET' && settings.body !== undefined) throw refused('A GET has no body.', 'Set "method": "POST".');
  const texts = [...Object.values(settings.headers), ...Object.values(settings.query), ...textsIn(settings.body)];
  for (const name of [...texts.flatMap(paramsIn), ...paramsInPath(url)]) {
    const [base = '', part] = name.split('.');
    const param = Object.hasOwn(settings.params, base) ? settings.params[base] : undefined;
    if (!param)
      throw refused(
        `{${name}} is no parameter of this source.`,
        `Declare it in settings.params. Declared: ${Object.keys(settings.params).join(', ') || 'none'}.`,
      );
    const isRange = param.type === 'date_range';
    if (isRange !== (part !== undefined) || (isRange && !rangeParts.some((known) => known === part))) {
      throw refused(
        `{${name}} cannot be filled in.`,
        isRange ? `Write {${base}.from} or another of ${rangeParts.join(', ')}.` : `Write {${base}}.`,
      );
    }
  }
  return settings;
}

const refused = (message: string, hint: string): AppError =>
  new AppError('VALIDATION_ERROR', message, { hint, details: { reason: 'settings' } });

const pathsOf = ({ items, fields, paging }: ApiFeedSettings): string[] => [
  items,
  ...Object.values(fields)
    .flatMap(locationsOf)
    .map((location) => (typeof location === 'string' ? location : location.path)),
  ...(paging?.kind === 'cursor' ? [paging.next] : []),
];

/** Every text in a JSON value. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
