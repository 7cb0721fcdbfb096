import { attribute, child, children, descendants, textOf, type XmlNode } from './xml.ts';

const maxPoints = 2000;

/** A chart's numbers from its file: categories as rows, series as columns. */
export function chartTable(chart: XmlNode): { title: string; rows: string[][] } {
  const root = child(chart, 'chartSpace', 'chart');
  const titled = child(root, 'title');
  const title = titled === undefined ? '' : descendants(titled, 't').map(textOf).join('').trim();
  const plot = child(root, 'plotArea');
  const series = plot === undefined ? [] : descendants(plot, 'ser').slice(0, 100);
  const columns = series.map((each) => ({
    name: points(child(each, 'tx')).get(0) ?? '',
    labels: points(child(each, 'cat') ?? child(each, 'xVal')),
    values: points(child(each, 'val') ?? child(each, 'yVal')),
  }));
  const labels = columns.find((column) => column.labels.size > 0)?.labels ?? new Map<number, string>();
  const length = Math.max(-1, ...labels.keys(), ...columns.flatMap((column) => [...column.values.keys()])) + 1;
  const body = Array.from({ length }, (_, i) => [labels.get(i) ?? '', ...columns.map((column) => column.values.get(i) ?? '')]);
  return { title, rows: body.length === 0 ? [] : [['', ...columns.map((column) => column.name)], ...body] };
}

function points(node: XmlNode | undefined): Map<number, string> {
  const found = new Map<number, string>();
  if (node === undefined) return found;
  for (const point of descendants(node, 'pt')) {
    const index = Number(attribute(point, 'idx') ?? Number.NaN);
    const value = child(point, 'v');
    if (index >= 0 && index < maxPoints && value !== undefined) found.set(index, textOf(value).trim());
  }
  return found;
}

/** The texts of a SmartArt drawing, in the order of its data. */
export function diagramLines(diagram: XmlNode): string[] {
  return (
    descendants(diagram, 'pt')
      // A point's `t` contains paragraphs, whose runs have a `t` each.
      .map((point) =>
        children(point, 't')
          .flatMap((body) => descendants(body, 't'))
          .map(textOf)
          .join('')
          .trim(),
      )
      .filter((line) => line !== '')
  );
}
