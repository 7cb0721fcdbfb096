import { AppError } from '../../contracts/errors.ts';

/** What a run takes in; stands in its job's row, so that it can be started again from there. */
export type RunOrigin =
  | { kind: 'folder'; path: string }
  | { kind: 'zip'; path: string; blob: string }
  | { kind: 'url'; url: string; depth: number; max_pages: number; profile: 'auto' | 'fast' | 'thorough' }
  | { kind: 'youtube'; url: string; languages: string[] }
  /** Given by the caller. `sealed`: all of them are enlisted. */
  | { kind: 'items'; sealed: boolean };

export interface RunSpec extends Record<string, unknown> {
  origin: RunOrigin;
  kb_id: string;
  /** Type of the sources it makes: `document`, `page`, `video`, … */
  type: string;
  chunk_size: number;
  tags: string[];
  metadata: Record<string, unknown>;
}

/** Files of one folder or archive. */
export const maxItems = 200_000;

/**
 * What a content of an address is called: host and path. The rest may hold a token, and titles stand in lists and in
 * Temporal.
 * @throws AppError VALIDATION_ERROR, also for an address with a user name or password: it would be kept
 */
export function shownAddress(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new AppError('VALIDATION_ERROR', 'This is not an address that can be fetched.', {
      hint: 'Give a complete URL such as https://example.com/page.',
      details: { reason: 'invalid' },
    });
  }
  if (url.username !== '' || url.password !== '') {
    throw new AppError('VALIDATION_ERROR', 'The address carries a user name or password.', {
      hint: 'Give it without them.',
      details: { reason: 'credentials' },
    });
  }
  return `${url.host}${url.pathname}`.slice(0, 200);
}

/** What a run is called in lists. @throws AppError as `shownAddress` */
export function runTitle(origin: RunOrigin, title: string): string {
  if (origin.kind === 'url') return shownAddress(origin.url);
  if (origin.kind !== 'youtube') return title;
  const given = origin.url.trim();
  if (isVideoId(given)) return given;
  const address = /^https?:\/\//i.test(given) ? given : `https://${given}`;
  const shown = shownAddress(address);
  // All videos have one path.
  const video = new URL(address).searchParams.get('v') ?? '';
  return isVideoId(video) ? `${shown}?v=${video}` : shown;
}

const isVideoId = (text: string): boolean => /^[\w-]{11}$/.test(text);
