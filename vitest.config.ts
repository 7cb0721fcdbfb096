import { defineConfig } from 'vitest/config';

/** Set by .ci/run: a file that gets the outcome for machines, too. */
const report = process.env['TEST_REPORT'];

export default defineConfig({
  test: {
    projects: [
      // Beside what they test, and without a server.
      { extends: true, test: { name: 'unit', include: ['**/*.test.ts'], exclude: [...elsewhere(), 'test/**'] } },
      // Postgres and Temporal start once a run; tests get their addresses by inject().
      { extends: true, test: { name: 'stack', include: ['test/**/*.test.ts'], globalSetup: ['test/setup/global.ts'] } },
    ],
    pool: 'forks',
    server: { deps: { external: [/\/(?:activities|adapters|api|cli|contracts|deploy|engines|platform|prisma|services|tools|workers|workflows)\/(?!.*\.test\.ts$).*\.ts$/] } },
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
  return ['node_modules/**', '.signalbox/**', 'console/**'];
}
