import { expect, it } from 'vitest';
import { exportTypes } from '../../../contracts/governance/exports.ts';
import { contentsOf } from './contents.ts';

it('has every table of every type in the full backup, once', () => {
  const full = contentsOf('full_backup').map(({ table }) => table);
  expect(new Set(full).size).toBe(full.length);
  for (const type of exportTypes) for (const { table } of contentsOf(type)) expect(full).toContain(table);
});
