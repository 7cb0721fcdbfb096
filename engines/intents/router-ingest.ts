import { createHash } from 'node:crypto';
import type { PartJson } from '../../contracts/agents/a2a.ts';
import { parted, quoted } from './router-reading.ts';
import { dateIn, given, rx, urlsIn, type Args } from './router-words.ts';

type Call = { tool: string; arguments: Args };

/** A longer text is not an instruction. */
const longestOrder = 4_000;

const titled = rx`\b(titled|entitled|named|called|with (the )?title|title)[\s:]*$`;
const follows = rx`\b(follow(ing)?( the)? links|whole (site|website|help cent(er|re)|docs)|entire site|sub-?pages|linked pages|crawl)\b`;

/** The tool that ingests a content, and its arguments. */
export function ingest(text: string, files: PartJson[]): Call {
  const { head: said, rest } = parted(text);
  const head = said.slice(0, longestOrder);
  const title = quoted(head).find((words) => titled.test(head.slice(0, Math.max(0, head.indexOf(words) - 1))));
  const [file] = files;
  if (file?.url !== undefined) return byUrl(file.url, head);
  if (file?.text !== undefined) return byText(file.text, title ?? file.filename, head);
  if (file?.raw !== undefined) return byBytes(file, title ?? file.filename);
  const [url] = urlsIn(head);
  return url !== undefined && rest === '' ? byUrl(url, head) : byText(rest, title, head);
}

function byUrl(url: string, head: string): Call {
  if (/^https?:\/\/(?:www\.|m\.)?(?:youtube\.com\/|youtu\.be\/)/i.test(url))
    return { tool: 'ingest.youtube.submit', arguments: { video_url: url } };
  return { tool: 'ingest.url.submit', arguments: { url, depth: follows.test(head) ? 1 : 0 } };
}

function byText(content: string, title: string | undefined, head: string): Call {
  const spoken = /\b(?:transcript|recording|call notes|meeting minutes)\b/i.test(head) || /^WEBVTT\b/.test(content);
  return {
    tool: spoken ? 'ingest.transcript.submit' : 'ingest.document.submit',
    arguments: given({ content, title: title ?? firstWords(content), date: spoken ? dateIn(head) : undefined }),
  };
}

/** Bytes are uploaded first (see perform.ts) and then ingested by their hash. */
function byBytes(file: PartJson, title: string | undefined): Call {
  const bytes = Buffer.from(file.raw ?? '', 'base64');
  const type = (file.mediaType ?? '').toLowerCase();
  if (type.startsWith('text/') && !type.startsWith('text/html'))
    return byText(bytes.toString('utf8'), title, type === 'text/vtt' ? 'transcript' : '');
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { tool: 'ingest.content.submit', arguments: { source: { kind: 'artifact', sha256, ...given({ title }) } } };
}

/** A title for content without one: its first line, cut at a word. */
function firstWords(content: string): string {
  const line = content
    .trimStart()
    .split('\n', 1)[0]!
    .replace(/^#+\s*/, '')
    .trim();
  return line.length <= 80 ? line : `${line.slice(0, 80).replace(/\s+\S*$/, '')}…`;
}
