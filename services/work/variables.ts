import { AppError } from '../../contracts/errors.ts';
import type { TemplateTask } from '../../contracts/work/templates.ts';

type Words = Pick<TemplateTask, 'title' | 'description' | 'tags'>;

const variable = /\{\{\s*([A-Za-z_][A-Za-z0-9_]{0,63})\s*\}\}/g;
const most = { title: 200, description: 20_000, tag: 64 };

/** Names of the variables, each once, in the order in which they appear. */
export function variablesOf({ title = '', description = '', tags }: Words): string[] {
  const found = [title, description, ...tags].flatMap((text) => [...text.matchAll(variable)].map(([, name]) => name!));
  return [...new Set(found)];
}

/**
 * The words with their variables filled in. Values are text: variables inside a value stay as they are.
 * @throws AppError VALIDATION_ERROR: missing or unknown variables, or a text that becomes too long
 */
export function filled(words: Words, values: Record<string, string>): Words {
  const names = variablesOf(words);
  const missing = names.filter((name) => !Object.hasOwn(values, name));
  const unknown = Object.keys(values).filter((name) => !names.includes(name));
  if (missing.length > 0 || unknown.length > 0) {
    const of = (what: string, list: string[]): string => (list.length === 0 ? '' : ` ${what}: ${list.join(', ')}.`);
    throw new AppError('VALIDATION_ERROR', `The variables do not fit the template.${of('Missing', missing)}${of('Unknown', unknown)}`, {
      hint: names.length === 0 ? 'The template has no variables.' : `It has ${names.join(', ')}.`,
      details: { missing, unknown },
    });
  }
  const fill = (text: string, longest: number): string => {
    const full = text.replace(variable, (_all, name: string) => values[name]!);
    if (full.length <= longest) return full;
    throw new AppError('VALIDATION_ERROR', `With its variables a text has ${full.length} characters; ${longest} are allowed.`, {
      hint: 'Give shorter values.',
    });
  };
  return {
    // A title is one line.
    ...(words.title === undefined ? {} : { title: fill(words.title, most.title).replaceAll(/\s+/g, ' ').trim() || 'Untitled' }),
    ...(words.description === undefined ? {} : { description: fill(words.description, most.description) }),
    tags: words.tags.map((tag) => fill(tag, most.tag)).filter(Boolean),
  };
}
