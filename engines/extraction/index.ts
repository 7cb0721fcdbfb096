import { nameKey } from '../text/names.ts';
import { assertions } from './assertions.ts';
import { agree, inFull } from './document.ts';
import { features } from './features.ts';
import { gramsOf } from './grams.ts';
import { problems, tickets } from './issues.ts';
import { knownNames } from './known.ts';
import { castNames, castOf, customerFields, typePeople } from './people.ts';
import { properNames } from './proper.ts';
import { quoted } from './quoted.ts';
import { evidenceOf, isName, settle, type Span } from './spans.ts';
import { talkOf } from './talk.ts';
import { themesOf } from './themes.ts';
import { titleMentions, titleName } from './title.ts';
import { scan } from './tokens.ts';
import type { Extracted, ExtractionInput, Mention } from './types.ts';

/** Change it when the rules change: documents extracted under another id are extracted again. */
export const extractorId = 'rules-2';

/** Maximum keys to look up, per passage on average. */
const keysPerPassage = 100;
/** Maximum mentions per passage: the most certain. */
const maxMentions = 40;

/**
 * Keys of possible known names, capitalized ones first.
 * @returns distinct keys, at most 100 per passage (and at least 500)
 */
export function candidateKeys(input: Omit<ExtractionInput, 'known'>): string[] {
  const found = new Set<string>();
  const plain = new Set<string>();
  const words = new Map<string, string>();
  const add = (text: string): void => {
    for (const { key, written } of gramsOf(scan(text), words)) (written ? found : plain).add(key);
  };
  for (const name of [input.documentTitle, input.customer ?? '', ...(input.participants ?? [])]) {
    const key = nameKey(name);
    if (key !== '') found.add(key);
  }
  add(input.documentTitle);
  for (const passage of input.passages) add(passage.text);
  for (const key of plain) found.add(key);
  return [...found].slice(0, Math.max(500, input.passages.length * keysPerPassage));
}

/** Mentions and assertions of the passages. The text is data: nothing in it is executed. */
export function extract(input: ExtractionInput): Extracted {
  const words = new Map<string, string>();
  const passages = input.passages.map((passage) => scan(passage.text));
  const evidence = evidenceOf(passages);
  const talk = talkOf(input, passages);
  const title = titleName(input.documentTitle, passages[0], talk);
  const cast = castOf(input, title);
  const themes = themesOf(passages, talk);
  const found = titleMentions(input, title);
  passages.forEach((scanned, passage) => {
    const grams = gramsOf(scanned, words);
    const proper = [...properNames({ scanned, evidence }), ...quoted(scanned, talk)];
    typePeople(scanned, proper, talk);
    const names = settle([
      ...knownNames(scanned, input.known, grams),
      ...castNames(scanned, cast, grams),
      ...proper,
      ...customerFields(scanned, talk),
      ...tickets(scanned, talk),
      ...(input.featuresKnown ? [] : features(scanned, talk)),
      ...themes[passage]!,
    ]);
    // A problem of a feature surrounds its name: both count.
    const wrong = settle(problems(scanned, talk)).filter(
      (span) => !names.some((name) => name.start === span.start && name.end === span.end),
    );
    for (const span of surest([...names, ...wrong])) {
      const surface = scanned.text.slice(span.start, span.end);
      if (isName(surface)) found.push({ passage, ...span, surface });
    }
  });
  if (input.featuresKnown) retype(found, input.known);
  agree(found);
  const mentions = inFull(found);
  return { mentions, assertions: assertions(input, passages, mentions, talk) };
}

/** What looks like a feature and is not known as one may be anything. */
function retype(found: Mention[], known: ExtractionInput['known']): void {
  for (const mention of found) {
    if (mention.type !== 'feature' || known.get(nameKey(mention.surface))?.includes('feature')) continue;
    mention.type = 'thing';
    mention.certain = false;
  }
}

function surest(spans: Span[]): Span[] {
  const kept = spans.length > maxMentions ? spans.toSorted((a, b) => b.confidence - a.confidence).slice(0, maxMentions) : spans;
  return kept.sort((a, b) => a.start - b.start || b.end - a.end);
}
