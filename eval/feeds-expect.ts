/** Parses (never executes) the few Python expressions in which the corpus of feeds writes its expectations. */

/** `undefined`: the value does not exist. */
export type Value = string | number | boolean | null | undefined | Value[] | { [key: string]: Value };

const token = /\s*(?:u?'((?:[^'\\]|\\.)*)'|u?"((?:[^"\\]|\\.)*)"|([A-Za-z_]\w*)|(\d+)|(==|[[\](){},:.]))/y;

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
    if (!match) throw new Error(`cannot read "${source.slice(at, at + 40)}"`);
    const [, single, double, name, number, sign] = match;
    const quoted = single ?? double;
    if (name !== undefined) tokens.push({ kind: 'name', text: name });
    else if (number !== undefined) tokens.push({ kind: 'number', text: number });
    else if (quoted !== undefined) tokens.push({ kind: 'text', text: unescape(quoted) });
    else tokens.push({ kind: 'sign', text: sign! });
  }
  return tokens;
}

const unescape = (text: string): string =>
  text.replace(/\\(?:u([\da-fA-F]{4})|x([\da-fA-F]{2})|(.))/g, (_, wide?: string, byte?: string, other?: string) =>
    wide !== undefined || byte !== undefined ? String.fromCharCode(Number.parseInt((wide ?? byte)!, 16)) : other === 'n' ? '\n' : other!,
  );

/**
 * Whether an expectation holds.
 * @param names the names that it may use: `feed`, `entries`, `version`, `bozo`
 * @throws Error for a form that does not occur in the corpus
 */
export function holds(source: string, names: Readonly<Record<string, Value>>): boolean {
  const tokens = tokensOf(source);
  let at = 0;
  const peek = (text: string): boolean => tokens[at]?.text === text && tokens[at]?.kind !== 'text';
  const take = (text: string): boolean => peek(text) && ++at > 0;
  const need = (text: string): void => {
    if (!take(text)) throw new Error(`"${text}" expected in "${source}"`);
  };

  function either(): boolean {
    let result = both();
    while (take('or')) result = both() || result;
    return result;
  }
  function both(): boolean {
    let result = not();
    while (take('and')) result = not() && result;
    return result;
  }
  function not(): boolean {
    if (take('not')) return !not();
    let left = operand();
    if (!peek('==')) return Boolean(left);
    let result = true;
    while (take('==')) {
      const right = operand();
      result &&= equal(left, right);
      left = right;
    }
    return result;
  }
  function list(end: string): Value[] {
    const values: Value[] = [];
    while (!take(end)) {
      values.push(operand());
      if (!peek(end)) need(',');
    }
    return values;
  }
  function operand(): Value {
    const first = tokens[at++];
    if (!first) throw new Error(`"${source}" ends too early`);
    if (first.kind === 'text') return first.text;
    if (first.kind === 'number') return Number(first.text);
    if (first.text === '(') return list(')');
    if (first.text === '[') return list(']');
    if (first.text === '{') {
      const found: Record<string, Value> = {};
      while (!take('}')) {
        const key = String(operand());
        need(':');
        found[key] = operand();
        if (!peek('}')) need(',');
      }
      return found;
    }
    if (first.text === 'None') return null;
    if (first.kind !== 'name' || !Object.hasOwn(names, first.text)) throw new Error(`unknown "${first.text}" in "${source}"`);
    let value: Value = names[first.text];
    for (;;) {
      if (take('[')) {
        const key = operand();
        need(']');
        value = typeof value === 'object' && value !== null ? (value as Record<string, Value>)[String(key)] : undefined;
      } else if (take('.')) {
        need('has_key');
        need('(');
        const key = String(operand());
        need(')');
        return (value as Record<string, Value> | undefined)?.[key] !== undefined;
      } else return value;
    }
  }

  const result = either();
  if (at < tokens.length) throw new Error(`"${tokens[at]!.text}" is too much in "${source}"`);
  return result;
}

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
