import type { EvidenceInput } from './types.ts';

/** Entries of an overview: a name with its description, however it is laid out. */

export interface Entry {
  name: string;
  /** Text that follows the name; '' for a bare heading. */
  description: string;
}

const boldLead = /^[ \t]*(?:[-*•–][ \t]+|\d{1,2}[.)][ \t]+)?(?:\*\*|__)([^*_\n]{2,60}?)[.:]?(?:\*\*|__)[.:]?[ \t]*(.*)$/u;
const heading = /^#{1,6}[ \t]+(.{2,80}?)[ \t]*#*$/u;
const itemLead = /^[ \t]*(?:[-*•–][ \t]+|\d{1,2}[.)][ \t]+)?(\p{Lu}[^\n:;|.!?–—]{1,50}?)[ \t]*(:|[ \t][-–—]{1,2})[ \t]+(\S.*)$/u;
const bare = /^[ \t]*(\p{Lu}[^\n:;|.!?]{1,50})[ \t]*$/u;
const rule = /^[ \t]*\|?[ \t]*:?-{3,}/u;

/** Entries by layout, each list on its own: entries of one list have the same form. */
export function entriesOf(input: EvidenceInput): Entry[][] {
  const lists = new Map<string, Entry[]>();
  const add = (form: string, name: string, description: string): void => {
    const entry = { name: name.replace(/^\d{1,2}[.)][ \t]+/, '').trim(), description: description.trim() };
    const list = lists.get(form);
    if (list) list.push(entry);
    else lists.set(form, [entry]);
  };
  for (const { text } of input.passages) {
    const lines = text.split('\n');
    const filled = nextFilled(lines);
    lines.forEach((line, i) => {
      const after = (lines[filled[i]!] ?? '').slice(0, 600);
      const head = heading.exec(line);
      if (head) return add(`#${line.indexOf(' ')}`, head[1]!, after);
      const bold = boldLead.exec(line);
      if (bold) return add('**', bold[1]!, bold[2] === '' ? after : bold[2]!);
      if (line.trimStart().startsWith('|')) return row(line, lines[i + 1] ?? '', add);
      const item = itemLead.exec(line);
      if (item) return add(`${/^[ \t]*[-*•–\d]/u.test(line) ? '-' : ''}${item[2]!.trim()}`, item[1]!, item[3]!);
      const alone = bare.exec(line);
      // A name on its own line, with its description below or indented.
      // Definition lists: the description below begins with a colon or is indented.
      const defined = /^(:[ \t]+|[ \t]{2,})(\S.*)$/.exec(lines[i + 1] ?? '');
      if (alone && defined && !/^\s/.test(line)) add(defined[1]!.startsWith(':') ? ':' : 'indented', alone[1]!, defined[2]!);
      else if (alone && (lines[i - 1] ?? '').trim() === '' && after !== '' && !/^[=~-]{3,}/.test(after)) add('line', alone[1]!, after);
    });
  }
  return [...lists.values()];
}

/** Index of the next line with text, for each line. */
function nextFilled(lines: readonly string[]): number[] {
  const next: number[] = [];
  let at = lines.length;
  for (let i = lines.length - 1; i >= 0; i -= 1) {
    next[i] = at;
    if (lines[i]!.trim() !== '') at = i;
  }
  return next;
}

function row(line: string, next: string, add: (form: string, name: string, description: string) => void): void {
  // The row above the rule is the header.
  if (rule.test(line) || rule.test(next)) return;
  const [first, ...others] = line
    .trim()
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => cell.trim().replace(/^\*\*|\*\*$/g, ''));
  if (first && others.some((cell) => cell !== '')) add('|', first, others.join('; '));
}
