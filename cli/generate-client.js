// Generates the Prisma client after an install. Plain JavaScript, because npm runs it on the system's Node.
// The schema engine is a download that `generate` does not use: any existing program satisfies its check.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const prisma = fileURLToPath(new URL('../node_modules/prisma/build/index.js', import.meta.url));
if (existsSync(prisma)) {
  const { status } = spawnSync(process.execPath, [prisma, 'generate'], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, PRISMA_HIDE_UPDATE_MESSAGE: '1', CHECKPOINT_DISABLE: '1' },
  });
  process.exitCode = status ?? 1;
}
