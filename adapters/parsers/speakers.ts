/** A line's speaker label and time, as in transcripts. */
export interface LabelledLine {
  speaker?: string;
  startMs?: number;
  /** The day before the time, as written: chat programs write both. */
  date?: string;
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

const written = String.raw`(?:\d{4}-\d{1,2}-\d{1,2}|\d{1,2}[./-]\d{1,2}[./-](?:\d{4}|\d{2}))`;
/** `[05.08.26, 09:15:22] `, `8/5/2026, 9:15 AM - `, `2026-08-05 09:15 ` */
const dated = new RegExp(String.raw`^\[?(${written})[,T ] ?(\d{1,2}:\d\d(?::\d\d)?)(?: ?[AaPp]\.?[Mm]\.?)?\]?(?: [-–—|])?:?\s+`);
const trailingDate = new RegExp(String.raw`[\s,([|–—-]{1,4}(${written}),?$`);
const trailingDay = /[\s,([|–—-]{1,4}(?:today|yesterday|heute|gestern|hoy|ayer|aujourd['’]hui|hier)(?: at| um| a las| à)?$/i;

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

  const day = dated.exec(head);
  if (day !== null) rest = rest.slice(day[0].length);
  const leading = day ?? /^(?:\[([\d:.,]{4,16})\]|\(([\d:.,]{4,16})\)|([\d:.,]{4,16})(?=\s))\s*(?:[-–—|]\s*)?/.exec(head);
  const leadingMs = parseTimestamp((day === null ? (leading?.[1] ?? leading?.[2] ?? leading?.[3]) : day[2]) ?? '');
  if (leadingMs !== undefined && day === null) {
    // A subtitle's timing is not a label.
    if (head.slice(0, 40).includes('-->')) return undefined;
    rest = rest.slice(leading![0].length);
  }

  const { speaker, startMs: trailingMs, date: trailingDate, text } = readSpeaker(rest);
  const startMs = leadingMs ?? trailingMs;
  // Without a speaker, a line with day and time is one of a log.
  if (speaker === undefined && (startMs === undefined || day !== null)) return undefined;
  const date = day?.[1] ?? trailingDate;
  return {
    ...(speaker === undefined ? {} : { speaker }),
    ...(startMs === undefined ? {} : { startMs }),
    ...(date === undefined ? {} : { date }),
    text,
  };
}

function readSpeaker(rest: string): LabelledLine {
  const head = rest.slice(0, headLength);
  const nick = /^<([^<>\n]{1,60})>\s+(?=\S)/.exec(head);
  if (nick !== null && /^[\p{L}\p{N}]/u.test(nick[1]!)) return { speaker: nick[1]!, text: rest.slice(nick[0].length).trim() };
  const colon = /:(?=\s|$)/.exec(head)?.index ?? -1;
  if (colon > 0) {
    const { name, ...at } = splitTrailingTime(head.slice(0, colon));
    if (isName(name)) return { speaker: name, ...at, text: rest.slice(colon + 1).trim() };
  }
  if (rest.length < headLength) {
    const { name, ...at } = splitTrailingTime(rest);
    if (at.startMs !== undefined && isName(name)) return { speaker: name, ...at, text: '' };
  }
  return { text: rest.trim() };
}

/** `Ann Lee (00:12)`, `Ann Lee, 5/8/2026 9:02 AM`, `Ann Lee  Today at 9:02 AM` → the name, the time and the day. */
function splitTrailingTime(label: string): { name: string; startMs?: number; date?: string } {
  const trimmed = label.trim();
  const clock = trimmed.replace(/(?<=\d) ?[AaPp]\.?[Mm]\.?(?=[)\]]?$)/, '');
  const at = Math.max(clock.lastIndexOf(' '), clock.lastIndexOf('\t'), clock.lastIndexOf('('), clock.lastIndexOf('['));
  const startMs = at < 0 ? undefined : parseTimestamp(clock.slice(at + 1).replace(/[)\]]$/, ''));
  if (startMs === undefined) return { name: trimmed };
  const before = clock.slice(0, at).trimEnd();
  const date = trailingDate.exec(before)?.[1];
  const name = before.replace(date === undefined ? trailingDay : trailingDate, '').replace(/[\s([|,–—-]+$/, '');
  return { name, startMs, ...(date === undefined ? {} : { date }) };
}

/** At most six words, starting with an upper-case letter (or one without case), without the punctuation of a sentence. */
function isName(name: string): boolean {
  if (name.length === 0 || name.length > 60 || noSpeakers.has(name.toLowerCase())) return false;
  if (!/^[\p{Lu}\p{Lt}\p{Lo}]/u.test(name) || /[!?;:"“”<>={}\\*#]|[.,]\s*$/.test(name.replace(/\b(?:[JS]r|Dr|Mrs?|Ms|Prof)\./g, '')))
    return false;
  // "Acme, 16 April 2026, 09:00" is the head of a document.
  return name.split(/\s+/).length <= 6 && !/(?<!\d)(?:19|20)\d\d(?!\d)/.test(name);
}

/**
 * Without labels that only look like ones. Where nearly all labels have times, a line without time belongs to the turn
 * above ("One thing: it fails"); elsewhere so does a phrase that occurs once, among speakers that recur.
 */
export function withoutPhrases(labels: readonly (LabelledLine | undefined)[]): (LabelledLine | undefined)[] {
  const found = labels.filter((label) => label !== undefined);
  const timed = found.filter((label) => label.startMs !== undefined);
  const known = new Set(timed.map((label) => label.speaker));
  const counts = new Map<string, number>();
  for (const { speaker } of found) if (speaker !== undefined) counts.set(speaker, (counts.get(speaker) ?? 0) + 1);
  const recurring = [...counts.values()].filter((count) => count > 1).length >= 2;
  const mostlyTimed = timed.length >= 2 && timed.length * 5 >= found.length * 4;
  return labels.map((label) => {
    if (label?.speaker === undefined || label.startMs !== undefined) return label;
    if (mostlyTimed) return known.has(label.speaker) ? label : undefined;
    return recurring && counts.get(label.speaker) === 1 && isPhrase(label.speaker) ? undefined : label;
  });
}

/** Several words, of which one that is no particle of a name is in lower case. */
const isPhrase = (speaker: string): boolean =>
  /\s/.test(speaker) &&
  speaker
    .split(/\s+/)
    .some(
      (word) => /^\p{Ll}/u.test(word) && !/^(?:van|von|der|den|de|del|della|da|dos|di|du|la|le|el|al|bin|ten|ter|zu|of|y|e)$/.test(word),
    );

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
