import { nameKey } from '../text/names.ts';
import type { Layout, Organisation, Participant, Person, Side } from './types.ts';
import { personKey, postOn, type Names } from './voices-names.ts';

/** The people of one document with their sides on its day. */

export interface Member {
  /** Full name, as in the directory if it is there. */
  name: string;
  side: Side;
  /** The customer for whom the person speaks: name in the directory, else as written. */
  customer: string | null;
  /** Somebody said so. */
  told?: true;
  /** Organisations of earlier days. */
  former: string[];
}

export class Cast {
  private readonly byKey = new Map<string, Member | null>();
  readonly members: Member[] = [];
  private readonly layout: Layout;
  private readonly names: Names;
  private readonly day: string;

  constructor(layout: Layout, names: Names, day: string) {
    this.layout = layout;
    this.names = names;
    this.day = day;
    const participants = layout.author === null ? layout.participants : [...layout.participants, author(layout.author)];
    for (const participant of participants) this.add(participant, participants);
    for (const [short, name] of Object.entries(layout.legend)) this.abbreviate(short, name);
    if (layout.kind === 'notes' || layout.kind === 'overview' || layout.kind === 'rivals') this.byAuthor(layout, participants);
  }

  private abbreviate(short: string, name: string): void {
    const member = this.member(name);
    if (member !== null) this.byKey.set(personKey(short), member);
  }

  /** The member or person of the directory whom a name means; null: unknown, or several. */
  member(written: string): Member | null {
    const key = personKey(written);
    const member = this.byKey.get(key);
    if (member !== undefined) return member;
    // "Ann Lee (Acme)", "Ann Lee | Acme"
    const bare = /^(\p{L}[^([|@,]{1,50}?)\s*(?:[([|@,]|\s[-–—]\s)/u.exec(written)?.[1];
    if (bare !== undefined && bare !== written) return this.member(bare);
    const people = this.names.people(written);
    if (people.length !== 1) return null;
    return this.memberOf(people[0]!, null);
  }

  private add(participant: Participant, all: readonly Participant[]): void {
    const key = personKey(participant.name);
    if (key === '' || (this.byKey.get(key) ?? null) !== null) return;
    const member = this.memberOf(this.personOf(participant, all), participant);
    this.members.push(member);
    const words = personKey(member.name).split(' ');
    const initial = words.length > 1 ? `${words[0]![0]!} ${words.at(-1)!}` : key;
    const letters = words.length > 1 ? words.map((word) => word[0]!).join('') : key;
    for (const form of new Set([key, personKey(member.name), words[0]!, words.at(-1)!, initial, letters])) {
      // A short form that two participants share means neither.
      if (!this.byKey.has(form) || form === key) this.byKey.set(form, member);
      else if (this.byKey.get(form)?.name !== member.name) this.byKey.set(form, null);
    }
  }

  /** Of several people of a name, the one who works for an organisation of the document. */
  private personOf({ name, email, organisation }: Participant, all: readonly Participant[]): Person | null {
    const people = this.names.people(name);
    if (people.length <= 1) return people[0] ?? null;
    const full = people.filter((person) => [person.name, ...person.aliases].some((each) => personKey(each) === personKey(name)));
    if (full.length === 1) return full[0]!;
    const here = new Set(
      [organisation, email, ...all.flatMap((each) => [each.organisation, each.email])].flatMap((each) =>
        each === null ? [] : (this.organisation(each)?.name ?? []),
      ),
    );
    const near = people.filter((person) => person.posts.some((post) => here.has(post.organisation)));
    return near.length === 1 ? near[0]! : null;
  }

  /** Without a day, whoever changed employer speaks for the one that the document names. */
  private undatedPost({ posts }: Person): string | null {
    if (this.layout.saidBy !== 'arrival' || posts.length < 2) return null;
    const named = new Set(this.layout.organisations.flatMap((each) => this.names.organisation(each)?.name ?? []));
    const here = posts.filter(({ organisation }) => named.has(organisation));
    return here.length === 1 ? here[0]!.organisation : null;
  }

  private organisation(written: string): Organisation | null {
    return written.includes('@') ? this.names.byAddress(written) : this.names.organisation(written);
  }

  private memberOf(person: Person | null, participant: Participant | null): Member {
    const written = participant?.organisation ?? null;
    if (participant?.told) {
      const customer = participant.side === 'customer' && written !== null ? (this.organisation(written)?.name ?? written) : null;
      return { name: person?.name ?? participant.name, side: participant.side, customer, told: true, former: [] };
    }
    const beside =
      (written === null ? null : this.organisation(written)) ??
      (participant?.email == null ? null : this.names.byAddress(participant.email));
    const post = person === null ? null : (this.undatedPost(person) ?? postOn(person, this.day));
    const employer = post === null ? null : this.organisation(post);
    // What stands beside the name is valid on that day; the directory may have learnt of a change later.
    const organisation = beside !== null && beside.role !== 'unknown' ? beside : (employer ?? beside);
    const told = participant?.side ?? 'unknown';
    const side: Side =
      organisation?.role === 'vendor' || (organisation?.role === undefined && person?.side === 'vendor')
        ? 'vendor'
        : organisation?.role === 'customer'
          ? 'customer'
          : organisation?.role === 'competitor'
            ? 'other'
            : person !== null && person.side !== 'unknown'
              ? person.side
              : told;
    const name = organisation?.name ?? post ?? written;
    return {
      name: person?.name ?? participant!.name,
      side,
      customer: side === 'vendor' || side === 'other' ? null : name,
      former: person === null ? [] : formerOf(person, post).filter((each) => each !== name),
    };
  }

  /**
   * Who writes notes is of the vendor's side, and with the author those of the same organisation, or all without one
   * if others have one.
   */
  private byAuthor(layout: Layout, participants: readonly Participant[]): void {
    const writer = layout.author === null ? null : this.member(layout.author);
    if (writer !== null && writer.side === 'unknown') this.change(writer, 'vendor');
    const own = participants.find(({ name }) => writer !== null && this.member(name) === writer && name !== '')?.organisation ?? null;
    const some = participants.some(({ organisation }) => organisation !== null);
    for (const participant of participants) {
      const member = this.member(participant.name);
      if (member === null || member.side !== 'unknown' || writer === null) continue;
      const same = own === null ? some && participant.organisation === null : nameKey(participant.organisation ?? '') === nameKey(own);
      if (same) this.change(member, 'vendor');
      else if (participant.organisation !== null) this.change(member, 'customer');
    }
  }

  private change(member: Member, side: Side): void {
    member.side = side;
    if (side === 'vendor') member.customer = null;
  }
}

const author = (name: string): Participant => ({ name, email: null, organisation: null, side: 'unknown' });

/** Employers before this one, which stand in order of time; all, if it is none of them. */
function formerOf({ posts }: Person, employer: string | null): string[] {
  const organisations = posts.map(({ organisation }) => organisation);
  const at = employer === null ? -1 : organisations.lastIndexOf(employer);
  return [...new Set(at < 0 ? organisations : organisations.slice(0, at))];
}
