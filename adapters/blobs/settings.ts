import { isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AppError } from '../../contracts/errors.ts';
import type { Config } from '../../platform/config.ts';
import type { S3Settings } from './s3-client.ts';

export type BlobPlace = { kind: 'folder'; path: string } | ({ kind: 's3'; profile: string | undefined } & Omit<S3Settings, 'credentials'>);

/**
 * A place of blobs: `folder`, a path, or s3://bucket/prefix, whose query may replace settings for this place:
 * endpoint, region, path_style, profile.
 * @param setting named by errors
 * @throws AppError VALIDATION_ERROR
 */
export function blobPlace(config: Config, url: string, setting: string): BlobPlace {
  if (url === 'folder') return { kind: 'folder', path: join(resolve(config.SIGNALBOX_DATA_DIR), 'blobs') };
  if (isAbsolute(url)) return { kind: 'folder', path: resolve(url) };
  if (url.startsWith('file:///') && URL.canParse(url)) return { kind: 'folder', path: resolve(fileURLToPath(url)) };
  return s3Place(config, url, setting);
}

/** @throws AppError VALIDATION_ERROR */
function s3Place(config: Config, url: string, setting: string): BlobPlace {
  const [, bucket, path = '', query = ''] =
    /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([A-Za-z0-9_./-]*))?(?:\?(.*))?$/.exec(url) ?? [];
  if (bucket === undefined) throw bad(setting, 'it is folder, a path that begins with /, or s3://bucket/prefix');
  const prefix = path.replaceAll(/^\/+|\/+$/g, '');
  if (prefix !== '' && prefix.split('/').some((part) => /^\.*$/.test(part)))
    throw bad(setting, 'the prefix has an empty part, or one of dots');
  const given = new URLSearchParams(query);
  const strange = [...given.keys()].find((name) => !['endpoint', 'region', 'path_style', 'profile'].includes(name));
  if (strange !== undefined) throw bad(setting, `"${strange}" is not one of endpoint, region, path_style, profile`);
  const endpoint = given.get('endpoint') ?? config.S3_ENDPOINT ?? null;
  if (endpoint !== null && !/^https?:$/.test(URL.canParse(endpoint) ? new URL(endpoint).protocol : ''))
    throw bad(given.has('endpoint') ? setting : 'S3_ENDPOINT', 'this is not an http address');
  const region = given.get('region') ?? config.S3_REGION ?? config.AWS_REGION ?? 'us-east-1';
  if (!/^[a-z0-9-]{2,32}$/.test(region)) throw bad('S3_REGION', 'this is not the name of a region');
  const { S3_ENCRYPTION: encryption, S3_KMS_KEY_ID: kmsKey } = config;
  if (kmsKey !== undefined && !encryption.startsWith('aws:kms')) throw bad('S3_KMS_KEY_ID', 'it needs S3_ENCRYPTION=aws:kms');
  if ((config.AWS_ACCESS_KEY_ID === undefined) !== (config.AWS_SECRET_ACCESS_KEY === undefined))
    throw bad('AWS_ACCESS_KEY_ID', 'it and AWS_SECRET_ACCESS_KEY are only of use together');
  const pathStyle = given.get('path_style') ?? config.S3_PATH_STYLE;
  return {
    kind: 's3',
    profile: given.get('profile') ?? undefined,
    bucket,
    prefix: prefix === '' ? '' : `${prefix}/`,
    endpoint,
    region,
    pathStyle: pathStyle == null ? endpoint !== null || bucket.includes('.') : pathStyle === 'true',
    encryption: {
      ...(encryption === 'none' ? {} : { 'x-amz-server-side-encryption': encryption }),
      ...(kmsKey === undefined ? {} : { 'x-amz-server-side-encryption-aws-kms-key-id': kmsKey }),
    },
    checksums: config.S3_CHECKSUMS,
  };
}

export const bad = (setting: string, why: string): AppError =>
  new AppError('VALIDATION_ERROR', `Bad configuration: ${setting}: ${why}.`, {
    hint: 'For example BLOB_STORE_URL=s3://my-bucket/signalbox (docs/operations.md, "Blobs").',
  });
