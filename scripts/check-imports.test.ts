import { describe, expect, it } from 'vitest';
import { importProblems } from './check-imports.ts';

const declared = { dependencies: ['zod', 'pg', '@temporalio/workflow'] };
const others = {
  'contracts/work/work.ts': 'export const a = 1;',
  'contracts/temporal.ts': 'export const queue = 1;',
  'adapters/postgres/database.ts': 'export const db = 1;',
  'adapters/postgres/tenancy.ts': 'export const asTenant = 1;',
  'services/index.ts': 'export const services = 1;',
  'services/kernel/jobs.ts': 'export const jobs = 1;',
  'services/work/index.ts': 'export const work = 1;',
  'services/work/claims.ts': 'export const claims = 1;',
  'services/graph/index.ts': 'export const graph = 1;',
  'services/other/index.ts': 'export const x = 1;',
  'engines/text/names.ts': 'export const names = 1;',
  'platform/config.ts': 'export const config = 1;',
  'platform/pool/pool.ts': 'export const pool = 1;',
  'api/main.ts': 'export const main = 1;',
  'test/factory.ts': 'export const factory = 1;',
};

/** The gate's findings for an additional file in a clean tree. */
const problemsOf = (file: string, source: string): string[] =>
  importProblems(new Map(Object.entries({ ...others, [file]: source })), declared);

const refused: [string, string, string, RegExp][] = [
  [
    'a workflow takes a value from contracts',
    'workflows/x.ts',
    "import { a } from '../contracts/work/work.ts';",
    /only with "import type"/,
  ],
  [
    'a workflow takes a value in a type-only list',
    'workflows/x.ts',
    "import { type A } from '../contracts/work/work.ts';",
    /only with "import type"/,
  ],
  ['a workflow imports a package off its list', 'workflows/x.ts', "import { z } from 'zod';", /may not import the package zod/],
  ['a workflow imports a type of such a package', 'workflows/x.ts', "import type { z } from 'zod';", /may not import the package zod/],
  ['a workflow imports Node', 'workflows/x.ts', "import { hash } from 'node:crypto';", /may not import Node module crypto/],
  [
    'a workflow imports Node without its prefix',
    'workflows/x.ts',
    "import { readFile } from 'fs/promises';",
    /may not import Node module fs/,
  ],
  ['a workflow reaches a service lazily', 'workflows/x.ts', "await import('../services/index.ts');", /may not import services\/index.ts/],
  [
    'a service opens an adapter itself',
    'services/x.ts',
    "import { db } from '../adapters/postgres/database.ts';",
    /only with "import type"/,
  ],
  ['a service re-exports an adapter', 'services/x.ts', "export * from '../adapters/postgres/database.ts';", /only with "import type"/],
  ['a service imports a front end', 'services/x.ts', "import type { main } from '../api/main.ts';", /may not import api\/main.ts/],
  ['a tool takes a service itself', 'tools/x.ts', "import { services } from '../services/index.ts';", /only with "import type"/],
  ['contracts import a service', 'contracts/x.ts', "import type { S } from '../services/index.ts';", /may not import services/],
  ['contracts import Node', 'contracts/x.ts', "import { join } from 'node:path';", /may not import Node module path/],
  ['the workflow names import zod', 'contracts/temporal.ts', "import { z } from 'zod';", /may not import the package zod/],
  ['an adapter imports a service', 'adapters/x.ts', "import type { S } from '../services/index.ts';", /may not import services/],
  [
    'the console takes a value from contracts',
    'console/x.tsx',
    "import { a } from '../contracts/work/work.ts';",
    /only with "import type"/,
  ],
  [
    'a client takes a type of the server',
    'clients/typescript/src/x.ts',
    "import type { a } from '../../../contracts/work/work.ts';",
    /clients\/typescript\/ may not import contracts/,
  ],
  ['a client imports a package', 'clients/typescript/src/x.ts', "import { z } from 'zod';", /may not import the package zod/],
  ['a client imports Node', 'clients/typescript/src/x.ts', "import { join } from 'node:path';", /may not import Node module path/],
  [
    'a context reaches into another',
    'services/graph/x.ts',
    "import { claims } from '../work/claims.ts';",
    /inside work: import services\/work\/index.ts/,
  ],
  ['a context takes a type of a later one', 'services/work/x.ts', "import type { G } from '../graph/index.ts';", /work comes before graph/],
  [
    'the kernel imports a context',
    'services/kernel/x.ts',
    "import { work } from '../work/index.ts';",
    /kernel may not import the context work/,
  ],
  ['a tool reaches into a context', 'tools/x.ts', "import type { C } from '../services/work/claims.ts';", /inside work/],
  [
    'activities reach into another context',
    'activities/graph/x.ts',
    "import { claims } from '../../services/work/claims.ts';",
    /inside work/,
  ],
  ['a folder is no context', 'services/graph/x.ts', "import { x } from '../other/index.ts';", /services\/other is not among the contexts/],
  [
    'an engine takes a type of an adapter',
    'engines/x.ts',
    "import type { Db } from '../adapters/postgres/database.ts';",
    /engines\/ may not import/,
  ],
  ['a service reads the configuration', 'services/x.ts', "import { config } from '../platform/config.ts';", /only with "import type"/],
  ['production code imports a test helper', 'api/x.ts', "import { factory } from '../test/factory.ts';", /must not import tests/],
  ['production code uses an undeclared package', 'api/x.ts', "import ajv from 'ajv';", /ajv is not among the dependencies/],
  ['a file that is not there', 'api/x.ts', "import { y } from './y.ts';", /api\/y.ts does not exist/],
];

const accepted: [string, string, string][] = [
  [
    'a workflow',
    'workflows/x.ts',
    "import { proxyActivities } from '@temporalio/workflow';\nimport { queue } from '../contracts/temporal.ts';\nimport type { A } from '../contracts/work/work.ts';",
  ],
  [
    'a service',
    'services/x.ts',
    "import type { Db } from '../adapters/postgres/database.ts';\nimport { asTenant } from '../adapters/postgres/tenancy.ts';",
  ],
  [
    'a later context',
    'services/graph/x.ts',
    "import { work } from '../work/index.ts';\nimport { jobs } from '../kernel/jobs.ts';\nimport { names } from '../../engines/text/names.ts';",
  ],
  ['activities of a context', 'activities/work/x.ts', "import { claims } from '../../services/work/claims.ts';"],
  ['what looks after all contexts', 'services/sweep.ts', "import { claims } from './work/claims.ts';"],
  ['a service with a pool', 'services/x.ts', "import { pool } from '../platform/pool/pool.ts';"],
  ['an engine with a pool', 'engines/x.ts', "import { pool } from '../platform/pool/pool.ts';"],
  ['contracts/ids.ts', 'contracts/ids.ts', "import { createHash } from 'node:crypto';"],
  [
    'an entry point',
    'api/x.ts',
    "import { services } from '../services/index.ts';\nimport { db } from '../adapters/postgres/database.ts';",
  ],
  ['a test', 'services/x.test.ts', "import { main } from '../api/main.ts';\nimport { it } from 'vitest';"],
];

describe('import rules', () => {
  it.each(refused)('refuse it when %s', (_name, file, source, expected) => {
    expect(problemsOf(file, source)).toEqual([expect.stringMatching(expected)]);
  });

  it.each(accepted)('accept what is allowed to %s', (_name, file, source) => {
    expect(problemsOf(file, source)).toEqual([]);
  });

  it('report a cycle at run time, with the way round, and not one of types', () => {
    const cycle = (kind: string): Map<string, string> =>
      new Map([
        ['api/a.ts', "import { b } from './b.ts';"],
        ['api/b.ts', "import { c } from './c.ts';"],
        ['api/c.ts', `${kind} { a } from './a.ts';`],
      ]);
    expect(importProblems(cycle('import'), declared)).toEqual(['api/a.ts: cycle api/a.ts → api/b.ts → api/c.ts → api/a.ts']);
    expect(importProblems(cycle('import type'), declared)).toEqual([]);
  });
});
