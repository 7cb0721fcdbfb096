/** Finds helm and kubeconform: on PATH, in the cache folder, or built there from their Go modules. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { readConfig } from '../platform/config.ts';
import { cacheFolder } from '../platform/embedded/parts.ts';

const modules = {
  helm: 'helm.sh/helm/v3/cmd/helm@v3.19.2',
  kubeconform: 'github.com/yannh/kubeconform/cmd/kubeconform@v0.7.0',
} as const;

const onPath = (name: string): string | undefined =>
  (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((file) => existsSync(file));

/** @returns the program's path; null: neither it nor Go is here, or it cannot be built (said on stderr) */
export function helmTool(name: keyof typeof modules): string | null {
  const folder = join(cacheFolder(readConfig()), 'tools');
  const kept = join(folder, name);
  const found = onPath(name) ?? (existsSync(kept) ? kept : undefined);
  if (found) return found;
  if (!onPath('go')) return null;
  mkdirSync(folder, { recursive: true });
  // Go writes a program by rename: a build that is killed leaves nothing behind.
  const built = spawnSync('go', ['install', modules[name]], { env: { ...process.env, GOBIN: folder, GOFLAGS: '' }, encoding: 'utf8' });
  if (built.status === 0 && existsSync(kept)) return kept;
  console.error(`${name} could not be built from ${modules[name]}: ${built.stderr?.trim().split('\n').at(-1) ?? built.error?.message}`);
  return null;
}
