import { AppError } from '../../contracts/errors.ts';

/** The contents of a run; stored in its job's row, so that it can be restarted from there. */
export type RunOrigin =
  | { kind: 'folder'; path: string }
  | { kind: 'zip'; path: string; blob: string }
  | { kind: 'url'; url: string; depth: number; max_pages: number; profile: 'auto' | 'fast' | 'thorough' }
  | { kind: 'youtube'; url: string; languages: string[] }
  /** Passed by the caller. `sealed`: all of them are stored. */
  | { kind: 'items'; sealed: boolean };

export interface RunSpec extends Record<string, unknown> {
  origin: RunOrigin;
  kb_id: string;
  /** Type of the created sources: `document`, `page`, `video`, … */
  type: string;
  chunk_size: number;
  tags: string[];
  metadata: Record<string, unknown>;
}

/** Maximum files of one folder or archive. */
export const maxItems = 200_000;

/**
 * The title of an address: host and path. The rest may contain a token, and titles are shown in lists and in
 * Temporal.
 * @throws AppError VALIDATION_ERROR, also for an address with a user name or password, which would be stored
 */
export function shownAddress(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new AppError('VALIDATION_ERROR', 'This address cannot be fetched.', {
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

/**
 * Title of a run in lists.
 * @throws AppError as `shownAddress`
 */
export function runTitle(origin: RunOrigin, title: string): string {
  if (origin.kind === 'url') return shownAddress(origin.url);
  if (origin.kind !== 'youtube') return title;
  const given = origin.url.trim();
  if (isVideoId(given)) return given;
  const address = /^https?:\/\//i.test(given) ? given : `https://${given}`;
  const shown = shownAddress(address);
  // All videos have the same path.
  const video = new URL(address).searchParams.get('v') ?? '';
  return isVideoId(video) ? `${shown}?v=${video}` : shown;
}

const isVideoId = (text: string): boolean => /^[\w-]{11}$/.test(text);
