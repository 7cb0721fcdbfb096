/** Options and arguments of commands, each with the type of its parsed value. */
import { Argument, InvalidArgumentError, Option } from 'commander';

type Parse<T> = (text: string, before?: T) => T;

/** One input of a command: an argument, an option, or a pair of options like `--notify` and `--no-notify`. */
export interface Field<T> {
  readonly parts: readonly (Argument | Option)[];
  /** Exists for type inference only. */
  readonly value?: T;
}

export function option<const F extends string>(
  flags: F,
  help: string,
): Field<(F extends `${string}<${string}` ? string : boolean) | undefined>;
export function option<T>(flags: string, help: string, parse: Parse<T>): Field<T | undefined>;
export function option<T>(flags: string, help: string, parse: Parse<T>, preset: T): Field<T>;
export function option(flags: string, help: string, parse?: Parse<unknown>, preset?: unknown): Field<unknown> {
  const made = new Option(flags, help).default(preset);
  return { parts: [parse ? made.argParser(parse) : made] };
}

export const hidden = (flag: string): Field<boolean | undefined> => ({ parts: [new Option(flag).hideHelp()] });

/** A required option. */
export function needed(flags: string, help: string): Field<string>;
export function needed<T>(flags: string, help: string, parse: Parse<T>): Field<T>;
export function needed(flags: string, help: string, parse?: Parse<unknown>): Field<unknown> {
  const made = new Option(flags, help).makeOptionMandatory();
  return { parts: [parse ? made.argParser(parse) : made] };
}

/** `--flag` and `--no-flag`; undefined when neither is given. */
export const either = (flag: string, yes: string, no: string): Field<boolean | undefined> => ({
  parts: [new Option(`--${flag}`, yes), new Option(`--no-${flag}`, no)],
});

/** An argument that the command line checks. */
export const argument = <T, const F extends string>(
  name: F,
  help: string,
  parse: Parse<T>,
): Field<F extends `<${string}` ? T : T | undefined> => ({ parts: [new Argument(name, help).argParser(parse)] });

/** An argument that is one of these words. Completion offers them. */
export const word = <const T extends string>(name: string, help: string, words: readonly T[]): Field<T> => ({
  parts: [new Argument(name, help).choices(words)],
});

/** A whole number within bounds. */
export const number =
  (least: number, most: number) =>
  (text: string): number => {
    const value = Number(text);
    if (!Number.isInteger(value) || value < least || value > most)
      throw new InvalidArgumentError(`A whole number from ${least} to ${most} is needed.`);
    return value;
  };

export const repeated = (text: string, before: string[] = []): string[] => [...before, text];

/** Accepts `a,b` and repeated options. */
export const list = (text: string, before: string[] = []): string[] => {
  const items = text.split(',').map((item) => item.trim());
  return [...before, ...items.filter(Boolean)];
};

/** Passed on as typed; the server validates it. */
export const typed = <T extends string>(text: string): T => text as T;

export const oneOf =
  <const T extends string>(...words: readonly T[]) =>
  (text: string): T => {
    if ((words as readonly string[]).includes(text)) return text as T;
    throw new InvalidArgumentError(`One of: ${words.join(', ')}.`);
  };

export const choice = <const T extends string>(flags: string, words: readonly T[], help = words.join(', ')): Field<T | undefined> =>
  option(flags, help, oneOf(...words));

export const limit = (most: number, preset: number, help = 'at most'): Field<number> =>
  option('--limit <n>', help, number(1, most), preset);

export const asAgent = option('--agent-id <id>', 'the worker in whose name it is done; default: the key');
export const once = option('--idempotency-key <key>', 'a repeat under the same key acts once');
