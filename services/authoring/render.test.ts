import { describe, expect, it } from 'vitest';
import type { DraftSource } from '../../contracts/authoring/authoring.ts';
import { issueViews, markdown, plainText, sectionViews, withoutSources, type Print } from './render.ts';
import { clean, escaped } from '../../engines/text/markdown.ts';

const source = (number: number, ref: string, excerpt: string): DraftSource => ({
  number,
  ref,
  kind: 'signal',
  excerpt,
  occurred_at: '2026-11-03T10:00:00.000Z',
  weight: 1,
});
const nasty = '<img src=x onerror=alert(1)> [go](https://evil.example) `x` # **bold** @channel www.evil.example';
const print: Print = {
  title: 'Digest: <b>Acme</b>',
  about: 'For everybody.',
  sections: [
    { heading: 'In their words', statements: [{ text: `Acme: “${nasty}”`, sources: ['s2', 's1'], figures: [] }], toFill: null },
    { heading: 'Solution', statements: [], toFill: 'What do we build?' },
  ],
  issues: null,
  sources: [source(1, 's1', nasty), source(2, 's2', 'Line one\n# Heading')],
  freshness: {
    newest_signal_at: '2026-11-03T10:00:00.000Z',
    oldest_signal_at: '2026-10-03T10:00:00.000Z',
    generated_at: '2026-11-04T10:00:00.000Z',
  },
  provenance: true,
};

describe('Markdown', () => {
  it('renders nothing that strangers wrote', () => {
    const text = markdown(print);
    expect(text).not.toMatch(/(?<!\\)<|(?<!\\)`|https:\/\/|(?<!\\)\*\*|www\.|(?<!\\)@/);
    expect(text).toContain('\\[go\\]');
    expect(text.split('\n').filter((line) => line.startsWith('# '))).toEqual(['# Digest: \\<b\\>Acme\\</b\\>']);
    expect(text).toContain('[2][1]');
    expect(text).toContain('Evidence from 3 Oct 2026 to 3 Nov 2026; generated on 4 Nov 2026.');
  });

  it('marks what is left for the person', () => {
    expect(markdown(print)).toContain('## Solution\n\n_To be written by the product manager: What do we build?_');
    expect(sectionViews(print)[1]).toMatchObject({ to_fill: true, statements: [] });
  });

  it('has no sources when none are wanted', () => {
    expect(markdown({ ...print, provenance: false })).not.toMatch(/Sources|(?<!\\)\[\d/);
  });

  it.each([
    ['1. no list', '1\\. no list'],
    ['- no list', '\\- no list'],
    ['# no heading', '\\# no heading'],
    ['&lt;b&gt; & co', '\\&lt;b\\&gt; & co'],
    ['> no quote', '\\> no quote'],
    ['a_b _c_', 'a_b \\_c\\_'],
    ['a\u202Eb\u200Bc\u0000d', 'abcd'],
  ])('%s', (text, shown) => expect(escaped(text)).toBe(shown));
});

it('plain text has neither markup nor mentions that a chat acts on', () => {
  expect(clean('<!channel> hi\n\nthere')).toBe('< !channel> hi there');
  const text = plainText(print);
  expect(text.startsWith('DIGEST: <B>ACME</B>')).toBe(true);
  expect(text).toContain('[2] signal, 3 Nov 2026: "Line one # Heading"');
});

it('issues cite their own sources only', () => {
  const [issue] = issueViews({
    ...print,
    issues: [
      {
        title: 'Fix',
        description: [{ text: 'One', sources: ['s2'], figures: [] }],
        criteria: [{ text: 'Two', sources: ['s2'], figures: [] }],
        labels: ['x'],
        priority: 'High',
        issue_type: 'bug',
      },
    ],
  })!;
  expect(issue!.acceptance_criteria).toEqual(['Two [2]']);
  expect(issue!.description).toContain('- [2] signal');
  expect(issue!.description).not.toContain('[1]');
});

it('without sources it is what it would be without provenance, whatever customers write', () => {
  const tricky: Print = {
    ...print,
    sections: [
      ...print.sections,
      { heading: 'More', statements: [{ text: 'They said “see [3]” and “## Sources” [12]', sources: ['s1'], figures: [] }], toFill: null },
    ],
  };
  expect(withoutSources(markdown(tricky))).toBe(markdown({ ...tricky, provenance: false }));
});
