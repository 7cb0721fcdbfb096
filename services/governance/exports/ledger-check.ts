import { createHash } from 'node:crypto';
import type { SecretBox } from '../../../adapters/secrets/box.ts';
import type { Breach, LedgerCheck } from '../../../contracts/activities/governance/ledger.ts';
import { AppError } from '../../../contracts/errors.ts';
import { examine, linkText, type Whole } from '../ledger-chain.ts';
import { fileText, type LedgerHeader } from './ledger.ts';

export interface LedgerFileCheck extends LedgerCheck {
  /** False: rows were filtered, so only single rows and the file's signature could be checked. */
  whole: boolean;
  about: Record<string, unknown>;
}

/** In bytes: a file without line ends must not be read into memory completely. */
const longestLine = 4_000_000;

type Line =
  | LedgerHeader
  | (Omit<Whole, 'id' | 'mac' | 'at'> & { kind: 'event'; event_id: string; mac: string | null; at: string })
  | { kind: 'link'; seq: string; to_xid: string; to_id: string; events: number; hash: string }
  | { kind: 'end'; events: number; links: number; mac: string };

/**
 * Verifies a ledger file against its rows' signatures, its links and its own signature, without the database. In
 * memory: the rows of one link.
 * @param secrets of the installation that wrote it
 * @throws AppError VALIDATION_ERROR when it is not such a file
 */
export async function checkLedgerFile(file: AsyncIterable<Uint8Array>, secrets: SecretBox): Promise<LedgerFileCheck> {
  const hash = createHash('sha256');
  let header: LedgerHeader | undefined;
  let end: Extract<Line, { kind: 'end' }> | undefined;
  let previous: { seq: string; hash: string } | null = null;
  let rows: Whole[] = [];
  let signed = false;
  const check: LedgerFileCheck = { intact: true, whole: true, about: {}, events: 0, links: 0, unlinked: 0, head: null, breaches: [] };
  const tell = (breach: Breach): void => {
    check.intact = false;
    if (check.breaches.length < 100) check.breaches.push(breach);
  };

  for await (const text of linesOf(file)) {
    const line = parsed(text);
    if (!header) {
      if (line.kind !== 'header' || line.ledger !== 1) throw notOurs();
      header = line;
      previous = line.after;
      check.whole = line.whole;
      check.about = line.export;
    } else if (end) {
      tell({ kind: 'inserted', what: 'There are lines after its end.' });
      break;
    } else if (line.kind === 'event') {
      const { kind: _, event_id, mac, at, ...said } = line;
      const row = { ...said, id: event_id, mac: mac === null ? null : Buffer.from(mac, 'hex'), at: new Date(at) } as Whole;
      if (Number.isNaN(row.at.getTime())) throw notOurs();
      signed ||= row.mac !== null;
      examine(row, secrets, tell, !signed);
      check.events += 1;
      if (check.whole) rows.push(row);
    } else if (line.kind === 'link') {
      if (BigInt(line.seq) !== BigInt(previous?.seq ?? 0) + 1n)
        tell({ kind: 'broken_link', link: line.seq, what: 'A link before it is gone.' });
      const linked = linkText(previous ? Buffer.from(previous.hash, 'hex') : null, rows);
      if (!secrets.verifies(linked, Buffer.from(String(line.hash), 'hex'))) tell(difference(line, rows.length));
      check.links += 1;
      previous = { seq: line.seq, hash: line.hash };
      rows = [];
    } else if (line.kind === 'end') {
      end = line;
      continue;
    } else throw notOurs();
    if (!end) hash.update(`${text}\n`);
  }
  if (!header) throw notOurs();
  check.unlinked = rows.length;
  if (!signed) for (const row of rows) examine(row, secrets, tell, false);
  check.head = check.whole && previous ? { link: previous.seq, hash: previous.hash } : null;
  if (!end) tell({ kind: 'missing', what: 'The file ends too early: its last line is gone.' });
  else if (!secrets.verifies(fileText(hash.digest('hex')), Buffer.from(String(end.mac), 'hex')))
    tell({ kind: 'edited', what: 'The file is not as it was written, or was written by another installation.' });
  return check;
}

const difference = (link: { seq: string; events: number }, found: number): Breach => {
  if (found < link.events)
    return { kind: 'missing', link: link.seq, what: `${link.events - found} rows before link ${link.seq} are gone.` };
  if (found > link.events)
    return { kind: 'inserted', link: link.seq, what: `${found - link.events} rows were put in before link ${link.seq}.` };
  return { kind: 'broken_link', link: link.seq, what: `The rows before link ${link.seq} are not the linked ones.` };
};

/** Node's line readers also split at other characters than line feeds. */
async function* linesOf(file: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let rest = Buffer.alloc(0);
  for await (const piece of file) {
    rest = rest.length === 0 ? Buffer.from(piece) : Buffer.concat([rest, piece]);
    for (let end = rest.indexOf(0x0a); end !== -1; end = rest.indexOf(0x0a)) {
      yield rest.subarray(0, end).toString('utf8');
      rest = rest.subarray(end + 1);
    }
    if (rest.length > longestLine) throw notOurs();
  }
  if (rest.length > 0) yield rest.toString('utf8');
}

function parsed(text: string): Line {
  try {
    return JSON.parse(text) as Line;
  } catch (error) {
    throw notOurs(error);
  }
}

const notOurs = (cause?: unknown): AppError =>
  new AppError('VALIDATION_ERROR', 'This is not a ledger file.', {
    hint: 'signalbox ledger export writes one.',
    ...(cause === undefined ? {} : { cause }),
  });
