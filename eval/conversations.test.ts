import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readConversations } from './conversations.ts';
import { readMemory } from './memory.ts';

let dir: string;
beforeEach(() => void (dir = mkdtempSync(join(tmpdir(), 'signalbox-eval-'))));
afterEach(() => rmSync(dir, { recursive: true }));
const write = (content: unknown, name = 'talk.json'): string => {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  writeFileSync(join(dir, name), name.endsWith('.gz') ? gzipSync(text) : text);
  return join(dir, name);
};

const talk = {
  sample_id: 'talk',
  conversation: {
    speaker_a: 'Nadia',
    speaker_b: 'Piet',
    session_2_date_time: '9:05 am on 3 March, 2021',
    session_2: [
      { speaker: 'Piet', dia_id: 'D2:1', text: 'The kiln is repaired.' },
      { speaker: 'Nadia', dia_id: 'D2:2', text: 'Look!', blip_caption: 'a blue bowl' },
      { speaker: 'Nadia', dia_id: 'D2:3', text: '  ' },
    ],
    session_1_date_time: '12:30 pm on 1 March, 2021',
    session_1: [
      { speaker: 'Nadia', dia_id: 'D1:1', text: 'I start a pottery course on Friday.' },
      { speaker: 'Piet', dia_id: 'D1:2', text: 'My kiln broke.' },
    ],
    session_3: [],
    session_3_date_time: 'some day',
    session_4: null,
  },
  qa: [
    { question: 'What did Nadia make?', answer: 'a bowl', evidence: ['D2:2'], category: 4 },
    { question: 'What happened to the kiln?', answer: 'it broke and was repaired', evidence: ['D1:2; D2:1'], category: 1 },
    { question: 'When does the course start?', evidence: ['D1:01', 'D9:9', 'D'], category: 2 },
    { question: 'Who is the mayor?', evidence: [], category: 5 },
    { question: 'Where is the bowl?', evidence: ['D7:1'] },
    { question: 'Which colour?', evidence: 'D:2:2' },
    { answer: 'to nothing' },
  ],
};

describe('readConversations', () => {
  it('makes each turn a passage with its speaker and time', () => {
    const { passages } = readConversations(write([talk]));
    expect(passages.map(({ id, text }) => [id, text])).toEqual([
      ['talk-1/D1:1', 'Nadia: I start a pottery course on Friday.'],
      ['talk-1/D1:2', 'Piet: My kiln broke.'],
      ['talk-1/D2:1', 'Piet: The kiln is repaired.'],
      ['talk-1/D2:2', 'Nadia: Look! [picture: a blue bowl]'],
    ]);
    expect(passages[0]).toMatchObject({ title: '12:30 pm on 1 March, 2021', date: '2021-03-01T12:30:00.000Z', group: 'talk-1' });
    expect(passages[2]!.date).toBe('2021-03-03T09:05:00.000Z');
  });

  it('makes each session a transcript with a turn in each line', () => {
    const { sessions } = readConversations(write([talk]));
    expect(sessions.map(({ title, text, lines, group }) => [title, text.split('\n').length, lines, group])).toEqual([
      ['12:30 pm on 1 March, 2021', 2, ['talk-1/D1:1', 'talk-1/D1:2'], 'talk-1'],
      ['9:05 am on 3 March, 2021', 2, ['talk-1/D2:1', 'talk-1/D2:2'], 'talk-1'],
    ]);
    expect(sessions[0]!.text).toBe('Nadia: I start a pottery course on Friday.\nPiet: My kiln broke.');
  });

  it('reads evidence however it is written, and counts what is not there', () => {
    const { queries, without, unknown } = readConversations(write([talk]));
    expect(queries.map(({ text, judged, category }) => [text, [...judged.keys()], category])).toEqual([
      ['What did Nadia make?', ['talk-1/D2:2'], '4'],
      ['What happened to the kiln?', ['talk-1/D1:2', 'talk-1/D2:1'], '1'],
      ['When does the course start?', ['talk-1/D1:1'], '2'],
      ['Which colour?', ['talk-1/D2:2'], 'none'],
    ]);
    expect({ without, unknown }).toEqual({ without: 2, unknown: 3 });
  });

  it('keeps conversations apart, also those of one name', () => {
    const { passages, queries } = readConversations(write([talk, talk], 'talk.json.gz'));
    expect(new Set(passages.map((passage) => passage.group))).toEqual(new Set(['talk-1', 'talk-2']));
    expect(new Set(passages.map((passage) => passage.id)).size).toBe(8);
    expect(queries.at(-1)!.judged.has('talk-2/D2:2')).toBe(true);
  });

  it('bears ids given twice, none at all, and strange dates', () => {
    const conversation = {
      session_1_date_time: 'the day before yesterday',
      session_1: [
        { speaker: 'A', dia_id: 'x', text: 'one' },
        { dia_id: 'x', text: 'two' },
        { text: 'three' },
        null,
        { speaker: 'A', dia_id: 'y' },
      ],
    };
    const { passages, queries } = readConversations(write([{ conversation, qa: [{ question: 'q', evidence: ['x'], category: 'a' }] }]));
    expect(passages.map(({ text, date }) => [text, date])).toEqual([
      ['A: one', undefined],
      ['three', undefined],
    ]);
    expect(queries[0]!.judged.size).toBe(1);
  });

  it('says what is wrong', () => {
    expect(() => readConversations(write('no json'))).toThrow(/is not JSON/);
    expect(() => readConversations(write([{ qa: [] }]))).toThrow(/entry 1 has no "conversation"/);
    expect(() => readConversations(write([{ conversation: {}, qa: [{ question: 'q', evidence: ['D1:1'] }] }]))).toThrow(
      /no question has evidence/,
    );
  });
});

describe('readMemory', () => {
  it('tells conversations from multi-hop questions', () => {
    expect(readMemory(write([talk])).queries).toHaveLength(4);
    const hop = { id: '2hop__1_2', question: 'q?', paragraphs: [{ title: 'A', paragraph_text: 'a', is_supporting: true }] };
    expect(readMemory(write(`${JSON.stringify(hop)}\n`, 'm.jsonl')).queries[0]).toMatchObject({ category: '2hop' });
    expect(readMemory(write([hop], 'm.json'))).toMatchObject({ name: 'm', queries: [{ id: '2hop__1_2' }] });
  });
});
