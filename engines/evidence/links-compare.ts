import { contentOf, lowerOf } from './statements-words.ts';
import type { Linkable } from './types.ts';

/** What two statements share. Each 0 to 1. */
export interface Alike {
  /** Common words by their rarity, of the words of both. */
  words: number;
  /** The same, of the words of the shorter statement. */
  within: number;
  /** Rarity of the rarest common word. */
  rarest: number;
  /** Cosine of the vectors; without vectors, what goes with so many common words on average. */
  meaning: number;
}

export type Comparison = (a: number, b: number) => Alike;

/**
 * @param statements of one customer: rarity is counted among them; their vectors are of one model
 * @param shipped moves a cosine of that model to the scale of the shipped one
 */
export function comparison(statements: readonly Linkable[], shipped = (cosine: number): number => cosine): Comparison {
  // Hundreds of thousands of pairs of a large customer are compared: terms are numbers.
  const numbers = new Map<string, number>();
  const terms = statements.map((statement) => Int32Array.from(termsOf(statement), (term) => numberOf(numbers, term)));
  const counts = new Float64Array(numbers.size);
  for (const each of terms) for (const term of each) counts[term]! += 1;
  const most = Math.log(1 + statements.length);
  const weights = counts.map((count) => Math.log(1 + statements.length / count));
  const total = terms.map((each) => each.reduce((sum, term) => sum + weights[term]!, 0));
  /** The comparison in which a term was last seen on the other side. */
  const seen = new Int32Array(numbers.size);
  let turn = 0;
  return (a, b) => {
    turn += 1;
    for (const term of terms[b]!) seen[term] = turn;
    let [sum, rarest] = [0, 0];
    for (const term of terms[a]!) {
      if (seen[term] !== turn) continue;
      sum += weights[term]!;
      rarest = Math.max(rarest, weights[term]!);
    }
    const [least, both] = [Math.min(total[a]!, total[b]!), Math.sqrt(total[a]! * total[b]!)];
    const words = both === 0 ? 0 : sum / both;
    const [va, vb] = [statements[a]!.vector, statements[b]!.vector];
    return {
      words,
      within: least === 0 ? 0 : sum / least,
      rarest: most === 0 ? 0 : rarest / most,
      meaning: va && vb ? Math.max(0, shipped(dot(va, vb))) : 0.58 + 0.35 * words,
    };
  };
}

function numberOf(numbers: Map<string, number>, term: string): number {
  const known = numbers.get(term);
  if (known !== undefined) return known;
  numbers.set(term, numbers.size);
  return numbers.size - 1;
}

export function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) sum += a[i]! * b[i]!;
  return sum;
}

/** Words and numbers, without those of the names that both may share anyway. */
function termsOf({ text, features, competitors, customer }: Linkable): Set<string> {
  const names = new Set(contentOf(lowerOf([...features, ...competitors, customer ?? ''].join(' '))).map(termOf));
  return new Set(
    contentOf(lowerOf(text))
      .map(termOf)
      .filter((term) => !names.has(term)),
  );
}

/** Without endings, roughly and in any language; numbers as digits. */
function termOf(word: string): string {
  const digits = numerals.get(word);
  if (digits !== undefined) return digits;
  if (/\p{N}/u.test(word)) return word.replace(/[.,:](?=\p{N}{3}(?!\p{N}))/gu, '');
  return word.length > 5 ? word.slice(0, 5) : word.replace(/s$/, '');
}

const numerals = new Map(
  [
    'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty',
    'eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn zwanzig',
    'uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve veinte',
    'un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf vingt',
  ].flatMap((line) => line.split(' ').map((word, i) => [word, String(i + 1)] as const)),
);
for (const [i, ten] of ['twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'].entries()) {
  numerals.set(ten, String((i + 2) * 10));
  for (const [j, one] of ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'].entries())
    numerals.set(`${ten}-${one}`, String((i + 2) * 10 + j + 1));
}
