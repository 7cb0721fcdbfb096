import { createHash } from 'node:crypto';
import type { PartJson } from '../../contracts/agents/a2a.ts';
import type { Draft } from './router-needs.ts';
import { parted, quoted } from './router-reading.ts';
import { dateIn, urlsIn } from './router-words.ts';

/** What is longer is no order. */
const longestOrder = 4_000;

const titled = /\b(?:titled|entitled|named|called|with (?:the )?title|title)[\s:]*$/i;

/** Which tool takes a content in, and its arguments. */
export function ingest(text: string, files: PartJson[]): Omit<Draft, 'skill'> {
  const { head: said, rest } = parted(text);
  const head = said.slice(0, longestOrder);
  const title = titleIn(head);
  const [file] = files;
  if (file?.url !== undefined) return byUrl(file.url, head);
  if (file?.text !== undefined) return byText(file.text, title ?? file.filename, head);
  if (file?.raw !== undefined) return byBytes(file, title);
  const [url] = urlsIn(head);
  if (url !== undefined && rest === '') return byUrl(url, head);
  return byText(rest, title, head);
}

function titleIn(head: string): string | undefined {
  for (const words of quoted(head)) if (titled.test(head.slice(0, Math.max(0, head.indexOf(words) - 1)))) return words;
  return undefined;
}

function byUrl(url: string, head: string): Omit<Draft, 'skill'> {
  if (/^https?:\/\/(?:www\.|m\.)?(?:youtube\.com\/|youtu\.be\/)/i.test(url))
    return { tool: 'ingest.youtube.submit', arguments: { video_url: url } };
  const follows =
    /\b(?:follow(?:ing)?(?: the)? links|whole (?:site|website|help cent(?:er|re)|docs)|entire site|sub-?pages|linked pages|crawl)\b/i.test(
      head,
    );
  return { tool: 'ingest.url.submit', arguments: { url, depth: follows ? 1 : 0 } };
}

function byText(content: string, title: string | undefined, head: string): Omit<Draft, 'skill'> {
  const spoken = /\b(?:transcript|recording|call notes|meeting minutes)\b/i.test(head) || /^WEBVTT\b/.test(content);
  const date = spoken ? dateIn(head) : undefined;
  const named = title ?? (content === '' ? undefined : firstWords(content));
  return {
    tool: spoken ? 'ingest.transcript.submit' : 'ingest.document.submit',
    arguments: {
      ...(content === '' ? {} : { content }),
      ...(named === undefined ? {} : { title: named }),
      ...(date === undefined ? {} : { date }),
    },
  };
}

/** Bytes are uploaded first (see perform.ts); what is ingested is their hash. */
function byBytes(file: PartJson, title: string | undefined): Omit<Draft, 'skill'> {
  const bytes = Buffer.from(file.raw ?? '', 'base64');
  const type = (file.mediaType ?? '').toLowerCase();
  if (type.startsWith('text/') && !type.startsWith('text/html')) {
    return byText(bytes.toString('utf8'), title ?? file.filename, type === 'text/vtt' ? 'transcript' : '');
  }
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const named = title ?? file.filename;
  return {
    tool: 'ingest.content.submit',
    arguments: { source: { kind: 'artifact', sha256, ...(named === undefined ? {} : { title: named }) } },
  };
}

/** A title for what has none: its first line, cut at a word. */
function firstWords(content: string): string {
  const line = content
    .trimStart()
    .split('\n', 1)[0]!
    .replace(/^#+\s*/, '')
    .trim();
  return line.length <= 80 ? line : `${line.slice(0, 80).replace(/\s+\S*$/, '')}…`;
}
