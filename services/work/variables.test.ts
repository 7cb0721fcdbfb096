import { describe, expect, it } from 'vitest';
import { filled, variablesOf } from './variables.ts';

const words = { title: 'Release {{version}}', description: 'Tag {{ version }}, tell {{who}}.', tags: ['release-{{version}}'] };

describe('variables of a template', () => {
  it('are found once each and filled in everywhere', () => {
    expect(variablesOf(words)).toEqual(['version', 'who']);
    expect(filled(words, { version: '1.2', who: 'ops' })).toEqual({
      title: 'Release 1.2',
      description: 'Tag 1.2, tell ops.',
      tags: ['release-1.2'],
    });
  });

  it('are refused when missing or unknown, with their names', () => {
    expect(() => filled(words, { version: '1', whom: 'x' })).toThrow(/Missing: who\. Unknown: whom\./);
    expect(() => filled(words, { version: '1', __proto__: 'x' })).toThrow(/Missing: who/);
  });

  it('keep hostile values as text', () => {
    const { title, description } = filled(words, { version: '$& $1 {{who}}', who: '{{version}}' });
    expect(title).toBe('Release $& $1 {{who}}');
    expect(description).toBe('Tag $& $1 {{who}}, tell {{version}}.');
    expect(() => filled(words, { version: 'x'.repeat(300), who: '' })).toThrow(/300|308/);
    expect(variablesOf({ title: '{{'.repeat(5_000), description: '{{ a', tags: ['{{1}}'] })).toEqual([]);
  });
});
