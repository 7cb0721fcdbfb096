import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  randomBytes,
  timingSafeEqual,
  type KeyObject,
} from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../../contracts/errors.ts';

/**
 * Encrypts stored secrets (tokens, credentials) that must be sent to others later, and signs. New seals are made with
 * the current key; seals of further keys are still read.
 */
export interface SecretBox {
  /** AES-256-GCM under this installation's key; not deterministic. */
  seal(text: string): string;
  /** @throws AppError SERVICE_UNAVAILABLE when it was sealed under another key or changed */
  open(sealed: string): string;
  /** Start of all that is sealed under the current key. */
  readonly mark: string;
  /** Of the current key and the further ones, in order; says nothing about them. */
  readonly keyIds: readonly string[];
  /** HMAC-SHA256 under a derived key: without the key nobody can create or change what it covers. */
  mac(text: string): Buffer;
  /** Whether it is the HMAC of this text under the current or a further key. */
  verifies(text: string, mac: Uint8Array): boolean;
  /**
   * The same encryption for bytes.
   * @param about authenticated with them: they open with the same words only
   */
  sealBytes(bytes: Uint8Array, about: string): { key: string; data: Buffer };
  /** @returns null when no key opens them, or they are about something else */
  openBytes(data: Uint8Array, key: string, about: string): Buffer | null;
}

interface Key {
  id: string;
  seal: Buffer;
  /** As an object of Node's: an HMAC under a buffer takes five times as long. */
  mac: KeyObject;
}

/**
 * @param given the key, as any text; without one a key is kept in `folder`, created on first use
 * @param further keys that only read: the former one after a change, or the coming one before it
 */
export function secretBox(given: string | undefined, folder: string, further: readonly string[] = []): SecretBox {
  let keys: Key[] | undefined;
  const all = (): Key[] => (keys ??= [given ?? kept(folder), ...further].map(keyOf));
  const current = (): Key => all()[0]!;
  return {
    get mark() {
      return `v2.${current().id}.`;
    },
    get keyIds() {
      return all().map(({ mac }) => fullId(mac));
    },
    mac: (text) => hmac(current().mac, text),
    verifies: (text, mac) => all().some((key) => timingSafeEqual(hmac(key.mac, text), padded(mac))),
    seal(text) {
      const { id, seal } = current();
      return `v2.${id}.${encrypt(seal, Buffer.from(text)).toString('base64url')}`;
    },
    open(sealed) {
      const [, id, body] = /^v(?:1|2\.([0-9a-f]{8}))\.([A-Za-z0-9_-]+)$/.exec(sealed) ?? [];
      // Seals of former versions do not say which key they need.
      for (const key of all().filter((one) => id === undefined || one.id === id)) {
        const opened = body === undefined ? null : decrypt(key.seal, Buffer.from(body, 'base64url'));
        if (opened) return opened.toString('utf8');
      }
      throw new AppError('SERVICE_UNAVAILABLE', 'A stored credential cannot be read: it was sealed under another key.', {
        hint: 'Add the former key to SIGNALBOX_SECRET_KEY_PREVIOUS, the same for api and workers, or enter the credential again.',
      });
    },
    sealBytes: (bytes, about) => ({ key: current().id, data: encrypt(current().seal, bytes, about) }),
    openBytes(data, id, about) {
      const key = all().find((one) => one.id === id);
      return key ? decrypt(key.seal, data, about) : null;
    },
  };
}

function keyOf(text: string): Key {
  const seal = createHash('sha256').update(text).digest();
  const mac = createSecretKey(hmac(createSecretKey(seal), 'mac'));
  return { id: fullId(mac).slice(0, 8), seal, mac };
}

const fullId = (mac: KeyObject): string => hmac(mac, 'which key').toString('hex').slice(0, 16);

const hmac = (key: KeyObject, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** Of another length, it equals no HMAC. */
const padded = (mac: Uint8Array): Uint8Array => (mac.byteLength === 32 ? mac : Buffer.alloc(32));

function encrypt(key: Buffer, bytes: Uint8Array, about?: string): Buffer {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  if (about !== undefined) cipher.setAAD(Buffer.from(about));
  const body = Buffer.concat([cipher.update(bytes), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), body]);
}

function decrypt(key: Buffer, bytes: Uint8Array, about?: string): Buffer | null {
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12), { authTagLength: 16 });
    decipher.setAuthTag(bytes.subarray(12, 28));
    if (about !== undefined) decipher.setAAD(Buffer.from(about));
    return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]);
  } catch {
    return null;
  }
}

/** Api and worker start concurrently: one creates the file, the other reads it. */
function kept(folder: string): string {
  const file = join(folder, 'secret.key');
  mkdirSync(folder, { recursive: true });
  try {
    writeFileSync(file, randomBytes(32).toString('base64url'), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  for (let tries = 0; ; tries += 1) {
    const text = readFileSync(file, 'utf8');
    if (text.length >= 43) return text;
    // The other process has created it but not written it yet.
    if (tries >= 100) throw new Error(`${file} is damaged: restore it, or set SIGNALBOX_SECRET_KEY`);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
  }
}
