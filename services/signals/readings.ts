import type { Row } from '../../adapters/postgres/database.ts';
import type { Caller } from '../../contracts/caller.ts';
import { AppError, notFound } from '../../contracts/errors.ts';
import { Service } from '../kernel/service.ts';
import { unread } from './read.ts';
import type { ReadingCorrections } from './reading-corrections.ts';
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
   * Corrects the customer or the date of a source and has it read again. Null takes a correction back.
   * @throws AppError VALIDATION_ERROR (nothing is corrected), NOT_FOUND
   */
  async correct({ tenant, principal }: Caller, id: string, correction: Correction): Promise<ReadingView> {
    const given = Object.entries(correction).filter(([, value]) => value !== undefined);
    if (given.length === 0) throw new AppError('VALIDATION_ERROR', 'Nothing is corrected.', { hint: 'Give customer or date.' });
    const { source_id: source } = await this.get(tenant, id);
    await this.db.transaction(async (query) => {
      for (const [field, value] of given) {
        if (value === null)
          await query('delete from reading_corrections where tenant_id = $1 and source_id = $2 and field = $3', [tenant, source, field]);
        else
          await query(
            `insert into reading_corrections (tenant_id, source_id, field, key, value, corrected_by) values ($1, $2, $3, '', to_jsonb($4::text), $5)
             on conflict (tenant_id, source_id, field, key) do update set value = excluded.value, corrected_by = excluded.corrected_by, updated_at = now()`,
            [tenant, source, field, value, principal],
          );
      }
      // Of no directory: it is read again.
      await query(`update document_readings set directory = '${unread}', names = '${unread}' where tenant_id = $1 and source_id = $2`, [
        tenant,
        source,
      ]);
    });
    await this.deps.again(tenant);
    return await this.get(tenant, source);
  }
}

type Correction = { [Field in keyof ReadingCorrections]?: ReadingCorrections[Field] | undefined };
