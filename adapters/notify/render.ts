/** Renders messages for each channel. Markdown is supported; HTML, images and mentions are not. */
import MarkdownIt from 'markdown-it';
import type { NotificationMessage } from '../../contracts/outbound/notifications.ts';

/** No images, because they would report readers to another server; no automatic links. */
const markdown = new MarkdownIt({ html: false, linkify: false }).disable('image');
// Allowed links: web pages and e-mail addresses.
markdown.validateLink = (url) => /^(https?:|mailto:)/i.test(url.trim());

type Token = ReturnType<typeof markdown.parse>[number];

/** Slack's limit; a notification is short anyway. */
const slackLength = 12_000;

/** One line without control and bidirectional characters. */
export const oneLine = (text: string): string =>
  text
    .replace(/\s+/gu, ' ')
    .replace(/[\p{Cc}\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/gu, '')
    .trim();

/** Escapes `<!channel>`, `<@U1>` and links: Slack interprets only text in angle brackets. */
const slackText = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** In Slack's mrkdwn. */
export function slackMessage({ title, body, url }: NotificationMessage): string {
  const heading = `*${slackText(oneLine(title)).replaceAll('*', '')}*`;
  const text = blocks(markdown.parse(body, {})).trim();
  const link = url === undefined ? '' : `<${slackUrl(url)}>`;
  const room = slackLength - heading.length - link.length;
  const cut = text.length <= room ? text : `${text.slice(0, text.lastIndexOf('\n', room) > 0 ? text.lastIndexOf('\n', room) : room)}\n…`;
  return [heading, cut, link].filter(Boolean).join('\n');
}

const slackUrl = (url: string): string => slackText(url).replaceAll('|', '%7C').replace(/\s/g, '%20');

function blocks(tokens: Token[]): string {
  let text = '';
  const lists: { ordered: boolean; next: number }[] = [];
  for (const token of tokens) {
    const list = lists.at(-1);
    if (token.type === 'bullet_list_open') lists.push({ ordered: false, next: 1 });
    else if (token.type === 'ordered_list_open') lists.push({ ordered: true, next: Number(token.attrGet('start') ?? 1) });
    else if (token.type === 'bullet_list_close' || token.type === 'ordered_list_close') {
      lists.pop();
      if (lists.length === 0) text += '\n';
    } else if (token.type === 'list_item_open' && list) {
      text += `${'    '.repeat(lists.length - 1)}${list.ordered ? `${list.next}.` : '•'} `;
      list.next += 1;
    } else if (token.type === 'heading_open' || token.type === 'heading_close') text += token.type === 'heading_open' ? '*' : '*\n';
    else if (token.type === 'inline') text += spans(token.children ?? []);
    else if (token.type === 'fence' || token.type === 'code_block') {
      text += `\`\`\`\n${slackText(token.content).replaceAll('```', "'''")}\`\`\`\n`;
    } else if (token.type === 'paragraph_close') text += lists.length > 0 ? '\n' : '\n\n';
    else if (token.type === 'th_close' || token.type === 'td_close') text += ' | ';
    else if (token.type === 'tr_close' || token.type === 'hr') text += '\n';
  }
  return text;
}

function spans(tokens: Token[]): string {
  let text = '';
  for (const token of tokens) {
    if (token.type === 'text') text += slackText(token.content);
    else if (token.type === 'code_inline') text += `\`${slackText(token.content)}\``;
    else if (token.type === 'softbreak' || token.type === 'hardbreak') text += '\n';
    else if (token.type === 'strong_open' || token.type === 'strong_close') text += '*';
    else if (token.type === 'em_open' || token.type === 'em_close') text += '_';
    else if (token.type === 's_open' || token.type === 's_close') text += '~';
    else if (token.type === 'link_open') text += `<${slackUrl(String(token.attrGet('href') ?? ''))}|`;
    else if (token.type === 'link_close') text += '>';
  }
  return text;
}

/** The Markdown is readable as it is; the address is appended. */
export const plainMessage = ({ body, url }: NotificationMessage): string => [body.trim(), url].filter(Boolean).join('\n\n');

export function htmlMessage({ title, body, url }: NotificationMessage): string {
  const link = url === undefined ? '' : `<p><a href="${attribute(url)}">${attribute(url)}</a></p>`;
  return `<!doctype html><html><head><meta charset="utf-8"><title>${attribute(oneLine(title))}</title></head><body>${markdown.render(body)}${link}</body></html>`;
}

const attribute = (text: string): string => slackText(text).replaceAll('"', '&quot;');
