import { describe, expect, it } from 'vitest';
import { bm25, changedSince, idf, termFrequencies, termPlaces, terms, termsVersion } from './terms.ts';

describe('terms', () => {
  it.each([
    ['The runners were running', ['runner', 'run']],
    ["The customer's don't", ['custom']],
    ['getUserName', ['getusernam', 'get', 'user', 'name']],
    ['user_name HTTPServer', ['user_name', 'user', 'name', 'httpserver', 'http', 'server']],
    ['node.js', ['node.js', 'node', 'js']],
    ['v2.1.3 and 1,000.50', ['v2.1.3', '2.1.3', '1000.50']],
    ['see ABC-123', ['abc-123', 'see', 'abc', '123']],
    ['C++, C# or F#', ['c++', 'c#', 'f#', 'c', 'c', 'f']],
    ['Café NAÏVE', ['cafe', 'naiv']],
    ['２０２４ ﬁle', ['2024', 'file']],
    ['東京都に住んでいます', ['東京', '都', 'に', '住', 'んで', 'い', 'ます', '京都']],
    ['Москва ещё', ['москва', 'еще']],
    ['the of and', []],
    ['', []],
  ])('%j', (text, expected) => {
    expect(terms(text)).toEqual(expected);
  });

  it('finds a query whatever its inflection, case, accents or apostrophes', () => {
    const passage = new Set(terms("Exporting München's reports fails: ExportService.run() throws TimeoutError in PROJ-42"));
    for (const query of [
      'export',
      'report',
      'munchen',
      'proj-42',
      'PROJ-42',
      'exportservice.run',
      'timeout errors',
      'TimeoutError',
      'throwing',
    ]) {
      for (const term of terms(query)) expect(passage, `${query} → ${term}`).toContain(term);
    }
  });

  it.each([
    ['导出报告每天失败', ['导出', '报告失败', '报告']],
    ['東京都庁舎の請求書', ['都庁', '請求', '東京']],
    ['서울에서 보고서를 보냈다', ['서울', '보고서']],
    ['ทำงานที่สำนักงาน', ['ทำงาน', 'สำนักงาน'.normalize('NFKC')]],
    ['يقول العميل إنّ السِّعرَ تضاعف في المدرسة', ['سعر', 'والسعر', 'عميل', 'ان', 'مدرسه', 'المدرســـة']],
    ['آپ کی رپورٹ', ['اپ', 'كي']],
    ['Die Straße führt über München', ['STRASSE', 'Muenchen', 'munchen', 'MÜNCHEN', 'fuehrt']],
    ['שָׁלוֹם Ωραία ещё Æble Łódź İzmir', ['שלום', 'ωραια', 'ΩΡΑΙΑ', 'еще', 'aeble', 'lodz', 'izmir']],
  ])('finds %s however the query is written', (passage, queries) => {
    const there = new Set(terms(passage));
    for (const query of queries)
      expect(
        terms(query).some((term) => there.has(term)),
        query,
      ).toBe(true);
  });

  it('marks pairs of characters that are no words', () => {
    expect(termPlaces('告每', new Set(['告每']), 5)).toEqual([[0, 2]]);
    const text = '客户说：导出报告失败。';
    expect(termPlaces(text, new Set(terms('报告')), 5).map(([from, to]) => text.slice(from, to))).toEqual(['报告']);
  });

  it('gives the same terms wherever a text is long enough to be taken in windows', () => {
    const sentence = 'Exporting reports fails in PROJ-42 since v2.1.3. ';
    const once = terms(sentence);
    const many = terms(sentence.repeat(1000));
    expect(many).toHaveLength(once.length * 1000);
    expect([...new Set(many)].sort()).toEqual([...new Set(once)].sort());
  });

  it('is bounded on hostile text, in time and in the length of a term', () => {
    for (const text of [
      'a'.repeat(5e6),
      'a.'.repeat(2e6),
      'aB'.repeat(2e6),
      'A-'.repeat(2e6),
      "a'".repeat(2e6),
      '1,'.repeat(2e6),
      '🎉'.repeat(1e6),
    ]) {
      expect(terms(text).every((term) => term.length <= 64)).toBe(true);
    }
  }, 60_000);
});

describe('changedSince', () => {
  it('leaves plain English as it is', () => {
    expect(changedSince(1, 'The export fails.')).toBe(false);
    expect(changedSince(1, 'Die Straße')).toBe(true);
    expect(changedSince(termsVersion, 'Die Straße')).toBe(false);
  });
});

describe('termFrequencies', () => {
  it('counts the title twice', () => {
    expect([...termFrequencies('reports and a report', 'Report export')]).toEqual([
      ['report', 4],
      ['export', 2],
    ]);
  });
});

describe('bm25', () => {
  it('values rare terms, repeated terms and short passages', () => {
    const base = bm25(1, 100, 100, 10, 1000);
    expect(base).toBeCloseTo(idf(10, 1000), 10);
    expect(bm25(1, 100, 100, 500, 1000)).toBeLessThan(base);
    expect(bm25(3, 100, 100, 10, 1000)).toBeGreaterThan(base);
    expect(bm25(1, 300, 100, 10, 1000)).toBeLessThan(base);
    expect(bm25(1e9, 100, 100, 10, 1000)).toBeLessThan(2.2 * base + 1e-9);
    expect(idf(1000, 1000)).toBeGreaterThan(0);
    expect(Number.isFinite(bm25(1, 0, 0, 1, 1))).toBe(true);
  });
});
