import { expect, it } from 'vitest';
import { documentOf, wikiOf } from './jira-text.ts';

const told = [
  '`shop-bot` works on this (attempt 1 of 3). See https://github.com/acme/shop/pull/5.',
  '',
  '> First {color:red}line{color}',
  '> second [~ann] !x.png!',
  '> ',
  '> `third` https://example.com',
  '',
  'End.',
].join('\n');

it('is a document for Jira Cloud, with quotations as text alone', () => {
  expect(documentOf(told)).toEqual({
    type: 'doc',
    version: 1,
    content: [
      {
        type: 'paragraph',
        content: [
          { type: 'text', text: 'shop-bot', marks: [{ type: 'code' }] },
          { type: 'text', text: ' works on this (attempt 1 of 3). See ' },
          {
            type: 'text',
            text: 'https://github.com/acme/shop/pull/5',
            marks: [{ type: 'link', attrs: { href: 'https://github.com/acme/shop/pull/5' } }],
          },
          { type: 'text', text: '.' },
        ],
      },
      {
        type: 'blockquote',
        content: [
          {
            type: 'paragraph',
            content: [
              { type: 'text', text: 'First {color:red}line{color}' },
              { type: 'hardBreak' },
              { type: 'text', text: 'second [~ann] !x.png!' },
            ],
          },
          { type: 'paragraph', content: [{ type: 'text', text: '`third` https://example.com' }] },
        ],
      },
      { type: 'paragraph', content: [{ type: 'text', text: 'End.' }] },
    ],
  });
  expect(documentOf('> \n\n')).toEqual({ type: 'doc', version: 1, content: [] });
});

it('is wiki markup for Jira Data Center, in which nothing of a quotation acts', () => {
  expect(wikiOf(told)).toBe(
    [
      '{{shop-bot}} works on this (attempt 1 of 3). See https://github.com/acme/shop/pull/5.',
      '',
      '{quote}',
      'First \\{color:red\\}line\\{color\\}',
      'second \\[\\~ann\\] \\!x.png\\!',
      '',
      '`third` https://example.com',
      '{quote}',
      '',
      'End.',
    ].join('\n'),
  );
});
