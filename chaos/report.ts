import type { Balancer } from './balancer.ts';
import type { Invariant } from './checks.ts';
import { count, type Journal } from './journal.ts';

const shown = 12;

export function printReport(journal: Journal, results: Invariant[], run: { seed: number; minutes: number; began: number }): void {
  const kills: Record<string, number> = {};
  for (const { what } of journal.kills) for (const name of what.split('+')) count(kills, name);
  const breaches = results.flatMap((result) => result.breaches);
  const starting = (word: string): number => breaches.filter((breach) => breach.startsWith(`${word}:`)).length;

  console.log(`\nKills (${journal.kills.length}): ${pairs(kills)}`);
  console.log(`Acknowledged: ${pairs(journal.acknowledged)}`);
  if (Object.keys(journal.unknown).length > 0) console.log(`Unknown outcomes, repeated: ${pairs(journal.unknown)}`);
  if (Object.keys(journal.refused).length > 0) console.log(`Refused: ${pairs(journal.refused)}`);
  for (const [what, times] of Object.entries(journal.unexpected)) console.log(`Answered with INTERNAL ${times} times: ${what}`);
  console.log(`Lost: ${starting('lost')}   doubled: ${starting('doubled')}   early releases: ${starting('early')}`);

  console.log('\nLongest time in which nobody got an answer, until the next kill');
  const [writes, reads] = [journal.outages('write'), journal.outages('read')];
  for (const what of Object.keys({ ...writes, ...reads }).sort()) {
    const back = Math.max(...journal.kills.filter((kill) => kill.what === what).map((kill) => kill.backAfter ?? 0));
    console.log(`  ${what.padEnd(20)} writes ${seconds(writes[what])}   reads ${seconds(reads[what])}   all ready after ${seconds(back)}`);
  }

  const waits = Object.entries(journal.longestWait)
    .sort(([, a], [, b]) => b.ms - a.ms)
    .slice(0, 4);
  console.log('\nLongest waits for the outcome of one call, repeats under its key included');
  for (const [tool, { from, ms, attempts, args, last }] of waits) {
    const asked = Object.keys(attempts).length === 0 ? 'asked once' : `before: ${pairs(attempts)}`;
    console.log(
      `  ${tool} ${seconds(ms)}, from ${((from - run.began) / 1000).toFixed(0)} s on, ${asked}, ${JSON.stringify(args).slice(0, 160)}`,
    );
    if (last !== undefined) console.log(`    last: ${last.slice(0, 200)}`);
  }

  console.log('\nInvariants');
  for (const { name, checked, breaches: found } of results) {
    console.log(`  ${found.length === 0 ? 'holds ' : 'BROKEN'}  ${name} (${checked} checked)`);
    for (const breach of found.slice(0, shown)) console.log(`            ${breach}`);
    if (found.length > shown) console.log(`            … and ${found.length - shown} more`);
  }
  console.log(
    breaches.length === 0
      ? '\nAll invariants hold.'
      : `\n${breaches.length} breaches. Repeat with --seed ${run.seed} --minutes ${run.minutes}.`,
  );
}

/** What clients of the load balancer saw: with rolling restarts no more than a repeat. */
export function printBalancer({ served, failed }: Balancer, journal: Journal): void {
  const causes: Record<string, Record<string, number>> = {};
  for (const { at, what } of failed) {
    const after = journal.kills.findLast((kill) => kill.at <= at)?.what ?? 'nothing';
    count((causes[after] ??= {}), what);
  }
  console.log(`\nServed through the load balancer: ${pairs(served)}`);
  for (const [after, whats] of Object.entries(causes)) console.log(`  to be repeated after ${after}: ${pairs(whats)}`);
  if (journal.kills.some(({ what }) => what === 'rolling restart') && !causes['rolling restart'])
    console.log('  nothing to be repeated after a rolling restart');
  const gaps = [...Object.values(journal.outages('write')), ...Object.values(journal.outages('read'))];
  console.log(`Longest gap: ${seconds(Math.max(0, ...gaps)).trim()}`);
}

const pairs = (counts: Record<string, number>): string =>
  Object.entries(counts)
    .sort(([, a], [, b]) => b - a)
    .map(([name, n]) => `${name} ${n}`)
    .join(', ') || 'none';
const seconds = (ms: number | undefined): string => (ms === undefined ? '   –  ' : `${(ms / 1000).toFixed(1)} s`.padStart(6));
