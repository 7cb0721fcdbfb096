import { expect, test } from 'vitest';
import { authorOf, sourceOf } from './origin.ts';

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

test('the speaker of the submission is the author', () => {
  expect(authorOf({ type: 'text', given: { speaker: 'Ann Lee', author: 'Desk' }, found: { from: 'x@y.example' } })).toBe('Ann Lee');
});
