import { AppError } from '../../contracts/errors.ts';
import { isTaskId } from './check.ts';
import { plain } from './phrases.ts';

const key = (text: string): string =>
  plain(text)
    .toLowerCase()
    .replaceAll(/["'“”‘’„`]/g, '')
    .replace(/[.:!?]+$/, '')
    .trim();

/** By which names the tasks of a text can be referred to. */
export class Names {
  private readonly known = new Map<string, Set<string>>();
  private readonly titles: { title: string; refs: string[] }[] = [];

  /** @param refs none: it is done already */
  add(name: string | null, refs: string[]): void {
    if (name === null) return;
    const set = this.known.get(key(name)) ?? new Set();
    for (const ref of refs) set.add(ref);
    this.known.set(key(name), set);
  }

  /** A title is also found by a part of it, if only one title has that part. */
  title(title: string, refs: string[]): void {
    this.add(title, refs);
    this.titles.push({ title: key(title), refs });
  }

  /**
   * The refs that a list of names means: the whole as one name, otherwise its parts.
   * @returns null: a part is unknown
   * @throws AppError VALIDATION_ERROR for a name that several tasks have
   */
  resolve(names: string): string[] | null {
    const whole = this.one(names);
    if (whole) return whole;
    const refs: string[] = [];
    const parts = names.split(/\s*[,;&]\s*/).filter(Boolean);
    for (const part of parts) {
      const found = this.one(part) ?? this.all(part.replace(/^and\s+/i, '').split(/\s+and\s+/i));
      if (!found) return null;
      refs.push(...found);
    }
    return parts.length > 0 ? [...new Set(refs)] : null;
  }

  private all(names: string[]): string[] | null {
    const found = names.map((name) => this.one(name));
    return found.some((refs) => refs === null) ? null : found.flatMap((refs) => refs!);
  }

  private one(text: string): string[] | null {
    const name = key(text.replace(/\s+(?:is|are)\s+(?:done|finished|complete|ready)$/i, ''));
    if (isTaskId(name)) return [name];
    const number = /^(?:step|task|item|no\.?|nr\.?|#)?\s*(\d{1,5})$/.exec(name);
    const exact = this.known.get(name) ?? (number ? this.known.get(`#${number[1]}`) : undefined);
    if (exact) return [...exact];
    if (name.length < 4) return null;
    const near = this.titles.filter(({ title }) => title.startsWith(name));
    const found = near.length > 0 ? near : this.titles.filter(({ title }) => title.includes(name));
    if (found.length > 1) {
      const examples = found.slice(0, 5).map(({ title }) => `"${title}"`);
      throw new AppError('VALIDATION_ERROR', `"${text.slice(0, 100)}" could be ${examples.join(', ')}.`, {
        hint: 'Write the whole title, or give the tasks labels such as T1: and refer to these.',
        details: { reason: 'ambiguous' },
      });
    }
    return found[0]?.refs ?? null;
  }
}
