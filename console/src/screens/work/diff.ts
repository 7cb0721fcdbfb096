/** Pure: a unified diff, as git writes it, as files with numbered lines. */

export interface DiffLine {
  kind: 'same' | 'added' | 'removed';
  /** Number in the former version; null: the line is new. */
  before: number | null;
  /** Number in the new version; null: the line is gone. */
  after: number | null;
  text: string;
}

export interface Hunk {
  /** What git prints after the numbers: the function around the lines. */
  near: string;
  lines: DiffLine[];
}

export interface FileDiff {
  path: string;
  /** Of a renamed or copied file. */
  from: string | null;
  kind: 'changed' | 'added' | 'deleted' | 'renamed' | 'copied';
  binary: boolean;
  hunks: Hunk[];
  added: number;
  removed: number;
}

const escapes: Record<string, number> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, '\\': 92 };

/** Git quotes names with bytes beyond ASCII, as in `"b/\303\244.txt"`. */
function unquoted(name: string): string {
  if (!name.startsWith('"') || !name.endsWith('"')) return name;
  const bytes: number[] = [];
  for (const [, octal, letter, plain] of name.slice(1, -1).matchAll(/\\([0-7]{3})|\\(.)|([^\\]+)/gs)) {
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8));
    else if (letter !== undefined) bytes.push(escapes[letter] ?? letter.charCodeAt(0));
    else bytes.push(...new TextEncoder().encode(plain));
  }
  return new TextDecoder().decode(new Uint8Array(bytes));
}

const withoutSide = (name: string): string => unquoted(name.replace(/\t$/, '')).replace(/^[ab]\//, '');

/** `diff --git a/x b/x`: the name, where no later line tells it. */
function nameIn(header: string): string {
  const quoted = /^"(?:[^"\\]|\\.)*" ("(?:[^"\\]|\\.)*")$/.exec(header);
  if (quoted) return withoutSide(quoted[1]!);
  // Both names are the same unless `rename` lines follow, which tell them.
  return withoutSide(header.slice(0, Math.floor(header.length / 2)));
}

const range = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)$/;

/** Text around the files, such as the message of a commit, is left out. */
export function parseDiff(text: string): FileDiff[] {
  const files: FileDiff[] = [];
  let file: FileDiff | null = null;
  let hunk: Hunk | null = null;
  // What the hunk still has: a removed line may look like a header.
  let [left, right, before, after] = [0, 0, 0, 0];
  const put = (kind: DiffLine['kind'], line: string): void => {
    hunk!.lines.push({ kind, before: kind === 'added' ? null : before, after: kind === 'removed' ? null : after, text: line });
    if (kind !== 'added') [before, left] = [before + 1, left - 1];
    if (kind !== 'removed') [after, right] = [after + 1, right - 1];
    if (kind === 'added') file!.added += 1;
    if (kind === 'removed') file!.removed += 1;
  };
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  for (const line of lines) {
    if (hunk && (left > 0 || right > 0)) {
      const sign = line[0];
      if (sign === '+') put('added', line.slice(1));
      else if (sign === '-') put('removed', line.slice(1));
      else if (sign === ' ' || line === '') put('same', line.slice(1));
      continue;
    }
    if (line.startsWith('diff --git ')) {
      file = { path: nameIn(line.slice(11)), from: null, kind: 'changed', binary: false, hunks: [], added: 0, removed: 0 };
      hunk = null;
      files.push(file);
      continue;
    }
    if (!file) continue;
    const found = range.exec(line);
    if (found) {
      [before, left, after, right] = [Number(found[1]), Number(found[2] ?? 1), Number(found[3]), Number(found[4] ?? 1)];
      hunk = { near: found[5]!, lines: [] };
      file.hunks.push(hunk);
    } else if (hunk === null) header(file, line);
  }
  return files;
}

function header(file: FileDiff, line: string): void {
  if (line.startsWith('new file mode')) file.kind = 'added';
  else if (line.startsWith('deleted file mode')) file.kind = 'deleted';
  else if (/^(rename|copy) from /.test(line)) {
    file.kind = line.startsWith('rename') ? 'renamed' : 'copied';
    file.from = unquoted(line.replace(/^\w+ from /, ''));
  } else if (/^(rename|copy) to /.test(line)) file.path = unquoted(line.replace(/^\w+ to /, ''));
  else if (line.startsWith('+++ ') && line !== '+++ /dev/null') file.path = withoutSide(line.slice(4));
  else if (line.startsWith('Binary files ') || line === 'GIT binary patch') file.binary = true;
}

export const linesOf = ({ hunks }: FileDiff): number => hunks.reduce((sum, { lines }) => sum + lines.length, 0);

/** A file with more lines is folded at first, and so are all after this many lines together. */
const longFile = 400;
const longDiff = 1_500;

/** Paths of the files that are open at first. */
export function openAtFirst(files: readonly FileDiff[]): Set<string> {
  let sum = 0;
  return new Set(
    files.flatMap((file) => {
      const lines = linesOf(file);
      if (lines > longFile || sum + lines > longDiff) return [];
      sum += lines;
      return [file.path];
    }),
  );
}
