import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Prompt {
  /** `name@version`; kept with what was made by it. A text that changes gets a new version. */
  id: string;
  /** The instructions, with the rules for data of strangers before them. */
  system: string;
}

const folder = join(import.meta.dirname, '..', '..', '..', 'prompts');
const rules = 'untrusted-data@1';
const known = new Map<string, string>();

function text(id: string): string {
  let found = known.get(id);
  if (found === undefined) known.set(id, (found = readFileSync(join(folder, `${id}.md`), 'utf8').trim()));
  return found;
}

/** A prompt of the folder `prompts/`. @throws Error when there is none of this id: a defect */
export const prompt = (id: `${string}@${number}`): Prompt => ({ id, system: `${text(rules)}\n\n${text(id)}` });
