import { readFile } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import MarkdownIt from 'markdown-it';
import { pageHeaders, style } from './landing.ts';

/** `/docs`: every tool with its arguments and answers. `/docs/runbooks`: what alerts link to. Each is rendered once. */
export function installDocs(app: FastifyInstance): void {
  for (const [path, name] of [
    ['/docs', 'tools'],
    ['/docs/runbooks', 'runbooks'],
  ] as const) {
    let page: Promise<string> | null = null;
    app.get(path, async (_request, reply) => {
      page ??= readFile(new URL(`../../docs/${name}.md`, import.meta.url), 'utf8').then((text) => markdownPage(name, text));
      return await reply.headers(pageHeaders).send(await page);
    });
  }
}

/** Markdown as a page of this server. */
export function markdownPage(title: string, text: string): string {
  const markdown = new MarkdownIt({ html: false });
  // Headings get ids for the table of contents.
  markdown.renderer.rules['heading_open'] = (tokens, i, options, _env, self) => {
    const text = tokens[i + 1]?.content ?? '';
    tokens[i]!.attrSet(
      'id',
      text
        .toLowerCase()
        .replace(/[^\p{L}\p{N}_ -]/gu, '')
        .replaceAll(' ', '-'),
    );
    return self.renderToken(tokens, i, options);
  };
  // Comments are for editors of the file.
  const body = markdown.render(text.replace(/<!--[\s\S]*?-->/g, ''));
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Signalbox: ${title}</title><style>${style}h3{margin-top:2rem}main pre{border:1px solid}</style></head><body><main>
<p><a href="/">Signalbox</a> · <a href="/docs">tools</a> · <a href="/docs/api">HTTP API</a></p>${body}</main></body></html>
`;
}
