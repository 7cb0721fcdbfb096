/**
 * Bill of materials and provenance of a release: `npm run provenance -- FILE…` writes, beside each file (a package, an image's
 * archive), FILE.cdx.json (CycloneDX, by npm, production packages) and FILE.intoto.json (an in-toto statement with a SLSA v1
 * predicate: commit, lock file, builder). The statement is not signed: sign it with the key of whoever publishes.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { version } from '../platform/version.ts';

const root = resolve(import.meta.dirname, '..');
const files = process.argv.slice(2).map((file) => resolve(file));
if (files.length === 0) throw new Error('Name the files of the release: npm run provenance -- signalbox-VERSION.tgz');

function output(command: string, args: string[]): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd: root, encoding: 'utf8', maxBuffer: 256e6 });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr || error?.message}`);
  return stdout;
}
const sha256 = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex');

const commit = output('git', ['rev-parse', 'HEAD']).trim();
const changed = output('git', ['status', '--porcelain', '--untracked-files=no']).trim() !== '';
const bill = output('npm', ['sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev', '--package-lock-only']);
const { components } = JSON.parse(bill) as { components: unknown[] };

for (const file of files) {
  const statement = {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [{ name: basename(file), digest: { sha256: sha256(file) } }],
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'urn:signalbox:npm-run-pack',
        externalParameters: { version, commit, changed },
        resolvedDependencies: [
          { uri: 'git+signalbox', digest: { gitCommit: commit } },
          { uri: 'package-lock.json', digest: { sha256: sha256(join(root, 'package-lock.json')) } },
        ],
      },
      runDetails: {
        builder: { id: `node/${process.versions.node} ${process.platform}-${process.arch}` },
        metadata: { finishedOn: new Date().toISOString() },
      },
    },
  };
  writeFileSync(`${file}.cdx.json`, bill);
  writeFileSync(`${file}.intoto.json`, `${JSON.stringify(statement, null, 2)}\n`);
  console.log(`${basename(file)}: ${components.length} components, commit ${commit.slice(0, 8)}${changed ? ' with changes' : ''}`);
}
