/** Calls of another server's tool without idempotency: a second call is a second payment. */
import { existsSync, readFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { CarefulCaller } from './caller.ts';
import type { Evidence, Invariant } from './checks.ts';
import { pause, type Load } from './load.ts';
import type { Random } from './random.ts';

/** Pays one ticket after the other, each under its key until it is answered. @param book file that the server writes what it did to */
export async function payer({ caller, journal, winding }: Load, person: CarefulCaller, book: string, random: Random): Promise<void> {
  const desk = fileURLToPath(new URL('../scripts/tour/desk.ts', import.meta.url));
  const added = await person.write('external.server.add', {
    name: 'desk',
    command: process.execPath,
    args: [desk, book, '300'],
    approve_all: true,
  });
  if (!added.data) throw new Error(`external.server.add was refused: ${added.reason}`);
  while (!winding.down) {
    const ticket = randomUUID();
    const { data, reason } = await caller.write('external.desk.refund_ticket', { ticket });
    if (!data && reason !== 'unknown_outcome') throw new Error(`external.desk.refund_ticket was refused: ${reason}`);
    journal.payments.set(ticket, data ? 'paid' : 'unknown');
    await pause(random.between(50, 500));
  }
}

/** An answered payment has happened once, an unknown one at most once. */
export function payments({ journal, book }: Pick<Evidence, 'journal' | 'book'>): Invariant {
  const times = new Map<string, number>();
  const lines = existsSync(book) ? readFileSync(book, 'utf8').trim().split('\n') : [];
  for (const ticket of lines) times.set(ticket, (times.get(ticket) ?? 0) + 1);
  const breaches: string[] = [];
  for (const [ticket, outcome] of journal.payments) {
    const paid = times.get(ticket) ?? 0;
    if (paid > 1 || (outcome === 'paid' && paid === 0)) breaches.push(`${ticket} was answered "${outcome}", and paid ${paid} times`);
  }
  const unknown = [...journal.payments.values()].filter((outcome) => outcome === 'unknown').length;
  return { name: `what another server does is done once, or known to be unknown (${unknown})`, checked: journal.payments.size, breaches };
}
