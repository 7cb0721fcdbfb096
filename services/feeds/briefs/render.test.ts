import { expect, it } from 'vitest';
import { secretBox } from '../../../adapters/secrets/box.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Brief } from '../../../contracts/feeds/briefs.ts';
import { readToken, writeToken } from './links.ts';
import { briefMarkdown, briefPage } from './render.ts';
import { dayIn, endOfDay } from './settings.ts';

const brief: Brief = {
  brief_id: 'brief_1',
  version: 1,
  run_id: 'run_1',
  date: '2026-11-14',
  executive_summary: 'AI <script>alert(1)</script> [leads](javascript:alert(1)) *much*.',
  highlights: [
    {
      title: 'One ](https://evil.test) <img src=x onerror=alert(1)>',
      significance: 'It **matters**.',
      strategic_implications: '',
      url: 'https://one.test/a?x="y"',
      relevance_score: 9,
      categories: [],
      evidence: [
        { title: 'One', url: 'https://one.test/a', source: 'one', published_at: '2026-11-14T08:00:00Z', relevance_score: 9 },
        { title: 'Two', url: 'javascript:alert(2)', source: 'two', published_at: null, relevance_score: 8 },
      ],
    },
  ],
  topic_breakdown: { '<b>AI</b>': 2 },
  total_articles_analyzed: 2,
  generated_at: '2026-11-14T12:00:00.000Z',
  model: null,
  dropped_statements: 0,
  warnings: [],
};

it('a page has nothing of an article as markup, and leads nowhere but to the web', () => {
  const page = briefPage(brief);
  expect(page).not.toMatch(/<script|<img|<b>AI|href="javascript|onerror=alert\(1\)>/i);
  expect(page).toContain('href="https://one.test/a?x=%22y%22"');
  expect(page.match(/<a /g)).toHaveLength(2);
});

it('nor has its Markdown', () => {
  const text = briefMarkdown(brief);
  expect(text).toContain('# Brief of 2026-11-14');
  expect(text).toContain('AI \\<script\\>alert\\(1\\)\\</script\\> \\[leads\\]\\(javascript:alert\\(1\\)\\) \\*much\\*.');
  expect(text).toContain('## 1. [One \\]\\(https://evil.test\\) \\<img src=x onerror=alert\\(1\\)\\>](<https://one.test/a?x=%22y%22>)');
  expect(text).not.toContain('Implications');
  expect(text).toContain('Also told by two.');
  expect(text).not.toContain('](<javascript');
});

it('a link is good for its day and its time', () => {
  const folder = mkdtempSync(join(tmpdir(), 'brief-'));
  try {
    const secrets = secretBox(undefined, folder);
    const later = Math.floor(Date.now() / 1_000) + 60;
    const token = writeToken(secrets, 'acme', '2026-11-14', later);
    expect(readToken(secrets, '2026-11-14', token)).toBe('acme');
    const code = (date: string, given: string): unknown => {
      try {
        return readToken(secrets, date, given);
      } catch (error) {
        return (error as { code: string }).code;
      }
    };
    expect(code('2026-11-15', token)).toBe('UNAUTHORIZED');
    expect(code('2026-11-14', token.replace('acme', 'globex'))).toBe('UNAUTHORIZED');
    expect(code('2026-11-14', token.replace(String(later), String(later + 1)))).toBe('UNAUTHORIZED');
    expect(code('2026-11-14', '')).toBe('UNAUTHORIZED');
    expect(code('2026-11-14', writeToken(secrets, 'acme', '2026-11-14', later - 120))).toBe('GONE');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it('a day ends where its place says, also when clocks change', () => {
  expect(endOfDay('UTC', '2026-11-14').toISOString()).toBe('2026-11-14T23:59:59.999Z');
  expect(endOfDay('Europe/Berlin', '2026-10-25').toISOString()).toBe('2026-10-25T22:59:59.999Z');
  expect(endOfDay('Pacific/Kiritimati', '2026-11-14').toISOString()).toBe('2026-11-14T09:59:59.999Z');
  expect(endOfDay('Pacific/Pago_Pago', '2026-11-14').toISOString()).toBe('2026-11-15T10:59:59.999Z');
  expect(dayIn('America/New_York', new Date('2026-11-14T03:00:00Z'))).toBe('2026-11-13');
});
