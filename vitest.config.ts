import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// Compiled sources are kept between processes, as the CLI keeps them.
process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(new URL('node_modules/.cache/compiled', import.meta.url));

/** Set by .ci/run: a file that gets the outcome for machines, too. */
const report = process.env['TEST_REPORT'];

/** Tests on servers that change their process for good: each has one of its own. */
const alone = ['test/kernel/telemetry.test.ts'];

export default defineConfig({
  test: {
    projects: [
      // Beside what they test, and without a server. In one process after the other: what is tested keeps no state between files.
      { extends: true, test: { name: 'unit', include: ['**/*.test.ts'], exclude: [...elsewhere(), 'test/**'], isolate: false } },
      // Postgres and Temporal start once a run; tests get their addresses by inject(). Each of the two processes runs one file
      // after the other: to import the product takes longer than to start a stack.
      {
        extends: true,
        test: {
          name: 'stack',
          include: ['test/**/*.test.ts'],
          exclude: ['test/console/**', ...alone],
          isolate: false,
          globalSetup: ['test/setup/global.ts'],
        },
      },
      { extends: true, test: { name: 'alone', include: alone, globalSetup: ['test/setup/global.ts'] } },
      // The web console, in a real Chromium over a real stack.
      {
        extends: true,
        test: {
          name: 'console',
          include: ['test/console/*.test.ts'],
          // Makes pictures for docs/console.md, when it is asked to.
          exclude: process.env['CONSOLE_PICTURES'] ? [] : ['test/console/pictures.test.ts'],
          globalSetup: ['test/setup/global.ts', 'test/setup/console.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          // What a page shows after a request may take longer than the second that Vitest waits by itself.
          expect: { poll: { timeout: 20_000 } },
          isolate: false,
          // A browser takes a core by itself.
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
    ],
    pool: 'forks',
    // The sources run as they run in production, by Node alone; only tests are transformed.
    server: { deps: { external: [sources()] } },
    // Two cores run the servers as well.
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    teardownTimeout: 20_000,
    // A test that passes at the second try has found something.
    retry: 0,
    reporters: report ? ['default', ['json', { outputFile: report }]] : ['default'],
  },
});

function elsewhere(): string[] {
  return ['node_modules/**', '.signalbox/**', 'console/dist*/**'];
}

function sources(): RegExp {
  const folders = readdirSync(import.meta.dirname, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() && !['node_modules', 'test'].includes(entry.name) && !entry.name.startsWith('.') ? [entry.name] : [],
  );
  return new RegExp(`^(?:file://)?${import.meta.dirname}/(?:${folders.join('|')})/(?!.*\\.test\\.ts$).*\\.ts$`);
}
