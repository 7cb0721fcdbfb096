import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { manifestHash, normaliseEntries, normalisePath } from './rules.ts';

const entry = (path: string) => ({ path, artifact_sha256: 'a'.repeat(64) });

describe('paths of a manifest', () => {
  it('have one spelling', () => {
    expect(normalisePath('./a//b/./c.txt')).toBe('a/b/c.txt');
    expect(normalisePath('u\u0308ber.md')).toBe('\u00fcber.md');
    expect(normalisePath('..a/b..')).toBe('..a/b..');
  });

  it.each([
    ['/etc/passwd', 'absolute'],
    ['C:/x', 'absolute'],
    ['a/../../b', 'upwards'],
    ['..', 'upwards'],
    ['a\\b', 'backslash'],
    ['a\nb', 'print'],
    ['', 'empty'],
    ['.', 'empty'],
    ['a/', 'folder'],
    ['\ud800', 'print'],
    ['é'.repeat(600), 'longer'],
  ])('%j is refused', (path, why) => {
    expect(() => normalisePath(path)).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR', message: expect.stringContaining(why) }));
  });

  it('come in one order, each once, and none is file and folder at once', () => {
    expect(normaliseEntries(['b', 'a/x', 'B', '\u{1F994}', '\uFFFD'].map(entry)).map(({ path }) => path)).toEqual([
      'B',
      'a/x',
      'b',
      '\uFFFD',
      '\u{1F994}',
    ]);
    expect(() => normaliseEntries([entry('a/b'), entry('./a//b')])).toThrow(/more than once/);
    expect(() => normaliseEntries([entry('a/b/c'), entry('a/b')])).toThrow(/both a file and a folder/);
  });
});

describe('the name of a manifest', () => {
  it('is the SHA-256 of its canonical JSON', () => {
    const sha = 'f'.repeat(64);
    const made = manifestHash([{ path: 'a', artifact_sha256: sha, media_type: 'text/plain', size: 3 }], { b: 1, a: [2] });
    const canonical = `{"entries":[{"artifact_sha256":"${sha}","media_type":"text/plain","path":"a","size":3}],"metadata":{"a":[2],"b":1}}`;
    expect(made).toBe(createHash('sha256').update(canonical).digest('hex'));
  });
});
