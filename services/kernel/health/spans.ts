import type { PartSpan } from '../../../contracts/health.ts';

/** How a part was from one look to a later one. */
export interface Span {
  status: string;
  since: Date;
  until: Date;
}

/** Looks further apart than this have an unwatched gap between them, in ms. */
export const gapMs = 60_000;

/** Adds a look to the spans of one part, which it changes. */
export function seen(spans: Span[], status: string, at: Date): void {
  const last = spans.at(-1);
  const near = last && at.getTime() - last.until.getTime() <= gapMs;
  if (near) last.until = at;
  if (!near || last.status !== status) spans.push({ status, since: at, until: at });
}

/** The time from `since` to `until` without gaps: what nobody watched is a span, too. */
export function whole(spans: readonly Span[], since: Date, until: Date): PartSpan[] {
  const all: PartSpan[] = [];
  let at = since.getTime();
  const add = (status: string, to: number): void => {
    if (to <= at) return;
    all.push({
      status,
      from: new Date(at).toISOString(),
      to: new Date(to).toISOString(),
      seconds: Math.round((to - at) / 1_000),
    });
    at = to;
  };
  for (const [i, span] of spans.entries()) {
    add('unwatched', Math.min(span.since.getTime(), until.getTime()));
    // The last state goes on until the next look is due.
    const goesOn = i === spans.length - 1 && until.getTime() - span.until.getTime() <= gapMs;
    add(span.status, goesOn ? until.getTime() : Math.min(span.until.getTime(), until.getTime()));
  }
  add('unwatched', until.getTime());
  return all;
}
