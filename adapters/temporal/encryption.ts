/**
 * Encrypts what our processes send to a Temporal that others run: arguments, results, notes, heartbeats, the texts of
 * failures. Workflow ids and search attributes stay readable, because Temporal finds processes by them. See
 * docs/decisions/0047.
 */
import type { DataConverter, Payload, PayloadCodec } from '@temporalio/common';
import { fileURLToPath } from 'node:url';
import { tenantOfWorkflow } from '../../contracts/temporal.ts';
import type { SecretBox } from '../secrets/box.ts';
import { sealingCodec } from './sealing.ts';

/** Of Temporal's samples, so that its tools recognise such payloads. */
const encoding = 'binary/encrypted';
const text = (bytes: Uint8Array | null | undefined): string => Buffer.from(bytes ?? []).toString('utf8');

/** Bound to the payload's tenant, so that the codec endpoint can hold tenants apart. */
const about = (tenant: string): string => `temporal payload\0${tenant}`;

/**
 * Seals and, if wanted, encrypts. Encrypted payloads are always read: histories contain both after a change of the
 * setting.
 */
export const dataConverterOf = (secrets: SecretBox, encrypt: boolean): DataConverter => ({
  payloadCodecs: [sealingCodec(secrets), encryptingCodec(secrets, encrypt)],
  // Moves messages and stacks of failures into a payload.
  ...(encrypt ? { failureConverterPath: fileURLToPath(new URL('./failures.ts', import.meta.url)) } : {}),
});

export function encryptingCodec(secrets: Pick<SecretBox, 'sealBytes' | 'openBytes'>, encrypt: boolean): PayloadCodec {
  return {
    async encode(payloads, context) {
      if (!encrypt) return payloads;
      const tenant = tenantOfWorkflow(context?.workflowId ?? '');
      return payloads.map((payload) => {
        const { key, data } = secrets.sealBytes(packed(payload), about(tenant));
        const metadata = { encoding, 'encryption-key-id': key, 'signalbox-tenant': tenant };
        return { metadata: Object.fromEntries(Object.entries(metadata).map(([name, value]) => [name, Buffer.from(value)])), data };
      });
    },
    async decode(payloads) {
      // One that cannot be opened stays as it is; the sealing codec then makes nothing of it.
      return payloads.map((payload) => opened(secrets, payload) ?? payload);
    },
  };
}

/** The payload inside an encrypted one; null: it is not encrypted, or no known key opens it. */
export function opened(secrets: Pick<SecretBox, 'openBytes'>, payload: Payload): Payload | null {
  const { metadata, data } = payload;
  if (text(metadata?.['encoding']) !== encoding) return null;
  const tenant = tenantOf(payload);
  const bytes = secrets.openBytes(Buffer.from(data ?? []), text(metadata?.['encryption-key-id']), about(tenant));
  return bytes && unpacked(bytes);
}

/** Whose process an encrypted payload belongs to, as its metadata claims; opening it proves the claim. */
export const tenantOf = ({ metadata }: Payload): string => text(metadata?.['signalbox-tenant']);

/** Length of the metadata, the metadata as JSON, the data. */
function packed({ metadata, data }: Payload): Buffer {
  const values = Object.entries(metadata ?? {}).map(([name, value]) => [name, Buffer.from(value).toString('base64')]);
  const head = Buffer.from(JSON.stringify(Object.fromEntries(values)));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(head.length);
  // An empty payload may come as an array.
  return Buffer.concat([length, head, Buffer.from(data ?? [])]);
}

function unpacked(bytes: Buffer): Payload {
  const end = 4 + bytes.readUInt32BE(0);
  const head = JSON.parse(bytes.subarray(4, end).toString('utf8')) as Record<string, string>;
  const metadata = Object.fromEntries(Object.entries(head).map(([name, value]) => [name, Buffer.from(value, 'base64')]));
  return { metadata, data: bytes.subarray(end) };
}
