/** Pure: a short title, from the entity in most statements and the most typical statement. */

export interface Named {
  name: string;
  type: string;
  /** Number of statements that name it. */
  count: number;
}

/** Before a title can be generated, and when no evidence is left. */
export const untitled = 'Untitled opportunity';

const longest = 80;
/** Minimum share of the statements that name it. */
const most = 0.5;
/** "Three. When a patient answers …", "Two is rooms. The planner …": its place in somebody's list. */
const counted =
  '(?:one|two|three|four|five|six|seven|eight|nine|ten|\\d{1,2}|first(?:ly)?|second(?:ly)?|third(?:ly)?|last(?:ly)?|finally|next)';

/** Beginnings of requests and complaints that say nothing about the subject. */
const openings = [
  new RegExp(`^${counted}(?:[.:),]+| (?:is|was)(?: the)? \\S+[.:]) `, 'i'),
  /^(hi|hello|hey|dear)( (there|all|team|everyone|support))?[,!. ]+/i,
  /^(also|and|but|so|well|ok|okay|yes|no|honestly|frankly|again|unfortunately|sadly)[,: ]+/i,
  /^please\b[, ]*/i,
  /^(could|can|would|will) you (please )?(also )?/i,
  /^(is|are) there (a |any )?(plan|way|chance|option)s? (to|for|of) /i,
  /^(i|we|our team|our users|customers|users) (would|'d) (really )?(like|love|appreciate) (it if you could |you to |to )?/i,
  /^(i|we|our team|our users|customers|users) (really |also |still )?(need|want|wish|require|ask for)( you)?( to)? /i,
  /^it would be (great|nice|good|helpful|awesome)( if)?( you could| we could)? /i,
  /^(i|we) (think|believe|feel|hope|guess)( that)? /i,
  /^there (should|must) be /i,
];

/**
 * @param statement the most typical one
 * @param statements their number, near-duplicates once
 */
export function titleOf(statement: string, statements: number, named: readonly Named[]): string {
  const dominant = (type: string): string | undefined =>
    [...named]
      .filter((each) => each.type === type && each.count >= Math.max(2, most * statements))
      .sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1))[0]?.name;
  const feature = dominant('feature');
  const what = dominant('issue') ?? shortened(statement);
  const told = feature === undefined || mentions(what, feature) ? what : `${feature}: ${what}`;
  return capital(cut(clean(told), longest));
}

function shortened(statement: string): string {
  let text = clean(statement);
  for (let before = ''; before !== text;) {
    before = text;
    for (const opening of openings) {
      const rest = text.replace(opening, '');
      // The rest must still be meaningful.
      if (rest.split(' ').length >= 3) text = rest;
    }
  }
  const sentence = /^(.{20,}?)[.!?;](\s|$)/.exec(text)?.[1] ?? text;
  return sentence.replace(/[.!?;:,\s]+$/, '');
}

/** One line of plain text, without markup from untrusted input. */
export const clean = (text: string): string => text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\s]+/g, ' ').trim();

function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const head = text.slice(0, length - 1);
  const gap = head.lastIndexOf(' ');
  const kept = head.slice(0, gap > length / 2 ? gap : head.length).replace(/[\ud800-\udbff]$/, '');
  return `${kept.replace(/[\s,;:.–-]+$/, '')}…`;
}

const mentions = (text: string, name: string): boolean => text.toLowerCase().includes(name.toLowerCase());
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
