import { knowledge } from './knowledge.ts';
import { news } from './news.ts';
import { people } from './people.ts';
import { work } from './work.ts';

export const phrases: Readonly<Record<string, string>> = { ...people, ...knowledge, ...news, ...work };

/** Further phrases of people who need this tool, in addition to its intents. Only the search uses them; models never see them. */
export const phrasesOf = (tool: string): string[] => phrases[tool]?.split('; ') ?? [];
