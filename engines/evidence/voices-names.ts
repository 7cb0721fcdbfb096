import { acronymOf, coreWords, nameKey } from '../text/names.ts';
import { nameSimilarity } from '../text/similarity.ts';
import { labelFit } from './directory-names.ts';
import type { Directory, Organisation, Person } from './types.ts';

/** Finds people and organisations of a directory by the names that documents write. */

const titles =
  /^(?:(?:dr|prof|mr|mrs|ms|miss|mx|sir|dame|herr|frau|hr|fr|sr|sra|srta|senor|senora|don|dona|mme|mlle|m|monsieur|madame|sig|signora|dott|dipl|ing|mag) )+/;

/** Key of a person's name, without titles. */
export const personKey = (name: string): string => nameKey(name).replace(titles, '');

/** "t rehn" of "torvald rehn". */
const initialKey = (key: string): string | null => {
  const words = key.split(' ');
  return words.length < 2 ? null : `${words[0]![0]!} ${words.at(-1)!}`;
};

/** A misspelt name is at least so similar. */
const misspelt = 0.87;

export class Names {
  private readonly byOrganisation = new Map<string, Organisation>();
  private readonly byLead = new Map<string, Organisation | null>();
  private readonly byDomain = new Map<string, Organisation>();
  private readonly byPerson = new Map<string, Person[]>();
  readonly organisations: readonly Organisation[];

  constructor({ organisations, people }: Directory) {
    this.organisations = organisations;
    for (const organisation of organisations) {
      for (const name of [organisation.name, ...organisation.aliases]) {
        const key = nameKey(name);
        if (key === '') continue;
        if (!this.byOrganisation.has(key)) this.byOrganisation.set(key, organisation);
        const core = coreWords(key);
        for (const lead of [core.join(' '), core.slice(0, 2).join(' '), core[0]!]) this.lead(lead, organisation);
        const acronym = acronymOf(key);
        if (acronym !== null && acronym.length >= 2) this.lead(acronym, organisation);
      }
      for (const domain of organisation.domains) this.byDomain.set(domain.toLowerCase(), organisation);
    }
    for (const person of people) {
      for (const name of [person.name, ...person.aliases]) {
        const key = personKey(name);
        const words = key.split(' ');
        for (const form of new Set([key, words[0]!, words.at(-1)!, initialKey(key) ?? key])) this.addPerson(form, person);
      }
    }
  }

  /** Beginnings that two organisations share tell nothing. */
  private lead(key: string, organisation: Organisation): void {
    if (key.length < 2) return;
    const known = this.byLead.get(key);
    if (known === undefined) this.byLead.set(key, organisation);
    else if (known !== organisation) this.byLead.set(key, null);
  }

  private addPerson(key: string, person: Person): void {
    if (key === '') return;
    const known = this.byPerson.get(key);
    if (known === undefined) this.byPerson.set(key, [person]);
    else if (!known.includes(person)) known.push(person);
  }

  /** By its name, a short form, an acronym or a misspelt form. */
  organisation(written: string): Organisation | null {
    const key = nameKey(written);
    if (key === '') return null;
    const exact = this.byOrganisation.get(key) ?? this.byLead.get(coreWords(key).join(' '));
    if (exact) return exact;
    let best: { organisation: Organisation; score: number } | null = null;
    for (const [known, organisation] of this.byOrganisation) {
      if (Math.abs(known.length - key.length) > 4 || known.length < 6) continue;
      const score = nameSimilarity(key, known);
      if (score >= misspelt && score > (best?.score ?? 0)) best = { organisation, score };
    }
    return best?.organisation ?? null;
  }

  /** Everybody whom a name may mean; a single word or an initial may mean several. */
  people(written: string): readonly Person[] {
    return this.byPerson.get(personKey(written)) ?? [];
  }

  /** Of an address or a domain; a subdomain counts as its domain. */
  byAddress(address: string): Organisation | null {
    let domain = address.toLowerCase().split('@').at(-1)!;
    while (domain.includes('.')) {
      const found = this.byDomain.get(domain);
      if (found !== undefined) return found;
      domain = domain.slice(domain.indexOf('.') + 1);
    }
    return this.byLabel(address.toLowerCase().split('@').at(-1)!);
  }

  /** An unknown domain: the only customer of whose name it is made. */
  private byLabel(domain: string): Organisation | null {
    const fits = this.organisations.map((organisation) =>
      organisation.role === 'customer'
        ? Math.max(...[organisation.name, ...organisation.aliases].map((name) => labelFit(domain, name)))
        : 0,
    );
    for (const least of [2, 1]) {
      const some = this.organisations.filter((_, i) => fits[i] === least);
      if (some.length > 0) return some.length === 1 ? some[0]! : null;
    }
    return null;
  }

  /** Organisations named in a text, in its order; beginnings of names count if they are written like names. */
  inText(text: string): { organisation: Organisation; start: number; end: number }[] {
    const words = [...text.matchAll(/[\p{L}\p{N}][\p{L}\p{M}\p{N}&'’-]*/gu)].map((match) => ({
      text: match[0],
      start: match.index,
      end: match.index + match[0].length,
    }));
    const found: { organisation: Organisation; start: number; end: number }[] = [];
    for (let i = 0; i < words.length; i += 1) {
      if (!/^[\p{Lu}\p{N}\p{Lo}]/u.test(words[i]!.text)) continue;
      for (let length = Math.min(5, words.length - i); length > 0; length -= 1) {
        const [start, end] = [words[i]!.start, words[i + length - 1]!.end];
        const key = nameKey(text.slice(start, end));
        const organisation = this.byOrganisation.get(key) ?? (key.length >= 3 ? this.byLead.get(key) : undefined);
        if (organisation == null) continue;
        found.push({ organisation, start, end });
        i += length - 1;
        break;
      }
    }
    return found;
  }
}

const known = new WeakMap<Directory, Names>();

export function namesOf(directory: Directory): Names {
  const cached = known.get(directory);
  if (cached !== undefined) return cached;
  const names = new Names(directory);
  known.set(directory, names);
  return names;
}

/** The organisation for which a person works on a day: the last one that has begun, else the first. */
export function postOn(person: Person, day: string): string | null {
  const { posts } = person;
  const valid = posts.filter(({ from, until }) => (from === null || from <= day) && (until === null || until >= day));
  // Two posts without dates: a later one is newer.
  const begun = posts.filter(({ from }) => from === null || from <= day);
  return (valid.at(-1) ?? begun.at(-1) ?? posts[0])?.organisation ?? null;
}
