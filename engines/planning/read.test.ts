import { describe, expect, it } from 'vitest';
import { checkPlan } from './check.ts';
import { readPlan, type ReadPlan } from './read.ts';

const phases = [
  { id: 1, name: 'Investigate' },
  { id: 2, name: 'Implement' },
  { id: 3, name: 'Verify' },
  { id: 7, name: 'Ship it' },
];
const read = (text: string): ReadPlan => readPlan(text, phases, 2);
const brief = ({ tasks }: ReadPlan) => tasks.map(({ title, phase_id, after }) => [title, phase_id, after]);

describe('a plan in Markdown', () => {
  it('has a title, phases from headings, tasks from items, and what comes first', () => {
    const plan = read(`# Sign-in with passkeys

Why: fewer passwords.

## Investigate
- Compare libraries #auth
## Implementation
1. Store credentials (after Compare libraries) [high]
   - one table
   - rotate keys
2. **Login page**: a form and a button, depends on step 1
## Ship it
- Announce (after Store credentials, Login page)
`);
    expect(plan.title).toBe('Sign-in with passkeys');
    expect(brief(plan)).toEqual([
      ['Compare libraries', 1, []],
      ['Store credentials', 2, ['T1']],
      ['Login page', 2, ['T2']],
      ['Announce', 7, ['T2', 'T3']],
    ]);
    expect(plan.tasks[0]!.tags).toEqual(['auth']);
    expect(plan.tasks[1]).toMatchObject({ priority: 'high', description: '- one table\n- rotate keys' });
    expect(plan.tasks[2]!.description).toContain('a form and a button');
    expect(() => checkPlan(plan.tasks)).not.toThrow();
  });

  it('takes nested checkboxes as parts, for which their whole waits, and leaves out what is checked off', () => {
    const plan = read(`
- [x] Decide
- [ ] Build the importer (after Decide)
  - [ ] Read CSV
  - [x] Read XML
  - [ ] Map columns - after Read CSV
  - a note
- [ ] Test it, after build the importer
`);
    expect(plan.done).toBe(2);
    expect(plan.tasks.map(({ ref, title, after, part_of }) => [ref, title, after, part_of])).toEqual([
      ['T1', 'Build the importer', ['T2', 'T3'], null],
      ['T2', 'Read CSV', [], 'T1'],
      ['T3', 'Map columns', ['T2'], 'T1'],
      ['T4', 'Test it', ['T1'], null],
    ]);
  });

  it('takes headings with text alone as tasks, sections by name, labels, and lines that say what comes first', () => {
    const plan = read(`## T1: Schema
Add the tables.

Depends on: task_01jd3f8k2m9x4v7qn5ra

## Backend
- A
- B, after lunch

## Deploy (after Backend and T1)
Roll out.
`);
    expect(brief(plan)).toEqual([
      ['Schema', 2, ['task_01jd3f8k2m9x4v7qn5ra']],
      ['A', 2, []],
      ['B, after lunch', 2, []],
      ['Deploy', 2, ['T2', 'T3', 'T1']],
    ]);
    expect(plan.tasks[0]!.description).toBe('Add the tables.');
  });

  it('leaves code alone', () => {
    const { tasks } = read('- Run it\n  ```sh\n  # not a heading\n  - [ ] not a task\n  depends on: nothing\n  ```\n- Next');
    expect(tasks.map(({ title }) => title)).toEqual(['Run it', 'Next']);
    expect(tasks[0]!.description).toContain('- [ ] not a task');
  });

  it('tells an unknown name, an ambiguous one, and a cycle with its path', () => {
    expect(() => read('- A (after Nowhere)')).toThrow(/"A" comes after "Nowhere"/);
    expect(() => read('- Write docs for A\n- Write docs for B\n- C (after write docs)')).toThrow(
      /could be "write docs for a", "write docs for b"/,
    );
    expect(() => read('- Same (after Same)')).toThrow(/wait for itself/);
    const { tasks } = read('- One (after Three)\n- Two (after One)\n- Three (after Two)');
    expect(() => checkPlan(tasks)).toThrow(/T\d → T\d → T\d → T\d/);
  });
});

describe('a check', () => {
  const task = (ref: string, fields: object = {}) => ({
    ref,
    title: ref,
    phase_id: 2,
    priority: 'medium' as const,
    tags: [],
    after: [],
    part_of: null,
    ...fields,
  });

  it('refuses nothing, too many, refs twice or unknown, and parts in a circle', () => {
    expect(() => checkPlan([])).toThrow(/no tasks/);
    expect(() => checkPlan(Array.from({ length: 501 }, (_, i) => task(`T${i}`)))).toThrow(/501 tasks; 500/);
    expect(() => checkPlan([task('A'), task('A')])).toThrow(/twice/);
    expect(() => checkPlan([task('A', { after: ['B', '__proto__'] })])).toThrow(/B, __proto__/);
    expect(() => checkPlan([task('A', { part_of: 'B' }), task('B', { part_of: 'A' })])).toThrow(/part of itself: A → B → A/);
  });

  it('reads a chain of 500 without recursion', () => {
    const chain = Array.from({ length: 500 }, (_, i) => task(`T${i}`, { after: i < 499 ? [`T${i + 1}`] : [] }));
    expect(() => checkPlan(chain)).not.toThrow();
  });
});

describe('hostile text', () => {
  it.each([
    ['brackets', `- ${'('.repeat(50_000)}`],
    ['after', `- ${'after '.repeat(20_000)}`],
    ['indents', Array.from({ length: 600 }, (_, i) => `${' '.repeat(i)}- [ ] x${i}`).join('\n')],
    ['commas', `- A\n- B (after ${'A,'.repeat(240)}A)`],
    ['stars', `- ${'*'.repeat(50_000)}\n# ${'#'.repeat(50_000)}`],
    ['links', `- ${'[a](b'.repeat(20_000)}`],
    ['tags', `- x ${'#a '.repeat(20_000)}`],
    ['lines', '\n'.repeat(150_000)],
  ])('of %s is read in time', (_name, text) => {
    // Of the processor, because others may use it, too.
    const began = process.cpuUsage();
    const { tasks } = read(text);
    expect(process.cpuUsage(began).user / 1_000).toBeLessThan(2_000);
    for (const { title, tags } of tasks) expect([title.length <= 200, tags.length <= 32]).toEqual([true, true]);
  });
});
