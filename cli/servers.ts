import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import type { ExternalToolEntry } from '../contracts/governance/external.ts';
import { childEnvironment } from '../platform/config.ts';
import { readServers } from '../services/governance/external/import.ts';
import { callTool, failure, ok, type Output } from './client.ts';
import type { ImportedServers, NewServer } from './commands/governance.ts';
import { CliError, exits, usage } from './exit.ts';
import { aside, clean, note, oneLine, paint, say, sayJson } from './output.ts';
import { pairs } from './pairs.ts';

type Outcome = Output<'external.server.add' | 'external.server.test'>;

export async function addServer({ target, args, env, header, cwd, json, ...wanted }: NewServer): Promise<void> {
  const isUrl = /^https?:\/\//.test(target);
  if (isUrl && args.length > 0) throw usage('A url takes no further arguments.');
  const credentials = env || header ? { env: pairs(env, '='), headers: pairs(header, ':') } : undefined;
  const where = isUrl ? { url: target } : { command: target, args, cwd };
  const answer = await ok('external.server.add', { ...wanted, ...where, credentials });
  if (json) return sayJson(answer.data);
  told(answer.data);
  if (!wanted.approve_all && answer.data.server.tools.waiting > 0) await askForApproval(wanted.name);
}

export async function importServers({ files, only, json, ...settings }: ImportedServers): Promise<void> {
  const found = files.flatMap((file) => readServers(read(file), childEnvironment({})));
  const wanted = only ? found.filter(({ name }) => only.includes(name)) : found;
  const missing = only?.filter((name) => !found.some((server) => server.name === name)) ?? [];
  if (missing.length > 0) throw usage(`No server ${missing.join(', ')} in there. There are: ${found.map(({ name }) => name).join(', ')}.`);
  const outcomes: { name: string; outcome?: Outcome; error?: string }[] = [];
  for (const server of wanted) {
    const answer = await callTool('external.server.add', { ...server, ...settings });
    if (answer.error && exits.refused === failure(answer).exit) throw failure(answer);
    outcomes.push({ name: server.name, ...(answer.error ? { error: answer.error.message } : { outcome: answer.data as Outcome }) });
    if (json) continue;
    if (answer.error) note(`${server.name}: ${clean(answer.error.message)}`);
    else told(answer.data as Outcome);
  }
  if (json) sayJson({ servers: outcomes });
  if (outcomes.every(({ error }) => error !== undefined)) throw new CliError(exits.failed, 'CONFLICT', 'No server was added.');
}

export async function testServer(name: string, json: boolean): Promise<void> {
  const answer = await ok('external.server.test', { name });
  if (json) sayJson(answer.data);
  else told(answer.data);
  if (!answer.data.healthy) throw new CliError(exits.failed, 'SERVICE_UNAVAILABLE', `${name} does not answer.`, { document: answer.data });
}

export async function approveTools(name: string, tools: string[], all: boolean, json: boolean): Promise<void> {
  if (!all && tools.length === 0) return await showOpen(name, json);
  const answer = await ok('external.tool.approve', { server: name, tools: all ? undefined : tools });
  if (json) return sayJson(answer.data);
  for (const each of answer.data.approved) say(`${each} can be called.`);
  if (answer.data.approved.length === 0) say('Nothing was approved.');
  aside(answer);
}

const openTools = async (server: string): Promise<ExternalToolEntry[]> =>
  (await ok('external.tool.list', { server, limit: 500 })).data.tools.filter(({ state }) => state === 'waiting' || state === 'changed');

async function showOpen(name: string, json: boolean): Promise<void> {
  const tools = await openTools(name);
  if (json) return sayJson({ tools });
  if (tools.length === 0) return say(`No tool of ${name} waits for approval.`);
  for (const tool of tools) {
    say(`${paint('bold', oneLine(tool.name))}  ${tool.effect}, ${tool.state}`);
    say(`  ${oneLine(tool.description).slice(0, 300)}`);
    for (const change of tool.changes) say(`  ${paint('yellow', `changed: ${oneLine(change)}`)}`);
    for (const flag of tool.flags) say(`  ${paint('red', `look: ${oneLine(flag.what)}`)}`);
  }
}

/** Asks only in an interactive terminal. */
async function askForApproval(name: string): Promise<void> {
  await showOpen(name, false);
  if (!process.stdin.isTTY || !process.stdout.isTTY) return note(`\n\`signalbox servers approve ${name} --all\` lets them be called.`);
  const prompt = createInterface({ input: process.stdin, output: process.stdout });
  const said = await prompt.question('\nApprove all but suspicious ones? [y/N] ').finally(() => prompt.close());
  if (/^y(es)?$/i.test(said.trim())) await approveTools(name, [], true, false);
}

function told(outcome: Outcome): void {
  const { server, healthy, error, refused_tools } = outcome;
  const { name, tools } = server;
  const time = 'latency_ms' in outcome ? ` in ${outcome.latency_ms} ms` : '';
  if (healthy) {
    say(
      `${name} answers${time} (${oneLine(`${server.server_name ?? ''} ${server.server_version ?? ''}`)}): ${tools.approved} tools can be called, ${tools.waiting + tools.changed} wait.`,
    );
  } else if (server.enabled)
    say(`${name} does not answer: ${clean(error ?? server.last_error ?? 'no reason known').replace(`${name}: `, '')}`);
  else say(`${name} is switched off.`);
  if ('approved' in outcome) {
    for (const each of outcome.approved) say(`  ${each}`);
    for (const each of outcome.flagged) note(`  ${each} looks suspicious and was not approved.`);
  }
  for (const each of refused_tools) note(`  not taken: ${clean(each)}`);
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw usage(`${file} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'}).`);
  }
}
