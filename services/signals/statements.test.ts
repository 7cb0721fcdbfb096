import { describe, expect, test } from 'vitest';
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
