import type { Database, Row } from '../../adapters/postgres/database.ts';
import type { Caller } from '../../contracts/caller.ts';
import { AppError, notFound } from '../../contracts/errors.ts';
import { nameKey } from '../../engines/text/names.ts';
import { lockGraph, teachPerson } from '../graph/index.ts';
import { Service } from '../kernel/service.ts';
import { unread } from './read.ts';
import { sentenceOf, type ReadingSummary } from './reading-summary.ts';

/** How a document was read. */
export interface ReadingView extends Omit<ReadingSummary, 'passages'> {
  source_id: string;
  document_id: string;
  title: string;
  /** call, chat, notes, mail, tickets, survey, … */
  kind: string;
  read_at: string;
  /** The whole in one sentence. */
  says: string;
  /** Names are known better meanwhile: it is about to be read again. */
  pending: boolean;
}

interface Given {
  /** Has the document read again. */
  again(tenant: string): Promise<void>;
}

/** What was understood of documents, and people's corrections of it. */
export class Readings extends Service<never, Given> {
  /**
   * @param id of a source or a document
   * @throws AppError NOT_FOUND (unknown, or not read yet)
   */
  async get(tenant: string, id: string): Promise<ReadingView> {
    const [row] = await this.db.query<
      {
        source_id: string;
        document_id: string;
        title: string;
        kind: string;
        read_at: Date;
        reading: ReadingSummary;
        pending: boolean;
      } & Row
    >(
      `select r.source_id, r.document_id, d.title, r.kind, r.read_at, r.reading,
         r.directory <> coalesce(v.version, '') as pending
       from document_readings r left join evidence_directories v on v.tenant_id = $1 join documents d on d.tenant_id = $1 and d.id = r.document_id and d.status = 'active'
       where r.tenant_id = $1 and (r.source_id = $2 or r.document_id = $2)`,
      [tenant, id],
    );
    if (!row) {
      throw notFound('reading', id, 'Give the id of a source or a document. ingest.run.get tells whether it is still being read.');
    }
    const { reading, read_at, ...rest } = row;
    const { passages: _, ...told } = reading;
    return { ...rest, ...told, read_at: read_at.toISOString(), says: sentenceOf(rest.kind, reading) };
  }

  /**
   * Corrects the customer, the date or the sides of people of a source and has it read again; with `everywhere`, other
   * documents of these people, too. Null takes a correction back.
   * @throws AppError VALIDATION_ERROR (nothing is corrected, a person whom the document does not name), NOT_FOUND
   */
  async correct(
    { tenant, principal }: Caller,
    id: string,
    { customer, date, people = [], everywhere = false }: Correction,
  ): Promise<ReadingView> {
    if (customer === undefined && date === undefined && people.length === 0)
      throw new AppError('VALIDATION_ERROR', 'Nothing is corrected.', { hint: 'Give customer, date or people.' });
    const reading = await this.get(tenant, id);
    const said = await this.peopleSaid(tenant, reading, people, everywhere);
    const fields = [
      { field: 'customer', key: '', value: customer },
      { field: 'date', key: '', value: date },
      ...said.map(({ side, ...person }) => ({
        field: 'person',
        key: nameKey(person.name),
        value: side === null ? null : { ...person, side, everywhere },
      })),
    ].filter(({ value }) => value !== undefined);
    await this.db.transaction(async (query) => {
      await lockGraph(query, tenant);
      for (const { field, key, value } of fields) await this.say(query, tenant, reading.source_id, { field, key, value, by: principal });
      for (const { name, side, customer: of } of said)
        if (everywhere) await teachPerson(query, tenant, name, side === null ? null : { side, customer: of });
      await query(`update document_readings set directory = '${unread}', names = '${unread}' where tenant_id = $1 and source_id = $2`, [
        tenant,
        reading.source_id,
      ]);
    });
    await this.deps.again(tenant);
    return await this.get(tenant, reading.source_id);
  }

  private async say(
    query: Database['query'],
    tenant: string,
    source: string,
    { field, key, value, by }: { field: string; key: string; value: unknown; by: string },
  ): Promise<void> {
    if (value === null) {
      await query('delete from reading_corrections where tenant_id = $1 and source_id = $2 and field = $3 and key = $4', [
        tenant,
        source,
        field,
        key,
      ]);
      return;
    }
    await query(
      `insert into reading_corrections (tenant_id, source_id, field, key, value, corrected_by) values ($1, $2, $3, $4, $5, $6)
       on conflict (tenant_id, source_id, field, key) do update set value = excluded.value, corrected_by = excluded.corrected_by, updated_at = now()`,
      [tenant, source, field, key, JSON.stringify(value), by],
    );
  }

  /** By the names that the reading gives to participants; others must stand in the text. */
  private async peopleSaid(tenant: string, reading: ReadingView, people: readonly Said[], everywhere: boolean): Promise<SaidPerson[]> {
    const known = new Map(reading.participants.map(({ name }) => [nameKey(name), name]));
    const said = people.map(({ name, side, customer }): SaidPerson => ({
      name: known.get(nameKey(name)) ?? name.trim(),
      side,
      customer: side === 'customer' ? (customer ?? null) : null,
    }));
    const vague = said.find(({ side, customer }) => everywhere && side === 'customer' && customer === null);
    if (vague) {
      throw new AppError('VALIDATION_ERROR', `It is not said for which customer ${vague.name} speaks everywhere.`, {
        hint: 'Give the customer, or leave out everywhere.',
      });
    }
    const others = said.filter(({ name }) => !known.has(nameKey(name))).map(({ name }) => name);
    const found = await this.db.query<{ name: string } & Row>(
      `select n as name from unnest($3::text[]) n
       where exists (select from chunks c where c.tenant_id = $1 and c.document_id = $2 and position(lower(n) in lower(c.body)) > 0)`,
      [tenant, reading.document_id, others],
    );
    const missing = others.find((name) => !found.some((row) => row.name === name));
    if (missing === undefined) return said;
    throw new AppError('VALIDATION_ERROR', `The document does not name ${missing}.`, {
      hint: 'Give a name as signal.reading.get shows it under participants.',
      ...(known.size > 0 ? { alternatives: [...known.values()].slice(0, 10) } : {}),
    });
  }
}

interface Said {
  name: string;
  /** Null takes back what was said. */
  side: 'customer' | 'vendor' | null;
  customer?: string | null | undefined;
}

interface SaidPerson extends Said {
  customer: string | null;
}

interface Correction {
  customer?: string | null | undefined;
  /** ISO day. */
  date?: string | null | undefined;
  people?: readonly Said[] | undefined;
  everywhere?: boolean | undefined;
}
