import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fileBlobs } from './files.ts';
import type { Blobs } from './types.ts';

const bytes = Buffer.from('the same bytes');
const sha256 = createHash('sha256').update(bytes).digest('hex');
const yes = async (hashes: string[]): Promise<Set<string>> => new Set(hashes);
const no = async (): Promise<Set<string>> => new Set();

let folder: string;
let blobs: Blobs;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blobs-'));
  blobs = fileBlobs(folder);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const files = (): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name);

describe('blobs', () => {
  it('are kept per tenant, once, and told apart from what is not there', async () => {
    expect(await blobs.has('acme', sha256)).toBe(false);
    expect(await blobs.put('acme', bytes)).toBe(sha256);
    await blobs.put('acme', bytes);
    expect(files()).toEqual([sha256]);
    expect(await blobs.has('acme', sha256)).toBe(true);
    expect(await blobs.has('globex', sha256)).toBe(false);
    await expect(blobs.get('globex', sha256)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(blobs.delete('acme', ['../../etc/passwd'], no)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('are deleted unless referred to', async () => {
    await blobs.put('acme', bytes);
    expect(await blobs.delete('acme', [sha256], yes)).toBe(0);
    expect(Buffer.from(await blobs.get('acme', sha256))).toEqual(bytes);
    await expect(blobs.delete('acme', [sha256], () => Promise.reject(new Error('away')))).rejects.toThrow('away');
    expect(await blobs.has('acme', sha256)).toBe(true);
    expect(await blobs.delete('acme', [sha256], no)).toBe(1);
    expect(files()).toEqual([]);
    expect(await blobs.delete('acme', [sha256], no)).toBe(0);
  });

  it('can be read while a deleter decides, and survive when it decides to keep them', async () => {
    await blobs.put('acme', bytes);
    const kept = await blobs.delete('acme', [sha256], async () => {
      expect(await blobs.has('acme', sha256)).toBe(false);
      expect(Buffer.from(await blobs.get('acme', sha256))).toEqual(bytes);
      return new Set([sha256]);
    });
    expect(kept).toBe(0);
    expect(files()).toEqual([sha256]);
  });

  it('put again while a deleter decides stay', async () => {
    await blobs.put('acme', bytes);
    await blobs.delete('acme', [sha256], async () => {
      await blobs.put('acme', bytes);
      return new Set();
    });
    expect(files()).toEqual([sha256]);
  });

  it('of a deleter that died are finished by its repeat', async () => {
    for (const referenced of [no, yes]) {
      await blobs.put('acme', bytes);
      // Dies after it moved the bytes aside: the check never returns.
      await new Promise<void>((asked) => {
        void blobs.delete('acme', [sha256], () => {
          asked();
          return new Promise(() => {});
        });
      });
      expect(files()).toEqual([expect.stringMatching(/\.aside$/)]);
      expect(Buffer.from(await blobs.get('acme', sha256))).toEqual(bytes);
      expect(await blobs.delete('acme', [sha256], referenced)).toBe(referenced === no ? 1 : 0);
      expect(files()).toEqual(referenced === no ? [] : [sha256]);
    }
  });

  it('deleted and referred to at once are never lost', async () => {
    for (let round = 0; round < 40; round += 1) {
      let committed = false;
      await blobs.put('acme', bytes);
      const referenced = async (hashes: string[]): Promise<Set<string>> => {
        const seen = committed;
        await new Promise((done) => setImmediate(done));
        return new Set(seen ? hashes : []);
      };
      const submit = async (): Promise<void> => {
        await blobs.put('acme', bytes);
        if (round % 2) await new Promise((done) => setImmediate(done));
        committed = true;
        if (!(await blobs.has('acme', sha256))) await blobs.put('acme', bytes);
      };
      await Promise.all([blobs.delete('acme', [sha256], referenced), submit(), blobs.delete('acme', [sha256], referenced)]);
      expect(Buffer.from(await blobs.get('acme', sha256)), `round ${round}`).toEqual(bytes);
      expect(files()).toEqual([sha256]);
    }
  });
});

describe('a stream of bytes', () => {
  const pieces = (...texts: string[]) =>
    (async function* () {
      for (const text of texts) yield await Promise.resolve(Buffer.from(text));
    })();
  const never = async (): Promise<void> => {};

  it('becomes the same blob as the bytes at once, and is read as a stream', async () => {
    expect(await blobs.putStream('acme', 'job_1', pieces('the same', ' bytes'), never)).toEqual({ sha256, size: bytes.length });
    expect(files()).toEqual([sha256]);
    const { stream, size } = await blobs.openStream('acme', sha256);
    expect([Buffer.concat(await stream.toArray()).toString(), size]).toEqual(['the same bytes', bytes.length]);
    await expect(blobs.openStream('globex', sha256)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('is noted before it stands, and leaves nothing when it fails', async () => {
    let stood: boolean | undefined;
    await blobs.putStream('acme', 'job_1', pieces('the same', ' bytes'), async (blob) => {
      stood = await blobs.has('acme', blob.sha256);
    });
    expect(stood).toBe(false);
    const failing = (async function* () {
      yield await Promise.resolve(bytes);
      throw new Error('broken off');
    })();
    await expect(blobs.putStream('acme', 'job_2', failing, never)).rejects.toThrow('broken off');
    expect(files()).toEqual([sha256]);
  });

  it('that the dead left half-written goes by its owner or by its age', async () => {
    let hold: (() => void) | undefined;
    const held = new Promise<void>((resolve) => (hold = resolve));
    let begun: (() => void) | undefined;
    const beginning = new Promise<void>((resolve) => (begun = resolve));
    const slow = async function* () {
      yield bytes;
      begun!();
      await held;
      yield bytes;
    };
    const attempt = blobs.putStream('acme', 'job_1', slow(), never);
    await beginning;
    expect(files()).toHaveLength(1);
    await blobs.dropUnfinished('acme', { owner: 'job_' });
    await blobs.dropUnfinished('globex', { owner: 'job_1' });
    await blobs.dropUnfinished('acme', { before: new Date(Date.now() - 60_000) });
    expect(files()).toHaveLength(1);
    await blobs.dropUnfinished('acme', { owner: 'job_1' });
    expect(files()).toEqual([]);
    hold!();
    // After the abort, the file must not be published.
    await expect(attempt).rejects.toMatchObject({ code: 'ENOENT' });
    expect(files()).toEqual([]);
  });
});
