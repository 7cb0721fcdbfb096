import { cueMetadata, readPayload, readTiming, toTurns, type Utterance } from './cues.ts';
import { decodeText } from './encoding.ts';
import type { Parsed, ParserAdapter } from './types.ts';
import { Warnings } from './warnings.ts';

/** WebVTT. Invalid cues are skipped with a warning, as in the standard's parser. */
export const vttParser: ParserAdapter = {
  format: 'vtt',
  extensions: ['vtt', 'webvtt'],
  mediaTypes: ['text/vtt'],
  recognises: (bytes) => /^(?:\u00EF\u00BB\u00BF)?WEBVTT(?:\s|$)/.test(String.fromCharCode(...bytes.subarray(0, 12))),

  parse({ bytes }): Parsed {
    const decoded = decodeText(bytes);
    const warnings = new Warnings(decoded.warnings);
    const lines = decoded.text.split('\n');
    const header = /^WEBVTT(?:[ \t]+(.{0,500}))?/.exec(lines[0] ?? '');
    if (header === null) warnings.add('The WEBVTT header is missing.');
    const title = header?.[1]?.replace(/^[-–—:\s]+/, '').trim();

    const utterances: Utterance[] = [];
    const notes: string[] = [];
    let cues = 0;
    let i = 0;
    if (header !== null) while (i < lines.length && !isBlank(lines[i]) && !lines[i]!.includes('-->')) i++;
    while (i < lines.length) {
      if (isBlank(lines[i])) {
        i++;
        continue;
      }
      const line = lines[i]!;
      if (!line.includes('-->') && /^(?:NOTE|STYLE|REGION)(?:\s|$)/.test(line)) {
        const from = i;
        i = skipBlock(lines, i);
        if (line.startsWith('NOTE') && notes.length < maxNotes) notes.push(noteOf(lines.slice(from, i)));
        continue;
      }
      // A line without an arrow before a timing is the cue's id.
      const at = line.includes('-->') ? i : i + 1;
      const timing = readTiming(lines[at] ?? '');
      if (timing?.startMs === undefined || timing.endMs === undefined) {
        warnings.add(`Line ${at + 1}: skipped a cue without readable times.`);
        i = skipBlock(lines, i);
        continue;
      }
      let end = at + 1;
      while (end < lines.length && !isBlank(lines[end]) && !lines[end]!.includes('-->')) end++;
      cues++;
      for (const part of readPayload(lines.slice(at + 1, end).join('\n'))) {
        utterances.push({ ...part, startMs: timing.startMs, endMs: timing.endMs, line: at + 1 });
      }
      i = end;
    }
    const blocks = toTurns(utterances);
    return {
      format: 'vtt',
      ...(title === undefined || title === '' ? {} : { title }),
      metadata: { ...cueMetadata(cues, blocks, warnings), ...(notes.some(Boolean) ? { notes: notes.filter(Boolean) } : {}) },
      blocks,
    };
  },
};

/** Recorders write date, title and participants into remarks. */
const maxNotes = 20;
const maxNoteLength = 1000;

const noteOf = (lines: readonly string[]): string =>
  lines
    .join('\n')
    .replace(/^NOTE\s*/, '')
    .trim()
    .slice(0, maxNoteLength);

const isBlank = (line: string | undefined): boolean => line === undefined || line.trim() === '';

function skipBlock(lines: readonly string[], from: number): number {
  let i = from;
  while (i < lines.length && !isBlank(lines[i])) i++;
  return i;
}
