import { describe, expect, it } from 'vitest';
import { AppError } from '../../contracts/errors.ts';
import { replaced } from './displaced.ts';
import { dateOf, kindOf, numberOf, type Kind } from './kinds.ts';
import { normalise } from './normalise.ts';
import { readTable, type TableSource } from './read.ts';
import { tableOf, type Table } from './table.ts';

const read = (text: string, more: Partial<TableSource> = {}): Table =>
  readTable({ bytes: new TextEncoder().encode(text), filename: null, ...more }).table;
const rowsOf = (table: Table): string[][] =>
  Array.from({ length: table.rows }, (_, row) => table.columns.map(({ values, ids }) => values[ids[row]!]!));
const names = (table: Table): string[] => table.columns.map(({ name }) => name);

describe('files', () => {
  it('with single quotes and backslashes', () => {
    const table = read("id,name\n1,'art\\'s, deli'\n2,'o\\'neill\\'s'\n3,'plain one'\n");
    expect(rowsOf(table)).toEqual([
      ['1', "art's, deli"],
      ['2', "o'neill's"],
      ['3', 'plain one'],
    ]);
  });

  it('with double quotes, line breaks in cells, semicolons, tabs and marks of byte order', () => {
    expect(rowsOf(read('\uFEFFname;city\n"A; ""B""";"x\ny"\nC;z'))).toEqual([
      ['A; "B"', 'x\ny'],
      ['C', 'z'],
    ]);
    expect(names(read('\uFEFFname\tcity\nA\tB\n', { filename: 'a.tsv' }))).toEqual(['name', 'city']);
    expect(rowsOf(read('name,city\n"never closed,x\nB,y'))).toEqual([
      ['"never closed', 'x'],
      ['B', 'y'],
    ]);
  });

  it('in other encodings', () => {
    const latin = Buffer.from('name\ncafé\n', 'latin1');
    expect(rowsOf(readTable({ bytes: latin, filename: null }).table)).toEqual([['café']]);
    expect(rowsOf(readTable({ bytes: latin, filename: null, encoding: 'latin1' }).table)).toEqual([['café']]);
    expect(() => read('a,b\n1,2', { encoding: 'klingon' })).toThrow(AppError);
  });

  it('of JSON, by line or as a list', () => {
    const lines = '{"name":"A","tags":["x","y"]}\n{"city":"B","name":null}\nbroken\n7';
    expect(rowsOf(read(lines, { filename: 'a.jsonl' }))).toEqual([
      ['A', 'x, y', ''],
      ['', '', 'B'],
    ]);
    expect(names(read('[{"a":1},{"b":{"c":2}}]'))).toEqual(['a', 'b']);
    expect(() => read('[{"a":', { filename: 'a.json' })).toThrow('no valid JSON');
    expect(() => read('nothing', { filename: 'a.jsonl' })).toThrow('none of its lines');
  });

  it('that are empty are refused', () => {
    for (const text of ['', ' \n \n', '\uFEFF']) expect(() => read(text)).toThrow(AppError);
  });

  it('have a row of names or not', () => {
    expect(read('rec-1,smith,12\nrec-2,jones,40\nrec-3,brown,7').headed).toBe(false);
    expect(names(read('rec-1,smith,12\nrec-2,jones,40'))).toEqual(['column 1', 'column 2', 'column 3']);
    expect(read('id,surname,age\nrec-2,jones,40').headed).toBe(true);
    expect(read('1,2\n3,4').rows).toBe(2);
    expect(read('surname\nsmith', { header: false }).rows).toBe(2);
  });

  it('keep missing values apart from others, and names of columns from each other', () => {
    const table = read('name,name,x\nN/A,-,NULL\nNaN,Anna,0', { header: true });
    expect(rowsOf(table)).toEqual([
      ['', '', ''],
      ['', 'Anna', '0'],
    ]);
    expect(names(table)).toEqual(['name', 'name_', 'x']);
  });
});

describe('columns', () => {
  const kind = (name: string, values: string[]): Kind => kindOf(tableOf([[name], ...values.map((value) => [value])], true).columns[0]!);
  it.each<[Kind, string, string[]]>([
    ['counter', 'rec', ['r-1', 'r-2', 'r-3', 'r-5', 'r-4']],
    ['code', 'ssn', ['6988048', '7364009', '2635962', '9004242', '8099933']],
    ['phone', 'x', ['310/246-1501', '818-762-1221', '(213) 848-6677']],
    ['email', 'x', ['a@b.de', 'c@d.org']],
    ['url', 'x', ['www.a.com', 'https://b.org/x']],
    ['date', 'x', ['18-May-15', 'March 17, 2008', '2015-01-30']],
    ['money', 'x', ['$ 1.29', '$0.99', '€ 3']],
    ['number', 'share', ['8.10 %', '5.5%', '6 %']],
    ['number', 'time', ['3:55', '4:07', '1:02:03']],
    ['postcode', 'postcode', ['4011', '4814', '2776']],
    ['address', 'x', ['435 s. la cienega blv.', '12224 ventura blvd.', '9 oak street']],
    ['person', 'x', ['John Smith', 'Mary Jones', 'Robert Brown']],
    ['word', 'state', ['qld', 'nsw', 'vic', 'qld']],
    ['empty', 'x', ['', '-']],
  ])('of kind %s are known by their values', (expected, name, values) => {
    expect(kind(name, values)).toBe(expected);
  });

  it('are brought into one spelling', () => {
    expect(normalise('phone', '+1 (310) 246-1501 ext. 5')).toBe(normalise('phone', '310/246-1501'));
    expect(normalise('address', '12 North Main Street')).toBe(normalise('address', '12 N. main st'));
    expect(normalise('text', 'Acme Corporation, Inc.')).toBe('acme');
    expect(normalise('person', 'Dr. José Núñez')).toBe('jose nunez');
    expect(normalise('url', 'https://www.Acme.com/')).toBe('acme.com');
    expect(['18-May-15', 'May 18, 2015', '2015-05-18', '5/18/2015'].map(dateOf)).toEqual([20150518, 20150518, 20150518, 20150518]);
    expect([dateOf('99-99-99'), dateOf('soon'), dateOf('')]).toEqual([null, null, null]);
    expect(['1,200.50', '3:26', '$ 1.29', 'none'].map(numberOf)).toEqual([1200.5, 206, 1.29, Number.NaN]);
  });
});

describe('displaced values', () => {
  const towns = ['Leeds', 'Kingston upon Hull', 'York', 'Stoke-on-Trent', 'Bath', 'St. Ives'];
  const rows = Array.from({ length: 60 }, (_, i) => {
    const town = towns[(i >> 1) % towns.length]!;
    const opened = `${10 + (i % 18)} May 20${10 + (i % 12)}`;
    const name = `${['Rose', 'Lily', 'Fern', 'Iris', 'Oak'][i % 5]!} ${['Clinic', 'Surgery', 'Practice'][i % 3]!}`;
    return i % 2 ? [`${name} ${town} ${opened}`, '', ''] : [name, town, opened];
  });

  it('go back to the columns they are missing in', () => {
    const { left } = replaced(tableOf([['name', 'town', 'opened'], ...rows], true), null);
    expect(rowsOf(left).slice(1, 4)).toEqual([
      ['Lily Surgery', 'Leeds', '11 May 2011'],
      ['Fern Practice', 'Kingston upon Hull', '12 May 2012'],
      ['Iris Clinic', 'Kingston upon Hull', '13 May 2013'],
    ]);
  });

  it('are left alone where values are only missing', () => {
    const plain = rows.map(([name, town, opened], i) => [name!.split(' ').slice(0, 2).join(' '), i % 3 ? town! : '', opened!]);
    const table = tableOf([['name', 'town', 'opened'], ...plain], true);
    expect(rowsOf(replaced(table, null).left)).toEqual(rowsOf(table));
  });
});
