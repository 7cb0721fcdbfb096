import { childEnvironment } from '../platform/config.ts';
import { usage } from './exit.ts';
import { oneLine } from './output.ts';

/** Parses `NAME=value`, or `NAME`, whose value is taken from the environment. With the sign `:` only `name: value`. */
export function pairs(given: string[] | undefined, sign: '=' | ':'): Record<string, string> | undefined {
  if (!given) return undefined;
  const here = childEnvironment({});
  return Object.fromEntries(
    given.map((text) => {
      const at = text.indexOf(sign);
      const name = (at < 0 ? text : text.slice(0, at)).trim();
      const value = at < 0 ? (sign === '=' ? here[name] : undefined) : text.slice(at + 1).trim();
      if (name === '' || value === undefined) throw usage(`"${oneLine(name)}" has no value.`);
      return [name, value];
    }),
  );
}
