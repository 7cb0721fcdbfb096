/** A page's article in JSON-LD (schema.org). */
export interface LinkedArticle {
  description: string | null;
  keywords: string[];
  author: string | null;
  published: string | null;
  image: string | null;
}

type Json = Record<string, unknown>;

const articleType = /(?:Article|BlogPosting|Posting|Report|Review|LiveBlog|WebPage)$/;
const longestScript = 200_000;
/** Graphs may have many items; the first ones are enough. */
const mostThings = 500;

/** Of several articles the first counts; an article takes precedence over its page. */
export function linkedData(scripts: Iterable<string>): LinkedArticle {
  const things: Json[] = [];
  for (const script of scripts) {
    if (script.length > longestScript) continue;
    try {
      collect(JSON.parse(script.replace(/^\s*<!\[CDATA\[|\]\]>\s*$/g, '')), things, 0);
    } catch {
      // Ignore invalid JSON.
    }
  }
  const article = things.find((thing) => typesOf(thing).some((type) => type !== 'WebPage' && articleType.test(type)));
  const page = things.find((thing) => typesOf(thing).includes('WebPage'));
  const from = <T>(read: (thing: Json) => T | null): T | null => (article && read(article)) ?? (page && read(page)) ?? null;
  return {
    description: from((thing) => text(thing['description'])),
    keywords: [thingKeywords(article), thingKeywords(page)].find((words) => words.length > 0) ?? [],
    author: from((thing) => namesOf(thing['author'])),
    published: from((thing) => text(thing['datePublished'])),
    image: from((thing) => addressOf(thing['image'])),
  };
}

function collect(value: unknown, things: Json[], depth: number): void {
  if (depth > 5 || things.length >= mostThings) return;
  if (Array.isArray(value)) for (const one of value) collect(one, things, depth + 1);
  else if (isJson(value)) {
    things.push(value);
    for (const inner of [value['@graph'], value['mainEntity'], value['mainEntityOfPage']]) collect(inner, things, depth + 1);
  }
}

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : value === undefined || value === null ? [] : [value]);
const text = (value: unknown): string | null => (typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, 2000) : null);
const typesOf = (thing: Json): string[] =>
  listOf(thing['@type']).flatMap((type) => (typeof type === 'string' ? type.replace(/^https?:\/\/schema\.org\//, '') : []));

const namesOf = (value: unknown): string | null =>
  listOf(value)
    .map((one) => text(isJson(one) ? one['name'] : one))
    .filter((name) => name !== null && !/^https?:/i.test(name))
    .slice(0, 10)
    .join(', ') || null;

const addressOf = (value: unknown): string | null => {
  const [first] = listOf(value);
  return text(isJson(first) ? (first['url'] ?? first['contentUrl']) : first);
};

const thingKeywords = (thing: Json | undefined): string[] =>
  listOf(thing?.['keywords']).flatMap((one) => (typeof one === 'string' ? one.split(',') : (text(isJson(one) ? one['name'] : one) ?? [])));
