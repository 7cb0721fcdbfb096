import { existsSync, readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { parse, type Block } from '../parsers/index.ts';
import { failureOf, reasonOf, serve, testClient, type TestSite } from './testing.ts';
import { readTimedText, toWebVtt } from './timedtext.ts';
import { youtubeTranscript, youtubeVideoId, type YoutubeTranscript } from './youtube.ts';

const data = join(import.meta.dirname, '../../../shared/data/5-files/youtube');
if (!existsSync(data)) console.warn(`skipped: recorded answers of YouTube, ${data} is missing`);

const legacy =
  '<?xml version="1.0" encoding="utf-8" ?><transcript><text start="0.5" dur="1.5">Salt &amp;amp; &lt;i&gt;pepper&lt;/i&gt;</text>' +
  '<text start="2" dur="3.25">it&amp;#39;s 1 &amp;lt; 2\n\nnow --&gt; go</text><text start="9.9">007</text><text dur="3">lost</text><text start="12" dur="1"></text></transcript>';
const rolling =
  '<?xml version="1.0" encoding="utf-8" ?><timedtext format="3"><head><ws id="0"/></head><body><w t="0" id="1" wp="1" ws="1"/>' +
  '<p t="0" d="4000" w="1"><s ac="0">we</s><s t="320" ac="0"> begin</s></p><p t="1990" d="2010" w="1" a="1">\n</p>' +
  '<p t="2000" d="4000" w="1"><s>with&#39;s</s><s t="300"> two &lt; three</s></p><p t="6000" d="1000">plain<br/>lines</p></body></timedtext>';

const blocksOf = async (vtt: Uint8Array): Promise<Block[]> => (await parse({ bytes: vtt, filename: 'x.vtt' })).blocks;

describe('captions', () => {
  test('the older format', () => {
    expect(readTimedText(legacy)).toEqual([
      { startMs: 500, endMs: 2000, text: 'Salt & pepper' },
      { startMs: 2000, endMs: 5250, text: "it's 1 < 2\nnow --> go" },
      { startMs: 9900, endMs: 9900, text: '007' },
    ]);
  });

  test('the newer format', () => {
    expect(readTimedText(rolling)).toEqual([
      { startMs: 0, endMs: 4000, text: 'we begin' },
      { startMs: 2000, endMs: 6000, text: "with's two < three" },
      { startMs: 6000, endMs: 7000, text: 'plain\nlines' },
    ]);
  });

  test.each(['', 'no xml', '<html><body><p>Sorry</p></body></html>', '<transcript', '{"events":[]}'])('what is none: %s', (xml) => {
    expect(() => readTimedText(xml)).toThrow(
      expect.objectContaining({ code: 'SERVICE_UNAVAILABLE', details: { reason: 'captions_unreadable' } }),
    );
  });

  test('entities that a document declares are not expanded', () => {
    const xml = '<!DOCTYPE t [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]><transcript><text start="1">x &b; y</text></transcript>';
    expect(readTimedText(xml)[0]?.text).toBe('x &b; y');
  });

  test('as WebVTT our own parser reads the same words and times', async () => {
    const title = 'Q&A --> <b>title</b>\n\nNOTE x';
    const parsed = await parse({ bytes: toWebVtt(readTimedText(legacy), { title, language: 'en', rolling: false }), filename: 'x.vtt' });
    expect(parsed.title).toBe('Q&A → <b>title</b> NOTE x');
    expect(parsed.metadata).toMatchObject({ cues: 3 });
    expect(parsed.metadata['warnings']).toBeUndefined();
    expect(parsed.blocks.map(({ text: words, place }) => [words, place.startMs, place.endMs])).toEqual([
      ["Salt & pepper it's 1 < 2 now --> go 007", 500, 9900],
    ]);
  });

  test('rolling captions end where the next begin', () => {
    const vtt = new TextDecoder().decode(toWebVtt(readTimedText(rolling), { title: 't', language: 'en', rolling: true }));
    expect(vtt.match(/.* --> .*/g)).toEqual([
      '00:00:00.000 --> 00:00:02.000',
      '00:00:02.000 --> 00:00:06.000',
      '00:00:06.000 --> 00:00:07.000',
    ]);
    const late = toWebVtt([{ startMs: 36_000_123, endMs: 360_061_001, text: 'x' }], { title: 't', language: 'en', rolling: false });
    expect(new TextDecoder().decode(late)).toContain('10:00:00.123 --> 100:01:01.001');
  });
});

describe('addresses', () => {
  test.each([
    'GJLlxj_dtq8',
    ' https://www.youtube.com/watch?v=GJLlxj_dtq8&t=12s ',
    'https://youtube.com/watch?list=PL1&v=GJLlxj_dtq8#x',
    'http://m.youtube.com/watch?v=GJLlxj_dtq8',
    'https://music.youtube.com/watch?v=GJLlxj_dtq8',
    'https://youtu.be/GJLlxj_dtq8?si=abc',
    'youtu.be/GJLlxj_dtq8',
    'www.youtube.com/shorts/GJLlxj_dtq8',
    'https://www.youtube.com/embed/GJLlxj_dtq8?start=3',
    'https://www.youtube-nocookie.com/embed/GJLlxj_dtq8',
    'https://www.youtube.com/live/GJLlxj_dtq8?feature=share',
    'https://www.youtube.com/v/GJLlxj_dtq8',
  ])('%s', (address) => {
    expect(youtubeVideoId(address)).toBe('GJLlxj_dtq8');
  });

  test.each([
    '',
    'hello',
    'https://example.com/watch?v=GJLlxj_dtq8',
    'https://youtube.com.evil.example/watch?v=GJLlxj_dtq8',
    'https://evil.example/https://youtu.be/GJLlxj_dtq8',
    'https://www.youtube.com/@channel',
    'https://www.youtube.com/playlist?list=PLabcdefghijk',
    'https://www.youtube.com/watch?v=short',
    'https://youtu.be/GJLlxj_dtq8longer',
    'https://www.youtube.com/',
  ])('none: %s', (address) => {
    expect(() => youtubeVideoId(address)).toThrow(
      expect.objectContaining({ code: 'VALIDATION_ERROR', details: { reason: 'not_youtube' } }),
    );
  });
});

interface Answers {
  /** Body of the player's answer for an app; a number is a status. */
  player: (clientName: string) => object | string | number;
  captions?: (url: URL, response: ServerResponse) => void;
}

/** A server that imitates YouTube. */
const youtube = ({ player, captions }: Answers): Promise<TestSite> =>
  serve((request, response) => {
    const url = new URL(request.url ?? '', 'http://local');
    if (url.pathname === '/youtubei/v1/player') {
      void text(request).then((body) => {
        const asked = JSON.parse(body) as { context: { client: { clientName: string } } };
        const answer = player(asked.context.client.clientName);
        if (typeof answer === 'number') response.writeHead(answer, { 'retry-after': '60' }).end();
        else
          response.writeHead(200, { 'content-type': 'application/json' }).end(typeof answer === 'string' ? answer : JSON.stringify(answer));
      });
    } else if (url.pathname === '/api/timedtext' && captions !== undefined) captions(url, response);
    else response.writeHead(404).end();
  });

const givesXml = (_: URL, response: ServerResponse): void => void response.writeHead(200, { 'content-type': 'text/xml' }).end(legacy);

async function transcript(site: TestSite, languages?: string[], id = 'GJLlxj_dtq8'): Promise<YoutubeTranscript> {
  await using web = testClient();
  return await youtubeTranscript(web, `https://youtu.be/${id}`, languages, undefined, site.origin);
}

const meantBy = async (answers: Answers, id?: string): Promise<unknown[]> => {
  await using site = await youtube(answers);
  const error = await failureOf(transcript(site, undefined, id));
  expect(error.hint).toBeTruthy();
  return [error.code, reasonOf(error)];
};

const playable = (tracks: object[], more: object = {}): object => ({
  playabilityStatus: { status: 'OK' },
  videoDetails: { videoId: 'GJLlxj_dtq8', title: 'T', lengthSeconds: '20' },
  captions: { playerCaptionsTracklistRenderer: { captionTracks: tracks, ...more } },
});

const track = (languageCode: string, kind?: string): object => ({
  baseUrl: `https://www.youtube.com/api/timedtext?lang=${languageCode}&kind=${kind ?? ''}`,
  languageCode,
  ...(kind === undefined ? {} : { kind }),
});

describe.skipIf(!existsSync(data))('recorded answers', () => {
  const recorded = (name: string): string => readFileSync(join(data, `${name}.innertube.json.static`), 'utf8');

  test('a video with captions in nine tracks', async () => {
    const player = recorded('youtube');
    const asked: string[] = [];
    await using site = await youtube({
      player: () => player,
      captions: (url, response) => {
        asked.push(`${url.searchParams.get('lang')} ${url.searchParams.get('kind') ?? 'manual'}`);
        givesXml(url, response);
      },
    });
    const found = await transcript(site);
    expect(found).toMatchObject({
      videoId: 'GJLlxj_dtq8',
      title: 'Surface Go Review - It’s Awesome',
      author: 'Dave2D',
      language: 'en',
      durationSeconds: 316,
      generated: false,
    });
    const [turn] = await blocksOf(found.vtt);
    expect(turn).toMatchObject({ text: expect.stringContaining('Salt & pepper'), place: { startMs: 500 } });
    expect((await transcript(site, ['fr', 'ja'])).language).toBe('ja');
    expect((await transcript(site, ['zh-Hans'])).language).toBe('zh');
    expect(asked).toEqual(['en manual', 'ja manual', 'zh manual']);
    expect(site.requests[0]).toBe('POST /youtubei/v1/player?prettyPrint=false');
    // All requests used the given base, though the answer names another host.
    expect(site.headers.every((headers) => headers['user-agent']?.startsWith('com.google.android.youtube/'))).toBe(true);

    const error = await failureOf(transcript(site, ['fr', 'sw']));
    expect(error).toMatchObject({ code: 'NOT_FOUND', details: { reason: 'no_language' } });
    expect(error.alternatives).toEqual(['zh', 'cs', 'en', 'de', 'hi', 'ja', 'ko', 'es']);
  });

  test('an age-restricted video', async () => {
    const player = recorded('youtube_age_restricted');
    expect(await meantBy({ player: () => player }, 'Njp5uhTorCo')).toEqual(['FORBIDDEN', 'age_restricted']);
  });
});

describe('which track', () => {
  const chosen = async (tracks: object[], languages?: string[], more?: object): Promise<string> => {
    await using site = await youtube({ player: () => playable(tracks, more), captions: givesXml });
    const { language, generated } = await transcript(site, languages);
    return `${language}${generated ? ' generated' : ''}`;
  };

  test('by default what is spoken, written by a person if possible', async () => {
    expect(await chosen([track('en'), track('de', 'asr'), track('de')])).toBe('de');
    expect(await chosen([track('en'), track('de', 'asr')])).toBe('de generated');
    expect(await chosen([track('fr'), track('en'), track('de')])).toBe('en');
    const preferred = { audioTracks: [{ defaultCaptionTrackIndex: 2 }], defaultAudioTrackIndex: 0 };
    expect(await chosen([track('fr'), track('en'), track('de')], undefined, preferred)).toBe('de');
    expect(await chosen([track('ja'), track('ko')])).toBe('ja');
    expect(await chosen([track('fr'), track('en')], [])).toBe('en');
  });

  test('else the first wanted language that there is', async () => {
    const tracks = [track('en', 'asr'), track('en-GB'), track('pt-BR'), track('de', 'asr')];
    expect(await chosen(tracks, ['fr', 'de', 'en'])).toBe('de generated');
    expect(await chosen(tracks, ['EN'])).toBe('en-GB');
    expect(await chosen(tracks, ['pt-PT'])).toBe('pt-BR');
    expect(await chosen([track('en', 'asr'), track('en')], ['en'])).toBe('en');
  });
});

describe('obstacles', () => {
  const status = (playabilityStatus: object): Answers => ({ player: () => ({ playabilityStatus }) });

  test.each([
    [{ status: 'LOGIN_REQUIRED', reason: 'Sign in to confirm your age' }, 'FORBIDDEN', 'age_restricted'],
    [{ status: 'AGE_CHECK_REQUIRED' }, 'FORBIDDEN', 'age_restricted'],
    [
      { status: 'LOGIN_REQUIRED', reason: 'This is a private video. Please sign in to verify that you may see it.' },
      'FORBIDDEN',
      'private',
    ],
    [{ status: 'ERROR', reason: 'This video has been removed by the uploader' }, 'NOT_FOUND', 'unavailable'],
    [{ status: 'ERROR', reason: 'Video unavailable' }, 'NOT_FOUND', 'unavailable'],
    [{ status: 'LOGIN_REQUIRED', reason: 'Sign in to confirm you’re not a bot' }, 'SERVICE_UNAVAILABLE', 'rate_limited'],
    [{ status: 'UNPLAYABLE', reason: 'This video is not available in your country' }, 'FORBIDDEN', 'unplayable'],
    [{ status: 'LIVE_STREAM_OFFLINE', reason: 'This live event will begin in 3 hours.' }, 'NOT_FOUND', 'no_captions'],
    [{}, 'SERVICE_UNAVAILABLE', 'client_refused'],
  ])('%j', async (playability, code, reason) => {
    expect(await meantBy(status(playability))).toEqual([code, reason]);
  });

  test('no captions, empty captions, captions withheld, captions of an unknown kind', async () => {
    expect(await meantBy({ player: () => playable([]) })).toEqual(['NOT_FOUND', 'no_captions']);
    expect(await meantBy({ player: () => ({ playabilityStatus: { status: 'OK' } }) })).toEqual(['NOT_FOUND', 'no_captions']);
    expect(await meantBy({ player: () => playable([{ languageCode: 'en', baseUrl: 'http://[' }]) })).toEqual(['NOT_FOUND', 'no_captions']);
    const gives = (body: string): Answers => ({
      player: () => playable([track('en')]),
      captions: (_, response) => void response.end(body),
    });
    expect(await meantBy(gives('<transcript></transcript>'))).toEqual(['NOT_FOUND', 'no_captions']);
    expect(await meantBy(gives(''))).toEqual(['SERVICE_UNAVAILABLE', 'rate_limited']);
    expect(await meantBy(gives('<html>Sorry</html>'))).toEqual(['SERVICE_UNAVAILABLE', 'captions_unreadable']);
  });

  test('too many requests, no longer known, no JSON, another video, out of order', async () => {
    expect(await meantBy({ player: () => 429 })).toEqual(['SERVICE_UNAVAILABLE', 'rate_limited']);
    expect(await meantBy({ player: () => 400 })).toEqual(['SERVICE_UNAVAILABLE', 'client_refused']);
    expect(await meantBy({ player: () => '<html>consent</html>' })).toEqual(['SERVICE_UNAVAILABLE', 'client_refused']);
    expect(await meantBy({ player: () => 'null' })).toEqual(['SERVICE_UNAVAILABLE', 'client_refused']);
    expect(await meantBy({ player: () => playable([track('en')]) }, 'aaaaaaaaaaa')).toEqual(['SERVICE_UNAVAILABLE', 'client_refused']);
    expect(await meantBy({ player: () => 503 })).toEqual(['SERVICE_UNAVAILABLE', 'http_status']);
  });

  test('another app is asked where one is turned away, and only then', async () => {
    await using site = await youtube({
      player: (name) => (name === 'ANDROID' ? 400 : playable([track('en')])),
      captions: givesXml,
    });
    expect((await transcript(site)).language).toBe('en');
    expect(site.requests).toHaveLength(3);
    await using gone = await youtube({ player: () => ({ playabilityStatus: { status: 'ERROR' } }) });
    await failureOf(transcript(gone));
    expect(gone.requests).toHaveLength(1);
  });

  test('the answer does not choose where captions are fetched from', async () => {
    await using other = await serve(givesXml as never);
    await using site = await youtube({
      player: () => playable([{ languageCode: 'en', baseUrl: `${other.origin}//evil.example/api/timedtext?x=1` }]),
    });
    await failureOf(transcript(site));
    expect(other.requests).toEqual([]);
    expect(site.requests.at(-1)).toBe('GET //evil.example/api/timedtext?x=1');
  });
});
