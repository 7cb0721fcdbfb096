/**
 * Why a regular expression is refused, or null. Matching backtracks: nested repetitions can take exponential time,
 * `(a+)+$` is the classic. Accepted patterns still run with a timeout.
 */
export function patternProblem(pattern: string): string | null {
  if (pattern.length > maxPattern) return `a pattern has at most ${maxPattern} characters`;
  try {
    new RegExp(pattern, 'u');
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  /** Whether each open group contains an unbounded repetition. */
  const groups: boolean[] = [false];
  let inClass = false;
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern[at]!;
    if (char === '\\') at++;
    else if (inClass) inClass = char !== ']';
    else if (char === '[') inClass = true;
    else if (char === '(') groups.push(false);
    else {
      const closed = char === ')' ? groups.pop() === true : false;
      const repeat = repetition(pattern, char === ')' ? at + 1 : at);
      if (repeat > maxRepeat && repeat !== Infinity) return `a repetition counts to at most ${maxRepeat}`;
      if (char === ')' && closed && repeat > 1) return 'a repeated group has a repetition in it, which can take forever to match';
      if (closed || repeat > manyTimes) groups[groups.length - 1] = true;
    }
  }
  return null;
}

const maxPattern = 1_000;
const maxRepeat = 1_000;
/** From this count on, a bounded repetition counts as unbounded. */
const manyTimes = 16;

/** Maximum repetitions by the quantifier at this position; 1 without one. */
function repetition(pattern: string, at: number): number {
  const char = pattern[at];
  if (char === '*' || char === '+') return Infinity;
  if (char !== '{') return 1;
  const [, least = '1', comma, most] = /^\{(\d+)(,?)(\d*)\}/.exec(pattern.slice(at, at + 24)) ?? [];
  return comma === '' || comma === undefined ? Number(least) : most === '' ? Infinity : Number(most);
}
