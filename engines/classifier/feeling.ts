/** Words of opinion; words for problems (crash, error) are in `cues.ts`. */
const good = new Map<string, number>();
const bad = new Map<string, number>();

function list(into: Map<string, number>, weight: number, words: string): void {
  for (const word of words.split(/\s+/)) into.set(word, weight);
}

list(
  good,
  2,
  `love loved loves loving adore adores amazing awesome excellent fantastic wonderful brilliant superb outstanding perfect perfectly flawless flawlessly
  great greatest best beautiful beautifully gorgeous incredible incredibly magnificent phenomenal terrific delightful delighted thrilled exceptional stellar
  impeccable fabulous marvelous lifesaver gem invaluable indispensable heaven blessing`,
);
list(
  good,
  1,
  `good nice nicely like liked likes enjoy enjoyed enjoying enjoys enjoyable useful helpful helps handy easy easily easier simple simplest intuitive fast faster quick quickly
  smooth smoothly convenient reliable solid stable happy pleased glad thank thanks appreciate appreciated cool fun neat clean elegant slick favorite
  favourite better improved improves recommend recommended impressed impressive seamless seamlessly effortless effortlessly efficient powerful
  responsive satisfied well works pleasant friendly versatile robust worth valuable saves saved win plus polished pretty sweet fine decent
  lovely wow kudos bravo superior snappy painless straightforward exactly comfortable flexible clear readable`,
);
list(
  bad,
  2,
  `hate hated hates hating terrible awful horrible horrid worst garbage trash crap crappy sucks suck sucked useless worthless disgusting pathetic
  atrocious abysmal unacceptable infuriating nightmare disaster ridiculous rubbish joke scam unusable dreadful appalling disgrace stupid
  ruined ruins insane outrageous furious disgusted shameful lousy`,
);
list(
  bad,
  1,
  `bad poor poorly disappointed disappointing disappointment annoying annoyed annoys frustrated frustrating frustration irritating irritated
  slow sluggish clunky confusing confused complicated cumbersome difficult hard harder ugly cluttered messy buggy glitchy laggy unreliable
  expensive overpriced pricey boring dislike disliked tedious painful pain worse worsened unfortunately sadly sad angry upset unhappy
  dissatisfied lacking lacks inconvenient awkward waste wasted wasting nuisance intrusive invasive creepy bloated unstable inconsistent
  mediocre inferior regret hassle struggle struggling wrong fail terribly horribly badly unhelpful unclear unintuitive ignored
  unwanted excessive mess complain complaint complaints misleading greedy spam spammy limited restrictive`,
);

const turns =
  /^(?:not|no|never|n't|cannot|can't|cant|don't|dont|doesn't|doesnt|didn't|didnt|isn't|isnt|wasn't|wasnt|aren't|won't|wont|wouldn't|couldn't|hardly|barely|neither|nor|without)$/;
const strengthens = /^(?:very|really|so|too|extremely|absolutely|totally|super|incredibly|highly|completely|truly|such|especially|quite)$/;
/** "would be great", "it could be better", "I would love": wishes, not opinions. */
const wishes = /^(?:would|could|should|wish|if|hope|hoping|please|needs?|id|i'd|it'd|it'll)$/;

/** Opinions in a text. */
export interface Feeling {
  good: number;
  bad: number;
  /** Hypothetical praise. */
  wished: number;
  /** Negated praise ("not good") and negated criticism ("no problem"). */
  turned: number;
}

/** @param words lower case, in order, with apostrophes */
export function feelingOf(words: readonly string[]): Feeling {
  const feeling: Feeling = { good: 0, bad: 0, wished: 0, turned: 0 };
  words.forEach((word, i) => {
    const praise = good.get(word);
    const blame = bad.get(word);
    const weight = praise ?? blame;
    if (weight === undefined) return;
    const before = words.slice(Math.max(0, i - 4), i);
    // "like" is more often a comparison than an opinion.
    if (word === 'like' && !/^(?:i|we|really|don't|didn't|not|also|do|did|would|you|they|users)$/.test(words[i - 1] ?? '')) return;
    const strong = weight * (strengthens.test(words[i - 1] ?? '') ? 1.5 : 1);
    if (before.slice(-3).some((each) => turns.test(each))) {
      feeling.turned += 1;
      if (praise === undefined) feeling.good += strong * 0.4;
      else feeling.bad += strong;
    } else if (praise !== undefined && before.some((each) => wishes.test(each))) feeling.wished += strong;
    else if (praise === undefined) feeling.bad += strong;
    else feeling.good += strong;
  });
  return feeling;
}
