import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Prompt {
  /** `name@version`; stored with the model's output. A changed text gets a new version. */
  id: string;
  /** The instructions, preceded by the rules for untrusted data. */
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

/**
 * A prompt from the folder `prompts/`.
 * @throws Error when the id does not exist: a defect
 */
export const prompt = (id: `${string}@${number}`): Prompt => ({ id, system: `${text(rules)}\n\n${text(id)}` });
