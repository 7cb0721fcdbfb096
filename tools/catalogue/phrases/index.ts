import { knowledge } from './knowledge.ts';
import { news } from './news.ts';
import { people } from './people.ts';
import { work } from './work.ts';

export const phrases: Readonly<Record<string, string>> = { ...people, ...knowledge, ...news, ...work };

/** Further ways in which people ask for this tool, beside its own intents: for the search alone, no model ever reads them. */
export const phrasesOf = (tool: string): string[] => phrases[tool]?.split('; ') ?? [];
