import { cueMetadata, readPayload, readTiming, toTurns, type Utterance } from './cues.ts';
import { decodeText } from './encoding.ts';
import type { Parsed, ParserAdapter } from './types.ts';
import { Warnings } from './warnings.ts';

/**
 * SubRip. The format has no standard, so everything between two timings is the cue's text (also across blank lines),
 * counters may be missing or wrong, and a cue with unreadable times keeps its text.
 */
export const srtParser: ParserAdapter = {
  format: 'srt',
  extensions: ['srt'],
  mediaTypes: ['application/x-subrip', 'text/srt', 'application/srt'],
  recognises: (bytes) =>
    /^(?:\u00EF\u00BB\u00BF)?\s{0,8}\d{1,6}[ \t]*\r?\n\d{1,3}:\d\d:\d\d[,.]\d{1,3}[ \t]*-->/.test(
      String.fromCharCode(...bytes.subarray(0, 64)),
    ),

  parse({ bytes }): Parsed {
    const decoded = decodeText(bytes);
    const warnings = new Warnings(decoded.warnings);
    const lines = decoded.text.split('\n');
    const utterances: Utterance[] = [];
    let cues = 0;
    let cue: { startMs?: number; endMs?: number; line: number; texts: string[] } = { line: 1, texts: [] };
    const flush = (): void => {
      for (const part of readPayload(cue.texts.join('\n'))) {
        const { startMs, endMs, line } = cue;
        utterances.push({ ...part, line, ...(startMs === undefined ? {} : { startMs }), ...(endMs === undefined ? {} : { endMs }) });
      }
    };
    for (const [i, line] of lines.entries()) {
      if (line.includes('-->')) {
        const timing = readTiming(line);
        if (timing?.startMs === undefined) warnings.add(`Line ${i + 1}: the times could not be read; the text is kept without them.`);
        flush();
        cues++;
        cue = { ...timing, line: i + 1, texts: [] };
      } else if (!isCounter(line, lines[i + 1])) {
        cue.texts.push(line);
      }
    }
    flush();
    if (cues === 0 && utterances.length > 0) warnings.add('No cue times were found.');
    const blocks = toTurns(utterances);
    return { format: 'srt', metadata: cueMetadata(cues, blocks, warnings), blocks };
  },
};

/** Only digits, directly before a timing. */
const isCounter = (line: string, next: string | undefined): boolean => next?.includes('-->') === true && /^\s*\d{1,9}\s*$/.test(line);
