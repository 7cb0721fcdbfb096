import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { decodeText } from './encoding.ts';
import { parse, type Parsed } from './index.ts';

const data = join(import.meta.dirname, '../../../shared/data');
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const read = (filename: string, text: string): Promise<Parsed> => parse({ bytes: bytes(text), filename });
const refused = { code: 'VALIDATION_ERROR' };

describe('choosing the parser', () => {
  it('goes by name, then media type, then content', async () => {
    const vtt = bytes('WEBVTT\n\n00:01.000 --> 00:02.000\nhi\n');
    const srt = bytes('1\n00:00:01,000 --> 00:00:02,000\nhi\n');
    expect((await parse({ bytes: vtt, filename: 'A.VTT' })).format).toBe('vtt');
    expect((await parse({ bytes: vtt, mediaType: 'text/vtt; charset=utf-8' })).format).toBe('vtt');
    expect((await parse({ bytes: vtt, filename: 'meeting.txt' })).format).toBe('vtt');
    expect((await parse({ bytes: srt, mediaType: 'text/plain' })).format).toBe('srt');
    expect((await parse({ bytes: srt })).format).toBe('srt');
    expect((await parse({ bytes: vtt, filename: 'a.md' })).format).toBe('md');
    expect((await parse({ bytes: bytes('hello') })).format).toBe('txt');
    expect((await parse({ bytes: bytes('hello'), filename: 'a.bin', mediaType: 'text/markdown' })).format).toBe('md');
  });

  it('refuses unknown types and says what is supported', async () => {
    await expect(parse({ bytes: bytes('x'), filename: 'a.xyz' })).rejects.toMatchObject({
      ...refused,
      message: expect.stringMatching(/\.xyz.*\.txt.*\.vtt.*\.srt/) as string,
      hint: expect.any(String) as string,
    });
    await expect(parse({ bytes: bytes('x'), mediaType: 'image/png' })).rejects.toThrow('image/png');
  });
});

describe('encodings', () => {
  const utf16 = (text: string, bigEndian: boolean): Uint8Array => {
    const buffer = Buffer.from(`\uFEFF${text}`, 'utf16le');
    return bigEndian ? buffer.swap16() : buffer;
  };
  it('reads UTF-8, UTF-16 by BOM, else Windows-1252, and all line ends', () => {
    expect(decodeText(bytes('\uFEFFa\r\nb\rc\n')).text).toBe('a\nb\nc\n');
    expect(decodeText(utf16('grün\r\n', false))).toMatchObject({ text: 'grün\n', encoding: 'utf-16le' });
    expect(decodeText(utf16('grün', true))).toMatchObject({ text: 'grün', encoding: 'utf-16be' });
    expect(decodeText(Uint8Array.from([0x93, 0x67, 0x72, 0xfc, 0x6e, 0x94]))).toMatchObject({ text: '“grün”', encoding: 'windows-1252' });
  });

  it('keeps UTF-8 when only its end was cut off', () => {
    const cut = bytes('ü'.repeat(50)).subarray(0, 99);
    expect(decodeText(cut)).toMatchObject({ text: `${'ü'.repeat(49)}\uFFFD`, encoding: 'utf-8' });
  });

  it.each([
    ['PDF', bytes('%PDF-1.7 …')],
    ['ZIP', bytes('PK\u0003\u0004…')],
    ['NUL', bytes('text\0text')],
    ['UTF-16', Buffer.from('no byte order mark', 'utf16le')],
    ['control characters', Uint8Array.from({ length: 500 }, (_, i) => (i % 3 === 0 ? 2 : 65))],
  ])('refuses what is no text: %s', async (why, content) => {
    await expect(parse({ bytes: content, filename: 'a.txt' })).rejects.toMatchObject({
      ...refused,
      message: expect.stringContaining(why) as string,
    });
  });
});

describe('WebVTT', () => {
  it('reads headers, notes, styles, regions, ids, settings, tags and entities', async () => {
    const parsed = await read(
      'a.vtt',
      'WEBVTT - Weekly sync\nKind: captions\n\nNOTE about\nthis file\n\nSTYLE\n::cue { color: red }\n\nREGION\nid:fred\n\n' +
        'intro\n00:01.000 --> 00:02.500 align:start size:50%\n<v.loud Ann &amp; Bea>Hello &lt;all&gt;&nbsp;of <i>you</i>, 1 < 2 &#x41;&#66;</v>\n\n' +
        '01:00:00.000 --> 01:00:01.000\n<c.red>no</c> <00:59.500>speaker\nsecond line\n',
    );
    expect(parsed).toMatchObject({
      format: 'vtt',
      title: 'Weekly sync',
      metadata: { cues: 2, durationMs: 3_601_000, speakers: ['Ann & Bea'] },
    });
    expect(parsed.blocks).toEqual([
      { kind: 'turn', text: 'Hello <all> of you, 1 < 2 AB', place: { line: 14, startMs: 1000, endMs: 2500, speaker: 'Ann & Bea' } },
      { kind: 'turn', text: 'no speaker second line', place: { line: 17, startMs: 3_600_000, endMs: 3_601_000 } },
    ]);
  });

  it('skips broken cues with a warning', async () => {
    const parsed = await read('a.vtt', 'WEBVTT\n\n00:99.000 --> 00:02.000\nbad\n\nstray words\n\n00:03.000 --> 00:04.000\ngood\n');
    expect(parsed.blocks.map((block) => block.text)).toEqual(['good']);
    expect(parsed.metadata['warnings']).toHaveLength(2);
  });

  it('splits voices within a cue and joins cues of one voice', async () => {
    const parsed = await read(
      'a.vtt',
      'WEBVTT\n\n00:01.000 --> 00:02.000\n<v Ann>One</v> <v Bob>Two</v>\n\n00:02.000 --> 00:03.000\n<v Bob>and\n\n00:03.000 --> 00:04.000\n<v Bob>three.\n',
    );
    expect(parsed.blocks.map(({ text, place }) => [place.speaker, text, place.startMs, place.endMs])).toEqual([
      ['Ann', 'One', 1000, 2000],
      ['Bob', 'Two and three.', 1000, 4000],
    ]);
  });

  it('reads "Name: text" as a speaker when the whole file is written so', async () => {
    const cues = ['Ann Lee: How are', 'you today?', 'Bob: Fine. One thing: the export.', 'Ann Lee: Go on.'];
    const text = cues.map((cue, i) => `00:0${i}.000 --> 00:0${i + 1}.000\n${cue}\n`).join('\n');
    const parsed = await read('zoom.vtt', `WEBVTT\n\n${text}`);
    expect(parsed.blocks.map(({ text: said, place }) => [place.speaker, said])).toEqual([
      ['Ann Lee', 'How are you today?'],
      ['Bob', 'Fine. One thing: the export.'],
      ['Ann Lee', 'Go on.'],
    ]);
  });
});

describe('SubRip', () => {
  it('tolerates missing counters, dots, blank lines within a cue and unreadable times', async () => {
    const parsed = await read(
      'a.srt',
      '\uFEFF1\r\n00:00:01,000 --> 00:00:02,000\r\n<font color="red">{\\an8}one</font>\r\n\r\nstill one\r\n\r\n00:00:03.5 --> 00:00:04\r\n2\r\n3\r\nxx --> yy\r\nkept\r\n',
    );
    expect(parsed.blocks.map(({ text, place }) => [text, place.startMs, place.endMs])).toEqual([
      ['one still one 2', 1000, 4000],
      ['kept', undefined, undefined],
    ]);
    expect(parsed.metadata['warnings']).toHaveLength(1);
  });
});

describe('plain text', () => {
  it('is paragraphs with their lines', async () => {
    const parsed = await read('a.txt', '\nFirst line\nof one.\n\n\nSecond: not a speaker.\n');
    expect(parsed.blocks).toEqual([
      { kind: 'paragraph', text: 'First line\nof one.', place: { line: 2 } },
      { kind: 'paragraph', text: 'Second: not a speaker.', place: { line: 6 } },
    ]);
  });

  it.each([
    [
      'labels',
      'Weekly sync\n\nAnn: Hi.\nand more\nBob: Hello: you.\nAnn: Bye.',
      [
        ['Ann', 'Hi.\nand more'],
        ['Bob', 'Hello: you.'],
        ['Ann', 'Bye.'],
      ],
      undefined,
    ],
    [
      'leading times',
      '[00:01:02] Ann: Hi.\n[00:01:05] Bob: Hello.',
      [
        ['Ann', 'Hi.'],
        ['Bob', 'Hello.'],
      ],
      62_000,
    ],
    [
      'trailing times',
      'Ann Lee (1:02): Hi.\nBob (1:05): Hello.',
      [
        ['Ann Lee', 'Hi.'],
        ['Bob', 'Hello.'],
      ],
      62_000,
    ],
    [
      'label lines',
      'Ann Lee  1:02\nHi.\n\nBob  1:05\nHello.\n',
      [
        ['Ann Lee', 'Hi.'],
        ['Bob', 'Hello.'],
      ],
      62_000,
    ],
    [
      'nicks of a chat',
      '00:01:02 <ann_l> hi\n00:01:05 <Bob> hello\n',
      [
        ['ann_l', 'hi'],
        ['Bob', 'hello'],
      ],
      62_000,
    ],
    [
      'a head with day and time',
      'Acme, 16 April 2026, 09:00\n\nAnn: Hi.\nBob: Hello.\nAnn: Well.\n',
      [
        ['Ann', 'Hi.'],
        ['Bob', 'Hello.'],
        ['Ann', 'Well.'],
      ],
      undefined,
    ],
    [
      'times only',
      '00:01:02 Hi.\n00:01:05 Hello.',
      [
        [undefined, 'Hi.'],
        [undefined, 'Hello.'],
      ],
      62_000,
    ],
  ])('is a transcript when it looks like one: %s', async (_, text, expected, startMs) => {
    const parsed = await read('a.txt', text);
    const turns = parsed.blocks.filter((block) => block.kind === 'turn');
    expect(turns.map((block) => [block.place.speaker, block.text])).toEqual(expected);
    expect(turns[0]?.place.startMs).toBe(startMs);
  });

  it.each([
    'Name: Ann\nDate: today\nPlace: here\nSubject: there\n',
    'Note: one.\n\nNote: two.\n\nNote: three.\n',
    'A story. She said: well.\n\nAnn: one word of hers among many.\n\nMore.\n\nAnd more.\n',
    'http://a.example\nhttp://b.example\n',
  ])('is no transcript when it only looks a little like one (%#)', async (text) => {
    expect((await read('a.txt', text)).blocks.every((block) => block.kind === 'paragraph')).toBe(true);
  });
});

describe('Markdown', () => {
  it('keeps structure, places and languages', async () => {
    const parsed = await read(
      'a.md',
      '---\ntitle: "The guide"\ntags: [a, "b"]\nauthors:\n  - Ann\n---\n# Guide to `x`\n\nText *as\nwritten*.\n\nPart\n----\n\n- one\n  ```ts\n  code();\n  ```\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n~~~Python title="x"\nif x:\n    y\n~~~\n\n> quote\n\n[ref]: http://example.com\n',
    );
    expect(parsed).toMatchObject({
      title: 'The guide',
      metadata: { frontMatter: { title: 'The guide', tags: ['a', 'b'], authors: ['Ann'] } },
    });
    const guide = { headings: ['Guide to x'] };
    const part = { headings: ['Guide to x', 'Part'] };
    expect(parsed.blocks).toEqual([
      { kind: 'heading', text: 'Guide to x', level: 1, place: { line: 7, ...guide } },
      { kind: 'paragraph', text: 'Text *as\nwritten*.', place: { line: 9, ...guide } },
      { kind: 'heading', text: 'Part', level: 2, place: { line: 12, ...part } },
      { kind: 'list', text: '- one', place: { line: 15, ...part } },
      { kind: 'code', text: 'code();', language: 'ts', place: { line: 17, ...part } },
      { kind: 'list', text: '- two', place: { line: 19, ...part } },
      { kind: 'table', text: '| a | b |\n|---|---|\n| 1 | 2 |', place: { line: 21, ...part } },
      { kind: 'code', text: 'if x:\n    y', language: 'python', place: { line: 26, ...part } },
      { kind: 'paragraph', text: '> quote', place: { line: 30, ...part } },
      { kind: 'paragraph', text: '[ref]: http://example.com', place: { line: 32, ...part } },
    ]);
  });

  it('takes its title from the first heading', async () => {
    expect((await read('a.md', 'intro\n\n## **Setup** [here](x)\n')).title).toBe('Setup here');
  });

  it('loses no word of an over-long line, wherever it stands', async () => {
    const long = 'word '.repeat(10_000).trim();
    for (const text of [long, `${long}\n---`, `\`\`\`\n${long}\nnext\n\`\`\``, `- ${long}`, `# ${long}`]) {
      const parsed = await read('a.md', text);
      expect(parsed.blocks.map((block) => block.text).join(' ')).toContain(long);
      expect(parsed.metadata['warnings']).toHaveLength(1);
    }
  });
});

describe('hostile input', () => {
  const size = 5_000_000;
  const repeated = (part: string): string => part.repeat(Math.floor(size / part.length));
  const texts: Record<string, string> = {
    'one line of letters': repeated('a'),
    'one line of words': repeated('word '),
    'open tags': repeated('<'),
    'unclosed voices': repeated('<v a'),
    labels: repeated('A: '),
    quotes: repeated('> '),
    stars: repeated('*'),
    brackets: repeated('['),
    backticks: repeated('`'),
    arrows: repeated('-->\n'),
    'nested lists': Array.from({ length: 2000 }, (_, i) => `${' '.repeat(i * 2)}- a`).join('\n'),
    'nested quotes': Array.from({ length: 2000 }, (_, i) => `${'>'.repeat(i)} a`).join('\n'),
    'a wide table': `${'|'.repeat(9000)}\n${'|-'.repeat(9000)}|\n${'|x\n'.repeat(200_000)}`,
  };
  it.each(Object.keys(texts))(
    'is read in bounded time: %s',
    async (name) => {
      for (const extension of ['txt', 'md', 'vtt', 'srt']) {
        const started = process.cpuUsage();
        await read(`a.${extension}`, texts[name]!);
        const { user, system } = process.cpuUsage(started);
        expect({ extension, slow: (user + system) / 1e6 > 10 }).toEqual({ extension, slow: false });
      }
    },
    60_000,
  );

  it('200,000 cues', async () => {
    const cue = (i: number): string => {
      const time = (ms: number): string => new Date(ms).toISOString().slice(11, 23);
      return `${time(i * 400)} --> ${time(i * 400 + 390)}\n<v Speaker ${i % 7 === 0 ? 1 : 2}>line ${i} of the talk.\n\n`;
    };
    const parsed = await read('a.vtt', `WEBVTT\n\n${Array.from({ length: 200_000 }, (_, i) => cue(i)).join('')}`);
    expect(parsed.metadata['cues']).toBe(200_000);
    expect(parsed.blocks.at(-1)?.place.endMs).toBe(199_999 * 400 + 390);
  });
});

const checks = join(data, '5-files/PARSE-CHECK.tsv');
const hasData = existsSync(checks);
if (!hasData) console.warn('parsers.test: ../shared/data is absent; its subtitle files are skipped.');

describe.skipIf(!hasData)('real subtitle files', () => {
  const expected = hasData
    ? readFileSync(checks, 'utf8')
        .split('\n')
        .map((line) => /^open\/(\S+\.(?:vtt|srt))\t\d+\tok (?:cues|subs)=(\d+)/.exec(line))
        .filter((match) => match !== null)
        .map((match) => [match[1]!, Number(match[2])] as const)
    : [];
  it.each(expected)('%s has %i cues, as the reference parser found', async (path, cues) => {
    const parsed = await parse({ bytes: readFileSync(join(data, path)), filename: basename(path) });
    expect(parsed.metadata['cues']).toBe(cues);
    expect(parsed.metadata['warnings']).toBeUndefined();
  });

  it('give the same words as the reference conversion', async () => {
    for (const path of globSync(join(data, '5-files/docling/webvtt/*.vtt'))) {
      const words = (text: string): string[] => text.match(/[\p{L}\p{N}]+/gu) ?? [];
      const parsed = await parse({ bytes: readFileSync(path), filename: path });
      expect(words(parsed.blocks.map((block) => block.text).join(' '))).toEqual(words(readFileSync(`${path}.md`, 'utf8')));
    }
  });
});
