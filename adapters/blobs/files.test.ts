import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fileBlobs, type Blobs } from './files.ts';

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
      // Dies after it set the bytes aside: it never comes back from its question.
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
