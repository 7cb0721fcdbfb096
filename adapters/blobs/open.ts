import { isDeepStrictEqual } from 'node:util';
import { AppError } from '../../contracts/errors.ts';
import type { Config } from '../../platform/config.ts';
import { fileBlobs } from './files.ts';
import { movingBlobs } from './moving.ts';
import { credentialSource } from './s3-credentials.ts';
import type { S3Settings } from './s3-client.ts';
import { s3Blobs } from './s3.ts';
import { bad, blobPlace, type BlobPlace } from './settings.ts';
import type { Blobs } from './types.ts';

/**
 * The configured store of blobs.
 * @throws AppError VALIDATION_ERROR for a bad setting
 */
function openBlobs(config: Config): Blobs {
  const current = blobsAt(config, config.BLOB_STORE_URL);
  const { BLOB_STORE_FORMER_URL: url } = config;
  if (url === undefined) return current;
  const former = blobsAt(config, url, 'BLOB_STORE_FORMER_URL');
  if (samePlace(config, url, config.BLOB_STORE_URL)) throw bad('BLOB_STORE_FORMER_URL', 'this is the place of BLOB_STORE_URL');
  return movingBlobs(current, former);
}

/**
 * Blobs at a place.
 * @throws AppError VALIDATION_ERROR
 */
export function blobsAt(config: Config, url: string, setting = 'BLOB_STORE_URL'): Blobs {
  const place = blobPlace(config, url, setting);
  return place.kind === 'folder' ? fileBlobs(place.path) : s3Blobs(s3Settings(config, place));
}

/** Whether both addresses mean the same place. */
export const samePlace = (config: Config, one: string, other: string): boolean =>
  isDeepStrictEqual(blobPlace(config, one, 'BLOB_STORE_URL'), blobPlace(config, other, 'BLOB_STORE_URL'));

export const s3Settings = (config: Config, place: Extract<BlobPlace, { kind: 's3' }>): S3Settings => ({
  ...place,
  credentials: credentialSource(config, place.region, place.profile),
});

/**
 * The checked store: nothing starts with one that cannot be written.
 * @throws AppError that is not retried
 */
export async function openCheckedBlobs(config: Config): Promise<Blobs> {
  const blobs = openBlobs(config);
  try {
    await blobs.check();
    return blobs;
  } catch (error) {
    await blobs.close();
    if (!(error instanceof AppError)) throw error;
    const { message, hint } = error;
    throw new AppError(error.code, message, { ...(hint === undefined ? {} : { hint }), retryable: false, cause: error });
  }
}
