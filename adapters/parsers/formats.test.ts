import * as XLSX from '@e965/xlsx';
import { describe, expect, it } from 'vitest';
import { parse, type Parsed } from './index.ts';
import { docxOf, pdfOf, pptxOf, wordParagraph, xlsxOf, type PdfText } from './testing.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const read = (filename: string, content: Uint8Array | string): Promise<Parsed> =>
  parse({ bytes: typeof content === 'string' ? bytes(content) : content, filename });
const shown = (parsed: Parsed): string[] => parsed.blocks.map((block) => `${block.kind}${block.level ?? ''}: ${block.text}`);

describe('PDF', () => {
  const column = (x: number, words: string, lines = 8): PdfText[] =>
    Array.from({ length: lines }, (_, i) => ({ text: `${words} line ${i + 1} has a few words to fill it,`, x, y: 640 - i * 14 }));

  it('reads columns one after the other below what spans them', async () => {
    const page = [{ text: 'A Title Across Both Columns', x: 150, y: 700, size: 20 }, ...column(40, 'Left'), ...column(320, 'Right')];
    const parsed = await read('a.pdf', pdfOf([page]));
    expect(parsed.blocks[0]).toMatchObject({ kind: 'heading', level: 1, text: 'A Title Across Both Columns', place: { page: 1 } });
    const text = parsed.blocks.map((block) => block.text).join('\n');
    expect(text.indexOf('Left line 8')).toBeLessThan(text.indexOf('Right line 1'));
  });

  it('makes words whole that a line end cut, and keeps hyphens of their own', async () => {
    const lines = [
      'Whoever reads a well-known book will under-',
      'stand it, as the well-',
      'known critic says, and find that inter-',
      'national readers do.',
    ];
    const page = lines.map((text, i) => ({ text, x: 72, y: 700 - i * 14 }));
    expect((await read('a.pdf', pdfOf([page]))).blocks[0]!.text.replaceAll('\n', ' ')).toBe(
      'Whoever reads a well-known book will understand it, as the well-known critic says, and find that international readers do.',
    );
  });

  it('drops headers, footers and page numbers that repeat', async () => {
    const pages = [1, 2, 3, 4].map((n) => [
      { text: 'ACME Confidential', x: 72, y: 770, size: 9 },
      { text: `Page ${n} of 4`, x: 280, y: 20, size: 9 },
      { text: `What page ${n} has to say.`, x: 72, y: 600 },
    ]);
    const parsed = await read('a.pdf', pdfOf(pages));
    expect(parsed.blocks.map((block) => [block.place.page, block.text])).toEqual(
      [1, 2, 3, 4].map((n) => [n, `What page ${n} has to say.`]),
    );
    expect(parsed.pageCount).toBe(4);
  });

  it('reads turned pages and text that runs up the margin', async () => {
    const upright = await read(
      'a.pdf',
      pdfOf(
        [
          [
            { text: 'Lying page', x: 300, y: 300, turned: 90 },
            { text: 'second line', x: 314, y: 300, turned: 90 },
          ],
        ],
        { rotate: 90 },
      ),
    );
    expect(upright.blocks[0]!.text.split(/\s+/).join(' ')).toBe('Lying page second line');
    const margin = await read(
      'a.pdf',
      pdfOf([
        [
          { text: 'The text of the page itself', x: 100, y: 700 },
          { text: 'Stamp up the side', x: 30, y: 300, turned: 90 },
        ],
      ]),
    );
    expect(margin.blocks.map((block) => block.text)).toEqual(['The text of the page itself', 'Stamp up the side']);
  });

  it('sees tables by their columns', async () => {
    const rows = [
      ['Product', 'Units', 'Price'],
      ['Lamp', '12', '30.00'],
      ['Chair, folding', '4', '89.50'],
      ['Table', '1', '249.00'],
    ];
    const page = rows.flatMap((row, y) => row.map((text, x) => ({ text, x: 72 + x * 150, y: 700 - y * 16 })));
    const parsed = await read('a.pdf', pdfOf([[{ text: 'What was sold this week, and for how much:', x: 72, y: 740 }, ...page]]));
    expect(parsed.tables).toEqual([{ rows, headerRows: 0, place: { page: 1 } }]);
    expect(parsed.blocks[1]!.text).toContain('| Chair, folding | 4 | 89.50 |');
  });

  it('takes bold short lines above text for headings', async () => {
    const body = (y: number): PdfText[] =>
      Array.from({ length: 4 }, (_, i) => ({ text: `Usual text goes on and on in line ${i + 1} of this part`, x: 72, y: y - i * 14 }));
    const page = [
      { text: 'Scope', x: 72, y: 700, font: 'F2' as const },
      ...body(684),
      { text: 'Terms', x: 72, y: 600, font: 'F2' as const },
      ...body(584),
    ];
    const parsed = await read('a.pdf', pdfOf([page]));
    expect(shown(parsed).map((line) => line.slice(0, 20))).toEqual([
      'heading1: Scope',
      'paragraph: Usual tex',
      'heading1: Terms',
      'paragraph: Usual tex',
    ]);
    expect(parsed.blocks[3]!.place.headings).toEqual(['Terms']);
  });
});

describe('Word', () => {
  it('takes headings from styles with an outline level, too', async () => {
    const styles =
      '<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:style w:type="paragraph" w:styleId="Kapitel"><w:name w:val="Kapitel"/><w:pPr><w:outlineLvl w:val="1"/></w:pPr></w:style><w:style w:type="paragraph" w:styleId="KapitelRot"><w:name w:val="Kapitel rot"/><w:basedOn w:val="Kapitel"/></w:style></w:styles>';
    const rels =
      '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/></Relationships>';
    const body =
      wordParagraph('Erstes', 'Kapitel') + wordParagraph('Text.') + wordParagraph('Rotes', 'KapitelRot') + wordParagraph('Mehr.');
    const parsed = await read(
      'a.docx',
      docxOf(body, {
        more: [
          { path: 'word/styles.xml', data: styles },
          { path: 'word/_rels/document.xml.rels', data: rels },
        ],
      }),
    );
    expect(shown(parsed)).toEqual(['heading2: Erstes', 'paragraph: Text.', 'heading2: Rotes', 'paragraph: Mehr.']);
    expect(parsed.blocks[3]!.place.headings).toEqual(['Rotes']);
  });
});

describe('PowerPoint', () => {
  it('keeps bullets with their levels, and merged cells filled', async () => {
    const cell = (text: string, attributes = ''): string =>
      `<a:tc ${attributes}><a:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></a:txBody></a:tc>`;
    const line = (text: string, level = 0): string => `<a:p><a:pPr lvl="${level}"/><a:r><a:t>${text}</a:t></a:r></a:p>`;
    const slide = [
      `<p:sp><p:nvSpPr><p:nvPr><p:ph type="title"/></p:nvPr></p:nvSpPr><p:txBody>${line('Plan &amp; scope &#8211; 2026')}</p:txBody></p:sp>`,
      `<p:sp><p:nvSpPr><p:nvPr><p:ph idx="1"/></p:nvPr></p:nvSpPr><p:txBody>${line('One')}${line('Inner', 1)}${line('Two')}</p:txBody></p:sp>`,
      `<p:graphicFrame><a:graphic><a:graphicData><a:tbl><a:tr>${cell('Both', 'gridSpan="2"')}${cell('', 'hMerge="1"')}</a:tr><a:tr>${cell('a')}${cell('b')}</a:tr></a:tbl></a:graphicData></a:graphic></p:graphicFrame>`,
    ].join('');
    const parsed = await read('a.pptx', pptxOf([slide, '']));
    expect(shown(parsed)).toEqual([
      'heading1: Plan & scope – 2026',
      'list: - One\n  - Inner\n- Two',
      'table: | Both | Both |\n| --- | --- |\n| a | b |',
      'heading1: Slide 2',
    ]);
    expect(parsed).toMatchObject({ title: 'Plan & scope – 2026', pageCount: 2 });
    expect(parsed.blocks[2]!.place).toEqual({ slide: 1, headings: ['Plan & scope – 2026'] });
  });
});

describe('spreadsheets', () => {
  it('gives values as they are meant: dates ISO, cached results, numbers in full', async () => {
    const text = (ref: string, value: string): string => `<c r="${ref}" t="inlineStr"><is><t>${value}</t></is></c>`;
    const sheet = `<sheetData><row r="3">${text('B3', 'When')}${text('C3', 'Sum')}</row><row r="4"><c r="B4" t="d"><v>2026-03-09T00:00:00Z</v></c><c r="C4"><f>1+0.123456789</f><v>1.123456789</v></c></row></sheetData>`;
    const parsed = await read('a.xlsx', xlsxOf(sheet));
    expect(parsed.tables).toEqual([
      {
        rows: [
          ['When', 'Sum'],
          ['2026-03-09', '1.123456789'],
        ],
        headerRows: 1,
        title: 'Numbers',
        place: { sheet: 'Numbers', line: 3, headings: ['Numbers'] },
      },
    ]);
  });

  it.each(['xls', 'ods', 'xlsm'] as const)('reads %s, too', async (type) => {
    const book = XLSX.utils.book_new();
    XLSX.utils.book_append_sheet(
      book,
      XLSX.utils.aoa_to_sheet([
        ['Name', 'Count'],
        ['Ä', 2.5],
      ]),
      'Blatt',
    );
    const parsed = await read(`a.${type}`, XLSX.write(book, { type: 'buffer', bookType: type }) as Buffer);
    expect(parsed).toMatchObject({ format: type === 'xlsm' ? 'xlsx' : type, pageCount: 1 });
    expect(parsed.metadata['warnings']).toBeUndefined();
    expect(parsed.tables![0]!.rows).toEqual([
      ['Name', 'Count'],
      ['Ä', '2.5'],
    ]);
  });

  it('fills merged cells inside a table and takes one across it for a title', async () => {
    const text = (ref: string, value: string): string => `<c r="${ref}" t="inlineStr"><is><t>${value}</t></is></c>`;
    const rows = [
      text('A1', 'Sales 2026'),
      text('A2', 'Region') + text('B2', 'City') + text('C2', 'Units'),
      text('A3', 'North') + text('B3', 'Kiel') + '<c r="C3"><v>4</v></c>',
      text('B4', 'Bremen') + '<c r="C4"><v>7</v></c>',
    ];
    const sheet = `<sheetData>${rows.map((row, i) => `<row r="${i + 1}">${row}</row>`).join('')}</sheetData><mergeCells><mergeCell ref="A1:C1"/><mergeCell ref="A3:A4"/></mergeCells>`;
    const parsed = await read('a.xlsx', xlsxOf(sheet));
    expect(shown(parsed).slice(0, 2)).toEqual(['heading1: Numbers', 'paragraph: Sales 2026']);
    expect(parsed.tables![0]!.rows).toEqual([
      ['Region', 'City', 'Units'],
      ['North', 'Kiel', '4'],
      ['North', 'Bremen', '7'],
    ]);
  });
});

describe('CSV', () => {
  it('finds the delimiter and keeps quotes, lines and places', async () => {
    const parsed = await read('a.csv', 'Name;Betrag;Notiz\nMüller;1.234,50;"zwei\nZeilen; hier"\nWeiß;7,00;a|b\n');
    expect(parsed.tables![0]!.rows).toEqual([
      ['Name', 'Betrag', 'Notiz'],
      ['Müller', '1.234,50', 'zwei\nZeilen; hier'],
      ['Weiß', '7,00', 'a|b'],
    ]);
    expect(parsed.blocks[0]!.text).toBe(
      '| Name | Betrag | Notiz |\n| --- | --- | --- |\n| Müller | 1.234,50 | zwei Zeilen; hier |\n| Weiß | 7,00 | a\\|b |',
    );
    expect((await read('a.tsv', 'a\tb\n1,5\t2\n')).tables![0]!.rows[1]).toEqual(['1,5', '2']);
    expect((await read('a.csv', 'sep=|\na|b\n1|2\n')).metadata['delimiter']).toBe('|');
    expect((await read('a.csv', 'only\none\ncolumn\n')).tables![0]!.rows).toHaveLength(3);
  });
});

describe('HTML', () => {
  const page = `<!doctype html><html lang="de"><head><title>Bericht</title><meta name="author" content="Ana Ruiz"><meta property="article:published_time" content="2026-02-03">
    <link rel="canonical" href="https://example.test/bericht"></head><body><nav><a href="/">Start</a></nav>
    <h2>Lage</h2><p>Ein <b>Absatz</b><br>mit Umbruch &amp; mehr.</p><ul><li>eins<ol start="3"><li>innen</li></ol></li><li>zwei</li></ul>
    <pre><code class="language-TS">const a = 1;\n  b();</code></pre><script>nicht()</script><p style="display:none">verborgen</p>
    <table><caption>Zahlen</caption><tr><th colspan="2">Kopf</th></tr><tr><td rowspan="2">x</td><td>1</td></tr><tr><td>2</td></tr></table>
    <table><tr><td><h3>Nur Gestaltung</h3></td><td>daneben</td></tr></table></body></html>`;

  it('keeps structure and metadata', async () => {
    const parsed = await read('a.html', page);
    expect(parsed).toMatchObject({
      title: 'Bericht',
      metadata: { byline: 'Ana Ruiz', published: '2026-02-03', canonical_url: 'https://example.test/bericht', lang: 'de' },
    });
    expect(shown(parsed).slice(-8)).toEqual([
      'heading2: Lage',
      'paragraph: Ein Absatz\nmit Umbruch & mehr.',
      'list: - eins\n  3. innen\n- zwei',
      'code: const a = 1;\n  b();',
      'paragraph: Zahlen',
      'table: | Kopf | Kopf |\n| --- | --- |\n| x | 1 |\n| x | 2 |',
      'heading3: Nur Gestaltung',
      'paragraph: daneben',
    ]);
    expect(parsed.blocks.find((block) => block.kind === 'code')!.language).toBe('ts');
    expect(parsed.tables![0]).toMatchObject({ headerRows: 1, title: 'Zahlen' });
    expect(JSON.stringify(parsed.blocks)).not.toMatch(/nicht\(\)|verborgen/);
  });

  it('reads the character set from the mark, the transport, or the page', async () => {
    const latin = Buffer.from('<html><head><meta charset="iso-8859-2"></head><body><p>\u00B3ód\u00BC</p>', 'latin1');
    expect((await read('a.html', latin)).blocks[0]!.text).toBe('łódź');
    const japanese = Uint8Array.from([...bytes('<html><body><p>'), 0x93, 0xfa, 0x96, 0x7b, ...bytes('</p>')]);
    expect((await parse({ bytes: japanese, mediaType: 'text/html; charset=Shift_JIS' })).blocks[0]!.text).toBe('日本');
    const marked = Buffer.from('\uFEFF<html><head><meta charset="iso-8859-1"></head><body><p>grün</p>', 'utf8');
    expect((await read('a.html', marked)).blocks[0]!.text).toBe('grün');
  });

  it('refuses a page that only a script would fill', async () => {
    await expect(read('a.html', '<html><body><div id="app"></div><script src="x.js"></script></body></html>')).rejects.toMatchObject({
      details: { reason: 'empty' },
    });
  });
});

describe('e-mail', () => {
  const head =
    'From: =?utf-8?Q?J=C3=BCrgen?= <j@example.test>\r\nTo: a@example.test, B <b@example.test>\r\nSubject: =?utf-8?B?R3LDvMOfZQ==?=\r\nDate: Mon, 09 Mar 2026 10:00:00 +0100\r\nMessage-ID: <1@example.test>\r\nMIME-Version: 1.0\r\n';
  it('reads headers, text and the names of attachments', async () => {
    const mail = `${head}Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nSch=C3=B6ne Gr=C3=BC=C3=9Fe\r\n\r\nZweiter Absatz\r\n--b\r\nContent-Type: application/pdf\r\nContent-Disposition: attachment; filename="plan.pdf"\r\n\r\nxxx\r\n--b--\r\n`;
    const parsed = await parse({ bytes: bytes(mail) });
    expect(parsed).toMatchObject({
      format: 'eml',
      title: 'Grüße',
      metadata: {
        from: 'Jürgen <j@example.test>',
        to: ['a@example.test', 'B <b@example.test>'],
        date: '2026-03-09T09:00:00.000Z',
        attachments: [{ name: 'plan.pdf', media_type: 'application/pdf' }],
      },
    });
    expect(shown(parsed)).toEqual(['paragraph: Schöne Grüße', 'paragraph: Zweiter Absatz', 'list: Attachments:\n- plan.pdf']);
  });

  it('falls back to the HTML', async () => {
    const parsed = await read('a.eml', `${head}Content-Type: text/html\r\n\r\n<html><body><h1>Hallo</h1><p>Text</p></body></html>`);
    expect(parsed.blocks.map((block) => block.text).join(' ')).toContain('Text');
  });
});

describe('JSON', () => {
  it('keeps lines, lays out what was packed, and takes JSONL by line', async () => {
    expect((await read('a.json', '{\n "a": 1\n}')).blocks).toEqual([
      { kind: 'code', text: '{\n "a": 1\n}', language: 'json', place: { line: 1 } },
    ]);
    expect(
      (await read('a.json', JSON.stringify(Array.from({ length: 1000 }, (_, i) => ({ id: i }))))).blocks[0]!.text.split('\n').length,
    ).toBeGreaterThan(3000);
    expect((await read('a.jsonl', '{"a":1}\n\n{"a":2}\n')).blocks.map((block) => [block.place.line, block.text])).toEqual([
      [1, '{"a":1}'],
      [3, '{"a":2}'],
    ]);
  });

  const reviews = [
    { createdAt: '2026-05-22', user: { name: 'driver_77' }, stars: 2, text: 'It logs me out every night.', tags: ['app', 'login'] },
    { createdAt: '2026-05-24', user: { name: 'Meg' }, stars: 5, text: 'I love the warnings of it.', reply: null },
  ];
  const table = [
    '| created at | user name | stars | text | tags |',
    '| --- | --- | --- | --- | --- |',
    '| 2026-05-22 | driver_77 | 2 | It logs me out every night. | app, login |',
    '| 2026-05-24 | Meg | 5 | I love the warnings of it. |  |',
  ].join('\n');
  it.each([
    ['a list', 'a.json', JSON.stringify(reviews)],
    ['lines', 'a.jsonl', reviews.map((review) => JSON.stringify(review)).join('\n')],
  ])('of records with text is a table: %s', async (_, name, text) => {
    const parsed = await read(name, text);
    expect(parsed.blocks.map((block) => [block.kind, block.text])).toEqual([['table', table]]);
    expect(parsed.tables).toMatchObject([{ headerRows: 1, rows: [expect.anything(), expect.anything(), expect.anything()] }]);
  });

  it('of records keeps what stands beside the list', async () => {
    const parsed = await read('a.json', JSON.stringify({ store: 'App Store', page: { count: 2 }, reviews }));
    expect(parsed.blocks.map(({ kind, text }) => [kind, text])).toEqual([
      ['paragraph', 'store: App Store\npage count: 2'],
      ['table', table],
    ]);
  });

  it('of messages is a talk, on its days, cited by line', async () => {
    const text = JSON.stringify(
      {
        channel: 'Elm / Foldable',
        messages: [
          {
            id: 1,
            ts: '2026-05-21T07:31:08Z',
            from: { user: { displayName: 'Ann' } },
            body: { content: '<p>Does the <b>map</b> print?</p>' },
          },
          { id: 2, ts: '2026-05-21T07:40:00Z', from: { user: { displayName: 'Bea' } }, body: { content: 'No, it "hangs".' } },
          { id: 3, ts: '2026-05-22T09:00:00Z', from: { user: { displayName: 'Ann' } }, body: { content: 'Since when?' } },
        ],
      },
      null,
      1,
    );
    const parsed = await read('a.json', text);
    expect(parsed.metadata).toMatchObject({ messages: 3, notes: ['channel: Elm / Foldable'] });
    expect(parsed.blocks.map(({ kind, text: said, place }) => [kind, said, place.speaker, place.startMs])).toEqual([
      ['paragraph', '2026-05-21', undefined, undefined],
      ['turn', 'Does the map print?', 'Ann', 27_068_000],
      ['turn', 'No, it "hangs".', 'Bea', 27_600_000],
      ['paragraph', '2026-05-22', undefined, undefined],
      ['turn', 'Since when?', 'Ann', 32_400_000],
    ]);
    const lines = text.split('\n');
    const bea = parsed.blocks.find(({ place }) => place.speaker === 'Bea')!;
    expect(lines[bea.place.line! - 1]).toContain('hangs');
  });

  it.each([
    [
      'of utterances with seconds',
      [
        { speaker: 'A', start: 0.5, text: 'Good day.' },
        { speaker: 'B', start: 61, text: 'Good day to you, too.' },
        { speaker: 'A', start: 70, text: 'Does the map print by now?' },
      ],
      [500, 61_000, 70_000],
    ],
    [
      'of Slack, with seconds since 1970',
      [
        { user: 'U1', ts: '1779348668.5', text: 'Does the map print?' },
        { user: 'U2', ts: '1779348700.1', text: 'No, it hangs all day.' },
        { user: 'U1', ts: '1779348760', text: 'We will look at it.' },
      ],
      [27_068_500, 27_100_100, 27_160_000],
    ],
  ])('of messages: %s', async (_, messages, times) => {
    const { blocks } = await read('a.json', JSON.stringify(messages));
    expect(blocks.flatMap(({ kind, place }) => (kind === 'turn' ? [place.startMs] : []))).toEqual(times);
  });

  it('of messages holds nothing that Postgres cannot store', async () => {
    const messages = ['Does it \u0000print?', 'No, it \ud800 hangs all day long.', 'We will look at it.'];
    const parsed = await read(
      'a.json',
      JSON.stringify({ ch: 'a\u0000b', messages: messages.map((text, i) => ({ from: `A\u0000\n${i % 2}`, text })) }),
    );
    expect(JSON.stringify(parsed)).not.toMatch(/\\u0000|\\ud800/);
    expect(parsed.blocks.map(({ place }) => place.speaker)).toEqual(['A 0', 'A 1', 'A 0']);
  });

  it('of messages with escaped letters tells their lines; a search that finds nothing ends', async () => {
    const line = (text: string, i: number): string => `{"from":"P${i % 2}","text":${text}}`;
    const lines = async (texts: string[]): Promise<unknown[]> =>
      (await read('a.json', `[\n${texts.map(line).join(',\n')}\n]`)).blocks.map(({ place }) => place.line);
    expect(await lines(['"Die T\\u00fcr h\\u00e4ngt wieder."', '"Seit wann denn das?"', '"Seit heute fr\\u00fch um acht Uhr."'])).toEqual([
      2, 3, 4,
    ]);
    const elsewhere = Array.from({ length: 25 }, (_, i) => `"The door\\/gate ${i} hangs again."`);
    expect(await lines([...elsewhere, '"It hangs for good now."'])).toEqual(Array.from({ length: 26 }, () => undefined));
  });

  it('that is nested deeper than the stack stays text', async () => {
    const deep = '['.repeat(50_000) + ']'.repeat(50_000);
    expect((await read('a.json', deep)).blocks).toMatchObject([{ kind: 'code', text: deep }]);
    const within = `[{"text":"It logs me out every night.","x":${deep}},{"text":"I love it very much."}]`;
    expect((await read('a.json', within)).blocks).toMatchObject([{ kind: 'code', text: within }]);
  });

  it.each([
    ['settings', { name: 'a', scripts: { build: 'do it all at once', test: 'try it all at once' } }],
    [
      'a list of numbers',
      [
        { id: 1, count: 2 },
        { id: 2, count: 3 },
      ],
    ],
    ['one record', [{ text: 'It logs me out every night.' }]],
    ['two lists', { a: reviews, b: reviews }],
    ['records without a shape', Array.from({ length: 30 }, (_, i) => ({ [`key${i}`]: 'some words that say nothing here' }))],
    ['a list of texts', ['It logs me out every night.', 'I love it very much indeed.']],
  ])('that is none of it stays code: %s', async (_, value) => {
    expect((await read('a.json', JSON.stringify(value))).blocks.map(({ kind }) => kind)).toEqual(['code']);
  });
});
