import { knowledge } from './knowledge.ts';
import { news } from './news.ts';
import { people } from './people.ts';
import { shortOfKnowledge } from './short-knowledge.ts';
import { shortOfPlatform } from './short-platform.ts';
import { work } from './work.ts';

const long: Readonly<Record<string, string>> = { ...people, ...knowledge, ...news, ...work };
const short: Readonly<Record<string, string>> = { ...shortOfPlatform, ...shortOfKnowledge };

/** Phrases by tool, separated by `; `. */
export const phrases: Readonly<Record<string, string>> = Object.fromEntries(
  [...new Set([...Object.keys(long), ...Object.keys(short)])].map((tool) => [
    tool,
    [long[tool], short[tool]].filter((list) => list !== undefined).join('; '),
  ]),
);

/** Further phrases of people who need this tool, in addition to its intents. Only the search uses them; models never see them. */
export const phrasesOf = (tool: string): string[] => phrases[tool]?.split('; ') ?? [];
