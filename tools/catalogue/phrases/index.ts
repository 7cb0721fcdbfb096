import { askedOfCustomers } from './asked-customers.ts';
import { askedOfPlatform } from './asked-platform.ts';
import { askedOfWork } from './asked-work.ts';
import { heardOfAgents } from './heard-agents.ts';
import { heardOfAuthoring } from './heard-authoring.ts';
import { heardOfInsight } from './heard-insight.ts';
import { heardOfSources } from './heard-sources.ts';
import { heardOfSystem } from './heard-system.ts';
import { heardOfWork } from './heard-work.ts';
import { knowledge } from './knowledge.ts';
import { news } from './news.ts';
import { people } from './people.ts';
import { saidOfCustomers } from './said-customers.ts';
import { saidOfKnowledge } from './said-knowledge.ts';
import { saidOfPlatform } from './said-platform.ts';
import { saidOfSystem } from './said-system.ts';
import { saidOfWork } from './said-work.ts';
import { shortOfKnowledge } from './short-knowledge.ts';
import { shortOfPlatform } from './short-platform.ts';
import { work } from './work.ts';

const long: Readonly<Record<string, string>> = { ...people, ...knowledge, ...news, ...work };
const short: Readonly<Record<string, string>> = { ...shortOfPlatform, ...shortOfKnowledge };
const said: Readonly<Record<string, string>> = {
  ...saidOfWork,
  ...saidOfPlatform,
  ...saidOfSystem,
  ...saidOfKnowledge,
  ...saidOfCustomers,
};
const asked: Readonly<Record<string, string>> = { ...askedOfWork, ...askedOfPlatform, ...askedOfCustomers };

const heard: Readonly<Record<string, string>> = {
  ...heardOfWork,
  ...heardOfAgents,
  ...heardOfSystem,
  ...heardOfSources,
  ...heardOfAuthoring,
  ...heardOfInsight,
};

/** Phrases by tool, separated by `; `. */
export const phrases: Readonly<Record<string, string>> = Object.fromEntries(
  [...new Set([long, short, said, asked, heard].flatMap((lists) => Object.keys(lists)))].map((tool) => [
    tool,
    [long[tool], short[tool], said[tool], asked[tool], heard[tool]].filter((list) => list !== undefined).join('; '),
  ]),
);

/** Further phrases of people who need this tool, in addition to its intents. Only the search uses them; models never see them. */
export const phrasesOf = (tool: string): string[] => phrases[tool]?.split('; ') ?? [];
