/**
 * Fetches the parts of the embedded stack into a folder, for machines that cannot: give them the folder, or serve it
 * over http, and set SIGNALBOX_PARTS_URL there.
 *   npm run parts -- DIR
 *   npm run parts -- DIR --platform linux-arm64 --platform darwin-arm64 --neo4j
 */
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readConfig } from '../platform/config.ts';
import { type Archive, type Platform, platforms, thisPlatform } from '../platform/embedded/archives.ts';
import { howToInstall, MissingTool } from '../platform/embedded/machine.ts';
import { archivesFor } from '../platform/embedded/parts.ts';
import { fetchArchives, placesOf, sha256 } from '../platform/embedded/sources.ts';

const { values, positionals } = parseArgs({
  options: { platform: { type: 'string', multiple: true }, neo4j: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const config = readConfig();
const folder = resolve(positionals[0] ?? 'parts');
const say = (line: string): void => console.error(`  ${line}`);

const wanted = values.platform ?? [thisPlatform() ?? ''];
const unknown = wanted.filter((name) => !platforms.includes(name as Platform));
if (unknown.length > 0) {
  console.error(`No parts are published for "${unknown.join(', ')}". Platforms: ${platforms.join(', ')}.`);
  process.exit(2);
}

/** Downloaded to a temporary name and renamed: a file under its final name is complete and verified. */
async function have(archives: Archive[]): Promise<void> {
  const missing: Archive[] = [];
  for (const archive of archives) {
    const file = join(folder, archive.file);
    if (!existsSync(file) || (await sha256(file)) !== archive.sha256) missing.push(archive);
  }
  if (missing.length === 0) return;
  const failures: string[] = [];
  for (const place of placesOf(missing, config.SIGNALBOX_PARTS_URL)) {
    const temp = mkdtempSync(join(folder, '.tmp-'));
    try {
      await fetchArchives(place, missing, temp, say);
      for (const { file } of missing) {
        copyFileSync(join(temp, file), join(folder, `${file}.part`));
        renameSync(join(folder, `${file}.part`), join(folder, file));
      }
      return;
    } catch (error) {
      const hint = error instanceof MissingTool ? `, get it with ${await howToInstall(error.tool)}` : '';
      failures.push(`${place.name}: ${(error as Error).message}${hint}`);
    } finally {
      rmSync(temp, { recursive: true, force: true });
    }
  }
  throw new Error(failures.join('; '));
}

mkdirSync(folder, { recursive: true });
const held = new Map<string, Archive>();
for (const on of wanted as Platform[]) {
  for (const { name, archives } of archivesFor(on, { neo4j: values.neo4j })) {
    const failures: string[] = [];
    let done = false;
    for (const set of archives) {
      try {
        await have(set);
        for (const archive of set) held.set(archive.file, archive);
        done = true;
        break;
      } catch (error) {
        failures.push((error as Error).message);
      }
    }
    if (done) say(`${name} for ${on}`);
    else {
      console.error(`Cannot get ${name} for ${on}: ${failures.join('; ')}`);
      process.exitCode = 1;
    }
  }
}
const files = [...held.values()].sort((a, b) => a.file.localeCompare(b.file));
writeFileSync(join(folder, 'SHA256SUMS'), files.map(({ file, sha256: hash }) => `${hash}  ${file}\n`).join(''));
const bytes = files.reduce((sum, { file }) => sum + statSync(join(folder, file)).size, 0);
console.log(`${files.length} archives, ${(bytes / 1e6).toFixed(0)} MB in ${folder}. Use them with SIGNALBOX_PARTS_URL=${folder}`);
