import { describe, expect, it } from 'vitest';
import { htmlMessage, oneLine, plainMessage, slackMessage } from './render.ts';

describe('in mrkdwn', () => {
  it('has headings, nested lists, code, quotes of strangers and tables as text', () => {
    const body =
      '# One\n\ntwo\nlines\n\n1. first\n2. second\n   - inner\n\n```js\na < b && c\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n~~gone~~ _so_';
    expect(slackMessage({ title: 'T', body })).toBe(
      '*T*\n*One*\ntwo\nlines\n\n1. first\n2. second\n    • inner\n\n```\na &lt; b &amp;&amp; c\n```\na | b | \n1 | 2 | \n~gone~ _so_',
    );
  });

  it('is cut at a line when it is long, and keeps its link', () => {
    const text = slackMessage({
      title: 'T',
      body: Array.from({ length: 3_000 }, (_, i) => `- line ${i}`).join('\n'),
      url: 'https://example.com/x',
    });
    expect(text.length).toBeLessThan(12_100);
    expect(text).toMatch(/line \d+\n…\n<https:\/\/example\.com\/x>$/);
  });

  it('never lets a code block end early or a link carry markup', () => {
    const text = slackMessage({ title: 'T', body: '````\n```\n<!channel>\n````', url: 'https://example.com/?a=<b>|c d' });
    expect(text.match(/```/g)).toHaveLength(2);
    expect(text.match(/<(?!https)/g)).toBeNull();
    expect(text.endsWith('<https://example.com/?a=&lt;b&gt;%7Cc%20d>')).toBe(true);
  });
});

describe('in HTML', () => {
  it('has no markup of strangers, no images and no links but to pages', () => {
    const html = htmlMessage({
      title: '</title><script>',
      body: '<img src=x onerror=alert(1)> ![t](https://evil.test/p.png) [a](javascript:alert(1)) [b](data:text/html,x) [c](https://ok.test)',
      url: 'https://example.com/"onmouseover="x',
    });
    expect(html).not.toMatch(/<img|<script|href="javascript|href="data|"onmouseover/);
    expect(html).toContain('<a href="https://ok.test">c</a>');
    expect(html).toContain('&quot;onmouseover=');
  });
});

it('plain text is the body and the link', () => {
  expect(plainMessage({ title: 'T', body: ' a ', url: 'https://example.com/' })).toBe('a\n\nhttps://example.com/');
  expect(oneLine('a\r\nBcc:\tb\u202Ec\u0000')).toBe('a Bcc: bc');
});
