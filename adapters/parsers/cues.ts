import type { Block } from './types.ts';
import { looksLikeTranscript, parseTimestamp, readLabel } from './speakers.ts';
import type { Warnings } from './warnings.ts';

/** One speaker's text in one cue. */
export interface Utterance {
  text: string;
  speaker?: string;
  startMs?: number;
  endMs?: number;
  /** 1-based line of the cue's timing. */
  line: number;
}

/** A turn of this many characters ends at the next sentence, to keep its times useful for citations. */
const turnSoftLimit = 300;
const turnHardLimit = 600;
const maxSpeakerLength = 60;
const maxTagLength = 300;

/** `start --> end settings`; the times are undefined when they cannot be read. Undefined for other lines. */
export function readTiming(line: string): { startMs?: number; endMs?: number } | undefined {
  const arrow = line.indexOf('-->');
  if (arrow < 0 || line.length > 1000) return undefined;
  const startMs = parseTimestamp(line.slice(0, arrow).trim());
  const endMs = parseTimestamp(
    line
      .slice(arrow + 3)
      .trim()
      .split(/\s/, 1)[0] ?? '',
  );
  return startMs === undefined || endMs === undefined ? {} : { startMs, endMs };
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', lrm: '', rlm: '' };

function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([a-z]{2,4}));/g, (whole, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return entities[name] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : whole;
  });
}

/**
 * Splits a cue's payload at its voice tags (`<v Speaker>`), drops all other tags (`<i>`, `<c.red>`, `<00:01.000>`,
 * `<font …>`, SubStation `{\an8}`) and decodes entities. A lone `<` stays text. Linear in the payload.
 */
export function readPayload(payload: string): { speaker?: string; text: string }[] {
  const parts: { speaker?: string; text: string }[] = [];
  let speaker: string | undefined;
  let pieces: string[] = [];
  const flush = (): void => {
    const text = decodeEntities(pieces.join('')).replace(/\s+/g, ' ').trim();
    if (text !== '') parts.push(speaker === undefined ? { text } : { speaker, text });
    pieces = [];
  };
  let at = 0;
  while (at < payload.length) {
    const open = payload.indexOf('<', at);
    if (open < 0) break;
    pieces.push(payload.slice(at, open));
    // No tag is longer; a longer search would be quadratic for a run of "<".
    const ahead = payload.slice(open + 1, open + maxTagLength);
    const close = ahead.indexOf('>');
    if (close < 0) {
      pieces.push('<');
      at = open + 1;
      continue;
    }
    const tag = ahead.slice(0, close);
    at = open + 1 + close + 1;
    if (/^v[.\s]/.test(tag)) {
      flush();
      const name = decodeEntities(tag.replace(/^v\S*/, '')).replace(/\s+/g, ' ').trim().slice(0, maxSpeakerLength);
      speaker = name === '' ? undefined : name;
    } else if (tag === '/v') {
      flush();
      speaker = undefined;
    } else if (!/^\/?[a-zA-Z]|^\d\d:|^\/?$/.test(tag)) {
      // "a < b > c" is not a tag.
      pieces.push('<');
      at = open + 1;
    }
  }
  pieces.push(payload.slice(at));
  flush();
  for (const part of parts) part.text = part.text.replace(/\{\\[^{}]{0,80}\}/g, '').trim();
  return parts.filter((part) => part.text !== '');
}

/** Some tools write `Ann: text` instead of voice tags. If the whole file does so, the labels become speakers. */
function adoptLabels(utterances: Utterance[]): void {
  if (utterances.some((utterance) => utterance.speaker !== undefined)) return;
  const labels = utterances.map((utterance) => readLabel(utterance.text));
  const found = labels.filter((label) => label?.speaker !== undefined && label.text !== '');
  // Cues split sentences, so most lines may have no label; only recurring speakers are required.
  if (
    !looksLikeTranscript(
      found.map((label) => ({ speaker: label!.speaker!, text: '' })),
      0,
    )
  )
    return;
  let current: string | undefined;
  for (const [i, utterance] of utterances.entries()) {
    const label = labels[i];
    if (label?.speaker !== undefined && label.text !== '') {
      current = label.speaker;
      utterance.text = label.text;
    }
    if (current !== undefined) utterance.speaker = current;
  }
}

/** Joins consecutive text of one speaker into turns of a few sentences, each with start and end. */
export function toTurns(utterances: Utterance[]): Block[] {
  adoptLabels(utterances);
  const blocks: Block[] = [];
  let open: { speaker: string | undefined; texts: string[]; length: number; block: Block } | undefined;
  const close = (): void => {
    if (open !== undefined) open.block.text = open.texts.join(' ');
    open = undefined;
  };
  for (const { text, speaker, startMs, endMs, line } of utterances) {
    if (open !== undefined) {
      const last = open.texts.at(-1) ?? '';
      const full =
        open.length + text.length > turnHardLimit || (open.length > turnSoftLimit && /[.!?…。！？]["”’)]?$/.test(last.slice(-3)));
      if (open.speaker !== speaker || full || startMs === undefined) close();
    }
    if (open === undefined) {
      const place = {
        line,
        ...(startMs === undefined ? {} : { startMs }),
        ...(endMs === undefined ? {} : { endMs }),
        ...(speaker === undefined ? {} : { speaker }),
      };
      open = { speaker, texts: [], length: 0, block: { kind: 'turn', text: '', place } };
      blocks.push(open.block);
    }
    open.texts.push(text);
    open.length += text.length + 1;
    if (endMs !== undefined) open.block.place.endMs = Math.max(open.block.place.endMs ?? 0, endMs);
  }
  close();
  return blocks;
}

/** Metadata of every subtitle format. */
export function cueMetadata(cues: number, turns: readonly Block[], warnings: Warnings): Record<string, unknown> {
  const speakers = [...new Set(turns.flatMap((turn) => turn.place.speaker ?? []))];
  const durationMs = turns.reduce((longest, turn) => Math.max(longest, turn.place.endMs ?? 0), 0);
  return { cues, durationMs, ...(speakers.length === 0 ? {} : { speakers }), ...warnings.toMetadata() };
}
