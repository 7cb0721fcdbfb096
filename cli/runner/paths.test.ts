import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { inWorktree } from './paths.ts';

it('names files as they are called in the repository, and leaves others', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'paths-')));
  try {
    const [tree, link] = [join(folder, 'tree'), join(folder, 'link')];
    mkdirSync(tree);
    symlinkSync(tree, link);
    const told = (path: string): unknown[] =>
      inWorktree([{ kind: 'file', text: path, data: { tool: 'Write', path } }], link).flatMap(({ text, data }) => [text, data]);
    const known = (path: string): unknown[] => [path, { tool: 'Write', path }];
    for (const path of [join(link, 'src', 'a b.ts'), join(tree, 'src', 'a b.ts'), 'src/a b.ts'])
      expect(told(path)).toEqual(known('src/a b.ts'));
    expect(told(join(link, '..name'))).toEqual(known('..name'));
    for (const path of [`${link}-other/a.ts`, join(folder, 'a.ts'), link, '/etc/hosts', '../a.ts']) expect(told(path)).toEqual(known(path));
    const others = [
      { kind: 'tool', text: `Read ${tree}/a.ts`, data: { path: `${tree}/a.ts` } },
      { kind: 'file', text: 'a.ts' },
    ] as const;
    expect(inWorktree(others, tree)).toEqual(others);
    expect(inWorktree([{ kind: 'file', text: '/gone/a.ts' }], '/gone')).toEqual([{ kind: 'file', text: 'a.ts' }]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
