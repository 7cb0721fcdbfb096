import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../../contracts/errors.ts';

/** Encrypts stored secrets (tokens, credentials) that must be sent to others later. */
export interface SecretBox {
  /** AES-256-GCM under this installation's key; not deterministic. */
  seal(text: string): string;
  /** @throws AppError SERVICE_UNAVAILABLE when it was sealed under another key or changed */
  open(sealed: string): string;
  /** HMAC-SHA256 under a derived key: without the key nobody can create or change what it covers. */
  mac(text: string): Buffer;
}

/** @param given the key, as any text; without one a key is kept in `folder`, created on first use */
export function secretBox(given: string | undefined, folder: string): SecretBox {
  let key: Buffer | undefined;
  const theKey = (): Buffer =>
    (key ??= createHash('sha256')
      .update(given ?? kept(folder))
      .digest());
  let macKey: Buffer | undefined;
  return {
    mac: (text) =>
      createHmac('sha256', (macKey ??= createHmac('sha256', theKey()).update('mac').digest()))
        .update(text)
        .digest(),
    seal(text) {
      const iv = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', theKey(), iv);
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return `v1.${Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')}`;
    },
    open(sealed) {
      try {
        if (!sealed.startsWith('v1.')) throw new Error('unknown seal');
        const bytes = Buffer.from(sealed.slice(3), 'base64url');
        const decipher = createDecipheriv('aes-256-gcm', theKey(), bytes.subarray(0, 12));
        decipher.setAuthTag(bytes.subarray(12, 28));
        return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
      } catch (error) {
        throw new AppError('SERVICE_UNAVAILABLE', 'A stored credential cannot be read: it was sealed under another key.', {
          hint: 'Set SIGNALBOX_SECRET_KEY to its former value, the same for api and workers, or enter the credential again.',
          cause: error,
        });
      }
    },
  };
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
