import { describe, expect, it } from 'vitest';
import { directoryOf } from './directory.ts';
import { blocksOfSpelling, isInitials, isShort, isSpelling, labelFit, shortsOf } from './directory-names.ts';
import { counted, talk } from './documents.fixture.ts';
import { corpora } from './corpora.fixture.ts';
import type { CountedClue, Directory } from './types.ts';

const named = (directory: Directory, role: string): string[] =>
  directory.organisations.flatMap((each) => (each.role === role ? [each.name] : [])).sort();
const clue = (kind: CountedClue['kind'], subject: string, object: string | null = null, weight = 0.9, documents = 1): CountedClue => ({
  kind,
  subject,
  object,
  day: null,
  weight,
  documents,
});

describe.each(corpora.map((corpus) => [corpus.trade, corpus] as const))('a corpus of %s', (_trade, corpus) => {
  const clues = counted(corpus.documents);
  const directory = directoryOf(clues);

  it('gives vendor, customers and competitors', () => {
    expect(named(directory, 'vendor')).toEqual([corpus.vendor]);
    expect(named(directory, 'customer')).toEqual(corpus.customers.toSorted());
    expect(named(directory, 'competitor')).toEqual(corpus.competitors.toSorted());
  });

  it('gives the features with their other and former names', () => {
    expect(directory.features.map(({ name }) => name).sort()).toEqual(corpus.features.toSorted());
    const all = [...directory.features, ...directory.organisations];
    for (const [name, aliases] of Object.entries(corpus.aliases)) {
      expect(all.find((each) => each.name === name)?.aliases).toEqual(expect.arrayContaining(aliases));
    }
    for (const [name, former] of Object.entries(corpus.renamed)) {
      expect(directory.features.find((each) => each.name === name)?.renamed).toEqual(former);
    }
  });

  it('gives people with their employers over time', () => {
    expect(Object.fromEntries(directory.people.map(({ name, posts }) => [name, posts.at(-1)?.organisation]))).toEqual(corpus.people);
    for (const [name, posts] of Object.entries(corpus.moves)) {
      expect(directory.people.find((each) => each.name === name)?.posts).toEqual(posts);
    }
  });

  it('does not depend on the order of the clues', () => {
    expect(directoryOf(clues.toReversed())).toEqual(directory);
    expect(directoryOf(clues.toSorted((a, b) => a.subject.localeCompare(b.subject)))).toEqual(directory);
  });

  it('is not turned over by one odd document', () => {
    const odd = talk(
      'odd.txt',
      `Somebody Else Ltd and Another Firm, 1 June 2026\n\nZoe Quill: ${corpus.customers[0]} is a competitor, they say.\nPete Marsh: And ${corpus.features[0]} is now called Nonsense Name.`,
    );
    const after = directoryOf(counted([...corpus.documents, odd]));
    expect(named(after, 'vendor')).toEqual([corpus.vendor]);
    expect(named(after, 'customer')).toEqual(expect.arrayContaining(corpus.customers));
    expect(named(after, 'competitor')).toEqual(expect.arrayContaining(corpus.competitors));
  });
});

describe('the fold', () => {
  const base = counted(corpora[1]!.documents);

  it('changes its version with its content only', () => {
    expect(directoryOf(base).version).toBe(directoryOf([...base, clue('customer', 'Nobody Known', null, 0.1)]).version);
    expect(directoryOf(base).version).not.toBe(directoryOf([...base, clue('customer', 'Newcomer Inn')]).version);
  });

  it('lets people win', () => {
    const directory = directoryOf([
      ...base,
      clue('competitor', 'Cervezas Altamira', null, 2),
      clue('vendor', 'Three Wells Brewing', null, 2),
    ]);
    expect(named(directory, 'competitor')).toContain('Cervezas Altamira');
    expect(named(directory, 'vendor')).toEqual(['Three Wells Brewing']);
    const features = directoryOf([...base, clue('feature', 'Stock Room', null, 2), clue('alias', 'the larder', 'Stock Room', 2)]).features;
    expect(features.find(({ name }) => name === 'Stock Room')?.aliases).toEqual(['the larder']);
  });

  it('leaves a short name alone that fits two organisations, and says so', () => {
    const { organisations, unsure } = directoryOf([
      clue('customer', 'Alder Valley Farm'),
      clue('customer', 'Alder Hill Dairy'),
      clue('customer', 'Alder'),
    ]);
    expect(organisations.map(({ name }) => name)).toEqual(['Alder', 'Alder Hill Dairy', 'Alder Valley Farm']);
    expect(unsure).toEqual(expect.arrayContaining([{ kind: 'organisation', name: 'Alder', of: 'Alder Hill Dairy' }]));
  });

  it('takes nobody for an organisation who is a form or unknown', () => {
    const clues = ['(web form)', 'Unknown sender', 'n/a', '-', 'Unbekannt'].map((name) => clue('customer', name));
    expect(directoryOf(clues).organisations).toEqual([]);
  });

  it('does not make a competitor of somebody who speaks', () => {
    const clues = [clue('competitor', 'Elmwood Press', null, 0.9, 3), clue('person', 'Ann Field', 'Elmwood Press')];
    expect(named(directoryOf(clues), 'competitor')).toEqual([]);
  });

  it('finds no circle in renames', () => {
    const clues = [
      clue('feature', 'Old Hall'),
      clue('feature', 'New Hall'),
      clue('renamed', 'Old Hall', 'New Hall'),
      clue('renamed', 'New Hall', 'Old Hall', 0.5),
    ];
    expect(directoryOf(clues).features).toMatchObject([
      { name: 'New Hall', aliases: ['Old Hall'], renamed: { from: 'Old Hall', day: null } },
    ]);
  });
});

describe('what people say', () => {
  const bookings = [
    clue('feature', 'Guest Ledger', null, 0.9, 3),
    clue('feature', 'Room Board', null, 0.9, 3),
    clue('feature', 'Night Desk', null, 0.9, 2),
    clue('customer', 'Hotel Almere', null, 0.9, 4),
  ];
  const told = (kind: CountedClue['kind'], subject: string, object: string | null = null): CountedClue => clue(kind, subject, object, 2);

  it('wins over many documents', () => {
    expect(named(directoryOf([...bookings, told('competitor', 'Room Board')]), 'competitor')).toEqual(['Room Board']);
    const asFeature = directoryOf([...bookings, told('feature', 'Hotel Almere')]);
    expect(asFeature.features.map(({ name }) => name)).toContain('Hotel Almere');
    expect(named(asFeature, 'customer')).toEqual([]);
  });

  it('makes a name a mere thing', () => {
    const directory = directoryOf([...bookings, told('thing', 'Night Desk'), told('thing', 'Hotel Almere')]);
    expect(directory.features.map(({ name }) => name).sort()).toEqual(['Guest Ledger', 'Room Board']);
    expect(directory.organisations).toEqual([]);
  });

  it('joins features that documents use as two, without calling it a renaming', () => {
    const { features } = directoryOf([...bookings, told('alias', 'Night Desk', 'Room Board'), told('feature', 'Room Board')]);
    expect(features.map(({ name, aliases, renamed }) => ({ name, aliases, renamed }))).toEqual([
      { name: 'Guest Ledger', aliases: [], renamed: null },
      { name: 'Room Board', aliases: ['Night Desk'], renamed: null },
    ]);
  });

  it('keeps similar names apart', () => {
    const twins = [clue('customer', 'Almere Lodge', null, 0.9, 3), clue('customer', 'Almere Lodge GmbH', null, 0.9, 2)];
    expect(directoryOf(twins).organisations).toHaveLength(1);
    const apart = directoryOf([...twins, told('apart', 'Almere Lodge', 'Almere Lodge GmbH')]);
    expect(named(apart, 'customer')).toEqual(['Almere Lodge', 'Almere Lodge GmbH']);
    const nickname = [...bookings, clue('alias', 'the desk', 'Night Desk', 0.9, 2)];
    const aliases = (clues: CountedClue[]) => directoryOf(clues).features.find(({ name }) => name === 'Night Desk')?.aliases;
    expect(aliases(nickname)).toEqual(['the desk']);
    expect(aliases([...nickname, told('apart', 'the desk', 'Night Desk')])).toEqual([]);
  });

  it('decides to whom a short name belongs, in either direction', () => {
    const short = ['Halden', 'Halden Growers', 'Halden Estates'].map((name) => clue('customer', name, null, 0.9, 2));
    expect(
      directoryOf(short)
        .unsure?.map(({ of }) => of)
        .sort(),
    ).toEqual(['Halden Estates', 'Halden Growers']);
    for (const [alias, name] of [
      ['Halden', 'Halden Growers'],
      ['Halden Growers', 'Halden'],
    ] as const) {
      const { organisations, unsure } = directoryOf([...short, told('alias', alias, name), told('customer', name)]);
      expect(organisations.map((each) => [each.name, each.aliases])).toEqual([
        ['Halden Estates', []],
        ['Halden Growers', ['Halden']],
      ]);
      expect(unsure).toEqual([]);
    }
  });

  it('survives aliases in a circle', () => {
    const circle = [told('alias', 'Night Desk', 'Room Board'), told('alias', 'Room Board', 'Night Desk')];
    expect(directoryOf([...bookings, ...circle]).features.length).toBeGreaterThan(0);
  });
});

describe('forms of a name', () => {
  it.each([
    ['millbrook trading', 'milbrook trading', true],
    ['millbrook gmbh', 'millbrook', true],
    ['hotel mare', 'hotel mira', false],
    ['depot 12', 'depot 13', false],
    ['nord', 'sued', false],
  ])('%s and %s: one spelling is %s', (a, b, same) => expect(isSpelling(a, b)).toBe(same));

  it.each([
    ['alder', 'alder valley farm', true],
    ['valley', 'alder valley farm', true],
    ['farm', 'alder valley farm', false],
    ['alder valley farm', 'alder valley farm', false],
  ])('%s is short for %s: %s', (a, b, same) => expect(isShort(a, b)).toBe(same));

  it.each([
    ['AVF', 'Alder Valley Farm', true],
    ['BFO', 'Brookfield Oils', true],
    ['SKS', 'Stadtkasse Süd', true],
    ['AVX', 'Alder Valley Farm', false],
    ['VF', 'Alder Valley Farm', false],
  ])('%s are the initials of %s: %s', (a, b, same) => expect(isInitials(a, b)).toBe(same));

  it.each([
    ['aldervalley.example', 'Alder Valley Farm', 2],
    ['hof-muehle.example', 'Hof Mühle GmbH', 2],
    ['mail.hofmuehle.example', 'Hof Mühle', 2],
    ['sw-ellerbach.example', 'Stadtwerke Ellerbach', 1],
    ['elsewhere.example', 'Alder Valley Farm', 0],
  ])('%s fits %s: %i', (domain, name, fit) => expect(labelFit(domain, name)).toBe(fit));

  it('are never missed by the blocks that spare most comparisons', () => {
    let seed = 7;
    const next = (n: number): number => (seed = (seed * 48_271) % 2_147_483_647) % n;
    const words =
      'alder valley farm millbrook milbrook trading gmbh depot 12 13 hotel mare mira muehle muhle nord of the big stadtwerke'.split(' ');
    const long = ['evernote', 'stadtwerke', 'brookfield', 'kirkwood', 'montgomery', 'harbour'];
    const letter = (): string => 'aeinrt'[next(6)]!;
    const misspelt = (word: string): string => {
      const at = next(word.length);
      return word.slice(0, at) + [letter(), letter() + word[at]!, ''][next(3)]! + word.slice(at + 1);
    };
    const keys = [
      ...Array.from({ length: 400 }, () => Array.from({ length: 1 + next(4) }, () => words[next(words.length)]!).join(' ')),
      ...Array.from({ length: 400 }, () => [misspelt, (word: string) => misspelt(misspelt(word))][next(2)]!(long[next(long.length)]!)),
      ...Array.from({ length: 100 }, () => `alder ${misspelt(long[next(long.length)]!)}`),
    ];
    let [spellings, shorts] = [0, 0];
    for (const a of keys) {
      for (const b of keys) {
        if (a !== b && isSpelling(a, b)) {
          spellings += 1;
          expect([a, b, blocksOfSpelling(a).some((block) => blocksOfSpelling(b).includes(block))]).toEqual([a, b, true]);
        }
        if (isShort(a, b)) {
          shorts += 1;
          expect([a, b, shortsOf(b).includes(a)]).toEqual([a, b, true]);
        }
      }
    }
    expect(Math.min(spellings, shorts)).toBeGreaterThan(100);
  });
});

describe('somebody without a written employer', () => {
  const met = (day: string, organisation: string): CountedClue[] => [
    { ...clue('person', 'Kim Abt', organisation, 0.3), day },
    { ...clue('person', 'Kim Abt', null, 0.5), day },
  ];
  const base = [
    clue('customer', 'Hill School'),
    clue('customer', 'Lakeside Tours'),
    clue('vendor', 'Elm Press'),
    ...met('2026-01-14', 'Hill School'),
    ...met('2026-03-12', 'Lakeside Tours'),
    ...met('2026-04-16', 'Lakeside Tours'),
  ];
  const postsOf = (clues: CountedClue[]) => directoryOf(clues).people.find(({ name }) => name === 'Kim Abt')?.posts;

  it('changed from one customer to the next, of which a memory tells', () => {
    expect(postsOf([...base, clue('left', 'Kim Abt', 'hill', 0.2)])).toEqual([
      { organisation: 'Hill School', from: null, until: '2026-03-11' },
      { organisation: 'Lakeside Tours', from: '2026-03-12', until: null },
    ]);
  });

  it('is of the vendor where no memory tells otherwise', () => {
    expect(postsOf(base)).toEqual([{ organisation: 'Elm Press', from: null, until: null }]);
  });

  it('is of the vendor after going back and forth', () => {
    expect(postsOf([...base, ...met('2026-05-01', 'Hill School'), clue('left', 'Kim Abt', 'hill', 0.2)])).toEqual([
      { organisation: 'Elm Press', from: null, until: null },
    ]);
  });
});
