/**
 * Reads a plan out of Markdown, by rules. Headings with items below are sections, those without are tasks; items are tasks;
 * nested checkboxes are parts of the item above them, other nested items belong to its description.
 */
import { AppError } from '../../contracts/errors.ts';
import type { PlanTask } from '../../contracts/work/plans.ts';
import type { Priority } from '../../contracts/work/work.ts';
import { Names } from './names.ts';
import { phrasesOf, plain, waitsOf, withoutEnd, type Phrases } from './phrases.ts';
import { phaseOf, type KnownPhase } from './phases.ts';

export interface ReadPlan {
  title: string | null;
  tasks: PlanTask[];
  /** Items that are checked off. */
  done: number;
}

interface Section {
  level: number;
  phrases: Phrases;
  body: string[];
  phase: number;
  items: Item[];
}

interface Item {
  phrases: Phrases;
  body: string[];
  phase: number;
  indent: number;
  /** Where its text begins: lines below are moved to the left by as much. */
  content: number;
  /** Of a numbered list. */
  number: string | null;
  done: boolean;
  whole: Item | null;
  section: Section | null;
  ref: string;
}

const itemMark = /^([ \t]*)([-*+]|\d{1,5}[.)])[ \t]+(?:\[([ xX])\][ \t]+)?(\S.*)$/;
const headingMark = /^(#{1,6})[ \t]+(\S.*?)[ \t]*#*$/;
const fence = /^[ \t]*(```|~~~)/;
const widthOf = (indent: string): number => indent.replaceAll('\t', '    ').length;
const mostText = 20_000;

class Reader {
  readonly items: Item[] = [];
  readonly sections: Section[] = [];
  title: string | null = null;
  private section: Section | null = null;
  /** The items that the next line may stand under, outermost first. */
  private open: Item[] = [];
  private phaseLevel = 0;
  private phase: number;
  private readonly boxes: boolean;
  private readonly headings: number;

  private readonly lines: string[];
  private readonly phases: readonly KnownPhase[];
  private readonly usual: number;

  constructor(lines: string[], phases: readonly KnownPhase[], usual: number) {
    this.lines = lines;
    this.phases = phases;
    this.usual = usual;
    this.phase = usual;
    this.boxes = lines.some((line) => itemMark.exec(line)?.[3] !== undefined);
    this.headings = lines.filter((line) => headingMark.test(line)).length;
  }

  read(): void {
    let fenced: string | null = null;
    for (const line of this.lines) {
      const mark = fence.exec(line)?.[1] ?? null;
      if (fenced !== null || mark !== null) {
        this.text(line);
        fenced = fenced === null ? mark : mark === fenced ? null : fenced;
        continue;
      }
      const heading = headingMark.exec(line);
      const item = heading ? null : itemMark.exec(line);
      if (heading) this.heading(heading[1]!.length, heading[2]!);
      else if (item) this.item(line, item);
      else this.text(line);
    }
  }

  private heading(level: number, text: string): void {
    this.open = [];
    this.section = null;
    if (this.phaseLevel >= level) [this.phase, this.phaseLevel] = [this.usual, 0];
    const phase = phaseOf(text, this.phases);
    if (phase !== null) {
      [this.phase, this.phaseLevel] = [phase, level];
      return;
    }
    const phrases = phrasesOf(text);
    // A single heading of the first level above others names the plan.
    if (level === 1 && this.title === null && this.headings > 1 && this.items.length === 0 && this.sections.length === 0) {
      this.title = phrases.title;
      return;
    }
    this.section = { level, phrases, body: [], phase: phrases.phase ?? this.phase, items: [] };
    this.sections.push(this.section);
  }

  private item(line: string, [, space = '', bullet = '', box, text = '']: RegExpExecArray): void {
    const indent = widthOf(space);
    const waits = waitsOf(`- ${text}`);
    while (this.open.length > 0 && this.open.at(-1)!.indent >= indent) {
      // A nested line that says what comes first belongs to the item above it.
      this.open.pop();
    }
    const above = this.open.at(-1) ?? null;
    const isTask = box !== undefined || (above === null && !this.boxes) || (above === null && this.section === null);
    if (!isTask || (above !== null && waits !== null)) return this.text(line);
    const phrases = phrasesOf(text);
    const item: Item = {
      phrases,
      body: phrases.rest ? [phrases.rest] : [],
      phase: phrases.phase ?? above?.phase ?? this.section?.phase ?? this.phase,
      indent,
      content: indent + bullet.length + 1,
      number: /^\d/.test(bullet) ? String(Number.parseInt(bullet, 10)) : null,
      done: box !== undefined && box !== ' ',
      whole: above,
      section: this.section,
      ref: '',
    };
    this.open.push(item);
    this.items.push(item);
    this.section?.items.push(item);
  }

  private text(line: string): void {
    const item = this.open.at(-1);
    // A paragraph that is not indented ends the list above it.
    if (item && line.trim() !== '' && !/^\s/.test(line) && !fence.test(line) && item.body.at(-1)?.trim() === '') this.open = [];
    const under = this.open.at(-1);
    (under?.body ?? this.section?.body)?.push(under ? line.slice(Math.min(line.length - line.trimStart().length, under.content)) : line);
  }
}

/**
 * @param phases those of the tenant. @param phase of tasks under no phase's heading
 * @throws AppError VALIDATION_ERROR naming a reference that is unknown or ambiguous
 */
export function readPlan(text: string, phases: readonly KnownPhase[], phase: number): ReadPlan {
  const lines = text.replaceAll(/\r\n?/g, '\n').split('\n');
  const reader = new Reader(lines, phases, phase);
  reader.read();
  const empty = reader.sections.filter((section) => section.items.length === 0);
  // In the order of the text: sections without items are tasks, too.
  const asItems = new Map(empty.map((section) => [section, itemOf(section)]));
  const all: Item[] = [];
  for (const section of [null, ...reader.sections]) {
    const own = section ? asItems.get(section) : undefined;
    if (own) all.push(own);
    else all.push(...reader.items.filter((item) => item.section === section));
  }
  const open = all.filter((item) => !isDone(item));
  for (const [i, item] of open.entries()) item.ref = `T${i + 1}`;
  const names = namesOf(all, reader.sections, asItems);
  const tasks = open.map((item) => taskOf(item, names));
  waitForParts(tasks);
  return { title: reader.title, tasks, done: all.length - open.length };
}

const isDone = (item: Item): boolean => item.done || (item.whole !== null && isDone(item.whole));
const refsOf = (items: Item[]): string[] => items.filter((item) => !isDone(item)).map((item) => item.ref);

const itemOf = (section: Section): Item => ({
  phrases: section.phrases,
  body: [section.phrases.rest, ...section.body].filter((line, i) => i > 0 || line !== ''),
  phase: section.phase,
  indent: 0,
  content: 0,
  number: null,
  done: false,
  whole: null,
  section: null,
  ref: '',
});

function namesOf(all: Item[], sections: Section[], asItems: Map<Section, Item>): Names {
  const names = new Names();
  for (const item of all) {
    const refs = refsOf([item]);
    names.title(withoutEnd(item.phrases.title), refs);
    if (item.phrases.title !== withoutEnd(item.phrases.title)) names.add(item.phrases.title, refs);
    names.add(item.phrases.label, refs);
    if (item.number !== null) names.add(`#${item.number}`, refs);
  }
  for (const section of sections) {
    if (asItems.has(section)) continue;
    names.add(withoutEnd(section.phrases.title), refsOf(section.items));
    names.add(section.phrases.label, refsOf(section.items));
  }
  return names;
}

function taskOf(item: Item, names: Names): PlanTask {
  const { phrases, section } = item;
  const lines: string[] = [];
  const wanted = [...phrases.after, ...(section?.phrases.after ?? [])];
  let fenced = false;
  for (const line of item.body) {
    if (fence.test(line)) fenced = !fenced;
    const waits = fenced ? null : waitsOf(line);
    if (waits === null) lines.push(line);
    else wanted.push({ names: waits, sure: true });
  }
  let { title } = phrases;
  const after = new Set<string>();
  for (const { names: given, sure } of wanted) {
    const refs = names.resolve(given);
    if (refs === null) {
      if (!sure) continue;
      throw new AppError(
        'VALIDATION_ERROR',
        `"${phrases.title.slice(0, 100)}" comes after "${plain(given).slice(0, 200)}", which the text does not have.`,
        {
          hint: 'Write the title of another item, its label such as T1, its number, or the id of an existing task.',
          details: { reason: 'unknown', task: phrases.title, names: given.slice(0, 200) },
        },
      );
    }
    for (const ref of refs)
      if (ref !== item.ref) after.add(ref);
      else if (phrases.after.some((one) => one.names === given)) throw itself(phrases.title);
    if (phrases.after.some((one) => one.names === given)) title = withoutEnd(title);
  }
  const description = lines.join('\n').trim().slice(0, mostText);
  return {
    ref: item.ref,
    title: title || 'Untitled',
    ...(description ? { description } : {}),
    phase_id: item.phase,
    priority: (phrases.priority ?? item.whole?.phrases.priority ?? section?.phrases.priority ?? 'medium') satisfies Priority,
    tags: [...new Set([...(section?.phrases.tags ?? []), ...phrases.tags])].slice(0, 32),
    after: [...after].slice(0, 100),
    part_of: item.whole?.ref ?? null,
  };
}

/** A task waits for its parts, and they for what it waits for. */
function waitForParts(tasks: PlanTask[]): void {
  const byRef = new Map(tasks.map((task) => [task.ref, task]));
  // Parts stand after their whole, so what a whole waits for has reached it before its parts.
  for (const part of tasks) {
    const whole = part.part_of === null ? undefined : byRef.get(part.part_of);
    if (whole) part.after = [...new Set([...part.after, ...whole.after])].slice(0, 100);
  }
  for (const part of tasks) {
    const whole = part.part_of === null ? undefined : byRef.get(part.part_of);
    if (whole && whole.after.length < 100) whole.after.push(part.ref);
  }
}

const itself = (title: string): AppError =>
  new AppError('VALIDATION_ERROR', `"${title.slice(0, 100)}" would wait for itself.`, {
    hint: 'Leave this reference out.',
    details: { reason: 'cycle' },
  });
