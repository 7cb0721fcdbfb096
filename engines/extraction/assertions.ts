import { nameKey } from '../text/names.ts';
import { dayOf, intervalOf } from './dates.ts';
import { relations, asRole, roleAlone, roleBetween, roleOf, wasRoleOf } from './relations.ts';
import type { Talk } from './talk.ts';
import type { Scanned } from './tokens.ts';
import type { Assertion, ExtractionInput, Mention } from './types.ts';
import { bornOn, valueRules } from './values.ts';

const maxPerPassage = 30;
/** Longer sentences are lists and tables. */
const longestSentence = 700;
const mostMentions = 16;

const negation = /\b(?:not|never|no longer|nobody|none|neither|nor|without|hardly|cannot|no one)\b|n['’]t\b/i;
/** Lower case: "May" is a month, and "Will" a person. */
const unsure =
  /\b(?:if|would|could|might|may|should|wish|wishes|hope|hopes|hoping|plan|plans|planning|planned|considers?|considering|unless|whether|maybe|perhaps|will|possibly|allegedly|reportedly|rumou?red|expected|expects|suppose|supposed|imagine|want to|wants to|going to|thinking about|intends?|proposed|claims?|claimed|believes?|thinks?)\b|['’]ll\b|['’]d (?:like|love)\b/;
const unsureOpening = /^\W*(?:If|Would|Could|Should|Maybe|Perhaps|Unless|Imagine|Suppose|Whether|Assuming|Once|When)\b/;

/** Assertions of sentences about their names; negated, interrogative and hypothetical statements are left out. */
export function assertions(input: ExtractionInput, passages: readonly Scanned[], mentions: readonly Mention[], talk: Talk): Assertion[] {
  const perPassage = passages.map((): number[] => []);
  mentions.forEach((mention, i) => {
    if (mention.end > mention.start) perPassage[mention.passage]!.push(i);
  });
  const customer =
    talk.feedback && !talk.call ? mentions.findIndex((mention) => mention.origin === 'metadata' && mention.type === 'customer') : -1;
  return passages.flatMap((scanned, passage) => {
    const found = new Map<string, Assertion>();
    for (const sentence of scanned.english ? scanned.sentences : []) {
      if (sentence.titled || sentence.end - sentence.start > longestSentence || found.size >= maxPerPassage) continue;
      const within = perPassage[passage]!.filter((i) => mentions[i]!.start >= sentence.start && mentions[i]!.end <= sentence.end);
      if (within.length === 0 || within.length > mostMentions || isQuestion(scanned.text, sentence.end)) continue;
      const reading = new Reading(scanned.text, sentence, mentions, within);
      reading.pairs();
      reading.values();
      if (customer >= 0) reading.ofCustomer(customer);
      if (reading.found.length === 0) continue;
      const statement = scanned.text.slice(sentence.start, sentence.end).trim().slice(0, 500);
      const { from, to } = intervalOf(statement, input.saidAt);
      for (const said of reading.found) {
        if (said.past && from === null && to === null) continue;
        const object = said.object === null ? said.value! : nameKey(mentions[said.object]!.surface);
        const key = [nameKey(mentions[said.subject]!.surface), said.predicate, object].join('|');
        if (found.has(key) || object === nameKey(mentions[said.subject]!.surface)) continue;
        const sure = Math.min(mentions[said.subject]!.confidence, said.object === null ? 1 : mentions[said.object]!.confidence);
        found.set(key, {
          passage,
          start: sentence.start,
          end: sentence.end,
          subject: said.subject,
          predicate: said.predicate,
          object: said.object,
          value: said.value,
          statement,
          exclusive: said.exclusive,
          validFrom: from,
          validTo: to,
          confidence: Math.round(sure * 90) / 100,
        });
      }
    }
    return [...found.values()];
  });
}

const isQuestion = (text: string, end: number): boolean => text.slice(end - 2, end + 1).includes('?');

interface Said {
  subject: number;
  predicate: string;
  object: number | null;
  value: string | null;
  exclusive: boolean;
  past: boolean;
}

/** One sentence with its mentions. */
class Reading {
  readonly found: Said[] = [];
  private readonly text: string;
  private readonly place: { start: number; end: number };
  private readonly mentions: readonly Mention[];
  private readonly within: readonly number[];

  constructor(text: string, place: { start: number; end: number }, mentions: readonly Mention[], within: readonly number[]) {
    this.text = text;
    this.place = place;
    this.mentions = mentions;
    this.within = within;
  }

  pairs(): void {
    for (const [at, i] of this.within.entries()) {
      const a = this.mentions[i]!;
      for (const j of this.within.slice(at + 1, at + 6)) {
        const b = this.mentions[j]!;
        if (a.type === 'issue' && b.end <= a.end && (b.type === 'feature' || b.type === 'product') && this.certain(a.start, a.end)) {
          this.add(i, 'affects', j);
          continue;
        }
        if (
          b.start < a.end ||
          b.start - a.end > 120 ||
          this.within.some((k) => k !== i && k !== j && this.mentions[k]!.start >= a.end && this.mentions[k]!.end <= b.start)
        )
          continue;
        if (this.certain(a.start, b.end)) this.pair(i, j);
      }
    }
  }

  private pair(i: number, j: number): void {
    const [a, b] = [this.mentions[i]!, this.mentions[j]!];
    const between = plain(this.text.slice(a.end, b.start));
    for (const relation of relations) {
      const [subject, object] = relation.swap ? [j, i] : [i, j];
      if (!relation.subject.has(this.mentions[subject]!.type) || !relation.object.has(this.mentions[object]!.type)) continue;
      if (!relation.between.test(between)) continue;
      // Only "Assign X to Y" and "assigned X to Y".
      if (
        between === ' to ' &&
        !/\b(?:assign|assigned|reassigned|gave|handed)\s+(?:the\s+)?$/i.test(
          this.text.slice(Math.max(this.place.start, a.start - 20), a.start),
        )
      )
        continue;
      this.add(subject, relation.predicate, object, { exclusive: relation.exclusive, past: relation.past });
      const joined =
        relation.predicate === 'works_at' && !relation.past
          ? asRole.exec(this.text.slice(b.end, Math.min(this.place.end, b.end + 60)))
          : null;
      if (joined) this.add(subject, 'has_role', null, { value: joined[1]!.trim(), exclusive: true });
      if (!relation.exclusive)
        for (const next of this.listed(j))
          if (relation.swap) this.add(next, relation.predicate, i);
          else this.add(i, relation.predicate, next);
      return;
    }
    const person = (mention: Mention): boolean => mention.type === 'person' || mention.type === 'stakeholder';
    const body = (mention: Mention): boolean =>
      mention.type === 'organization' || mention.type === 'customer' || mention.type === 'thing' || mention.type === 'product';
    const after = person(a) && body(b) ? (roleOf.exec(between) ?? wasRoleOf.exec(between)) : null;
    const before = person(b) && body(a) ? roleBetween.exec(between) : null;
    const role = (after ?? before)?.[1];
    if (role === undefined) return;
    const past = after !== null && wasRoleOf.test(between);
    const [who, where] = after ? [i, j] : [j, i];
    this.add(who, 'has_role', null, { value: role.trim(), exclusive: true, past });
    this.add(who, 'works_at', where, { exclusive: true, past });
  }

  /** "…, Slack and Confluence": the items of a list. */
  private listed(from: number): number[] {
    const next: number[] = [];
    let last = this.mentions[from]!;
    for (const j of this.within) {
      const mention = this.mentions[j]!;
      if (mention.start < last.end || (mention.type !== this.mentions[from]!.type && mention.type !== 'thing')) continue;
      if (
        !/^(?:, (?:and |or )?| and | & )(?:the )?$/.test(this.text.slice(last.end, mention.start)) ||
        !this.certain(this.mentions[from]!.start, mention.end)
      )
        break;
      next.push(j);
      last = mention;
    }
    return next;
  }

  values(): void {
    for (const i of this.within) {
      const mention = this.mentions[i]!;
      const after = this.text.slice(mention.end, Math.min(this.place.end, mention.end + 120)).replace(/\s+/g, ' ');
      for (const rule of valueRules) {
        if (rule.types && !rule.types.has(mention.type)) continue;
        const match = rule.after.exec(after);
        if (match && this.certain(mention.start, mention.end + match[0].length))
          this.add(i, rule.predicate, null, { value: rule.value(match), exclusive: true });
      }
      if (mention.type !== 'person' && mention.type !== 'stakeholder') continue;
      const role = this.found.some((said) => said.subject === i && said.predicate === 'has_role') ? null : roleAlone.exec(after);
      if (role && this.certain(mention.start, mention.end + role[0].length))
        this.add(i, 'has_role', null, { value: role[1]!.trim(), exclusive: true });
      const day = bornOn.exec(after);
      const born = day && dayOf(day[1]!);
      if (born) this.add(i, 'born_on', null, { value: born, exclusive: true });
    }
  }

  /** In a customer's own words: "we use …", "please add …". */
  ofCustomer(customer: number): void {
    for (const i of this.within) {
      const mention = this.mentions[i]!;
      const before = this.text.slice(Math.max(this.place.start, mention.start - 60), mention.start);
      if (
        /\bwe (?:currently |also |already |still |all |mainly )?(?:use|are using|rely on|switched to|moved to) (?:the |your )?$/i.test(
          before,
        ) &&
        this.certain(mention.start - 12, mention.end)
      ) {
        if (['product', 'feature', 'thing', 'organization'].includes(mention.type)) this.add(customer, 'uses', i);
      } else if (
        mention.type === 'feature' &&
        /\b(?:we (?:really |also )?(?:need|want|request|would like|would love|['’]d like|are requesting|are asking for)|please (?:add|support|build)) (?:to have |to see |support for )?(?:the |a |an |better )?$/i.test(
          before,
        )
      ) {
        this.add(customer, 'requested', i);
      }
    }
  }

  private add(
    subject: number,
    predicate: string,
    object: number | null,
    more: { value?: string; exclusive?: boolean | undefined; past?: boolean | undefined } = {},
  ): void {
    this.found.push({
      subject,
      predicate,
      object,
      value: more.value ?? null,
      exclusive: more.exclusive ?? false,
      past: more.past ?? false,
    });
  }

  /** Whether nothing around [start, end) negates it or makes it uncertain; descriptions of problems may contain "not". */
  private certain(start: number, end: number): boolean {
    let around = `${this.text.slice(this.place.start, Math.max(this.place.start, start))} | ${this.text.slice(end, this.place.end)}`;
    for (const i of this.within) if (this.mentions[i]!.type === 'issue') around = around.replace(this.mentions[i]!.surface, ' ');
    return !negation.test(around) && !unsure.test(around) && !unsureOpening.test(around);
  }
}

/** Without parentheses, and with single spaces. */
const plain = (between: string): string => between.replace(/\s*\([^()]{0,90}\)/g, '').replace(/\s+/g, ' ');
