import { AppError } from '../../contracts/errors.ts';
import type { ApiFeedSettings } from '../../contracts/feeds/feed-settings.ts';
import type { ParamValues } from './api-params.ts';

/** `${name}`: a credential; `{name}` or `{name.part}`: a parameter. */
const placeholder = /\$\{([A-Za-z_][A-Za-z0-9_]{0,63})\}|\{([a-z][a-z0-9_]{0,39}(?:\.[a-z_]{1,20})?)\}/g;
/** In a stored address, braces may have been escaped. */
const inPath = /(?:\{|%7B)([a-z][a-z0-9_]{0,39}(?:\.[a-z_]{1,20})?)(?:\}|%7D)/gi;

export interface ApiRequest {
  url: URL;
  method: 'GET' | 'POST';
  headers: Record<string, string>;
  body: string | undefined;
}

/** Names of the parameters in a text, with their parts. */
export const paramsIn = (text: string): string[] => [...text.matchAll(placeholder)].flatMap((match) => match[2] ?? []);
export const paramsInPath = (url: string): string[] => [...new URL(url).pathname.matchAll(inPath)].map((match) => match[1]!);

/**
 * Builds the request from a source's settings. The url is never logged: its query may contain credentials.
 * @throws AppError VALIDATION_ERROR: a parameter in the path was not given, or is not allowed there; a missing
 * credential
 */
export function requestOf(
  address: string,
  settings: ApiFeedSettings,
  values: ParamValues,
  credentials: Record<string, string>,
): ApiRequest {
  const filled = (text: string): string | undefined => fill(text, values, credentials);
  const url = new URL(address);
  url.pathname = url.pathname.replace(inPath, (_, name: string) => pathSegment(name, values));
  for (const [name, template] of Object.entries(settings.query)) {
    const value = filled(template);
    if (value !== undefined) url.searchParams.append(name, value);
  }
  const headers: Record<string, string> = { accept: 'application/json' };
  for (const [name, template] of Object.entries(settings.headers)) {
    const value = filled(template);
    if (value !== undefined) headers[name.toLowerCase()] = value;
  }
  if (settings.method === 'GET') return { url, method: 'GET', headers, body: undefined };
  headers['content-type'] ??= 'application/json';
  return { url, method: 'POST', headers, body: JSON.stringify(fillJson(settings.body ?? {}, values, credentials)) };
}

/** Undefined: a parameter was not given. */
function fill(template: string, values: ParamValues, credentials: Record<string, string>): string | undefined {
  let missing = false;
  const text = template.replace(placeholder, (_, credential: string | undefined, param: string | undefined) => {
    if (credential !== undefined) return secretOf(credentials, credential);
    const value = values.get(param!);
    missing ||= value === undefined;
    return value?.text ?? '';
  });
  return missing ? undefined : text;
}

/** A body with filled placeholders; members with a missing parameter are left out. */
function fillJson(body: unknown, values: ParamValues, credentials: Record<string, string>): unknown {
  if (typeof body === 'string') {
    const alone = /^\{([a-z][a-z0-9_.]{0,60})\}$/.exec(body)?.[1];
    return alone === undefined ? fill(body, values, credentials) : values.get(alone)?.json;
  }
  if (Array.isArray(body)) return body.map((one) => fillJson(one, values, credentials)).filter((one) => one !== undefined);
  if (typeof body !== 'object' || body === null) return body;
  return Object.fromEntries(
    Object.entries(body)
      .map(([name, value]) => [name, fillJson(value, values, credentials)])
      .filter(([, value]) => value !== undefined),
  );
}

function secretOf(credentials: Record<string, string>, name: string): string {
  if (Object.hasOwn(credentials, name)) return credentials[name]!;
  throw new AppError('VALIDATION_ERROR', `The source has no credential "${name}".`, {
    hint: 'Save the source again with it (feed.source.save, credentials).',
    details: { reason: 'credential_missing', credential: name },
  });
}

function pathSegment(name: string, values: ParamValues): string {
  const text = values.get(name)?.text;
  // A dot segment would leave the intended path.
  if (text !== undefined && text !== '' && !/^\.{1,2}$/.test(text)) return encodeURIComponent(text);
  throw new AppError('VALIDATION_ERROR', `The address of the source needs the parameter "${name}".`, {
    hint: 'Give it in api_params.',
    details: { reason: 'api_params', param: name },
  });
}
