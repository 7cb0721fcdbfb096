import { initialsOf } from '../text/companies.ts';
import { equalLevel, type Field, type Fields } from './fields.ts';
import { extendsOther } from './identifiers.ts';
import { isLegalForm } from './normalise.ts';
import { edits, jaroWinkler } from './strings.ts';
import { numbersInText } from './views.ts';
import { isGivenName, sameGivenName } from './words.ts';

/** Minimum weight of a word that occurs in most rows. */
const lightest = 0.3;

/** Compares rows field by field. One instance per run, because it caches comparisons of words. */
export class Comparer {
  private readonly fields: Fields;
  private readonly weights: Float32Array;
  /** Letters per word, as bits: too many different ones exclude a misspelling. */
  private readonly letters: Int32Array;
  private readonly given: Uint8Array;
  private taken = new Uint8Array(64);

  constructor(fields: Fields) {
    this.fields = fields;
    const rows = fields.sizes[0] + (fields.single ? 0 : fields.sizes[1]);
    const { vocabulary } = fields;
    this.weights = Float32Array.from(vocabulary.rows, (count, word) =>
      isLegalForm(vocabulary.words[word]!) ? lightest / 2 : Math.max(lightest, Math.log(rows / count)),
    );
    this.letters = Int32Array.from(fields.vocabulary.words, lettersOf);
    this.given = Uint8Array.from(fields.vocabulary.words, (word) => (isGivenName(word) ? 1 : 0));
  }

  /** Writes a level per field into `levels`, from `at`; -1: missing on a side. */
  compare(left: number, right: number, levels: Int8Array, at: number): void {
    const { list } = this.fields;
    for (let f = 0; f < list.length; f++) levels[at + f] = this.level(list[f]!, left, right);
  }

  level(field: Field, left: number, right: number): number {
    const a = field.ids[0][left]!;
    const b = field.ids[1][right]!;
    if (a === 0 || b === 0) return -1;
    if (field.parts) return partsLevel(field, field.parts, a, b);
    if (a === b) return equalLevel(field, a);
    const { kind, values } = field;
    if (field.words) return this.wordLevel(field, a, b, left, right);
    if (kind === 'date') return dateLevel(values[a]!, values[b]!);
    if (field.numbers) return numberLevel(field.numbers[a]!, field.numbers[b]!, values[a]!, values[b]!);
    return codeLevel(kind, values[a]!, values[b]!);
  }

  private wordLevel(field: Field, idA: number, idB: number, left: number, right: number): number {
    const a = field.words![idA]!;
    const b = field.words![idB]!;
    if (a.length === 1 && b.length === 1) {
      const level = this.oneWord(field, a[0]!, b[0]!);
      if (level > 0 || !(this.elsewhere(a[0]!, 1, right, field) && this.elsewhere(b[0]!, 0, left, field))) return level;
      return 4;
    }
    if (
      field.kind === 'company' &&
      (initialsOf(field.values[idA]!) === field.values[idB] || initialsOf(field.values[idB]!) === field.values[idA])
    )
      return 3;
    if (field.values[idA]!.replaceAll(' ', '') === field.values[idB]!.replaceAll(' ', '')) return 4;
    const takenB = this.taken.fill(0, 0, b.length);
    const restA: number[] = [];
    let matched = 0;
    let sumA = 0;
    let sumB = 0;
    for (const word of a) {
      let found = -1;
      for (let j = 0; j < b.length; j++) if (!takenB[j] && b[j] === word) found = j;
      if (found === -1) restA.push(word);
      else {
        takenB[found] = 1;
        matched += this.weights[word]!;
        sumA += this.weights[word]!;
        sumB += this.weights[word]!;
      }
    }
    const people = field.kind === 'person';
    for (const word of restA) {
      const weight = this.weights[word]!;
      let best = 0;
      let at = -1;
      for (let j = 0; j < b.length; j++) {
        if (takenB[j]) continue;
        const sure = this.alike(word, b[j]!, people);
        if (sure > best) [best, at] = [sure, j];
      }
      if (at !== -1) {
        takenB[at] = 1;
        // A misspelt word is rare only because it is misspelt.
        const both = Math.min(weight, this.weights[b[at]!]!);
        matched += both * best;
        sumA += both;
        sumB += both;
      } else if (!this.elsewhere(word, 1, right, field)) sumA += weight;
    }
    for (let j = 0; j < b.length; j++) if (!takenB[j] && !this.elsewhere(b[j]!, 0, left, field)) sumB += this.weights[b[j]!]!;
    if (sumA + sumB === 0) return 4;
    const dice = (2 * matched) / (sumA + sumB);
    const covered = matched / Math.min(sumA || sumB, sumB || sumA);
    const similarity = Math.max(dice, 0.8 * Math.min(1, covered));
    return similarity >= 0.92 ? 4 : similarity >= 0.75 ? 3 : similarity >= 0.5 ? 2 : similarity >= 0.25 ? 1 : 0;
  }

  /** Whether the other record has the word in another field: then it is no evidence for this one. */
  private elsewhere(word: number, side: 0 | 1, row: number, not: Field): boolean {
    for (const field of this.fields.list) {
      if (field === not || !field.words) continue;
      const id = field.ids[side][row]!;
      if (id !== 0 && field.words[id]!.includes(word)) return true;
    }
    return false;
  }

  private oneWord(field: Field, a: number, b: number): number {
    const { words } = this.fields.vocabulary;
    const [x, y] = [words[a]!, words[b]!];
    if (field.kind === 'person' && this.given[a]! & this.given[b]! && sameGivenName(x, y)) return 3;
    if (this.unlike(a, b)) return 0;
    const [shorter, longer] = x.length <= y.length ? [x, y] : [y, x];
    if (shorter.length === 1) return longer.startsWith(shorter) ? 2 : 0;
    const distance = edits(x, y, 2);
    if (distance === 1) return shorter.length >= 4 ? 4 : 2;
    if (shorter.length >= 4 && longer.startsWith(shorter)) return 3;
    const likeness = jaroWinkler(x, y);
    return likeness >= 0.92 ? 3 : likeness >= 0.85 ? 2 : likeness >= 0.75 ? 1 : 0;
  }

  /** 0 to 1: two different words are one, misspelt or shortened. */
  private alike(a: number, b: number, people: boolean): number {
    const { words } = this.fields.vocabulary;
    if (people && this.given[a]! & this.given[b]! && sameGivenName(words[a]!, words[b]!)) return 0.9;
    return this.unlike(a, b) ? 0 : wordLikeness(words[a]!, words[b]!);
  }

  /** Certainly different words: other letters, and neither is a prefix. Cheap, so checked first. */
  private unlike(a: number, b: number): boolean {
    let x = this.letters[a]! ^ this.letters[b]!;
    let others = 0;
    for (; x !== 0 && others <= 4; others++) x &= x - 1;
    if (others <= 4) return false;
    const [p, q] = [this.fields.vocabulary.words[a]!, this.fields.vocabulary.words[b]!];
    return p.charCodeAt(0) !== q.charCodeAt(0) || !(p.startsWith(q) || q.startsWith(p));
  }
}

function lettersOf(word: string): number {
  let bits = 0;
  for (let i = 0; i < word.length; i++) bits |= 1 << (word.charCodeAt(i) & 31);
  return bits;
}

function wordLikeness(x: string, y: string): number {
  const [shorter, longer] = x.length <= y.length ? [x, y] : [y, x];
  if (hasDigit(x) || hasDigit(y)) return shorter.length >= 4 && edits(x, y, 1) === 1 ? 0.5 : 0;
  if (longer.startsWith(shorter)) return shorter.length === 1 ? 0.4 : shorter.length >= 3 ? 0.7 : 0.4;
  if (shorter.length < 4) return 0;
  const distance = edits(x, y, 2);
  if (distance === 1) return 0.9;
  if (distance === 2 && longer.length >= 7) return 0.8;
  return jaroWinkler(x, y) >= 0.92 ? 0.7 : 0;
}

function hasDigit(word: string): boolean {
  for (let i = 0; i < word.length; i++) {
    const code = word.charCodeAt(i);
    if (code >= 48 && code <= 57) return true;
  }
  return false;
}

function codeLevel(kind: string, a: string, b: string): number {
  const [shorter, longer] = a.length <= b.length ? [a, b] : [b, a];
  if (kind === 'phone' && shorter.length >= 7 && longer.endsWith(shorter)) return 1;
  if (kind === 'email') {
    const at = a.indexOf('@');
    if (at >= 5 && at === b.indexOf('@') && b.startsWith(a.slice(0, at))) return 1;
  }
  if (kind === 'url' && longer.startsWith(`${shorter}/`)) return 1;
  if (shorter.length < 3) return 0;
  return edits(a, b, longer.length >= 12 ? 2 : 1) <= (longer.length >= 12 ? 2 : 1) ? 1 : 0;
}

function dateLevel(a: string, b: string): number {
  if (a.length !== 8 || b.length !== 8) return edits(a, b, 1) <= 1 ? 1 : 0;
  const [yearA, monthA, dayA] = [a.slice(0, 4), a.slice(4, 6), a.slice(6)];
  const [yearB, monthB, dayB] = [b.slice(0, 4), b.slice(4, 6), b.slice(6)];
  // 0: not given.
  if (yearA === yearB && (monthA === monthB || monthA === '00' || monthB === '00') && (dayA === '00' || dayB === '00')) return 2;
  if (yearA === yearB && monthA === dayB && dayA === monthB) return 2;
  if (edits(a, b, 1) <= 1) return 2;
  return yearA === yearB || (monthA === monthB && dayA === dayB) || edits(a, b, 2) <= 2 ? 1 : 0;
}

function numberLevel(a: number, b: number, textA: string, textB: string): number {
  if (Number.isNaN(a) || Number.isNaN(b)) return 0;
  const apart = Math.abs(a - b) / Math.max(Math.abs(a), Math.abs(b), 1e-9);
  if (apart <= 0.015 || (Math.min(textA.length, textB.length) >= 4 && edits(textA, textB, 1) === 1)) return 2;
  return apart <= 0.1 ? 1 : 0;
}

/**
 * The rarest identifier or word that both have counts; then one that is the other with a few letters more. Numbers that
 * only one has, on both sides and as rare, make one level less: the same street or year with different numbers.
 */
function partsLevel(field: Field, { names, of }: NonNullable<Field['parts']>, a: number, b: number): number {
  let level = 0;
  for (const part of of[a]!) {
    if (of[b]!.includes(part)) level = Math.max(level, equalLevel(field, part));
    else if (level === 0 && of[b]!.some((other) => extendsOther(names[part]!, names[other]!))) level = 1;
  }
  if (level < field.equal || field.name !== numbersInText) return level;
  const hasOwn = (x: number, y: number): boolean =>
    of[x]!.some(
      (part) => equalLevel(field, part) >= level && !of[y]!.some((other) => other === part || extendsOther(names[part]!, names[other]!)),
    );
  return hasOwn(a, b) && hasOwn(b, a) ? level - 1 : level;
}
