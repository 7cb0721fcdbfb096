import { describe, expect, test } from 'vitest';
import { vttParser } from '../../adapters/parsers/vtt.ts';
import type { Parsed } from '../../adapters/parsers/types.ts';
import { textParser } from '../../adapters/parsers/text.ts';
import { chunk } from '../../engines/retrieval/chunking.ts';
import { sourceOf } from './origin.ts';
import { statementsOf, type StatementInput } from './statements.ts';

const said = (input: StatementInput): string[] => statementsOf(input).map(({ text }) => text);
const feedback = (...texts: string[]): StatementInput => ({ passages: texts.map((text) => ({ text })), sourceType: 'app_reviews' });

describe('statements', () => {
  test('are sentences where they stand, over wrapped lines', () => {
    const text = 'The export\nis slow. I love the editor!';
    const found = statementsOf(feedback(text));
    expect(found.map(({ start, end }) => text.slice(start, end))).toEqual(['The export\nis slow.', 'I love the editor!']);
  });

  test('are no headings, code, quotes, courtesies, links, table heads and boilerplate', () => {
    const text = `# Feedback\n\nHi team,\n\nThe app crashes when I print.\n\n| text | rating |\n| --- | --- |\n| The search never finds my notes. | 1 |\n| ok | 5 |\n
\`\`\`\nI hate this code\n\`\`\`\n\n> I said this before\n\n- Please add a dark mode\n- Great!\n\nhttps://example.com/x\n\nBest regards,\nAnna\n\nSent from my phone`;
    expect(said(feedback(text))).toEqual(['The app crashes when I print.', 'The search never finds my notes.', 'Please add a dark mode']);
  });

  test('are the customer’s alone where the sides can be told', () => {
    const text =
      'Agent: How can I help you with the export today?\nCustomer: The export fails every time.\nIt says timeout.\nAgent: I will restart it for you.';
    expect(statementsOf({ passages: [{ text, speaker: 'Agent' }], sourceType: 'support_chat' })).toMatchObject([
      { text: 'The export fails every time.', speaker: 'Customer' },
      { text: 'It says timeout.', speaker: 'Customer' },
    ]);
  });

  test('are everybody’s else, but for our side', () => {
    const text =
      'Ann: The customers want the export now.\nBob: The login fails for them again.\nModerator: Let us move on to the next point.';
    expect(said({ passages: [{ text, speaker: 'Ann' }], sourceType: 'transcript' })).toEqual([
      'The customers want the export now.',
      'The login fails for them again.',
    ]);
  });

  test('go on with the speaker of the passage before', () => {
    const passages = [{ text: 'Client: The report is broken since May.', speaker: 'Client' }, { text: 'We need it every single morning.' }];
    expect(statementsOf({ passages, sourceType: 'call' }).map(({ speaker }) => speaker)).toEqual(['Client', 'Client']);
  });

  describe('of a transcript are of whom the parser has found speaking', () => {
    const read = (parser: typeof textParser, text: string, size = 1000) => {
      const bytes = new TextEncoder().encode(text);
      const passages = chunk(parser.parse({ bytes }, {} as never) as Parsed, { size }).map(({ text: body, turns, place }) => ({
        text: body,
        turns,
        ...(place.speaker === undefined ? {} : { speaker: place.speaker }),
      }));
      return statementsOf({ passages, sourceType: 'customer_call' }).map(({ text: statement, speaker }) => `${speaker}: ${statement}`);
    };
    const lines = [
      'Customer: We use the export every day.',
      'Customer: One thing: the export fails with large files.',
      'Agent: Note: we know that the export is slow.',
      'Agent: My question: do you use the app?',
      'Customer: Agent: that word on your page crashes the app.',
      'Customer: Yes. Second thing: the login is broken.',
    ];
    const theirs = [
      'Customer: We use the export every day.',
      'Customer: One thing: the export fails with large files.',
      'Customer: Agent: that word on your page crashes the app.',
      'Customer: Second thing: the login is broken.',
    ];
    const kept = (found: string[]): string[] => found.filter((each) => theirs.includes(each));

    test('in plain text, wherever it is cut', () => {
      for (const size of [100, 150, 200, 1000]) {
        const found = read(textParser, lines.join('\n'), size);
        expect([size, kept(found)]).toEqual([size, theirs]);
        expect(found.join('\n')).not.toMatch(/we know|do you use/);
      }
    });

    test('in captions with voices', () => {
      const vtt = lines.map((line, i) => `00:0${i}.000 --> 00:0${i}.900\n<v ${line.split(':')[0]}>${line.replace(/^\w+: /, '')}`);
      const found = read(vttParser, `WEBVTT\n\n${vtt.join('\n\n')}\n`);
      expect(kept(found)).toEqual(theirs);
      expect(found.join('\n')).not.toMatch(/we know|do you use/);
    });

    test('also where a turn has lines that begin like a label', () => {
      const text =
        'Customer: It is about this.\nAgent: Go on.\nCustomer: First.\nit says error: the export fails.\nAgent: ok.\nCustomer: bye';
      expect(read(textParser, text)).toContain('Customer: it says error: the export fails.');
    });
  });

  test('in formats without speakers go by labels, and what stands once before a colon is no customer’s name', () => {
    const text =
      'Customer: I use the export.\nOne thing: the export fails.\nAgent: I am sorry about the export.\nCustomer: The login fails too.';
    expect(said({ passages: [{ text }], sourceType: 'call' })).toEqual(
      expect.arrayContaining(['One thing: the export fails.', 'The login fails too.']),
    );
  });

  test('that two passages share count once', () => {
    expect(said(feedback('I cannot log in. The app is slow today.', 'The app is slow today. I want my money back.'))).toEqual([
      'I cannot log in.',
      'The app is slow today.',
      'I want my money back.',
    ]);
  });

  test('are not in texts that no customer speaks in', () => {
    expect(
      said({ passages: [{ text: 'Paris is the capital of France. It lies on the Seine, and we know it well.' }], sourceType: 'document' }),
    ).toEqual([]);
  });

  test('of an endless sentence are cut between words', () => {
    const text = `${'so slow and '.repeat(200)}bad.`;
    const found = statementsOf(feedback(text));
    expect(found.length).toBeGreaterThan(3);
    for (const { start, end, text: part } of found) {
      expect(part.length).toBeLessThanOrEqual(600);
      expect(text.slice(start, end)).toBe(part);
    }
  });

  test('are found in time linear in the text, whatever it is made of', () => {
    for (const unit of ['| a ', 'A: b\n', '`', '# ', '- ', 'Customer: ', '...', '\n\n', ': ']) {
      const began = performance.now();
      statementsOf(feedback(unit.repeat(20_000)));
      expect(performance.now() - began, JSON.stringify(unit)).toBeLessThan(4_000);
    }
  });
});

test.each([
  ['transcript', {}, 'meeting_transcript'],
  ['slack', {}, 'slack'],
  ['web_page', {}, 'web_scrape'],
  ['document', {}, 'document'],
  ['document', { source: 'jira' }, 'jira'],
  ['text', { platform: 'Confluence' }, 'wiki'],
  ['text', { source: '\u0000' }, 'document'],
])('a %s with %j comes from %s', (type, given, source) => {
  expect(sourceOf({ type, given, found: {} })).toBe(source);
});
