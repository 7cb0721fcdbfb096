import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readCollection, readMultihop } from './datasets.ts';

let dir: string;
beforeEach(() => void (dir = mkdtempSync(join(tmpdir(), 'signalbox-eval-'))));
afterEach(() => rmSync(dir, { recursive: true }));
const write = (name: string, content: string): void => writeFileSync(join(dir, name), name.endsWith('.gz') ? gzipSync(content) : content);
const lines = (...objects: object[]): string => objects.map((each) => JSON.stringify(each)).join('\n');

describe('readCollection', () => {
  const corpus = lines({ _id: 'd1', title: ' One ', text: 'first', app: 'A' }, { _id: 'd2', text: 'second', app: 'B' });
  const queries = lines({ _id: 'q1', text: 'ask', app: 'A' }, { _id: 'q2', text: 'nothing is relevant to it', app: 'A' });

  it('ranks within an app', () => {
    write('corpus.jsonl', corpus);
    write('queries.jsonl', queries);
    write('qrels.tsv', 'query-id\tcorpus-id\tscore\nq1\td1\t1\nq2\td1\t0\n');
    expect(readCollection(dir)).toMatchObject({
      passages: [
        { id: 'd1', title: 'One', text: 'first', group: 'A' },
        { id: 'd2', text: 'second', group: 'B' },
      ],
      queries: [{ id: 'q1', text: 'ask', group: 'A', judged: new Map([['d1', 1]]) }],
    });
  });

  it('reads the BEIR shape, packed, and TREC columns', () => {
    write('corpus.jsonl.gz', lines({ _id: 'd1', title: '', text: 'first' }));
    write('queries.jsonl.gz', lines({ _id: 'q1', text: 'ask' }));
    mkdirSync(join(dir, 'qrels'));
    write('qrels/train.tsv', 'query-id\tcorpus-id\tscore\nq1\td1\t1\n');
    write('qrels/test.tsv.gz', 'q1 0 d1 2\n');
    expect(readCollection(dir).queries[0]!.judged).toEqual(new Map([['d1', 2]]));
    expect(readCollection(dir, 'train').queries[0]!.judged).toEqual(new Map([['d1', 1]]));
    expect(readCollection(dir).passages[0]).toEqual({ id: 'd1', text: 'first', group: '' });
    expect(() => readCollection(dir, 'dev')).toThrow(/no judgements "dev"/);
  });

  it('reads ids that hold spaces, and refuses lines that say nothing', () => {
    write('corpus.jsonl', lines({ _id: 'a doc, 1', text: 'first' }, { _id: 'd2', text: 'second' }));
    write('queries.jsonl', lines({ _id: 'my query', text: 'ask' }));
    write('qrels.tsv', 'query-id\tcorpus-id\tscore\r\nmy query\ta doc, 1\t2\r\n\r\nmy query\t0\td2\t1\r\n');
    expect(readCollection(dir).queries[0]!.judged).toEqual(
      new Map([
        ['a doc, 1', 2],
        ['d2', 1],
      ]),
    );
    for (const bad of ['my query a doc, 1 2', 'my query\ta doc, 1', 'my query\ta doc, 1\tgood', 'a\tb\tc\td\t1']) {
      write('qrels.tsv', `q\td\tscore\nmy query\td2\t1\n${bad}\n`);
      expect(() => readCollection(dir), bad).toThrow(/line 3 is not a judgement/);
    }
    // A first line that is too short holds no names.
    write('qrels.tsv', 'my query\td2\nmy query\td2\t1\n');
    expect(() => readCollection(dir)).toThrow(/line 1 is not a judgement/);
  });

  it('says what is missing', () => {
    expect(() => readCollection(dir)).toThrow(/corpus\.jsonl \(or corpus\.jsonl\.gz\) is missing/);
    write('corpus.jsonl', `${corpus}\nno json`);
    expect(() => readCollection(dir)).toThrow(/line 3 is not JSON/);
    write('corpus.jsonl', corpus);
    write('queries.jsonl', queries);
    expect(() => readCollection(dir)).toThrow(/no judgements/);
    write('qrels.tsv', 'q2\td1\t0\n');
    expect(() => readCollection(dir)).toThrow(/no query/);
  });
});

describe('readMultihop', () => {
  const data = new URL('../../shared/data/3-multihop/', import.meta.url).pathname;

  it('pools paragraphs', () => {
    const paragraph = (title: string, supporting: boolean) => ({ title, paragraph_text: `${title} text`, is_supporting: supporting });
    write(
      'm.jsonl',
      lines(
        { id: '1', question: 'a?', paragraphs: [paragraph('A', true), paragraph('B', false)] },
        { id: '2', question: 'b?', paragraphs: [paragraph('B', true)] },
      ),
    );
    expect(readMultihop(join(dir, 'm.jsonl'))).toEqual({
      name: 'm',
      passages: [
        { id: 'p0', title: 'A', text: 'A text', group: '' },
        { id: 'p1', title: 'B', text: 'B text', group: '' },
      ],
      queries: [
        { id: '1', text: 'a?', group: '', judged: new Map([['p0', 1]]) },
        { id: '2', text: 'b?', group: '', judged: new Map([['p1', 1]]) },
      ],
    });
    write('x.jsonl', lines({ question: 'a?' }));
    expect(() => readMultihop(join(dir, 'x.jsonl'))).toThrow(/neither/);
  });

  it.skipIf(!existsSync(data))('reads the real ones', () => {
    const hotpot = readMultihop(join(data, 'hotpotqa_distractor_100.jsonl'));
    expect([hotpot.queries.length, hotpot.passages.length]).toEqual([98, 980]);
    expect(hotpot.queries.every(({ judged }) => judged.size === 2)).toBe(true);
    expect(readMultihop(join(data, 'musique_60.jsonl')).queries).toHaveLength(60);
  });
});
