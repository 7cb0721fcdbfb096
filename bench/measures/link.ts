/** Links one table with itself, like entity.table.link, compared with reading and sorting the same file. */
import { parse } from 'csv-parse/sync';
import { linkInChild } from '../../engines/linkage/child.ts';
import { readResult } from '../../services/graph/tables-records.ts';
import type { Context } from '../context.ts';
import { register } from '../people.ts';
import type { Section } from '../report.ts';

const rows = 100_000;
const secondsGoal = 120;
const memoryGoal = 2_048;
/** The product's defaults. */
const [least, threshold] = [0.6, 0.9];

export async function measureLink(context: Context): Promise<Section> {
  const count = context.quick ? 20_000 : rows;
  const { csv, links } = register(count);
  const bytes = new TextEncoder().encode(csv);
  context.say(`linking ${count} records`);
  const started = performance.now();
  const { figures, lines, peakMb } = await linkInChild({
    left: { bytes, filename: 'people.csv' },
    right: null,
    least,
    threshold,
    explained: 0,
  });
  const seconds = (performance.now() - started) / 1000;

  const begun = performance.now();
  const read = parse(csv);
  for (let column = 1; column < read[0]!.length; column++) read.sort((a, b) => (a[column]! < b[column]! ? -1 : 1));
  const floor = (performance.now() - begun) / 1000;

  const truth = new Set(links.map(([a, b]) => pairOf(a, b)));
  const said = readResult(lines, Infinity).links.filter(({ probability }) => probability >= threshold);
  const found = said.filter(({ left_id, right_id }) => truth.has(pairOf(left_id!, right_id!))).length;
  const f1 = (2 * found) / Math.max(1, said.length + truth.size);
  return {
    title: 'Linking a table',
    lines: [
      {
        path: `${count} records, duplicates among them`,
        product: `${seconds.toFixed(1)} s, ${(count / seconds).toFixed(0)} records/s`,
        floor: `${floor.toFixed(1)} s`,
        ratio: seconds / floor,
        goal: `≤ ${secondsGoal} s`,
        met: seconds <= secondsGoal,
        figures: { seconds, floor, compared: figures.compared },
      },
      {
        path: '  memory',
        product: `${peakMb} MB`,
        floor: `${(bytes.length / 1024 / 1024).toFixed(0)} MB of CSV`,
        goal: `≤ ${memoryGoal} MB`,
        met: peakMb <= memoryGoal,
        figures: { peakMb },
      },
      {
        path: '  duplicates found',
        product: `F1 ${f1.toFixed(4)}, ${figures.compared} pairs compared`,
        floor: `${((count * (count - 1)) / 2).toExponential(1)} pairs there are`,
        goal: '',
        figures: { f1, found, said: said.length, truth: truth.size },
      },
    ],
    notes: ['Floor: the same file read, and sorted by each column. Product: a process of its own, started for this, one thread.'],
  };
}

const pairOf = (a: string, b: string): string => (a < b ? `${a} ${b}` : `${b} ${a}`);
