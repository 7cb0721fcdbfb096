import { describe, expect, it } from 'vitest';
import { nameKey } from './names.ts';
import { companyName, hasLegalForm, initialsOf } from './companies.ts';
import { defaultNameModel, scoreNames } from '../linkage/names.ts';
import { acrossScripts, latin, mixesHan, soundsAcross } from './scripts.ts';

describe('names of companies', () => {
  it.each([
    ['Müller Maschinenbau Gesellschaft mit beschränkter Haftung', 'muller maschinenbau'],
    ['Müller Maschinenbau GmbH & Co. KG', 'muller maschinenbau'],
    ['Acme, S.A.', 'acme'],
    ['Acme Sp. z o.o.', 'acme'],
    ['Acme Spółka z ograniczoną odpowiedzialnością', 'acme'],
    ['Novo Nordisk A/S', 'novo nordisk'],
    ['Nokia Oyj', 'nokia'],
    ['AB Volvo', 'volvo'],
    ['Acme Public Limited Company', 'acme'],
    ['Grupo Acme, S.A. de C.V.', 'grupo acme'],
    ['ООО «Ромашка»', 'romashka'],
    ['Общество с ограниченной ответственностью Ромашка', 'romashka'],
    ['株式会社トヨタ', 'toyota'],
    ['トヨタ自動車株式会社', 'toyota motor'],
    ['华为技术有限公司', 'huawei technology'],
    ['삼성전자주식회사', 'samseong electronics'],
    ['1st National Bank', 'first national bank'],
    ['Seven Eleven', '7 11'],
    ['Acme Intl Mfg Co', 'acme international manufacturing'],
    ['Haus und Garten AG', 'haus garten'],
    ['Merck & Co.', 'merck'],
    ["Cooper 's Cave Company", 'coopers cave'],
    ['Coopers Cave Co.', 'coopers cave'],
    ['Ben &amp; Partner AG', 'ben partners'],
    // Nothing else is left.
    ['Limited', 'limited'],
    ['The Company', 'the'],
    ['株式会社', 'zhushihuishe'],
    ['', ''],
    [' .,- ', ''],
  ])('%s', (name, expected) => expect(companyName(name)).toBe(expected));

  it('are known by their legal forms', () => {
    expect(['Acme GmbH', 'OOO Ромашка', '华为技术有限公司', 'Acme s.r.l.', 'Acme Société Anonyme'].every(hasLegalForm)).toBe(true);
    expect(['Oskar Blues', 'red as', 'GmbH', '', 'one of us'].some(hasLegalForm)).toBe(false);
  });

  it('may be huge or of any signs', () => {
    for (const odd of ['x'.repeat(10_000), '株式会社'.repeat(2_500), 's a '.repeat(2_500), '\uD800', '\u0000', '🙂🙂', 'ß'.repeat(10_000)])
      expect(() => companyName(odd)).not.toThrow();
    expect(companyName('constructor')).toBe('constructor');
  });

  it('have initials', () => expect([initialsOf('international business machines'), initialsOf('acme')]).toEqual(['ibm', null]));
});

describe('scripts', () => {
  it('become Latin letters', () => {
    expect(['Straße', 'Smørrebrød', 'Łódź', 'Αθήνα', 'Москва', 'ブルース'].map((text) => latin(text))).toEqual([
      'strasse',
      'smorrebrod',
      'lodz',
      'athina',
      'moskva',
      'burusu',
    ]);
    expect(latin('plain ASCII -/&')).toBe('plain ascii -/&');
    expect([latin('东京 Café', true), latin('东京')]).toEqual(['东京 cafe', 'dongjing']);
  });

  it('are mixed or not', () => {
    expect(mixesHan([['', '华为'], ['Huawei']])).toBe(true);
    expect(mixesHan([['', '华为'], ['腾讯']])).toBe(false);
    expect(mixesHan([[''], ['']])).toBe(false);
    expect([acrossScripts('ソニー', 'sony'), acrossScripts('sony', 'soni'), acrossScripts('12', '13')]).toEqual([true, false, false]);
  });

  it('write one name in several ways', () => {
    expect(soundsAcross('samseong', 'samsung')).toBe(true);
    expect(soundsAcross('soni', 'sony')).toBe(true);
    for (const [a, b] of [
      ['sina', 'sony'],
      ['tata', 'toto'],
      ['panasonikku', 'soni'],
      ['', 'a'],
    ] as const)
      expect(soundsAcross(a, b)).toBe(false);
  });

  it('do not keep entities apart, nor make others one', () => {
    const p = (a: string, b: string, type = 'customer'): number =>
      scoreNames({ key: nameKey(a), type }, { key: nameKey(b), type }, defaultNameModel).probability;
    expect(p('华为', 'Huawei')).toBeGreaterThan(0.9);
    expect(p('Газпром', 'Gazprom')).toBeGreaterThan(0.9);
    expect(p('삼성전자', 'Samsung Electronics')).toBeGreaterThan(0.6);
    expect(p('Иван Петров', 'Ivan Petrov', 'person')).toBeGreaterThan(0.9);
    expect(p('삼성전자', 'LG전자')).toBeLessThan(0.6);
    expect(p('华为', '小米')).toBeLessThan(0.1);
    // Of the same sound, but other characters.
    expect(p('张伟', '章伟')).toBeLessThan(0.6);
  });
});
