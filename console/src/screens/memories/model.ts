/** Pure: filters of the list, what a form changes, and what differs between two versions. */
import type {
  ChosenMemory,
  ExtractedMemory,
  Memory,
  MemoryOrigin,
  MemoryScope,
  MemoryVersion,
} from '../../../../contracts/knowledge/memory.ts';

export const defaults = { q: '', scope: '', category: '', tags: '', as_of: '', tab: 'all', add: '', from: 'text', document: '' };
export type Url = typeof defaults;
/** What the list is narrowed by. */
export const cleared = { q: '', scope: '', category: '', tags: '', as_of: '' } satisfies Partial<Url>;

/** Those that the tools recommend, and those that conversations give. Others are accepted. */
const categories = ['decision', 'pattern', 'problem', 'convention', 'preference', 'fact', 'commitment'];
const mostText = 20_000;
const mostTags = 32;
const longest = 64;

/** Whose memories the console can ask for: it has no session in which any were saved. */
export const scopes = [
  ['team', 'the team'],
  ['user', 'yours'],
  ['agent', 'yours under this name'],
] as const satisfies readonly (readonly [MemoryScope, string])[];

export const whose: Record<MemoryScope, string> = { team: 'team', user: 'yours', agent: 'agent', session: 'session' };

export const finders: Record<MemoryScope, string> = {
  team: 'everybody of the tenant who may read memories',
  user: 'whoever holds your key, under any name',
  agent: 'your key under this name alone',
  session: 'the session in which it was saved',
};

/** `a, b` as tags, each once. */
export const tagsOf = (text: string): string[] => [...new Set(text.split(',').map((tag) => tag.trim()))].filter((tag) => tag !== '');

/** Arguments that the list and the search share. */
export const filterOf = ({ scope, category, tags, as_of }: Pick<Url, 'scope' | 'category' | 'tags' | 'as_of'>): object => ({
  ...(scope ? { scope } : {}),
  ...(category ? { category } : {}),
  ...(tagsOf(tags).length > 0 ? { tags: tagsOf(tags) } : {}),
  ...(as_of ? { as_of } : {}),
});

/** The usual categories, those of the rows, and the chosen one. */
export const categoriesOf = (rows: readonly Pick<Memory, 'category'>[], chosen: string): string[] => [
  ...new Set(['', ...categories, ...rows.map(({ category }) => category), chosen]),
];

/** A memory as a form has it: tags with commas, and the last day on which it holds, or nothing. */
export interface Form {
  content: string;
  category: string;
  tags: string;
  until: string;
}

export const emptyForm: Form = { content: '', category: 'decision', tags: '', until: '' };

export const formOf = ({ content, category, tags, expires_at }: Memory): Form => ({
  content,
  category,
  tags: tags.join(', '),
  until: expires_at?.slice(0, 10) ?? '',
});

/** Why the server would refuse it, by field. @param today `2027-03-01` */
export function faultsOf({ content, category, tags, until }: Form, today: string): Partial<Record<keyof Form, string>> {
  const all = tagsOf(tags);
  return {
    ...(content.trim() === '' ? { content: 'Write what is worth knowing later.' } : {}),
    ...(content.trim().length > mostText
      ? { content: `${content.trim().length.toLocaleString('en')} characters; at most ${mostText.toLocaleString('en')} are taken.` }
      : {}),
    ...(category.trim() === '' || category.trim().length > longest ? { category: `1 to ${longest} characters.` } : {}),
    ...(all.length > mostTags || all.some((tag) => tag.length > longest)
      ? { tags: `At most ${mostTags}, of at most ${longest} characters.` }
      : {}),
    ...(until !== '' && until < today ? { until: 'This day is over.' } : {}),
  };
}

/** Arguments of memory.record.save. */
export const saveArgs = ({ content, category, tags, until }: Form, scope: string): object => ({
  content: content.trim(),
  category: category.trim(),
  scope,
  ...(tagsOf(tags).length > 0 ? { tags: tagsOf(tags) } : {}),
  ...(until === '' ? {} : { expires_at: until }),
});

export interface Change {
  content?: string;
  category?: string;
  tags?: string[];
  /** Null: for ever. */
  expires_at?: string | null;
}

/** What the form changes: nothing else is sent, so that what others changed meanwhile stays. */
export function changeOf(base: Memory, form: Form): Change {
  const before = formOf(base);
  const tags = tagsOf(form.tags);
  return {
    ...(form.content.trim() === base.content ? {} : { content: form.content.trim() }),
    ...(form.category.trim() === base.category ? {} : { category: form.category.trim() }),
    // A tag may hold a comma; then it is compared as it was shown.
    ...(form.tags === before.tags || tags.join() === base.tags.join() ? {} : { tags }),
    ...(form.until === before.until ? {} : { expires_at: form.until === '' ? null : form.until }),
  };
}

/** What differs between two versions besides their text. */
export function differences(before: Memory, after: Memory): string[] {
  const lost = before.tags.filter((tag) => !after.tags.includes(tag));
  const got = after.tags.filter((tag) => !before.tags.includes(tag));
  const until = (at: string | null): string => (at === null ? 'for ever' : `until ${at.slice(0, 10)}`);
  return [
    before.category === after.category ? '' : `category: ${before.category}, then ${after.category}`,
    got.length > 0 ? `tags added: ${got.join(', ')}` : '',
    lost.length > 0 ? `tags removed: ${lost.join(', ')}` : '',
    until(before.expires_at) === until(after.expires_at) ? '' : `${until(before.expires_at)}, then ${until(after.expires_at)}`,
    JSON.stringify(before.metadata) === JSON.stringify(after.metadata) ? '' : 'other metadata',
  ].filter((text) => text !== '');
}

export interface Former {
  version: MemoryVersion;
  /** The version that took its place; undefined: it is not told. */
  by: MemoryVersion | undefined;
  /** It was merged into the memory, and that was not undone. */
  merged: boolean;
}

/** Former versions, each with the one that took its place. */
export function formerOf(memory: MemoryVersion, history: readonly MemoryVersion[], merges: readonly { merged: string[] }[]): Former[] {
  const byId = new Map([memory, ...history].map((each) => [each.memory_id, each]));
  const merged = new Set(merges.flatMap((each) => each.merged));
  return history.map((version) => ({
    version,
    by: version.superseded_by === null ? undefined : byId.get(version.superseded_by),
    merged: merged.has(version.memory_id),
  }));
}

/** The document that a memory was taken from; null: a conversation that was pasted, of which nothing else is kept. */
export const documentOf = ({ conversation }: MemoryOrigin): string | null => (conversation.startsWith('turns_') ? null : conversation);

/** Of a proposal, within its conversation. */
export const proposalKey = ({ origin: { turn, quote } }: Pick<ExtractedMemory, 'origin'>): string => `${turn} ${quote}`;

/** The proposals as memory.record.extract takes them. */
export const chosenOf = (all: readonly ExtractedMemory[], keys: ReadonlySet<string>): ChosenMemory[] =>
  all.filter((each) => keys.has(proposalKey(each))).map(({ category, origin: { turn, quote } }) => ({ turn, quote, category }));
