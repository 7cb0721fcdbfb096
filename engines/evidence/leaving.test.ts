import { describe, expect, test } from 'vitest';
import { leavingCues } from './judge-cues.ts';
import { nearMisses, signs, type Said } from './leaving.fixture.ts';

const isSign = ([text, rival = false]: Said): boolean => {
  const { strength, stays } = leavingCues(text, rival);
  return strength === 2 && !stays;
};
const oddOnes = (all: readonly Said[]): Said[] => all.filter((_, i) => i % 2 === 1);
const textsOf = (all: readonly Said[]): string[] => all.map(([text]) => text);

describe('signs of leaving, in trades that no corpus has', () => {
  test('indirect ones are seen, also those that were kept back', () => {
    const unseen = signs.filter((each) => !isSign(each));
    expect(unseen.length).toBeLessThanOrEqual(4);
    expect(oddOnes(signs).filter(isSign).length).toBeGreaterThanOrEqual(33);
  });

  test('what only sounds like one is none', () => {
    expect(textsOf(nearMisses.filter(isSign))).toEqual(['I was ready to walk away in spring, and look at us now, it runs like clockwork.']);
  });

  test.each([
    'If the till freezes once more I am taking it out of both shops.',
    'If this is not right by May we are giving up the route planner.',
    'If it rains in again we are replacing your tent.',
  ])('what is announced on a condition is a sign in every form of the verb: %s', (text) => {
    expect(leavingCues(text, false).strength).toBe(2);
  });

  test.each([
    "If the tent is not here by the 20th I'll ask for the money back.",
    'Unless it runs by May we want a full refund.',
    'Wenn das Zelt am 20. nicht da ist, wollen wir unser Geld zurück.',
  ])('so is money that is asked back on a condition: %s', (text) => {
    expect(leavingCues(text, false).strength).toBe(2);
  });

  test.each(['Si el martes no está, el miércoles llamo a los de Packwell.', 'Wenn es am Dienstag nicht läuft, rufe ich Packwell an.'])(
    'so is a call to a competitor, in verbs that tell who makes it: %s',
    (text) => {
      expect(leavingCues(text, true).strength).toBe(2);
    },
  );

  test.each([
    'On ne change pas pour le prix.',
    'Wir wechseln deswegen nicht.',
    'No nos cambiamos por eso.',
    "We told them we're happy.",
    'Wir haben geantwortet, dass wir zufrieden sind.',
    'We are content with what we have.',
  ])('who says so stays: %s', (text) => {
    expect(leavingCues(text, true)).toMatchObject({ stays: true });
  });

  test.each([
    ['Marek leaves us at the end of the month, by the way.', 0],
    ['Our tenants give notice because of the lift.', 0],
    ['In June she had announced that she would stop paying for it.', 1],
    ['We stop paying for the licence in June.', 2],
  ])('somebody else leaves, or it was said before something else: %s', (text, strength) => {
    expect(leavingCues(text, false).strength).toBe(strength);
  });
});
