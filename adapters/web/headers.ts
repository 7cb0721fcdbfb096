import type { IncomingHttpHeaders } from 'node:http';

/** The first value of a header, trimmed; undefined when it is missing or empty. */
export function header(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  const first = (Array.isArray(value) ? value.join(', ') : value)?.trim();
  return first === '' ? undefined : first;
}

/** `text/html; charset="UTF-8"` → `{mediaType: 'text/html', charset: 'utf-8'}`, all in lower case. */
export function readContentType(value: string | undefined): { mediaType: string; charset?: string } {
  const type = /^\s*([\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100})/.exec(value ?? '')?.[1]?.toLowerCase();
  const charset = /;\s*charset\s*=\s*["']?([\w.:-]{1,40})/i.exec(value ?? '')?.[1]?.toLowerCase();
  return { mediaType: type ?? 'application/octet-stream', ...(charset === undefined ? {} : { charset }) };
}

/** The name from Content-Disposition, else the last part of the path. Never a path, never control characters. */
export function readFilename(disposition: string | undefined, url: URL): string | undefined {
  const extended = /;\s*filename\*\s*=\s*UTF-8'[^']{0,20}'([^;\s]{1,1000})/i.exec(disposition ?? '')?.[1];
  const plain = /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.){1,1000})"|([^;\s"]{1,1000}))/i.exec(disposition ?? '');
  const given =
    (extended === undefined ? undefined : decode(extended)) ?? plain?.[1]?.replace(/\\(.)/g, '$1') ?? plain?.[2] ?? decode(url.pathname);
  const name = (given ?? '')
    .split(/[/\\]/)
    .at(-1)!
    .replace(/[\u0000-\u001F\u007F]/g, '')
    .trim();
  return name === '' || name === '.' || name === '..' ? undefined : name.slice(-200);
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

const longestRetryAfterSeconds = 86_400;

/** Retry-After as seconds from now (at most a day), given as seconds or as a date. */
export function readRetryAfter(value: string | undefined, now = Date.now()): number | undefined {
  if (value === undefined) return undefined;
  const seconds = /^\d{1,10}$/.test(value) ? Number(value) : Math.ceil((Date.parse(value) - now) / 1000);
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(seconds, 0), longestRetryAfterSeconds);
}
