/**
 * Checks the Helm chart for each set of values: helm lint, helm template, the objects' schemas by kubeconform, the rendered
 * snapshots in deploy/helm/rendered, that settings exist and no secret stands in clear, and what the chart copies: the alerts,
 * and the table of values in its README. `--write` writes snapshots and copies. A cluster is not needed and not tried.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { isMap, isScalar, parse, parseAllDocuments, parseDocument, type YAMLMap } from 'yaml';
import { queues } from '../contracts/temporal.ts';
import { environment } from '../platform/config.ts';
import { version } from '../platform/version.ts';
import { helmTool } from './helm-tools.ts';

const folder = resolve(import.meta.dirname, '../deploy/helm');
const chart = join(folder, 'signalbox');
const sets = ['small', 'production', 'cloud'];
const write = process.argv.includes('--write');
const problems: string[] = [];
const read = (path: string): string => readFileSync(join(folder, path), 'utf8');

interface Env {
  name: string;
  value?: string;
  valueFrom?: object;
}
interface Container {
  image: string;
  env?: Env[];
  securityContext?: Record<string, unknown>;
}
interface Rendered {
  kind: string;
  metadata: { name: string };
  data?: Record<string, string>;
  spec?: { template?: { spec: { containers: Container[] } }; containers?: Container[] };
}

/** Names of settings whose values are secrets, and values that look like one. */
const secretName =
  /(PASSWORD|SECRET|SECRET_KEY|API_KEY|ACCESS_KEY|ACCESS_KEY_ID|TOKEN|_PREVIOUS)$|^(DATABASE_URL|DATABASE_OWNER_URL|SMTP_URL)$/;
const secretValue =
  /:\/\/[^/@\s]*:[^/@\s]+@|-----BEGIN [A-Z ]*PRIVATE KEY|\b(AKIA|ASIA)[0-9A-Z]{16}\b|\beyJ[\w-]{10,}\.[\w-]+\.[\w-]+|\bsk-[\w-]{20,}|\bsbx?_[\w-]{20,}/;

/** What the schemas cannot say. */
function judge(set: string, text: string): void {
  const hit = secretValue.exec(text);
  if (hit) problems.push(`${set}: a secret stands in clear: ${hit[0].slice(0, 12)}…`);
  const served = new Set<string>();
  for (const document of parseAllDocuments(text)) {
    const object = document.toJS() as Rendered | null;
    if (!object) continue;
    const where = `${set}: ${object.kind}/${object.metadata.name}`;
    if (object.kind === 'Secret') problems.push(`${where}: the chart must not make Secrets`);
    const settings: Env[] = Object.entries(object.data ?? {}).map(([name, value]) => ({ name, value }));
    for (const container of object.spec?.template?.spec.containers ?? object.spec?.containers ?? []) {
      settings.push(...(container.env ?? []));
      if (container.image.endsWith(':latest')) problems.push(`${where}: the image has no fixed version`);
      if (container.securityContext?.['readOnlyRootFilesystem'] !== true) problems.push(`${where}: the root filesystem is writable`);
    }
    for (const { name, value } of settings) {
      if (value !== undefined && secretName.test(name)) problems.push(`${where}: ${name} stands in clear`);
      if (name === 'WORKER_QUEUES') for (const queue of environment.shape.WORKER_QUEUES.parse(value)) served.add(queue);
    }
    const unknown = settings.map(({ name }) => name).filter((name) => !(name in environment.shape));
    if (unknown.length > 0) problems.push(`${where}: platform/config.ts does not know ${unknown.join(', ')}`);
  }
  const idle = Object.values(queues).filter((queue) => !served.has(queue));
  if (idle.length > 0) problems.push(`${set}: no worker serves the queue ${idle.join(', ')}`);
}

/** Rows of the README's table: path, default, the comment `# -- …` above it. */
function valueRows(map: YAMLMap, prefix = ''): string[] {
  return map.items.flatMap((pair, index) => {
    const key = pair.key as { value: string; commentBefore?: string };
    // The comment above a map's first entry belongs to the map, as the parser sees it.
    const comment = key.commentBefore ?? (index === 0 ? map.commentBefore : undefined) ?? '';
    const said = / ?-- ([\s\S]*)/.exec(comment)?.[1]?.replaceAll(/\n ?/g, ' ') ?? '';
    const path = `${prefix}${key.value}`;
    const row = (value: string): string => `| \`${path}\` | ${value} | ${said.replaceAll('|', '\\|')} |`;
    if (isMap(pair.value) && pair.value.items.length > 0 && !pair.value.flow && path !== 'workers.groups')
      return [...(said ? [row('')] : []), ...valueRows(pair.value, `${path}.`)];
    const value = isScalar(pair.value) ? pair.value.value : (pair.value as YAMLMap).toJSON();
    return [row(path === 'workers.groups' ? Object.keys(value as object).join(', ') : `\`${JSON.stringify(value)}\``)];
  });
}

function compare(path: string, made: string): void {
  let kept = '';
  try {
    kept = read(path);
  } catch {
    // The first run.
  }
  if (kept === made) return;
  if (write) writeFileSync(join(folder, path), made);
  else problems.push(`deploy/helm/${path} is out of date: run \`node scripts/helm-check.ts --write\` and read the difference`);
}

function tool(program: string, args: string[]): string | null {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', maxBuffer: 64e6 });
  if (status === 0) return stdout;
  problems.push(`${args.slice(0, 2).join(' ')}: ${`${stdout}${stderr}`.trim()}`);
  return null;
}

const { appVersion } = parse(read('signalbox/Chart.yaml')) as { appVersion: string };
if (appVersion !== version) problems.push(`Chart.yaml: appVersion is ${appVersion}, the package has ${version}`);
const [before = '', , after = ''] = read('signalbox/README.md').split(/(<!-- values -->\n)[\s\S]*?(?=<!-- end of the values -->)/);
const table = valueRows(parseDocument(read('signalbox/values.yaml')).contents as YAMLMap);
compare(
  'signalbox/README.md',
  `${before}<!-- values -->\n\n| value | default | meaning |\n| --- | --- | --- |\n${table.join('\n')}\n\n${after}`,
);

// A chart can read files of its own only.
compare('signalbox/rules.yml', read('../prometheus/rules/signalbox.yml'));

const helm = helmTool('helm');
const kubeconform = helm && helmTool('kubeconform');
const work = mkdtempSync(join(tmpdir(), 'signalbox-helm-'));
try {
  for (const set of sets) {
    if (!helm) judge(set, read(`rendered/${set}.yaml`));
    if (!helm) continue;
    const values = ['--values', join(folder, `values-${set}.yaml`)];
    tool(helm, ['lint', chart, '--strict', '--quiet', ...values]);
    const text = tool(helm, ['template', 'signalbox', chart, '--namespace', 'signalbox', '--kube-version', '1.31.0', ...values]);
    if (text === null) continue;
    judge(set, text);
    compare(`rendered/${set}.yaml`, text);
    const file = join(work, `${set}.yaml`);
    writeFileSync(file, text);
    const schemas = join(folder, 'schemas/{{.ResourceKind}}{{.KindSuffix}}.json');
    if (kubeconform)
      console.log(`${set}: ${tool(kubeconform, ['-strict', '-summary', '-schema-location', schemas, file])?.trim() ?? 'refused'}`);
  }
  const small = (...args: string[]): string[] =>
    ['template', 'signalbox', chart, '--kube-version', '1.31.0', '--values', join(folder, 'values-small.yaml'), ...args]; // prettier-ignore
  const refused = (what: string, sets: string[]): void => {
    for (const set of helm ? sets : [])
      if (spawnSync(helm!, small('--set', set)).status === 0) problems.push(`the chart accepts ${what}: ${set}`);
  };
  refused('a secret in clear', ['config.LLM_API_KEY=x', 'config.NEO4J_URI=bolt://user:word@host', 'extraEnv[0].name=SMTP_URL,extraEnv[0].value=x']); // prettier-ignore
  // Workers of a build that claim to be another one would get histories that they cannot continue.
  const named = 'image.tag=2.1.0,workers.versions.name=x,workers.versions.previous[0].tag';
  refused('a build under a wrong name', [
    `${named}=2.1.0`,
    `${named}=2.0.0,workers.versions.buildId=b`,
    `${named}=2.0.0,config.TEMPORAL_WORKER_BUILD_ID=b`,
    'workers.versions.previous[0].tag=2.0.0',
  ]);
  const builds = helm ? tool(helm, small('--set', `${named}=2.0.0`)) : null;
  if (builds !== null) {
    judge('versions', builds);
    const found = parseAllDocuments(builds).map((document) => document.toJS() as Rendered | null);
    const workers = found.flatMap((object) => (object?.kind === 'Deployment' ? [object.metadata.name] : [])).sort();
    const wanted = ['signalbox-api', 'signalbox-worker-interactive-2-0-0', 'signalbox-worker-interactive-2-1-0'];
    if (`${workers}` !== `${wanted}`) problems.push(`two builds side by side make ${workers.join(', ')} instead of ${wanted.join(', ')}`);
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}
if (!helm) console.log('skipped: helm is not here, and Go is not here to build it. Only the snapshots were checked.');
else if (!kubeconform) console.log('skipped: kubeconform; objects were not checked against their schemas.');
for (const problem of problems) console.error(problem);
console.log(`${sets.length} sets of values, ${problems.length} problems`);
if (problems.length > 0) process.exitCode = 1;
