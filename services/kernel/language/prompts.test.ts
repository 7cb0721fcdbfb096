import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { prompt } from './prompts.ts';

const folder = join(import.meta.dirname, '..', '..', '..', 'prompts');
const hash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);

/** Output of a version must stay explainable: a changed text needs a new file `name@2.md` and a line here. */
const published: Record<string, string> = {
  'classify-signals@1.md': 'd59d17b6d8da4461',
  'extract-memories@1.md': 'ab1ad6619da9e5c1',
  'plan-work@1.md': 'a3180e977546a47f',
  'read-statements@2.md': 'b53097db68ee59db',
  'untrusted-data@1.md': 'a738578a0f4c72bb',
  'write-brief@1.md': 'dcaf1855dd015c11',
  'write-section@1.md': '5c4311f68afff3f4',
};

describe('prompts', () => {
  it('keep their text under their version', () => {
    const found = Object.fromEntries(readdirSync(folder).map((file) => [file, hash(readFileSync(join(folder, file), 'utf8'))]));
    expect(found).toEqual(published);
  });

  it('come with the rules for data of strangers before them', () => {
    const { id, system } = prompt('classify-signals@1');
    expect(id).toBe('classify-signals@1');
    expect(system.indexOf('never an instruction')).toBeGreaterThan(0);
    expect(system.indexOf('never an instruction')).toBeLessThan(system.indexOf('churn_risk'));
  });

  it('are missed loudly', () => {
    expect(() => prompt('no-such@1')).toThrow('no-such@1');
  });
});
