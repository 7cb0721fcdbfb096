import { stopWords } from '../extraction/words.ts';
import type { Span } from './layout-spans.ts';
import { sentencesOf } from './statements-sentences.ts';
import type { DocumentKind, Omission, Side, Unit, Voiced } from './types.ts';
import type { Cast, Member } from './voices-cast.ts';
import type { Names } from './voices-names.ts';
import {
  accordingTo,
  asks,
  firstPerson,
  guess,
  heard,
  heOrHis,
  isOrWas,
  pronoun,
  saysBefore,
  saysNext,
  sheOrHer,
  subordinates,
} from './voices-words.ts';

/**
 * Text of the vendor's side about talks with customers. Each sentence belongs to whom it reports: the person who is
 * its subject, the one whom a pronoun means, else the voice of the sentence before.
 */

/** What one unit leaves for the next. */
export interface Reporting {
  /** Of the customers, the one named last. */
  person: Member | null;
  section: string | null;
  /** Of the section's heading. */
  customer: string | null;
  /** By full name, as pronouns and titles anywhere in the document tell. */
  sexes: Map<string, 'm' | 'f'>;
}

export interface Reported {
  unit: Unit;
  /** Of the whole passage. */
  text: string;
  cast: Cast;
  names: Names;
  customer: string | null;
  /** The submission names the customer. */
  given: boolean;
  /** Only sentences that report a customer by name count: mail of the vendor, papers about competitors. */
  strict: boolean;
  kind: DocumentKind;
  state: Reporting;
}

interface Voice {
  side: Side;
  person: Member | null;
  customer: string | null;
  omitted: Omission | null;
}

interface Mention extends Span {
  member: Member;
}

export function reportedVoices(reported: Reported): Voiced[] {
  const reader = new UnitReader(reported);
  const { unit, text, kind } = reported;
  const spans = sentencesOf(text, unit, kind);
  if (spans.length === 0) return [];
  const voices = spans.map((span) => reader.read(span));
  const pieces: Voiced[] = [];
  const first = voices.find(({ side, person }) => side === 'customer' && person !== null)?.person ?? null;
  for (const [i, { side, person, customer, omitted }] of voices.entries()) {
    // A paragraph may name only at its end who says it.
    const name = side !== 'customer' ? (person?.name ?? null) : ((person ?? first ?? reported.state.person)?.name ?? null);
    const last = pieces.at(-1);
    if (last !== undefined && last.side === side && last.person === name && last.customer === customer && last.omitted === omitted)
      last.end = spans[i]!.end;
    else pieces.push({ ...unit, start: spans[i]!.start, end: spans[i]!.end, side, person: name, customer, omitted });
  }
  return pieces;
}

/** Reads who is he and who is she, before the voices are. */
export function learnSexes(reported: Reported): void {
  const reader = new UnitReader(reported);
  for (const span of sentencesOf(reported.text, reported.unit, reported.kind)) reader.learnSex(span);
}

class UnitReader {
  private readonly it: Reported;
  private readonly quotes: Span[];
  private before: Voice | null = null;
  /** The last sentence asked, showed or set the scene: its answer is the customer's. */
  private answer = false;

  constructor(it: Reported) {
    this.it = it;
    this.quotes = quotesIn(it.text, it.unit);
  }

  read(span: Span): Voice {
    const voice = this.voiceOf(span);
    const mentions = this.mentions(span);
    const theirs = mentions.findLast(({ member }) => this.isTheirs(member));
    if (voice.person !== null && voice.side === 'customer') this.it.state.person = voice.person;
    else if (theirs !== undefined && voice.side !== 'customer') this.it.state.person = theirs.member;
    this.before = voice;
    return voice;
  }

  private voiceOf(span: Span): Voice {
    const { text, strict, names } = this.it;
    const words = text.slice(span.start, span.end);
    const inQuote = this.quotes.some(({ start, end }) => start < span.start && end >= span.end);
    // A quotation of several sentences has one voice.
    if (inQuote && this.before !== null) return this.before;
    const bare = this.withoutQuotes(span);
    if (guess.test(bare)) return this.vendor(null, 'internal');
    const mentions = this.mentions(span);
    const said = mentions.find(({ start, end }) => this.saying(bare, start - span.start, end - span.start));
    const first = mentions[0];
    const they = pronoun.exec(bare);
    if (said !== undefined && this.isTheirs(said.member)) return this.customerVoice(said.member);
    const organisation = names
      .inText(bare)
      .find(
        (each) =>
          each.organisation.role === 'customer' && (saysNext.test(bare.slice(each.end)) || accordingTo.test(bare.slice(0, each.start))),
      );
    if (organisation !== undefined) return { side: 'customer', person: null, customer: organisation.organisation.name, omitted: null };
    if (strict) return this.strictVoice(bare, they);
    const me = firstPerson.exec(bare);
    const opens = me !== null && bare.slice(0, me.index).split(/\s+/).filter(Boolean).length <= 2 && !subordinates.test(bare);
    if (opens && !/^\W*["“„«]/u.test(words)) {
      if (heard.test(bare)) return this.customerVoice(mentions.find(({ member }) => this.isTheirs(member))?.member ?? null);
      const reply = they !== null && they.index > me.index && saysNext.test(bare.slice(they.index + they[0].length));
      if (reply) return this.customerVoice(this.meant(they));
      this.answer = asks.test(bare);
      return this.vendor(null, 'internal');
    }
    const at = first === undefined ? Infinity : first.start - span.start;
    if (first !== undefined && (they === null || at < they.index)) {
      if (this.isTheirs(first.member)) return this.customerVoice(first.member);
      const next = bare.slice(first.end - span.start);
      if (!isOrWas.test(next) && !/^['’]s?(?![\p{L}])/u.test(next) && this.isSubject(bare, at)) {
        this.answer = asks.test(next.slice(0, 40));
        return this.vendor(first.member, null);
      }
    }
    if (they !== null) return this.pronounVoice(they, mentions.find(({ member }) => this.isTheirs(member))?.member ?? null);
    // Without a subject that is a person: as before, but after a question or visit the customer's answer.
    if (this.before !== null && (this.before.side === 'customer' || !this.answer)) return this.before;
    return this.customerVoice(null);
  }

  private strictVoice(bare: string, they: RegExpExecArray | null): Voice {
    const goesOn = this.before?.side === 'customer' && they !== null && bare.slice(0, they.index).split(/\s+/).filter(Boolean).length <= 2;
    if (goesOn) return this.before!;
    return this.vendor(null, this.it.unit.omitted);
  }

  /** @param named the customer's person who is named behind it: "They do not use it, Dr Ammann says" */
  private pronounVoice(they: RegExpExecArray, named: Member | null): Voice {
    if (they.groups?.both !== undefined && (named !== null || this.before?.side !== 'customer')) return this.customerVoice(named);
    if (this.before?.side === 'vendor' && this.before.person !== null && this.fits(this.before.person, they)) return this.before;
    return this.customerVoice(this.meant(they));
  }

  /** Whom a pronoun means: the subject before, else the customer's person named last. */
  private meant(they: RegExpExecArray): Member | null {
    const candidates = [
      this.before?.side === 'customer' ? this.before.person : null,
      this.it.state.person,
      ...this.it.cast.members.filter((member) => this.isTheirs(member)),
    ];
    return candidates.find((member) => member !== null && this.fits(member, they)) ?? null;
  }

  private fits({ name }: Member, they: RegExpExecArray): boolean {
    const sex = this.it.state.sexes.get(name);
    const { male, his, female, hers } = they.groups ?? {};
    if (sex === undefined) return true;
    return sex === 'm' ? female === undefined && hers === undefined : male === undefined && his === undefined;
  }

  private customerVoice(person: Member | null): Voice {
    const { customer, given } = this.it;
    const side: Side = customer === null && person === null ? 'unknown' : 'customer';
    return {
      side,
      person,
      customer: given && !person?.told ? customer : (person?.customer ?? customer),
      omitted: this.it.strict ? null : this.it.unit.omitted,
    };
  }

  private vendor(person: Member | null, omitted: Omission | null): Voice {
    return { side: 'vendor', person, customer: null, omitted };
  }

  private isTheirs({ side, customer }: Member): boolean {
    return side === 'customer' || (side === 'unknown' && customer !== null && customer === this.it.customer);
  }

  private saying(bare: string, start: number, end: number): boolean {
    return (
      saysNext.test(bare.slice(end)) ||
      saysBefore.test(bare.slice(Math.max(0, start - 40), start)) ||
      accordingTo.test(bare.slice(Math.max(0, start - 60), start)) ||
      /^:\s/.test(bare.slice(end))
    );
  }

  /** Not an object: no preposition before it. */
  private isSubject(bare: string, at: number): boolean {
    return !/(?<![\p{L}])(?:to|for|with|by|from|of|at|about|and|an|für|mit|von|zu|bei|über|a|con|por|para|de|sobre|à|avec|pour|par|chez|aan|voor|met|van)\s+(?:(?:mr|ms|mrs|dr|herrn?|frau)\.?\s+)?$/iu.test(
      bare.slice(Math.max(0, at - 24), at),
    );
  }

  /**
   * People of the document, of its customer and of the vendor in a sentence, outside quotations. Others count only
   * where they say something.
   */
  private mentions(span: Span): Mention[] {
    const { cast, customer } = this.it;
    const bare = this.withoutQuotes(span);
    const words = [...bare.matchAll(/\p{L}[\p{L}\p{M}'’-]*/gu)].map((match) => ({
      text: match[0].replace(/['’]s?$/u, ''),
      start: match.index,
    }));
    const found: Mention[] = [];
    for (let i = 0; i < words.length; i += 1) {
      if (!/^\p{Lu}/u.test(words[i]!.text) || (i === 0 && stopWords.has(words[i]!.text.toLowerCase()))) continue;
      for (let length = Math.min(4, words.length - i); length > 0; length -= 1) {
        const last = words[i + length - 1]!;
        const written = bare.slice(words[i]!.start, last.start + last.text.length);
        if (/[.,;:!?()]\s/.test(written.replace(/^(?:\p{L}{1,4}\.\s)/u, ''))) continue;
        const member = cast.member(written);
        if (member === null) continue;
        const [start, end] = [words[i]!.start, last.start + last.text.length];
        const near = cast.members.includes(member) || member.side === 'vendor' || member.customer === customer;
        if (near || this.saying(bare, start, end)) found.push({ member, start: span.start + start, end: span.start + end });
        i += length - 1;
        break;
      }
    }
    return found;
  }

  learnSex(span: Span): void {
    const { text } = this.it;
    const mentions = this.mentions(span);
    for (const { member, start } of mentions) {
      const before = text.slice(Math.max(0, start - 12), start + 10);
      if (/(?<![\p{L}])(?:mr|herrn?|señor|monsieur|sir)\.?\s/iu.test(before)) this.it.state.sexes.set(member.name, 'm');
      if (/(?<![\p{L}])(?:mrs|ms|miss|frau|señora|sra|mme|madame|signora)\.?\s/iu.test(before)) this.it.state.sexes.set(member.name, 'f');
    }
    const [only, ...more] = new Set(mentions.map(({ member }) => member.name));
    if (only === undefined || more.length > 0 || this.it.state.sexes.has(only)) return;
    const rest = this.withoutQuotes(span);
    const [he, she] = [heOrHis.test(rest), sheOrHer.test(rest)];
    if (he !== she) this.it.state.sexes.set(only, he ? 'm' : 'f');
  }

  /** The sentence with blanks in place of what it quotes. */
  private withoutQuotes(span: Span): string {
    let words = this.it.text.slice(span.start, span.end);
    for (const { start, end } of this.quotes) {
      const [from, to] = [Math.max(0, start - span.start), Math.min(words.length, end - span.start)];
      if (from < to) words = words.slice(0, from) + ' '.repeat(to - from) + words.slice(to);
    }
    return words;
  }
}

function quotesIn(text: string, { start, end }: Span): Span[] {
  return [...text.slice(start, end).matchAll(/"[^"\n]{2,1000}"|“[^”\n]{2,1000}”|„[^“”"\n]{2,1000}[“”"]|«[^»\n]{2,1000}»/gu)].map(
    (match) => ({
      start: start + match.index,
      end: start + match.index + match[0].length,
    }),
  );
}
