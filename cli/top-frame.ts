/** One picture of `signalbox top`, as lines. */
import { clean, duration, megabytes, paint } from './output.ts';
import type { Figures } from './top-figures.ts';

export interface FrameSize {
  width: number;
  height: number;
  /** Why the figures are old. */
  problem?: string;
}

type Cells = (string | number | null)[];

const rate = (value: number): string => (value >= 100 ? value.toFixed(0) : value.toFixed(1));
const ms = (value: number | null): string =>
  value === null ? '-' : value >= 1_000 ? `${(value / 1_000).toFixed(1)} s` : `${value.toFixed(1)} ms`;
const ages = (at: string | null, now: string): string =>
  at === null ? '' : ` (oldest ${duration(Math.max(0, (Date.parse(now) - Date.parse(at)) / 1_000))})`;

/** Cut to the width without counting colours: colours are added to whole, cut lines. */
const cut = (text: string, width: number): string => (text.length > width ? `${text.slice(0, Math.max(1, width - 1))}…` : text);

/** The first column to the left, others to the right. */
function grid(title: string[], rows: Cells[], width: number): string[] {
  const cells = [title, ...rows.map((row) => row.map((cell) => clean(String(cell ?? '-'))))];
  const widths = title.map((_, i) => Math.max(...cells.map((row) => row[i]!.length)));
  const lines = cells.map((row) =>
    cut(row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join('  '), width),
  );
  return lines.map((line, i) => (i === 0 ? paint('dim', line) : line));
}

export function frame(figures: Figures, url: string, { width, height, problem }: FrameSize): string[] {
  const { calls, classes, errors, slowest, queues, process: own, tenant } = figures;
  const of = (text: string): string => cut(clean(text), width);
  const apis = figures.apis === 1 ? '' : `, ${figures.apis} apis`;
  const head = of(`signalbox ${figures.version ?? ''}  ${url}${apis}  ${figures.at.slice(11, 19)}  rates of ${figures.seconds} s`);
  const lines = [paint('bold', head)];
  if (problem !== undefined) lines.push(paint('red', of(problem)));
  lines.push(
    of(
      `calls ${rate(calls.per_second)}/s  p50 ${ms(calls.p50_ms)}  p95 ${ms(calls.p95_ms)}  claims ${rate(calls.claims_per_second)}/s  errors ${rate(calls.errors_per_second)}/s`,
    ),
  );
  if (errors.length > 0)
    lines.push(paint('yellow', of(`errors  ${errors.map(({ code, per_second }) => `${code} ${rate(per_second)}/s`).join('  ')}`)));
  lines.push(
    of(
      [
        `api  memory ${megabytes(own.memory_bytes)}`,
        `event loop p99 ${ms(own.event_loop_p99_ms)}`,
        own.pool_size === null ? '' : `pool ${own.pool_in_use}/${own.pool_size}, ${own.pool_waiting} wait`,
        own.streams === null ? '' : `streams ${own.streams}`,
      ]
        .filter(Boolean)
        .join('  '),
    ),
  );
  if (tenant) {
    const { agents, tasks } = tenant;
    lines.push(
      of(
        `tasks  ready ${tasks.ready}  in progress ${tasks.in_progress}  blocked ${tasks.blocked}  review ${tasks.review}  failed ${tasks.failed}`,
      ),
      of(`agents  healthy ${agents.healthy}  unhealthy ${agents.unhealthy}  offline ${agents.offline}  jobs ${tenant.jobs}`),
    );
    const waits = of(
      `waiting  approvals ${tenant.approvals}${ages(tenant.oldest_approval_at, figures.at)}  reviews ${tenant.reviews}  dead letters ${tenant.dead_letters}`,
    );
    lines.push(tenant.approvals + tenant.dead_letters > 0 ? paint('yellow', waits) : waits);
  }
  const speeds = <T extends Figures['classes'][number] | Figures['slowest'][number]>(rows: T[], name: (row: T) => string): Cells[] =>
    rows.map((row) => [name(row), rate(row.per_second), ms(row.p50_ms), ms(row.p95_ms), rate(row.errors_per_second)]);
  if (classes.length > 0)
    lines.push(
      '',
      ...grid(
        ['class', 'calls/s', 'p50', 'p95', 'errors/s'],
        speeds(classes, (row) => row.class),
        width,
      ),
    );
  if (queues.length > 0) {
    const rows = queues.map((each) => [each.queue, each.backlog, duration(each.oldest_seconds), rate(each.added_per_second), each.pollers]);
    lines.push('', ...grid(['queue', 'backlog', 'oldest', 'added/s', 'pollers'], rows, width));
  }
  if (slowest.length > 0)
    lines.push(
      '',
      ...grid(
        ['slowest tools', 'calls/s', 'p50', 'p95', 'errors/s'],
        speeds(slowest, (row) => row.tool),
        width,
      ),
    );
  return lines.slice(0, height);
}
