import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { erTableOf, evalEr } from './er.ts';

let dir: string;
beforeAll(() => (dir = mkdtempSync(join(tmpdir(), 'er-'))));
afterAll(() => rmSync(dir, { recursive: true, force: true }));
const put = (name: string, content: string | Buffer): string => {
  writeFileSync(join(dir, name), content);
  return join(dir, name);
};

const firms = 'Amberfield Basaltine Cobaltworks Damsonbury Emberline Fjordhaven Garnetics Heronsgate'.split(' ');
const left = (): string =>
  put('l.csv', ['no,name,city', ...firms.map((name, i) => `L${i * i + 3},${name} Ltd,${i % 2 ? 'Hull' : 'York'}`)].join('\n'));
const right = (): string =>
  put('r.csv', ['key,name,city', ...firms.slice(2).map((name, i) => `R${i * i + 7},${name},${i % 2 ? 'Hull' : 'York'}`)].join('\n'));
const matches = firms.slice(2).map((_, i) => [`L${(i + 2) ** 2 + 3}`, `R${i * i + 7}`]);

describe('what is read', () => {
  it('id pairs with and without a row of names, in either order, found in whichever column holds them', () => {
    const plain = matches.map((pair) => pair.join()).join('\n');
    const turned = matches.map(([a, b]) => `${b},${a}`).join('\n');
    for (const links of [plain, `left,right\n${plain}`, `b,a\n${turned}`]) {
      const report = evalEr({ left: left(), right: right(), matches: put('m.csv', links) });
      expect(report).toMatchObject({ form: 'two tables', rows: [8, 6], truth: 6, columns: ['name: company', 'city: word'] });
      expect(report.scores[0]).toMatchObject({ precision: 1, recall: 1, f1: 1 });
    }
    expect(() => evalEr({ left: left(), right: right(), matches: put('m.csv', `${plain}\nL999,R999`) })).toThrow('1 pairs name rows');
  });

  it('one table with id pairs, or with a column that says what is one thing', () => {
    const rows = firms.flatMap((name, i) => [
      `${name} Ltd,${i % 2 ? 'Hull' : 'York'},0117 555 ${1000 + 37 * i}`,
      ...(i < 3 ? [`${name},,0117555${1000 + 37 * i}`] : []),
    ]);
    const table = put('t.csv', ['who,name,city,phone', ...rows.map((row, i) => `x${i * i},${row}`)].join('\n'));
    const links = put('k.csv', 'x0,x1\nx9,x4\nx16,x25');
    expect(evalEr({ table, links })).toMatchObject({ form: 'one table', truth: 3, scores: [{ f1: 1 }, {}] });
    const clustered = put('c.csv', ['true,name,city,phone', ...rows.map((row, i) => `${Math.max(i - 3, i >> 1)},${row}`)].join('\n'));
    expect(evalEr({ table: clustered, truth: 'true' }).truth).toBe(3);
    expect(() => evalEr({ table: clustered, truth: 'nothing' })).toThrow('It has: true, name');
  });

  it('labelled pairs, in Latin-1 as well', () => {
    const line = (a: string, b: string, label: number): string =>
      `COL name VAL ${a} COL price VAL  \tCOL name VAL ${b} COL price VAL 3\t${label}`;
    const many = firms.flatMap((name, i) => [line(`Café ${name}`, `Café ${name}`, 1), line(`Café ${name}`, firms[(i + 3) % 8]!, 0)]);
    const report = evalEr({ pairs: put('p.txt', Buffer.from(many.join('\n'), 'latin1')), encoding: 'latin1' });
    expect(report).toMatchObject({ form: 'pairs', rows: [16], truth: 8, scores: [{ f1: 1 }, {}] });
    expect(() => evalEr({ pairs: put('p.txt', 'COL a VAL b\tCOL a VAL c\tperhaps') })).toThrow('line 1');
  });

  it('pairs of names as CSV, beside their token overlap', () => {
    const file = put(
      'n.csv',
      'Name_x,Name_y,Target\nAcme Inc,Acme Corporation,1\nGlobex,Initech,0\nIBM,International Business Machines,1\nData Dog,Datadog,1\nHooli,Stark,0',
    );
    const report = evalEr({ pairs: file });
    expect(report).toMatchObject({ form: 'names', truth: 3, scores: [{ precision: 1, recall: 1 }, {}] });
    expect(report.baseline[0]!.recall).toBeLessThan(0.5);
    expect(erTableOf(report)).toContain('token overlap');
    expect(erTableOf(report)).toMatch(/equal after normalisation[\s\S]*Jaro–Winkler[\s\S]*TF-IDF cosine/);
  });

  it('nothing when options do not fit together', () => {
    expect(() => evalEr({ left: left() })).toThrow('Give --left');
  });
});

const data = join(import.meta.dirname, '../../shared/data/1-entity-resolution');
describe.skipIf(!existsSync(data))('development data, goals', () => {
  const at = (path: string): string => join(data, path);
  it('Fodors–Zagats', () => {
    const { scores, columns } = evalEr({
      left: at('fodors-zagats/fodors.csv'),
      right: at('fodors-zagats/zagats.csv'),
      matches: at('fodors-zagats/matches_fodors_zagats.csv'),
    });
    expect(scores.every(({ f1 }) => f1 >= 0.98)).toBe(true);
    // The column `class` is the answer, so it must not be used.
    expect(columns.join()).not.toContain('class');
  }, 120_000);

  it('febrl1', () => {
    const { scores } = evalEr({ table: at('febrl/febrl1.csv'), links: at('febrl/febrl1_links.csv') });
    expect(scores.every(({ f1 }) => f1 >= 0.98)).toBe(true);
  }, 120_000);

  it.each([
    ['Structured/Beer/test.txt', 0.85],
    ['Structured/iTunes-Amazon/test.txt', 0.75],
    ['Dirty/iTunes-Amazon/test.txt', 0.75],
  ])(
    '%s',
    (file, goal) => {
      expect(evalEr({ pairs: at(`er_magellan/${file}`) }).scores[0]!.f1).toBeGreaterThanOrEqual(goal);
    },
    60_000,
  );

  it('company names, clearly above token overlap', () => {
    const { scores, baseline } = evalEr({ pairs: at('company-names/test_data.csv') });
    expect(scores[0]!.f1).toBeGreaterThan(Math.max(...baseline.map(({ f1 }) => f1)) + 0.05);
  });
});
