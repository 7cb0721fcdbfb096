/** Parses (never executes) the few Python expressions in which the corpus of feeds writes its expectations. */

/** `undefined`: the value does not exist. */
export type Value = string | number | boolean | null | undefined | Value[] | { [key: string]: Value };

const token =
  /\s*(?:u?'''([\s\S]*?)'''|u?"""([\s\S]*?)"""|u?'((?:[^'\\]|\\.)*)'|u?"((?:[^"\\]|\\.)*)"|([A-Za-z_]\w*)|(\d+(?:\.\d+)?)|(==|!=|[[\](){},:.+-]))/y;

interface Token {
  kind: 'name' | 'number' | 'text' | 'sign';
  text: string;
}

function tokensOf(source: string): Token[] {
  const tokens: Token[] = [];
  token.lastIndex = 0;
  while (token.lastIndex < source.trimEnd().length) {
    const at = token.lastIndex;
    const match = token.exec(source);
    if (!match) throw unreadable(`cannot read "${source.slice(at, at + 40)}"`);
    const [, long, longer, single, double, name, number, sign] = match;
    const quoted = long ?? longer ?? single ?? double;
    if (name !== undefined) tokens.push({ kind: 'name', text: name });
    else if (number !== undefined) tokens.push({ kind: 'number', text: number });
    else if (quoted !== undefined) tokens.push({ kind: 'text', text: unescape(quoted) });
    else tokens.push({ kind: 'sign', text: sign! });
  }
  return tokens;
}

/** An expectation in a form that is not known here: no verdict about the feed. */
export class Unreadable extends Error {}
const unreadable = (why: string): Unreadable => new Unreadable(why);

const unescape = (text: string): string =>
  text.replace(/\\(?:u([\da-fA-F]{4})|x([\da-fA-F]{2})|(.))/g, (_, wide?: string, byte?: string, other?: string) =>
    wide !== undefined || byte !== undefined ? String.fromCharCode(Number.parseInt((wide ?? byte)!, 16)) : other === 'n' ? '\n' : other!,
  );

/**
 * Whether an expectation holds.
 * @param names the names that it may use: `feed`, `entries`, `version`, `bozo`
 * @throws Unreadable for a form or a name that is not known here
 */
export function holds(source: string, names: Readonly<Record<string, Value>>): boolean {
  const tokens = tokensOf(source);
  let at = 0;
  const peek = (text: string): boolean => tokens[at]?.text === text && tokens[at]?.kind !== 'text';
  const take = (text: string): boolean => peek(text) && ++at > 0;
  const need = (text: string): void => {
    if (!take(text)) throw unreadable(`"${text}" expected in "${source}"`);
  };

  function either(): Value {
    let result = both();
    while (take('or')) {
      const other = both();
      result = truth(result) ? result : other;
    }
    return result;
  }
  function both(): Value {
    let result = not();
    while (take('and')) {
      const other = not();
      result = truth(result) ? other : result;
    }
    return result;
  }
  function not(): Value {
    if (take('not')) return !truth(not());
    let left = sum();
    let result: boolean | undefined;
    for (;;) {
      const test = comparison();
      if (!test) return result ?? left;
      const right = sum();
      result = (result ?? true) && test(left, right);
      left = right;
    }
  }
  function comparison(): ((left: Value, right: Value) => boolean) | null {
    if (take('==')) return equal;
    if (take('!=')) return (left, right) => !equal(left, right);
    if (take('is')) {
      const no = take('not');
      return (left, right) => (left === right) !== no;
    }
    if (take('in')) return within;
    if (!peek('not') || tokens[at + 1]?.text !== 'in') return null;
    at += 2;
    return (left, right) => !within(left, right);
  }
  function sum(): Value {
    let value = operand();
    while (take('+')) {
      const more = operand();
      if (typeof value !== 'string' || typeof more !== 'string') throw unreadable(`"+" joins texts only, in "${source}"`);
      value += more;
    }
    return value;
  }
  function list(end: string): Value[] {
    const values: Value[] = [];
    while (!take(end)) {
      values.push(either());
      if (!peek(end)) need(',');
    }
    return values;
  }
  function operand(): Value {
    const first = tokens[at++];
    if (!first) throw unreadable(`"${source}" ends too early`);
    if (first.kind === 'text') return first.text;
    if (first.kind === 'number') return Number(first.text);
    if (first.text === '-') return -Number(operand());
    if (first.text === '(') {
      const from = at;
      const values = list(')');
      // Parentheses around one value without a comma only group.
      return values.length === 1 && tokens[at - 2]?.text !== ',' && at - 1 > from ? values[0] : values;
    }
    if (first.text === '[') return list(']');
    if (first.text === '{') {
      const found: Record<string, Value> = {};
      while (!take('}')) {
        const key = String(either());
        need(':');
        found[key] = either();
        if (!peek('}')) need(',');
      }
      return found;
    }
    if (Object.hasOwn(constants, first.text)) return constants[first.text];
    if (peek('(') && Object.hasOwn(calls, first.text)) {
      at++;
      return calls[first.text]!(list(')')[0]);
    }
    if (first.kind !== 'name' || !Object.hasOwn(names, first.text)) throw unreadable(`unknown "${first.text}" in "${source}"`);
    return places(names[first.text]);
  }
  /** What follows a name: `['key']`, `[0]`, `.key`, `.has_key('key')`, `.get('key', other)`. */
  function places(value: Value): Value {
    for (;;) {
      if (take('[')) {
        value = part(value, either());
        need(']');
      } else if (take('.')) {
        const name = tokens[at++];
        if (name?.kind !== 'name') throw unreadable(`a name expected after "." in "${source}"`);
        if (!peek('(')) {
          value = part(value, name.text);
          continue;
        }
        if (name.text !== 'has_key' && name.text !== 'get') throw unreadable(`unknown "${name.text}" in "${source}"`);
        at++;
        const [key, other = null] = list(')');
        const found = part(value, key);
        value = name.text === 'has_key' ? found !== undefined : (found ?? other);
      } else return value;
    }
  }

  const result = truth(either());
  if (at < tokens.length) throw unreadable(`"${tokens[at]!.text}" is too much in "${source}"`);
  return result;
}

const constants: Record<string, Value> = { None: null, True: true, False: false };

const calls: Record<string, (value: Value) => Value> = {
  len: (value) =>
    typeof value === 'object' && value !== null ? Object.keys(value).length : typeof value === 'string' ? value.length : undefined,
  ord: (value) => (typeof value === 'string' && Array.from(value).length === 1 ? value.codePointAt(0) : undefined),
};

/** Own parts only; a negative index counts from the end. */
function part(value: Value, key: Value): Value {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value)) return typeof key === 'number' ? value.at(key) : undefined;
  return Object.hasOwn(value, String(key)) ? value[String(key)] : undefined;
}

/** A key of an object that has a value, a member of a list, or a part of a text. */
function within(left: Value, right: Value): boolean {
  if (typeof right === 'string') return typeof left === 'string' && right.includes(left);
  if (Array.isArray(right)) return right.some((each) => equal(left, each));
  return part(right, left) !== undefined;
}

/** As in Python: empty lists, objects and texts are false. */
const truth = (value: Value): boolean => (typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : Boolean(value));

function equal(left: Value, right: Value): boolean {
  if (typeof left === 'string' && typeof right === 'string') return left === right || asMarkup(left) === asMarkup(right);
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return left === right;
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  const one = Object.entries(left);
  const other = right as Record<string, Value>;
  return one.length === Object.keys(other).length && one.every(([key, value]) => equal(value, other[key]));
}

/** Normalizes markup: the order of attributes and the form of empty elements do not matter. */
const asMarkup = (text: string): string =>
  text.replace(/<([\w:-]+)((?:\s+[\w:-]+="[^"]*")*)\s*(\/?)>/g, (_, name: string, attributes: string, empty: string) => {
    const sorted = [...attributes.matchAll(/[\w:-]+="[^"]*"/g)]
      .map(([each]) => each)
      .sort()
      .map((each) => ` ${each}`);
    return `<${name}${sorted.join('')}>${empty === '' ? '' : `</${name}>`}`;
  });
