import { describe, expect, it } from 'vitest';
import { linesOf, openAtFirst, parseDiff } from './diff.ts';

const change = `diff --git a/src/a.ts b/src/a.ts
index 1111111..2222222 100644
--- a/src/a.ts
+++ b/src/a.ts
@@ -10,4 +10,5 @@ export function sum() {
 same
--- looks like a header
-gone
+++ neither is this
+new
+newer
 end
\\ No newline at end of file
`;

describe('a diff', () => {
  it('has its lines with the numbers of both versions, also where a line looks like a header', () => {
    const [file] = parseDiff(change);
    expect(file).toMatchObject({ path: 'src/a.ts', kind: 'changed', from: null, added: 3, removed: 2, binary: false });
    expect(file!.hunks[0]!.near).toBe('export function sum() {');
    expect(file!.hunks[0]!.lines.map(({ kind, before, after, text }) => [kind, before, after, text])).toEqual([
      ['same', 10, 10, 'same'],
      ['removed', 11, null, '-- looks like a header'],
      ['removed', 12, null, 'gone'],
      ['added', null, 11, '++ neither is this'],
      ['added', null, 12, 'new'],
      ['added', null, 13, 'newer'],
      ['same', 13, 14, 'end'],
    ]);
  });

  it('tells new, deleted, renamed and binary files, and names beyond ASCII', () => {
    const files = parseDiff(`From 1234 Mon Sep 17
Subject: [PATCH] several

diff --git a/new.txt b/new.txt
new file mode 100644
index 0000000..ce01362
--- /dev/null
+++ b/new.txt
@@ -0,0 +1 @@
+hello
diff --git a/old name.txt b/old name.txt
deleted file mode 100644
--- a/old name.txt
+++ /dev/null
@@ -1 +0,0 @@
-bye
diff --git a/was.ts b/is.ts
similarity index 100%
rename from was.ts
rename to is.ts
diff --git a/logo.png b/logo.png
Binary files a/logo.png and b/logo.png differ
diff --git "a/\\303\\244 \\"x\\".txt" "b/\\303\\244 \\"x\\".txt"
new file mode 100644
`);
    expect(files.map(({ path, kind, from, binary, added, removed }) => [path, kind, from, binary, added, removed])).toEqual([
      ['new.txt', 'added', null, false, 1, 0],
      ['old name.txt', 'deleted', null, false, 0, 1],
      ['is.ts', 'renamed', 'was.ts', false, 0, 0],
      ['logo.png', 'changed', null, true, 0, 0],
      ['ä "x".txt', 'added', null, false, 0, 0],
    ]);
  });

  it('is empty for a text that is none, and ends where a text was cut off', () => {
    expect(parseDiff('')).toEqual([]);
    expect(parseDiff('no diff at all\n+nothing')).toEqual([]);
    expect(linesOf(parseDiff(change.slice(0, change.indexOf('+new\n')))[0]!)).toBe(4);
  });

  it('opens files until there is much to read, and no long one', () => {
    const file = (path: string, lines: number): string =>
      `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -0,0 +1,${lines} @@\n${'+x\n'.repeat(lines)}`;
    const files = parseDiff([file('long', 401), ...['a', 'b', 'c', 'd', 'e'].map((name) => file(name, 350))].join(''));
    expect([...openAtFirst(files)]).toEqual(['a', 'b', 'c', 'd']);
  });
});
