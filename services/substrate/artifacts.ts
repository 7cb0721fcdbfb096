import type { Row } from '../../adapters/postgres/database.ts';
import type { Caller } from '../../contracts/caller.ts';
import { AppError, notFound } from '../../contracts/errors.ts';
import type { Artifact, Uploaded } from '../../contracts/substrate/substrate.ts';
import { ensureBlob } from '../kernel/blobs.ts';
import { keysetPage, matching, newest, type Page, type Paging } from '../kernel/paging.ts';
import { Service } from '../kernel/service.ts';
import type { Columns } from '../../prisma/rows.ts';

export const maxArtifactBytes = 50 * 1024 * 1024;

interface ArtifactRow extends Row, Columns<'artifacts', 'sha256' | 'media_type' | 'filename' | 'size' | 'created_by' | 'created_at'> {}

/** Blobs of a tenant, named by their SHA-256: stored once, however often they are uploaded. */
export class Artifacts extends Service<'blobs'> {
  /**
   * Existing blobs keep their first media type and name.
   * @throws AppError PAYLOAD_TOO_LARGE
   */
  async upload(
    caller: Pick<Caller, 'tenant' | 'principal'>,
    bytes: Uint8Array,
    given: { mediaType: string; filename?: string | undefined },
  ): Promise<Uploaded> {
    if (bytes.length > maxArtifactBytes) throw tooLarge(bytes.length);
    const { tenant } = caller;
    const sha256 = await this.deps.blobs.put(tenant, bytes);
    const made = await this.db.query(
      `insert into artifacts (tenant_id, sha256, media_type, filename, size, created_by) values ($1, $2, $3, $4, $5, $6)
       on conflict (tenant_id, sha256) do nothing returning 1`,
      [tenant, sha256, given.mediaType, given.filename ?? null, bytes.length, caller.principal],
    );
    await ensureBlob(this.deps.blobs, tenant, sha256, () => this.deps.blobs.put(tenant, bytes));
    return { sha256, size: bytes.length, existed: made.length === 0 };
  }

  /** @throws AppError NOT_FOUND, also for another tenant's */
  async describe(tenant: string, sha256: string): Promise<Artifact> {
    const [row] = await this.db.query<ArtifactRow>('select * from artifacts where tenant_id = $1 and sha256 = $2', [tenant, sha256]);
    if (!row) throw notFound('artifact', sha256, 'substrate.artifact.upload stores content and returns its sha256.');
    return view(row);
  }

  /** Newest first. */
  async list(tenant: string, { mediaType, ...paging }: { mediaType?: string | undefined } & Paging): Promise<Page<Artifact>> {
    const where = matching({ 'tenant_id = $': tenant, "split_part(media_type, ';', 1) = $": mediaType });
    const list = { select: '*', from: 'artifacts', ...where, order: newest('created_at', 'sha256') };
    return await keysetPage(this.db.query, list, paging, view);
  }

  /** @throws AppError NOT_FOUND, also for another tenant's */
  async get(tenant: string, sha256: string): Promise<Artifact & { bytes: Uint8Array }> {
    const described = await this.describe(tenant, sha256);
    return { ...described, bytes: await this.deps.blobs.get(tenant, sha256) };
  }

  /** @throws AppError VALIDATION_ERROR */
  fromBase64(text: string): Uint8Array {
    return fromBase64(text);
  }

  /**
   * A part of the artifact, if that is text.
   * @param from where it begins, in bytes
   * @param most its maximum in bytes; it ends with a line if it can
   * @returns `next`: where the rest begins
   * @throws AppError NOT_FOUND
   */
  async part(tenant: string, sha256: string, from: number, most: number): Promise<Artifact & { content: string | null; next?: number }> {
    const { bytes, ...described } = await this.get(tenant, sha256);
    const end = from + most < bytes.length ? endOfPart(bytes, from, from + most) : bytes.length;
    const content = textOf(bytes.subarray(from, end));
    return { ...described, content, ...(content !== null && end < bytes.length ? { next: end } : {}) };
  }

  /**
   * The artifact as text, if it is text.
   * @throws AppError NOT_FOUND
   */
  async text(tenant: string, sha256: string): Promise<Artifact & { content: string | null }> {
    const { bytes, ...described } = await this.get(tenant, sha256);
    return { ...described, content: textOf(bytes) };
  }
}

function textOf(bytes: Uint8Array): string | null {
  try {
    return bytes.includes(0) ? null : new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** After the last line's end up to there, else between two characters. */
function endOfPart(bytes: Uint8Array, from: number, most: number): number {
  const line = bytes.lastIndexOf(0x0a, most - 1);
  if (line >= from) return line + 1;
  let end = most;
  // A character's further bytes begin with the bits 10.
  while (end > from + 1 && (bytes[end]! & 0xc0) === 0x80) end -= 1;
  return end;
}

const view = (row: ArtifactRow): Artifact => ({
  sha256: row.sha256,
  media_type: row.media_type,
  filename: row.filename,
  size: Number(row.size),
  created_by: row.created_by,
  created_at: row.created_at.toISOString(),
});

/** Node itself ignores invalid base64 characters. */
function fromBase64(text: string): Uint8Array {
  const compact = text.replace(/\s+/g, '');
  if (compact.length % 4 === 1 || !/^[A-Za-z0-9+/]*={0,2}$/.test(compact)) {
    throw new AppError('VALIDATION_ERROR', 'content_base64 is not base64.', {
      hint: 'Standard alphabet (+ and /); or pass text as content.',
    });
  }
  return Buffer.from(compact, 'base64');
}

const tooLarge = (bytes: number): AppError =>
  new AppError(
    'PAYLOAD_TOO_LARGE',
    `The artifact has ${Math.ceil(bytes / 1024 / 1024)} MB; at most ${maxArtifactBytes / 1024 / 1024} MB are taken.`,
    { hint: 'Split it into several.', details: { bytes, max_bytes: maxArtifactBytes } },
  );
