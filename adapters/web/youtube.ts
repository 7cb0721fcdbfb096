/**
 * Captions of YouTube videos, requested like YouTube's own apps: the player endpoint names the caption tracks, the
 * timedtext endpoint returns one. Undocumented, so it may change at any time; failures say so.
 */
import { AppError, type ErrorCode } from '../../contracts/errors.ts';
import { readTimedText, toWebVtt, type Cue } from './timedtext.ts';
import type { WebClient } from './types.ts';

export interface YoutubeTranscript {
  videoId: string;
  title: string;
  author?: string;
  /** BCP 47, as in the track's name. */
  language: string;
  durationSeconds: number;
  /** Whether the captions were generated. */
  generated: boolean;
  /** WebVTT. */
  vtt: Uint8Array;
}

const youtube = 'https://www.youtube.com';

/** Identifications of YouTube's apps; the second is tried when the first is refused. Web clients need a token. */
const apps = [
  {
    client: { clientName: 'ANDROID', clientVersion: '21.02.35', androidSdkVersion: 30, osName: 'Android', osVersion: '11' },
    userAgent: 'com.google.android.youtube/21.02.35 (Linux; U; Android 11) gzip',
  },
  {
    client: {
      clientName: 'ANDROID_VR',
      clientVersion: '1.71.26',
      deviceMake: 'Oculus',
      deviceModel: 'Quest 3',
      androidSdkVersion: 32,
      osName: 'Android',
      osVersion: '12L',
    },
    userAgent: 'com.google.android.apps.youtube.vr.oculus/1.71.26 (Linux; U; Android 12L) gzip',
  },
];

interface Track {
  baseUrl: string;
  languageCode: string;
  kind?: string;
}

/** The used part of the player's answer; every field may be missing. */
interface Player {
  playabilityStatus?: { status?: string; reason?: string; reasonTitle?: string; desktopLegacyAgeGateReason?: number };
  videoDetails?: { videoId?: string; title?: string; author?: string; lengthSeconds?: string; isLive?: boolean };
  captions?: {
    playerCaptionsTracklistRenderer?: {
      captionTracks?: Partial<Track>[];
      audioTracks?: { defaultCaptionTrackIndex?: number }[];
      defaultAudioTrackIndex?: number;
    };
  };
}

/**
 * The id of a video: from a watch, youtu.be, shorts, embed, live or v address, or itself.
 * @throws {AppError} VALIDATION_ERROR with `details.reason` not_youtube
 */
export function youtubeVideoId(text: string): string {
  const given = text.trim();
  if (/^[\w-]{11}$/.test(given)) return given;
  const address = /^https?:\/\//i.test(given) ? given : `https://${given}`;
  if (URL.canParse(address)) {
    const url = new URL(address);
    const host = url.hostname.replace(/^(?:www|m|music)\./, '');
    const [first = '', second = ''] = url.pathname.split('/').filter((part) => part !== '');
    let id: string | null = null;
    if (host === 'youtu.be') id = first;
    else if (host === 'youtube.com' || host === 'youtube-nocookie.com') {
      id = ['shorts', 'embed', 'live', 'v', 'e'].includes(first)
        ? second
        : first === 'watch'
          ? (url.searchParams.get('v') ?? second)
          : null;
    }
    if (id !== null && /^[\w-]{11}$/.test(id)) return id;
  }
  throw new AppError('VALIDATION_ERROR', 'This is not the address of a YouTube video.', {
    hint: 'Give an address such as https://www.youtube.com/watch?v=…, or the id of 11 characters.',
    details: { reason: 'not_youtube' },
  });
}

/**
 * @param languages wanted ones, best first (`de`, `pt-BR`); default: the spoken language, else English
 * @param base YouTube's address; all requests go there, whatever its answers name
 * @throws {AppError} with `details.reason`. VALIDATION_ERROR: not_youtube. NOT_FOUND: no_captions, no_language,
 * unavailable. FORBIDDEN: age_restricted, private, unplayable. SERVICE_UNAVAILABLE: rate_limited, client_refused,
 * captions_unreadable, and errors of `WebClient.fetch`
 */
export async function youtubeTranscript(
  web: WebClient,
  videoUrl: string,
  languages?: readonly string[],
  signal?: AbortSignal,
  base: string = youtube,
): Promise<YoutubeTranscript> {
  const videoId = youtubeVideoId(videoUrl);
  let refusal: AppError | undefined;
  for (const app of apps) {
    try {
      return await transcriptFor(app);
    } catch (error) {
      // Another app may be accepted where this one is not; nothing else would change the answer.
      if (!(error instanceof AppError) || !['client_refused', 'rate_limited'].includes(String(error.details?.['reason']))) throw error;
      refusal ??= error;
    }
  }
  throw refusal!;

  async function transcriptFor(app: (typeof apps)[number]): Promise<YoutubeTranscript> {
    const player = await askPlayer(web, videoId, app, base, signal);
    assertPlayable(player, videoId);
    const { captionTracks, audioTracks, defaultAudioTrackIndex } = player.captions?.playerCaptionsTracklistRenderer ?? {};
    const tracks = (captionTracks ?? []).filter(
      (track): track is Track => isText(track.baseUrl) && URL.canParse(track.baseUrl, base) && isText(track.languageCode),
    );
    const preferred = captionTracks?.[audioTracks?.[defaultAudioTrackIndex ?? 0]?.defaultCaptionTrackIndex ?? -1];
    const track = chooseTrack(tracks, preferred?.languageCode, languages, videoId);
    const cues = await fetchCues(web, track, app, base, signal);
    const generated = track.kind === 'asr';
    const { title, author, lengthSeconds } = player.videoDetails ?? {};
    const name = isText(title) ? title.slice(0, 300) : videoId;
    const language = track.languageCode.replace(/[^\w-]/g, '').slice(0, 35);
    const lastEndMs = cues.reduce((longest, cue) => Math.max(longest, cue.endMs), 0);
    return {
      videoId,
      title: name,
      ...(isText(author) ? { author: author.slice(0, 200) } : {}),
      language,
      durationSeconds: Number(lengthSeconds) > 0 ? Number(lengthSeconds) : Math.ceil(lastEndMs / 1000),
      generated,
      vtt: toWebVtt(cues, { title: name, language, rolling: generated }),
    };
  }
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

async function askPlayer(
  web: WebClient,
  videoId: string,
  app: (typeof apps)[number],
  base: string,
  signal: AbortSignal | undefined,
): Promise<Player> {
  const body = JSON.stringify({ context: { client: { ...app.client, hl: 'en' } }, videoId, contentCheckOk: true, racyCheckOk: true });
  try {
    const { bytes } = await web.fetch(new URL('/youtubei/v1/player?prettyPrint=false', base).href, {
      body,
      headers: { 'content-type': 'application/json', 'user-agent': app.userAgent },
      maxBytes: 10_000_000,
      signal,
    });
    const answer: unknown = JSON.parse(new TextDecoder().decode(bytes));
    if (typeof answer !== 'object' || answer === null) throw new SyntaxError('not an object');
    return answer;
  } catch (error) {
    throw translate(error);
  }
}

async function fetchCues(
  web: WebClient,
  track: Track,
  app: (typeof apps)[number],
  base: string,
  signal: AbortSignal | undefined,
): Promise<Cue[]> {
  // Only path and query are used: the answer must not choose the host.
  const named = new URL(track.baseUrl, base);
  const url = new URL(base);
  url.pathname = named.pathname;
  url.search = named.search;
  try {
    const { bytes } = await web.fetch(url.href, {
      headers: { 'user-agent': app.userAgent },
      maxBytes: 20_000_000,
      signal,
    });
    // YouTube's answer to clients from which it wants a proof of origin.
    if (bytes.byteLength === 0)
      throw failure('SERVICE_UNAVAILABLE', 'rate_limited', 'YouTube hands out no captions to this machine.', later);
    const cues = readTimedText(new TextDecoder().decode(bytes));
    if (cues.length === 0) throw failure('NOT_FOUND', 'no_captions', "The video's captions are empty.", otherVideo);
    return cues;
  } catch (error) {
    throw translate(error);
  }
}

/** A failed request, in YouTube's terms. */
function translate(error: unknown): unknown {
  if (error instanceof SyntaxError)
    return failure('SERVICE_UNAVAILABLE', 'client_refused', 'YouTube answers with something unknown.', changed, error);
  if (!(error instanceof AppError) || error.details?.['reason'] !== 'http_status') return error;
  const status = Number(error.details['status']);
  if (status === 429) return failure('SERVICE_UNAVAILABLE', 'rate_limited', 'YouTube turns this machine away for now.', later, error);
  if (status >= 400 && status < 500) {
    return failure('SERVICE_UNAVAILABLE', 'client_refused', `YouTube refuses the request (HTTP ${status}).`, changed, error);
  }
  return error;
}

const later = 'Try again in some hours, or hand in the captions as a .vtt or .srt file.';
const changed = 'YouTube may have changed; hand in the captions as a .vtt or .srt file.';
const otherVideo = 'Hand in a transcript or captions as a file.';

function failure(code: ErrorCode, reason: string, message: string, hint: string, cause?: unknown): AppError {
  const retryAfterSeconds = cause instanceof AppError ? cause.retryAfterSeconds : undefined;
  return new AppError(code, message, {
    hint,
    details: { reason },
    cause,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  });
}

/** Throws the reason why the video is not available, if any. */
function assertPlayable({ playabilityStatus: playability, videoDetails, captions }: Player, videoId: string): void {
  const status = playability?.status ?? '';
  if (videoDetails?.videoId !== undefined && videoDetails.videoId !== videoId) {
    throw failure('SERVICE_UNAVAILABLE', 'client_refused', 'YouTube answers with another video.', changed);
  }
  // Some videos are not playable here but have captions.
  if (status === 'OK' || captions?.playerCaptionsTracklistRenderer?.captionTracks?.length) return;
  const said = `${playability?.reason ?? ''} ${playability?.reasonTitle ?? ''}`;
  const told = isText(playability?.reason) ? ` YouTube says: "${playability.reason.slice(0, 200)}"` : '';
  if (/\bbot\b|unusual traffic|try again later|too many/i.test(said)) {
    throw failure('SERVICE_UNAVAILABLE', 'rate_limited', `YouTube turns this machine away for now.${told}`, later);
  }
  if (playability?.desktopLegacyAgeGateReason !== undefined || status.startsWith('AGE_') || /\bage\b|inappropriate/i.test(said)) {
    throw failure('FORBIDDEN', 'age_restricted', 'The video is age-restricted: its captions need a signed-in viewer.', otherVideo);
  }
  if (/private/i.test(said)) throw failure('FORBIDDEN', 'private', 'The video is private.', otherVideo);
  if (status === 'ERROR') {
    throw failure('NOT_FOUND', 'unavailable', `There is no such video, or it was removed.${told}`, 'Check the address.');
  }
  if (status === 'LIVE_STREAM_OFFLINE') {
    throw failure('NOT_FOUND', 'no_captions', `The stream has not begun.${told}`, 'Try again when it is over.');
  }
  if (status === '') throw failure('SERVICE_UNAVAILABLE', 'client_refused', 'YouTube answers with something unknown.', changed);
  throw failure('FORBIDDEN', 'unplayable', `The video cannot be played here.${told}`, otherVideo);
}

const baseOf = (language: string): string => language.toLowerCase().split(/[-_]/, 1)[0]!;

function chooseTrack(tracks: Track[], preferred: string | undefined, languages: readonly string[] | undefined, videoId: string): Track {
  if (tracks.length === 0) throw failure('NOT_FOUND', 'no_captions', `Video ${videoId} has no captions.`, otherVideo);
  const manualFirst = tracks.toSorted((a, b) => Number(a.kind === 'asr') - Number(b.kind === 'asr'));
  const spoken = tracks.find((track) => track.kind === 'asr')?.languageCode;
  const isAsked = languages !== undefined && languages.length > 0;
  const wanted = isAsked ? languages : [spoken, preferred, 'en'].filter((language) => language !== undefined);
  for (const language of wanted) {
    const exact = manualFirst.filter((track) => track.languageCode.toLowerCase() === language.toLowerCase());
    const related = manualFirst.filter((track) => baseOf(track.languageCode) === baseOf(language));
    const isManual = (track: Track): boolean => track.kind !== 'asr';
    // Manual captions in British English are better for American English than generated ones.
    const found = exact.find(isManual) ?? related.find(isManual) ?? exact[0] ?? related[0];
    if (found !== undefined) return found;
  }
  if (!isAsked) return manualFirst[0]!;
  const available = [...new Set(tracks.map((track) => track.languageCode))];
  throw new AppError('NOT_FOUND', `Video ${videoId} has no captions in ${languages.slice(0, 10).join(', ')}.`, {
    hint: `It has them in ${available.slice(0, 30).join(', ')}.`,
    alternatives: available.slice(0, 30),
    details: { reason: 'no_language', languages: available },
  });
}
