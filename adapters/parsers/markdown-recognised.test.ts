import { expect, it } from 'vitest';
import { formatOf } from './index.ts';

const read = (text: string, filename?: string): string | undefined =>
  formatOf({ bytes: new TextEncoder().encode(text), ...(filename === undefined ? {} : { filename }) });

it.each([
  ['headings', '# Guide\n\nText.\n\n## Install\n\nMore.'],
  ['a heading and a list', 'Intro.\n\n# Guide\n\n- one\n- two\n'],
  ['a heading and code', '# Run\n\n```sh\nnpm start\n```\n'],
  ['a heading and a table', '# Figures\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n'],
  ['a heading and a link', '## See\n\nIt is [there](https://example.com).'],
])('Markdown is known by its content: %s', (_, text) => {
  expect(read(text)).toBe('md');
  expect(read(text, 'notes.txt')).toBe('md');
});

it.each([
  ['prose', 'Just a text.\n\nWith - a dash and a #hashtag.'],
  ['one heading alone', '# Notes\n\nJust a text.'],
  ['a list alone', '- one\n- two\n- three'],
  ['comments of a script', '#!/bin/sh\n# one\n# two\necho "- x"\n# three\nexit 1\n'],
  ['what stands in a fence', '```\n# one\n\n# two\n\n```\n'],
  ['a transcript under headings', '# Call\n\n# Acme\n\nAnn: Hello.\nBob: Hi.\nAnn: The export fails.\nBob: I see.\n'],
])('%s is no Markdown', (_, text) => expect(read(text)).toBe('txt'));

it('what is surely something else stays that', () => {
  expect(formatOf({ bytes: new Uint8Array([0, 0, 0]), filename: 'new.bin' })).toBeUndefined();
  expect(read('WEBVTT\n\n# a\n\n# b\n')).toBe('vtt');
  expect(read('<!doctype html><html><body>\n\n# a\n\n# b\n\n</body></html>')).toBe('html');
});
