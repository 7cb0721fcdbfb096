import { describe, expect, it } from 'vitest';
import type { SearchHit } from '../../contracts/knowledge/knowledge.ts';
import { examplesOf, languageName } from './code-examples.ts';

const hit = (content: string, blocks: { language?: string; code: string }[], context = 'Guide › Tokens'): SearchHit => ({
  content,
  source: 'Guide',
  source_id: 'source_1',
  document_id: 'doc_1',
  url: 'https://docs.example/guide',
  score: 0.8,
  citation: 'doc_1#0',
  metadata: { kb_id: 'default', type: 'document', tags: [], context, has_code: true, place: {}, scores: {} },
  code_examples: blocks,
});

describe('languageName', () => {
  it.each([
    ['JS', 'javascript'],
    ['jsx', 'javascript'],
    ['py', 'python'],
    ['Python', 'python'],
    ['ts', 'typescript'],
    ['sh', 'bash'],
    ['C++', 'cpp'],
    ['c#', 'csharp'],
    ['{.js .numberLines}', 'javascript'],
    ['python title="a.py"', 'python'],
    ['brainfuck', 'brainfuck'],
  ])('%s is %s', (given, name) => {
    expect(languageName(given)).toBe(name);
  });
});

describe('examplesOf', () => {
  const passage = hit('Verify it like this:\n\n```py\nverify(token)\n```\n\nIt raises when it has expired.', [
    { language: 'py', code: 'verify(token)\n' },
  ]);

  it('gives code with the surrounding text and its place', () => {
    expect(examplesOf([passage], { limit: 5 })).toEqual([
      {
        code: 'verify(token)',
        language: 'py',
        context: 'Guide › Tokens\nVerify it like this:\nIt raises when it has expired.',
        source: 'Guide',
        source_id: 'source_1',
        url: 'https://docs.example/guide',
        citation: 'doc_1#0',
        score: 0.8,
      },
    ]);
  });

  it('takes a language by any of its names, and code once', () => {
    const hits = [
      passage,
      hit('x', [{ language: 'javascript', code: 'verify()' }, { code: 'no language' }]),
      hit('y', [{ language: 'python', code: 'verify(token)' }, { language: 'Python3', code: 'other()' }, { code: '  ' }]),
    ];
    expect(examplesOf(hits, { language: 'python', limit: 5 }).map((each) => each.code)).toEqual(['verify(token)', 'other()']);
    expect(examplesOf(hits, { language: 'JS', limit: 5 }).map((each) => each.code)).toEqual(['verify()']);
    expect(examplesOf(hits, { limit: 5 })).toHaveLength(4);
    expect(examplesOf(hits, { limit: 2 })).toHaveLength(2);
    expect(examplesOf(hits, { language: 'go', limit: 5 })).toEqual([]);
  });

  it('keeps the context short, and copes with fences of any length that are never closed', () => {
    const long = hit(`${'words '.repeat(500)}\n\n~~~~js\na\n~~~~\n\`\`\`\`js\nb`, [{ language: 'js', code: 'a' }]);
    const [example] = examplesOf([long], { limit: 1 });
    expect(example!.context).toHaveLength(500);
    expect(examplesOf([hit('````js\nb\n```\nc', [{ code: 'b' }], '')], { limit: 1 })[0]!.context).toBe('');
  });
});
