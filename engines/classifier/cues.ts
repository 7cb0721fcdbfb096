import { features } from '../extraction/features.ts';
import { problems } from '../extraction/issues.ts';
import { scan } from '../extraction/tokens.ts';
import { feelingOf } from './feeling.ts';
import { plain, wordsOf } from './words.ts';

const reviewing = { product: true, feedback: true, work: true, call: false };

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;
const capped = (n: number, most = 3): number => Math.min(n, most) / most;

/** Rule-based features of a statement, each 0 to 1 or -1 to 1; the order is fixed. */
export const cueNames = [
  'good',
  'bad',
  'wished',
  'turned',
  'balance',
  'only_good',
  'only_bad',
  'feature',
  'features',
  'feature_surely',
  'feature_share',
  'problem',
  'problems',
  'asks',
  'questions',
  'wants',
  'pleads',
  'should',
  'leaves',
  'fails',
  'cannot',
  'denies',
  'can',
  'first_person',
  'you',
  'shouts',
  'upper',
  'but',
  'since',
  'money',
  'rating',
  'gladly',
  'sadly',
  'short',
  'long',
  'numbers',
  'greets',
] as const;

/** @returns one value per name in `cueNames` */
export function cuesOf(text: string): number[] {
  const typed = plain(text);
  const lower = typed.toLowerCase();
  const words = wordsOf(typed);
  const { good, bad, wished, turned } = feelingOf(words);
  const scanned = scan(typed);
  const found = features(scanned, reviewing);
  const wrong = problems(scanned, reviewing);
  const covered = found.reduce((sum, span) => sum + span.end - span.start, 0) / Math.max(1, typed.length);
  const n = Math.max(1, words.length);
  const letters = Math.max(1, count(typed, /\p{L}/gu));
  return [
    capped(good, 4),
    capped(bad, 4),
    capped(wished, 3),
    capped(turned, 2),
    Math.tanh((good - bad) / 2),
    good > 0 && bad === 0 ? 1 : 0,
    bad > 0 && good === 0 ? 1 : 0,
    found.length > 0 ? 1 : 0,
    capped(found.length),
    Math.max(0, ...found.map((span) => span.confidence)),
    Math.min(1, covered * 1.5),
    wrong.length > 0 ? 1 : 0,
    capped(wrong.length),
    /\?\s*$/.test(typed) ? 1 : 0,
    /^(?:how|what|when|where|why|who|which|can|could|is|are|does|do|did|will|would|has|have|any)\b/.test(lower) ? 1 : 0,
    capped(
      count(
        lower,
        /\b(?:wish|want|wants|wanted|would like|'d like|would love|'d love|need|needs|hope|hoping|looking for|would be|it'd be|feature request|missing|lacks?|no way to|consider|allow us|option to|ability to|support for)\b/g,
      ),
      2,
    ),
    /\b(?:please|pls|plz|kindly|fix|bring back)\b/.test(lower) ? 1 : 0,
    /\b(?:should|ought to|must|has to|have to|could use|could you|can you)\b/.test(lower) ? 1 : 0,
    /\b(?:uninstall\w*|delet(?:e|ed|ing) (?:the|this|it|my account)|cancel\w*|switch(?:ed|ing)?|leav(?:e|ing)|alternativ\w*|competitor\w*|refund|unsubscrib\w*|renew\w*|terminate|moving to|moved to|move away|go elsewhere|churn|last straw|give up|giving up|done with|drop (?:you|this))\b/.test(
      lower,
    )
      ? 1
      : 0,
    capped(
      count(
        lower,
        /\b(?:crash\w*|freez\w*|froze\w*|hang(?:s|ing)?|error\w*|bugs?|glitch\w*|fail(?:s|ed|ing|ure)?|broke[n]?|stopped working|stops working|stuck|lost|loses|disappear\w*|vanish\w*|corrupt\w*|time[sd]? ?out|blank|wrong|duplicat\w*|down|outage|lag\w*|doesn'?t work|not working|won'?t (?:open|load|start|let)|keeps? \w+ing)\b/g,
      ),
      2,
    ),
    capped(
      count(lower, /\b(?:can'?t|cannot|can not|couldn'?t|unable|won'?t|not able|doesn'?t (?:let|allow|have|support)|no longer)\b/g),
      2,
    ),
    capped(count(lower, /\b(?:not|no|never|none|nothing|\w+n't)\b/g)),
    capped(count(lower, /\b(?:can|able to|lets? (?:me|you|us)|allows?)\b/g), 2),
    capped(count(lower, /\b(?:i|i'm|i've|my|me|we|our|us)\b/g)),
    /\b(?:you|your)\b/.test(lower) ? 1 : 0,
    capped(count(typed, /!/g)),
    count(typed, /\p{Lu}/gu) / letters > 0.5 && letters > 6 ? 1 : 0,
    /\b(?:but|however|although|though|except|despite|only|other than)\b/.test(lower) ? 1 : 0,
    /\b(?:since|after|ever since|as of|until|lately|anymore|any more|used to|update[ds]?|upgrade[ds]?)\b/.test(lower) ? 1 : 0,
    /[$€£]|\b(?:price|pricing|cost|costs|pay|paid|paying|money|charge[ds]?|billing|invoice|subscription|expensive|cheap\w*)\b/.test(lower)
      ? 1
      : 0,
    /\b(?:\d|one|two|three|four|five|zero) stars?\b/.test(lower) ? 1 : 0,
    /(?:[:;]-?[)D])|[❤😀-😊😍👍🎉🥰😁😃]/u.test(typed) ? 1 : 0,
    /(?::-?\()|[😞😠😡😢😭👎🤬]/u.test(typed) ? 1 : 0,
    n <= 5 ? 1 : 0,
    Math.min(1, n / 40),
    words.includes('0') ? 1 : 0,
    /^(?:hi|hello|hey|thanks|thank you|dear|good (?:morning|afternoon))\b/.test(lower) ? 1 : 0,
  ];
}
