import type { Directory, EvidenceInput, Layout, Side, Unit, Voiced } from './types.ts';
import { Cast, type Member } from './voices-cast.ts';
import { customerOf, givenCustomer, rowCustomer } from './voices-customer.ts';
import { isDirect } from './voices-direct.ts';
import { namesOf, type Names } from './voices-names.ts';
import { learnSexes, reportedVoices, type Reported, type Reporting } from './voices-reported.ts';
import { splitAtMemories } from './voices-memories.ts';

/**
 * Who speaks in each unit, for which customer. A unit is split where its voice or customer changes; a name that is not
 * in the directory stays as it is written.
 */
export function voicesOf(input: EvidenceInput, layout: Layout, directory: Directory): Voiced[] {
  const names = namesOf(directory);
  const casts = new Map<string, Cast>();
  const castOn = (day: string): Cast => {
    const known = casts.get(day) ?? new Cast(layout, names, day);
    casts.set(day, known);
    return known;
  };
  const said = layout.saidAt.slice(0, 10);
  const given = givenCustomer(input, names);
  const customer = given ?? customerOf(input, layout, castOn(said), names);
  const reader = new Reader(input, layout, { names, customer, given: given !== null, castOn });
  for (const unit of layout.units) reader.learn(unit);
  return layout.units.flatMap((unit) => reader.read(unit)).flatMap((unit) => splitAtMemories(unit, input, castOn(unit.day ?? said), names));
}

class Reader {
  private readonly input: EvidenceInput;
  private readonly layout: Layout;
  readonly names: Names;
  readonly customer: string | null;
  /** The submission names the customer. */
  readonly given: boolean;
  readonly castOn: (day: string) => Cast;
  /** The text speaks for itself. */
  private readonly direct: boolean;
  /** Rows have a column for the customer. */
  private readonly named: boolean;
  private readonly reporting: Reporting = { person: null, section: null, customer: null, sexes: new Map() };

  constructor(
    input: EvidenceInput,
    layout: Layout,
    { names, customer, given, castOn }: Pick<Reader, 'names' | 'customer' | 'given' | 'castOn'>,
  ) {
    this.input = input;
    this.layout = layout;
    this.names = names;
    this.customer = customer;
    this.given = given;
    this.castOn = castOn;
    this.direct = isDirect(input, layout);
    this.named = layout.units.some(({ row }) => row?.customer != null);
  }

  read(unit: Unit): Voiced[] {
    const { kind } = this.layout;
    const cast = this.castOn(unit.day ?? this.layout.saidAt.slice(0, 10));
    if (unit.row !== null) return [this.row(unit, cast)];
    if (kind === 'mail') return this.letter(unit, cast);
    if (unit.kind === 'turn') return [this.spoken(unit, cast)];
    if (kind === 'reviews' || kind === 'survey' || kind === 'tickets')
      return [{ ...unit, side: 'customer', person: null, customer: this.customer }];
    if (this.direct && unit.omitted === null)
      return [{ ...unit, side: this.customer === null ? 'unknown' : 'customer', person: null, customer: this.customer }];
    return this.report(unit, cast, null);
  }

  private spoken(unit: Unit, cast: Cast): Voiced {
    const member = unit.speaker === null ? null : cast.member(unit.speaker);
    const side = this.sideOf(member, cast);
    return {
      ...unit,
      side,
      person: member?.name ?? unit.speaker,
      customer: side === 'vendor' || side === 'other' ? null : this.customerOf(member),
    };
  }

  /** What the submission says wins over what is known of the person, unless somebody corrected just that. */
  private customerOf(member: Member | null): string | null {
    return this.given && !member?.told ? this.customer : (member?.customer ?? this.customer);
  }

  /** A speaker of unknown side in a talk with the vendor's people and a known customer speaks for that customer. */
  private sideOf(member: Member | null, cast: Cast): Side {
    if (member === null || member.side !== 'unknown') return member?.side ?? 'unknown';
    const others = cast.members.filter((other) => other !== member);
    if (member.customer !== null && this.names.organisation(member.customer)?.role === 'customer') return 'customer';
    const vendor = others.some(({ side }) => side === 'vendor');
    const theirs = others.some(({ side }) => side === 'customer');
    if (vendor && !theirs && (this.customer !== null || cast.members.every(({ side }) => side !== 'other'))) return 'customer';
    // Customers do not call each other: whoever is left is their contact.
    return theirs && !vendor && others.every(({ side }) => side === 'customer') && cast.members.length > 1 ? 'vendor' : 'unknown';
  }

  private row(unit: Unit, cast: Cast): Voiced {
    const author = unit.row?.author ?? unit.speaker;
    const member = author === null ? null : cast.member(author);
    const written = unit.row?.customer ?? null;
    const customer = rowCustomer(written, this.names);
    // Staff file tickets for customers; without a customer their own rows are internal.
    const side: Side = member?.side === 'vendor' && customer === null ? 'vendor' : 'customer';
    const person = author === null || member?.side === 'vendor' ? null : (member?.name ?? author);
    return {
      ...unit,
      side,
      person,
      customer: side === 'vendor' ? null : (customer ?? member?.customer ?? (this.named ? null : this.customer)),
    };
  }

  private letter(unit: Unit, cast: Cast): Voiced[] {
    const writer = unit.speaker === null ? null : cast.member(unit.speaker);
    const side = writer === null ? 'unknown' : this.correspondent(writer, cast);
    if (side === 'vendor')
      return unit.omitted === null ? this.report(unit, cast, 'vendor') : [{ ...unit, side, person: writer?.name ?? null, customer: null }];
    return [{ ...unit, side, person: writer?.name ?? unit.speaker, customer: side === 'other' ? null : this.customerOf(writer) }];
  }

  /** Mail goes between two sides: a sender of unknown side is on the other one than all known recipients. */
  private correspondent(writer: Member, cast: Cast): Side {
    if (writer.side !== 'unknown') return writer.side;
    const sides = new Set(cast.members.filter((other) => other !== writer && other.side !== 'unknown').map(({ side }) => side));
    if (sides.size !== 1) return 'unknown';
    return sides.has('vendor') ? 'customer' : sides.has('customer') && writer.customer === null ? 'vendor' : 'unknown';
  }

  /** Only prose has pronouns that mean somebody else than its author. */
  learn(unit: Unit): void {
    if (unit.omitted === null && (unit.kind === 'paragraph' || unit.kind === 'item') && this.layout.kind !== 'mail') {
      learnSexes(this.reported(unit, this.castOn(unit.day ?? this.layout.saidAt.slice(0, 10)), false));
    }
  }

  /** Text of the vendor's side about what customers said. */
  private report(unit: Unit, cast: Cast, from: 'vendor' | null): Voiced[] {
    const { reporting } = this;
    if (unit.section !== reporting.section) {
      reporting.section = unit.section;
      reporting.customer = unit.section === null ? null : this.sectionCustomer(unit.section);
    }
    const strict = from === 'vendor' || unit.omitted === 'hearsay' || unit.omitted === 'marketing';
    if (unit.omitted !== null && !strict)
      return [{ ...unit, side: unit.omitted === 'internal' ? 'vendor' : 'unknown', person: null, customer: null }];
    return reportedVoices(this.reported(unit, cast, strict));
  }

  private reported(unit: Unit, cast: Cast, strict: boolean): Reported {
    const { names, reporting } = this;
    const text = this.input.passages[unit.passage]!.text;
    return {
      unit,
      text,
      cast,
      names,
      customer: reporting.customer ?? this.customer,
      given: this.given && reporting.customer === null,
      strict,
      kind: this.layout.kind,
      state: reporting,
    };
  }

  private sectionCustomer(title: string): string | null {
    const found = this.names.inText(title).filter(({ organisation }) => organisation.role === 'customer');
    const distinct = new Set(found.map(({ organisation }) => organisation.name));
    return distinct.size === 1 ? [...distinct][0]! : null;
  }
}
