import { isNoun, nounsBefore, phrase, tight } from './phrases.ts';
import type { Span } from './spans.ts';
import type { Talk } from './talk.ts';
import type { Scanned, Sentence, Token } from './tokens.ts';

const ticket = /(?<![\p{L}\p{N}_#/.-])(?:CVE-\d{4}-\d{4,7}|[A-Z][A-Z0-9]{1,9}-\d{1,6})(?![\p{L}\p{N}_]|[.-]\d)/gu;
/** Look like ticket ids, but are standards, viruses, weapons, roads, … */
const noTickets =
  /^(?:UTF|ISO|SHA|COVID|SARS|GPT|RFC|IEEE|MP|AES|RSA|HTTP|TLS|SSL|UTC|GMT|AK|MIG|SU|LGA|US|SR|CD|WW|PG|TV|USB|DDR|STS|MD|BMP|UN|EU|EN|DIN|IPV|WCAG|ECMA|ES|H|PS|XBOX|TOP|AD|BC|Q|T|FY|SOC|PCI|B2B|R2|BASE)-/;
const numbered =
  /(?<![\p{L}\p{N}_])(?:(?:bug|issue|ticket|incident|case|defect)s?[ \t]{1,2}(?:#|no\.?[ \t]?|number[ \t]|id[ \t])?\d{2,9}|(?:(?:bug|issue|ticket|incident|case|defect)s?[ \t]{1,2})#\d{1,9})(?![\p{L}\p{N}_]|[.,]\d)/giu;
const reference =
  /(?<=\b(?:fix|fixes|fixed|close|closes|closed|resolve|resolves|resolved|see|of|by|and|or|,)[ \t]{1,2}|\()#\d{1,7}(?![\p{L}\p{N}_])/giu;
const version =
  /(?<![\p{L}\p{N}_.-])(?:(?:version|release)[ \t]\d{1,5}(?:\.\d{1,5}){0,3}|v\d{1,4}(?:\.\d{1,5}){1,3})(?:-[a-z0-9]{1,10})?(?![\p{L}\p{N}_])/giu;

/** Ticket ids, and versions. */
export function tickets({ seen: text }: Scanned, talk: Talk): Span[] {
  const spans: Span[] = [];
  const add = (pattern: RegExp, type: string, confidence: number): void => {
    for (const match of text.matchAll(pattern)) {
      spans.push({ start: match.index, end: match.index + match[0].length, type, certain: true, confidence, origin: 'rules' });
    }
  };
  if (talk.work || talk.product) {
    for (const match of text.matchAll(ticket)) {
      if (noTickets.test(match[0])) continue;
      spans.push({
        start: match.index,
        end: match.index + match[0].length,
        type: 'issue',
        certain: true,
        confidence: 0.95,
        origin: 'rules',
      });
    }
    add(numbered, 'issue', 0.9);
    add(reference, 'issue', 0.8);
  } else {
    for (const match of text.matchAll(/\bCVE-\d{4}-\d{4,7}\b/g)) {
      spans.push({
        start: match.index,
        end: match.index + match[0].length,
        type: 'issue',
        certain: true,
        confidence: 0.95,
        origin: 'rules',
      });
    }
  }
  add(version, 'version', 0.6);
  return spans;
}

const fails =
  /^(?:crash(?:es|ed|ing)?|freez(?:es|ing)|freeze|froze|fail(?:s|ed|ing)?|hangs?|lags?|breaks|broke|glitch(?:es|ed|ing)?|stutters?|disappear(?:s|ed|ing)?|vanish(?:es|ed)?|corrupts?)$/;
const failsAfter =
  /^(?:crashing|freezing|failing|hanging|lagging|breaking|glitching|disappearing|closing|logging|buffering|stopping|timing|loading|restarting)$/;
const states =
  /^(?:down|broken|slow|sluggish|unresponsive|buggy|laggy|missing|corrupted|blank|unusable|unreliable|unstable|inaccessible|failing|crashing|freezing|hanging)$/;
const negated = /^(?:doesn't|don't|didn't|won't|can't|cannot|couldn't|isn't|aren't|wasn't|doesnt|dont|didnt|wont|cant|isnt|never|not)$/;
const works =
  /^(?:work|works|working|load|loads|loading|open|opening|sync|syncing|save|saving|install|installing|update|updating|respond|responding|show|showing|display|displaying|connect|connecting|play|playing|start|starting|appear|appearing|refresh|refreshing|send|sending|download|downloading|upload|uploading|function|functioning|launch|launching|render|rendering|scroll|scrolling|log|delete|export|import|print)$/;
const faults = new Set(
  'crash crashes error errors bug bugs glitch glitches issue issues problem problems failure failures timeout timeouts outage outages latency lag regression regressions leak leaks downtime freeze freezes'.split(
    ' ',
  ),
);
/** Words about a problem that do not say where it is. */
const vague = new Set(
  'same main biggest only big major minor serious annoying common known technical other real small huge constant first second next latest new another recurring persistent critical any many several few some'.split(
    ' ',
  ),
);

/** "login fails", "the export doesn't work", "sync issues": the problem, named with its subject. */
export function problems(scanned: Scanned, talk: Talk): Span[] {
  if (!talk.product || !scanned.english) return [];
  const spans: Span[] = [];
  for (const sentence of scanned.sentences) {
    for (let i = sentence.from; i < sentence.to; i += 1) {
      const found = fault(scanned, sentence, i) ?? statement(scanned, sentence, i);
      if (!found) continue;
      spans.push(found);
      while (i + 1 < sentence.to && scanned.tokens[i + 1]!.end <= found.end) i += 1;
    }
  }
  return spans;
}

function fault({ tokens }: Scanned, sentence: Sentence, at: number): Span | null {
  if (!faults.has(tokens[at]!.lower) || (at + 1 < sentence.to && tokens[at + 1]!.digit)) return null;
  let from = nounsBefore(tokens, sentence, at, 3);
  while (from < at && vague.has(tokens[from]!.lower)) from += 1;
  if (from === at || fails.test(tokens[at - 1]!.lower)) return null;
  const before = tokens[from - 1]?.lower;
  if (from > sentence.from && (before === 'no' || before === 'without' || before === 'zero')) return null;
  return issue(tokens, from, tail(tokens, sentence, at + 1), false, 0.6);
}

function statement({ tokens }: Scanned, sentence: Sentence, at: number): Span | null {
  const end = predicateEnd(tokens, sentence, at);
  if (end === null) return null;
  let from = nounsBefore(tokens, sentence, at, 3);
  if (
    from === at &&
    at > sentence.from &&
    tokens[at]!.tight &&
    /^(?:app|application|website|site|software|program|kindle|phone|tablet|sync|syncing|update|search|save|post|login|load|check)$/.test(
      tokens[at - 1]!.lower,
    )
  )
    from -= 1;
  const to = tail(tokens, sentence, end);
  if (from === at && to === end) return null;
  // "It crashes on startup": the circumstance identifies the problem.
  return issue(tokens, from, to, from < at, from < at ? 0.7 : 0.55);
}

/** The end of "crashes", "keeps freezing", "doesn't load", "is down" that begins here, if any. */
function predicateEnd(tokens: readonly Token[], sentence: Sentence, at: number): number | null {
  const word = (i: number): string => (i < sentence.to ? tokens[i]!.lower : '');
  if (fails.test(word(at)))
    return at > sentence.from && /^(?:not|never|doesn't|didn't|don't|won't|no|to|without|hasn't|haven't|if)$/.test(word(at - 1))
      ? null
      : at + 1;
  if (/^(?:keeps?|kept|starts?|started)$/.test(word(at)) && failsAfter.test(word(at + 1))) return at + 2;
  if (word(at) === 'stopped' && works.test(word(at + 1))) return at + 2;
  if (/^(?:times?|timed)$/.test(word(at)) && word(at + 1) === 'out') return at + 2;
  if (negated.test(word(at)) && works.test(word(at + 1)) && (!/^(?:not|never)$/.test(word(at)) || /(?:ing|s)$/.test(word(at + 1))))
    return at + 2;
  if (/^(?:does|do|did|will|could|is|are|was)$/.test(word(at)) && word(at + 1) === 'not' && works.test(word(at + 2))) return at + 3;
  if (/^(?:is|are|was|were|seems?|got|gets)$/.test(word(at))) {
    const next = /^(?:always|still|so|very|too|really|extremely|completely|totally|now|often|constantly|currently)$/.test(word(at + 1))
      ? at + 2
      : at + 1;
    if (states.test(word(next))) return next + 1;
  }
  return null;
}

/** "… on startup", "… when uploading photos" */
function tail(tokens: readonly Token[], sentence: Sentence, from: number): number {
  if (!tight(tokens, sentence, from)) return from;
  const lower = tokens[from]!.lower;
  if (!/^(?:on|during|at|after|in|while|when)$/.test(lower)) return from;
  const end = phrase(tokens, sentence, from + 1);
  if (end === null || ((lower === 'when' || lower === 'while') && !tokens[from + 1]!.lower.endsWith('ing'))) return from;
  return isNoun(tokens[end - 1]!) ? end : from;
}

const issue = (tokens: readonly Token[], from: number, to: number, certain: boolean, confidence: number): Span => ({
  start: tokens[from]!.start,
  end: tokens[to - 1]!.end,
  type: 'issue',
  certain,
  confidence,
  origin: 'rules',
});
