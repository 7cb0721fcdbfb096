import { type Command, InvalidArgumentError } from 'commander';

/** `[command line, what it does]`, shown under a command's options. */
export function examples(...lines: [line: string, does: string][]): string {
  const widest = Math.max(...lines.map(([line]) => line.length));
  return `\nExamples:\n${lines.map(([line, does]) => `  $ ${line.padEnd(widest)}  ${does}`.trimEnd()).join('\n')}`;
}

export const isJson = (command: Command): boolean => command.optsWithGlobals<{ json?: boolean }>().json ?? false;

/** A whole number within bounds. */
export const number =
  (least: number, most: number) =>
  (text: string): number => {
    const value = Number(text);
    if (!Number.isInteger(value) || value < least || value > most)
      throw new InvalidArgumentError(`A whole number from ${least} to ${most} is needed.`);
    return value;
  };

/** `a,b` and repeated options alike. */
export const list = (text: string, before: string[] = []): string[] => [
  ...before,
  ...text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean),
];

/** One of these words. */
export const oneOf =
  <T extends string>(...allowed: readonly T[]) =>
  (text: string): T => {
    if ((allowed as readonly string[]).includes(text)) return text as T;
    throw new InvalidArgumentError(`One of: ${allowed.join(', ')}.`);
  };
