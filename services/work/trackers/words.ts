/** Texts that cross between issues and tasks. Pure. */
import type { Issue } from '../../../adapters/trackers/types.ts';
import { storable } from '../../../contracts/json.ts';
import { withoutSecretsIn } from '../../../contracts/secrets.ts';
import type { Priority } from '../../../contracts/work/work.ts';
import { wordsOf } from '../words.ts';

const most = { title: 200, description: 19_000, comment: 20_000, tags: 32, tag: 64, told: 8_000 };
const cut = (text: string, longest: number): string => (text.length > longest ? `${text.slice(0, longest - 1)}…` : text);

/** Without HTML comments: readers of the issue do not see them, so agents shall not read them either. */
const visible = (text: string): string => storable(text.replaceAll(/<!--[\s\S]*?-->/g, '').replaceAll('\r\n', '\n')).trim();

/**
 * What a task has from its issue. Labels are tags; of who works on it, when and where, an issue says nothing.
 * @param name of the issue, e.g. #12 or SHOP-12
 */
export function taskWords(issue: Issue, name: string, place: string): { title: string; description: string; tags: string[] } {
  const title = cut(visible(issue.title).replaceAll(/\s+/g, ' '), most.title) || `Issue ${name}`;
  const from = `Issue ${name} of ${place}, by ${issue.author}: ${issue.url}`;
  const body = cut(visible(issue.body), most.description);
  const { description } = wordsOf(title, body === '' ? from : `${body}\n\n${from}`);
  const tags = [...new Set(issue.labels.map((label) => visible(label).slice(0, most.tag)).filter(Boolean))].slice(0, most.tags);
  return { title, description, tags };
}

const named = (words: string): RegExp => new RegExp(`^(?:(?:prio|priority)[ :/_-]*(?:${words})|(?:${words})[ _-]*(?:prio|priority))$`, 'i');
const high = named('high|highest|urgent|critical');
const low = named('low|lowest|minor');

/** The priority that a label plainly names; otherwise medium. */
export function priorityOf(labels: readonly string[]): Priority {
  if (labels.some((label) => high.test(label.trim()) || /^(?:p[01]|urgent|critical)$/i.test(label.trim()))) return 'high';
  return labels.some((label) => low.test(label.trim()) || /^p[34]$/i.test(label.trim())) ? 'low' : 'medium';
}

/** A comment as it is stored here. */
export const commentWords = (body: string): string => cut(visible(body), most.comment);

/**
 * Text of agents and people, as a quotation. Without it a line such as "/close" would be a command to GitLab, and an
 * HTML comment could pass for a marker.
 */
export const quoted = (text: string): string =>
  cut(withoutSecretsIn(visible(text)), most.told)
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');

/** A name in the middle of a sentence: nobody is mentioned by it. */
export const plainName = (name: string): string => `\`${name.replaceAll(/[`\r\n]/g, '')}\``;
