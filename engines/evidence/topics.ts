import { nameKey } from '../text/names.ts';
import { isQuestion, lowerOf, opensPoint, contentOf, refers } from './statements-words.ts';
import { sentencesOf } from './statements-sentences.ts';
import { hintsIn, indexOf, namesIn, rivalsIn, wordsOf, type NameIndex, type Word } from './topics-names.ts';
import type { Directory, DocumentKind, EvidenceInput, Topics, Voiced } from './types.ts';
import { stemsOf } from './words.ts';

/** What statements are about: by names in their own words, else by what they refer to. */

/** A part of a unit. */
export interface Draft {
  unit: Voiced;
  /** UTF-16 offsets in the passage, `end` exclusive. */
  start: number;
  end: number;
}

/** A name that needs no context. */
const sure = 0.75;
/** Least evidence for a feature that is not named. */
const enough = 0.5;
/** Turns over which a topic is remembered. */
const memory = 7;
/** Earlier rows of a table that are compared, and rows in which a word that joins two may occur. */
const rowsBack = 200;
const rare = 8;
const rowOwner = ({ row, customer }: Voiced): string => nameKey(customer ?? row?.customer ?? '');

/** Features that a document writes with capitals: their words in small letters mean something else there. */
export function capitalsIn(texts: readonly string[], directory: Directory): ReadonlySet<string> {
  const index = indexOf(directory);
  return new Set(
    texts.flatMap((text) => [...namesIn(wordsOf(text), index, false, new Set())].flatMap(([name, score]) => (score === 1 ? [name] : []))),
  );
}

/**
 * Features and competitors that a text names itself.
 * @param capitals from `capitalsIn`; empty for a chat, where some write everything small
 */
export function namedIn(text: string, directory: Directory, capitals: ReadonlySet<string>): Topics {
  const index = indexOf(directory);
  const words = wordsOf(text);
  const scores = namesIn(words, index, capitals.size === 0 && isCasual(text), capitals);
  return { features: [...scores].flatMap(([name, score]) => (score >= sure ? [name] : [])).sort(), competitors: rivalsIn(words, index) };
}

/** Features that a text names, or that its words go with. */
export function aboutIn(text: string, directory: Directory): string[] {
  const index = indexOf(directory);
  const words = wordsOf(text);
  const scores = hintsIn(words, index);
  for (const [name, score] of namesIn(words, index, isCasual(text), new Set())) scores.set(name, Math.max(score, scores.get(name) ?? 0));
  return [...scores].flatMap(([name, score]) => (score >= enough ? [name] : [])).sort();
}

/** Nobody who writes without capitals means something by their absence. */
const isCasual = (text: string): boolean => !/\p{Lu}\p{Ll}/u.test(text.replace(/^\P{L}*\p{Lu}/u, ''));

/** @returns topics of each draft, in the order of the drafts, which is that of the document */
export function topicsOf(input: EvidenceInput, units: readonly Voiced[], drafts: readonly Draft[], directory: Directory): Topics[] {
  const index = indexOf(directory);
  const scene = new Scene(input, units, directory, index);
  const at = new Map<Voiced, Draft[]>();
  for (const draft of drafts) at.set(draft.unit, [...(at.get(draft.unit) ?? []), draft]);
  const found = new Map<Draft, Topics>();
  for (const unit of units) {
    scene.enter(unit);
    let end = unit.start;
    for (const draft of at.get(unit) ?? []) {
      scene.pass(unit, end, draft.start);
      found.set(draft, scene.read(draft));
      end = Math.max(end, draft.end);
    }
    scene.pass(unit, end, unit.end);
  }
  return drafts.map((draft) => found.get(draft) ?? { features: [], competitors: [] });
}

interface Read {
  words: Word[];
  names: Map<string, number>;
  hints: Map<string, number>;
}

/** The thread of a document: what was last talked about. */
class Scene {
  private topic: string[] = [];
  private age = 0;
  /** The topic comes from the same unit. */
  private within = false;
  private rivals: string[] = [];
  private readonly rows: { customer: string; stems: ReadonlySet<string>; features: string[] }[] = [];
  /** Rows in which a word occurs. */
  private readonly counts = new Map<string, number>();
  private last: Voiced | null = null;
  private readonly capitals: ReadonlySet<string>;
  private readonly input: EvidenceInput;
  private readonly index: NameIndex;
  private readonly subject: Map<string, number>;
  /** The only feature that a mail or a note names. */
  private readonly only: string | null;
  /** The only feature that is named below a heading. */
  private readonly bySection = new Map<string, string | null>();
  private readonly kind: DocumentKind;

  constructor(input: EvidenceInput, units: readonly Voiced[], directory: Directory, index: NameIndex) {
    this.input = input;
    this.index = index;
    this.kind = units.some(({ kind }) => kind === 'turn') ? 'call' : 'notes';
    this.capitals = capitalsIn(
      units.map((unit) => this.textOf(unit)),
      directory,
    );
    for (const unit of units) if (unit.row) for (const stem of this.stemsOf(unit)) this.counts.set(stem, (this.counts.get(stem) ?? 0) + 1);
    this.only = onlyNamed(units.map((unit) => ({ unit, names: this.readText(this.textOf(unit)).names })));
    for (const unit of units) {
      if (unit.section === null || unit.omitted !== null || unit.kind === 'turn' || unit.kind === 'cell') continue;
      for (const [name, score] of this.readText(this.textOf(unit)).names) {
        const known = this.bySection.get(unit.section);
        if (score >= sure) this.bySection.set(unit.section, known === undefined || known === name ? name : null);
      }
    }
    this.subject = this.scored(this.readText(input.title));
  }

  private textOf({ passage, start, end }: { passage: number; start: number; end: number }): string {
    return this.input.passages[passage]?.text.slice(start, end) ?? '';
  }

  private readText(text: string): Read {
    const words = wordsOf(text);
    return { words, names: namesIn(words, this.index, isCasual(text), this.capitals), hints: hintsIn(words, this.index) };
  }

  /** Names and hints together. */
  private scored({ names, hints }: Pick<Read, 'names' | 'hints'>): Map<string, number> {
    const scores = new Map(hints);
    for (const [name, score] of names) scores.set(name, Math.max(score, Math.min(0.7, score + (hints.get(name) ?? 0))));
    return scores;
  }

  enter(unit: Voiced): void {
    const { last } = this;
    const talk = unit.kind === 'turn';
    if (talk) {
      this.age += unit.side === 'vendor' ? 1 : 0.5;
      if (this.age > memory) this.topic = [];
    } else if (unit.kind === 'cell' || unit.kind === 'item' || (last !== null && last.section !== unit.section)) this.topic = [];
    if (last?.kind === 'cell' || last?.section !== unit.section) this.rivals = [];
    this.within = false;
    this.last = unit;
  }

  /** Text without a statement: it may name what comes next, or turn to something without a name. */
  pass(unit: Voiced, start: number, end: number): void {
    if (end <= start || unit.omitted === 'instruction' || unit.omitted === 'signature') return;
    const whole = this.textOf({ passage: unit.passage, start, end });
    for (const span of sentencesOf(whole, { start: 0, end: whole.length }, this.kind)) {
      const text = whole.slice(span.start, span.end);
      const read = this.readText(text);
      this.rivalsOf(text, read.words);
      // "And rooms?", "Fuel.": a question of the vendor's side or a word alone names the next point.
      const asked = unit.side === 'vendor' && isQuestion(text);
      const label = contentOf(lowerOf(text)).length <= 3;
      const best = top(
        asked ? this.scored(read) : label ? read.names : this.scored(read),
        asked || label ? 0.3 : this.topic.length > 0 ? enough + 0.1 : enough,
      );
      if (best.length > 0) this.turnTo(best);
      else if (unit.side === 'vendor' || /\?|--\s*$/.test(text) ? changes(text) : isFresh(lowerOf(text))) this.topic = [];
      else if (rivalsIn(read.words, this.index).length > 0) this.topic = [];
      else if (business.test(text) && (unit.side === 'vendor' || unit.kind !== 'turn')) this.topic = [];
    }
  }

  private turnTo(features: readonly string[]): void {
    this.topic = [...features];
    this.age = 0;
    this.within = true;
  }

  read(draft: Draft): Topics {
    const text = this.textOf({ ...draft, passage: draft.unit.passage });
    const read = this.readText(text);
    const competitors = this.rivalsOf(text, read.words);
    const named = [...read.names].flatMap(([name, score]) => (score >= sure ? [name] : []));
    const features = named.length > 0 ? named : this.meant(draft, text, read, competitors.length > 0);
    if (features.length > 0) {
      this.turnTo(features);
      if (draft.unit.row) this.rows.push({ customer: rowOwner(draft.unit), stems: new Set(this.stemsOf(draft.unit)), features });
    } else if (isFresh(lowerOf(text)) || competitors.length > 0 || business.test(text)) this.topic = [];
    return { features: features.sort(), competitors };
  }

  private rivalsOf(text: string, words: readonly Word[]): string[] {
    const named = rivalsIn(words, this.index);
    if (named.length > 0) this.rivals = named;
    else if (!theirs.test(text)) return [];
    return this.rivals;
  }

  /** A feature that is not named: own words, then heading, subject and thread. */
  private meant({ unit }: Draft, text: string, read: Read, rival: boolean): string[] {
    const own = this.scored(read);
    const scores = new Map(own);
    const add = (name: string, weight: number): void => void scores.set(name, (scores.get(name) ?? 0) + weight);
    const lower = lowerOf(text);
    if (rival && !thing.test(lower)) return [];
    const other = business.test(lower) && !thing.test(lower);
    for (const [name, score] of this.around(unit)) add(name, (other ? 0.3 : 0.9) * score);
    const below = unit.section === null ? null : (this.bySection.get(unit.section) ?? null);
    if (below !== null && !other) add(below, 0.4);
    if (this.only && !other && !scores.has(this.only)) add(this.only, 0.3);
    if (unit.row && !other) for (const [name, weight] of this.earlier(unit)) add(name, weight);
    for (const name of this.topic) add(name, other ? 0.2 : this.pull(unit, lower, isFresh(lower)));
    return top(scores, enough);
  }

  private stemsOf(unit: Voiced): string[] {
    return stemsOf(`${unit.row?.subject ?? ''}\n${this.textOf(unit)}`);
  }

  /** Features of earlier rows of the same customer that share rare words. */
  private earlier(unit: Voiced): Map<string, number> {
    const scores = new Map<string, number>();
    const stems = this.stemsOf(unit);
    for (const row of this.rows.slice(-rowsBack)) {
      if (row.customer !== rowOwner(unit)) continue;
      const shared = stems.filter((stem) => row.stems.has(stem) && (this.counts.get(stem) ?? 0) <= rare).length;
      for (const name of row.features) scores.set(name, Math.max(scores.get(name) ?? 0, Math.min(0.6, 0.25 * shared)));
    }
    return scores;
  }

  private around(unit: Voiced): Map<string, number> {
    const scores = new Map<string, number>();
    const add = (some: Map<string, number>): void => {
      for (const [name, score] of some) scores.set(name, Math.max(score, scores.get(name) ?? 0));
    };
    if (unit.row?.subject) add(this.scored(this.readText(unit.row.subject)));
    if (unit.section) add(this.scored(this.readText(unit.section)));
    if (unit.kind === 'paragraph' && unit.section === null) for (const [name, score] of this.subject) add(new Map([[name, 0.5 * score]]));
    return scores;
  }

  /** How strongly a statement without a name belongs to the topic before it. */
  private pull(unit: Voiced, lower: string, fresh: boolean): number {
    if (fresh) return 0;
    if (unit.kind === 'turn') return 0.65;
    if (this.within) return 0.55;
    return refers(lower) ? 0.5 : 0.3;
  }
}

function onlyNamed(units: readonly { unit: Voiced; names: Map<string, number> }[]): string | null {
  const names = new Set<string>();
  for (const { unit, names: each } of units) {
    if (unit.kind === 'turn' || unit.kind === 'cell' || unit.section !== null) return null;
    if (unit.omitted === null || unit.omitted === 'quoted') for (const [name, score] of each) if (score >= sure) names.add(name);
  }
  return names.size === 1 ? [...names][0]! : null;
}

/** The best feature, or none if it has too little or a rival as good. */
function top(scores: ReadonlyMap<string, number>, least: number): string[] {
  const named = [...scores].filter(([, score]) => score >= sure).map(([name]) => name);
  if (named.length > 1) return named.sort();
  const [best, second] = [...scores].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  return best && best[1] >= least && (!second || best[1] - second[1] >= 0.03) ? [best[0]] : [];
}

const theirs = /(?:^|[.!?:]\s+)\P{L}*(?:they|them|their|sie|ihre?|ellos|su|sus|ils|leurs?|loro|zij|hun)(?!\p{L})/iu;
/** What customers and vendors talk about beside the product: these words end what was talked about before. */
const business =
  /(?<!\p{L})(?:price|prices|pricing|expensive|cheap(?:er)?|invoices?|renewal|contract|support|help ?desk|hotline|account manager|budget|discount|password|passwords|login|logins|training|newsletter|survey|leaving|sign(?:ed)?|preis\p{L}*|teuer|rechnung(?:en)?|vertrag\p{L}*|kündig\p{L}*|verlänger\p{L}*|schulung\p{L}*|passwort|umfrage|precios?|caro|factura\p{L}*|contrato|renovaci\p{L}*|soporte|contraseña|formación|encuesta|prix|cher|facture\p{L}*|contrat|renouvellement|assistance|mot de passe|formation|sondage|prezz\p{L}*|fattur\p{L}*|contratto|prijs|factuur|contract)(?!\p{L})/iu;

/** "And the invoices?", "Anything on the price?": the vendor's side turns to another point. */
const shift =
  /^["'\s]*(?:and|now|so|ok(?:ay)?|right|next|then|what about|how about|anything|let's|und|nun|gut|dann|wie steht|y|bueno|entonces|et|bon|alors)(?![\p{L}'])/u;
const thing = /(?<![\p{L}'])(?:it|es|das|dies|eso|esto|lo|ça|cela)(?![\p{L}'])/u;
const oneMore =
  /^["'\s¿¡(]*(?:some|more|good|bad) news(?!\p{L})|^["'\s¿¡(]*(?:one|another|last|next|noch ein\p{L}*|ein\p{L}*|otra|una|un|une|autre|encore une?)(?: \p{L}+)? (?:thing|matter|point|question|wish|topic|subject|request|sache|frage|punkt|wunsch|cosa|pregunta|punto|duda|chose|question|point|demande)(?!\p{L})|^["'\s(]*(?:on the (?:good|bad|plus) side|apart from that|otherwise|less good|sonst|ansonsten|por lo demás|à part ça|sinon)(?!\p{L})/u;
/** Opens a point of its own: what was said before tells nothing about it. */
const isFresh = (lower: string): boolean => opensPoint(lower) || oneMore.test(lower);
const pronoun = /(?<![\p{L}'])(?:it|that|this|they|them|es|das|sie|eso|esto|lo|ça|cela)(?![\p{L}'])/u;
/** "Next point on my list", "Let's take …" */
const leads = /^["'\s]*(?:next|let's|anything|what about|how about|then there|als nächstes|pasemos|passons)(?![\p{L}'])/u;
function changes(text: string): boolean {
  const lower = lowerOf(text);
  return (
    (leads.test(lower) || opensPoint(lower) || (shift.test(lower) && /\?|--\s*$/.test(text))) &&
    !pronoun.test(lower) &&
    contentOf(lower).length > 0
  );
}
