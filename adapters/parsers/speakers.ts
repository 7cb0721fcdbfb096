/** A line's speaker label and time, as in transcripts. */
export interface LabelledLine {
  speaker?: string;
  startMs?: number;
  /** The text on the same line; empty for a separate label line. */
  text: string;
}

/** Labels and times are at the start of a line; only this part is read. */
const headLength = 120;

/** Words before a colon that are not persons: log levels, mail headers, remarks. */
const noSpeakers = new Set(
  'note notes todo fixme warning warn error info debug trace fatal hint tip example http https ftp mailto from to cc bcc subject date time re fwd attachments'.split(
    ' ',
  ),
);

/**
 * Milliseconds of `1:02:03.450`, `02:03,45`, `00:12` (hours and fraction optional, comma or dot), or undefined.
 * Minutes over 59 are accepted as the first part, as some tools write them.
 */
export function parseTimestamp(text: string): number | undefined {
  if (text.length > 16) return undefined;
  const parts = /^(?:(\d{1,4}):)?(\d{1,3}):(\d{1,2})(?:[.,:](\d{1,3}))?$/.exec(text);
  if (parts === null) return undefined;
  const [, hours = '0', minutes = '0', seconds = '0', fraction = ''] = parts;
  if (Number(seconds) > 59) return undefined;
  return ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + Number(fraction.padEnd(3, '0'));
}

/**
 * Parses `Speaker: text`, `[00:01:02] Speaker: text`, `00:01:02 Speaker: text`, `Speaker (00:12): text`, `[00:12]
 * text`, and the separate label line `Speaker 0:12`. Undefined when the line has no label.
 */
export function readLabel(line: string): LabelledLine | undefined {
  let rest = line.trimStart();
  if (rest.startsWith('>>')) rest = rest.replace(/^>{2,3}\s*/, '');
  const head = rest.slice(0, headLength);

  const leading = /^(?:\[([\d:.,]{4,16})\]|\(([\d:.,]{4,16})\)|([\d:.,]{4,16})(?=\s))\s*(?:[-–—|]\s*)?/.exec(head);
  const leadingMs = parseTimestamp(leading?.[1] ?? leading?.[2] ?? leading?.[3] ?? '');
  if (leadingMs !== undefined) {
    // A subtitle's timing is not a label.
    if (head.slice(0, 40).includes('-->')) return undefined;
    rest = rest.slice(leading![0].length);
  }

  const { speaker, startMs: trailingMs, text } = readSpeaker(rest);
  const startMs = leadingMs ?? trailingMs;
  if (speaker === undefined && startMs === undefined) return undefined;
  return { ...(speaker === undefined ? {} : { speaker }), ...(startMs === undefined ? {} : { startMs }), text };
}

function readSpeaker(rest: string): LabelledLine {
  const head = rest.slice(0, headLength);
  const colon = /:(?=\s|$)/.exec(head)?.index ?? -1;
  if (colon > 0) {
    const { name, startMs } = splitTrailingTime(head.slice(0, colon));
    if (isName(name)) return { speaker: name, ...(startMs === undefined ? {} : { startMs }), text: rest.slice(colon + 1).trim() };
  }
  if (rest.length < headLength) {
    const { name, startMs } = splitTrailingTime(rest);
    if (startMs !== undefined && isName(name)) return { speaker: name, startMs, text: '' };
  }
  return { text: rest.trim() };
}

/** `Ann Lee (00:12)` → the name and the time. */
function splitTrailingTime(label: string): { name: string; startMs?: number } {
  const trimmed = label.trim();
  const at = Math.max(trimmed.lastIndexOf(' '), trimmed.lastIndexOf('\t'), trimmed.lastIndexOf('('), trimmed.lastIndexOf('['));
  const startMs = at < 0 ? undefined : parseTimestamp(trimmed.slice(at + 1).replace(/[)\]]$/, ''));
  return startMs === undefined ? { name: trimmed } : { name: trimmed.slice(0, at).replace(/[\s([|,–-]+$/, ''), startMs };
}

/** At most six words, starting with an upper-case letter (or one without case), without the punctuation of a sentence. */
function isName(name: string): boolean {
  if (name.length === 0 || name.length > 60 || noSpeakers.has(name.toLowerCase())) return false;
  if (!/^[\p{Lu}\p{Lt}\p{Lo}]/u.test(name) || /[!?;:"“”<>={}\\*#]|[.,]\s*$/.test(name.replace(/\b(?:[JS]r|Dr|Mrs?|Ms|Prof)\./g, '')))
    return false;
  return name.split(/\s+/).length <= 6;
}

/**
 * Whether labelled lines form a transcript: they begin at least half of all paragraphs, and either have times or
 * recurring speakers (a list of `Key: value` pairs rarely repeats a key).
 * @param labels the labels found, in order
 * @param unlabelled number of paragraphs without label
 */
export function looksLikeTranscript(labels: readonly LabelledLine[], unlabelled: number): boolean {
  const timed = labels.filter((label) => label.startMs !== undefined).length;
  const named = labels.filter((label) => label.speaker !== undefined);
  const speakers = new Set(named.map((label) => label.speaker)).size;
  if (labels.length < unlabelled) return false;
  if (timed >= 2 && timed * 2 >= labels.length) return true;
  return named.length >= 3 && speakers * 3 <= named.length * 2;
}
