/** Exports of records and of the ledger. */
import { createReadStream, createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { secretBox } from '../adapters/secrets/box.ts';
import { AppError } from '../contracts/errors.ts';
import type { ExportAnswer } from '../contracts/governance/exports.ts';
import { checkLedgerFile } from '../services/governance/exports/ledger-check.ts';
import { type Input, ok } from './client.ts';
import { CliError, exits, unreachable, usage } from './exit.ts';
import { followJob, progressLine, showLedgerCheck } from './jobs.ts';
import { aside, facts, note, sayJson } from './output.ts';
import { cliConfig, target } from './target.ts';

/** Starts an export, waits until it ends and downloads the file. */
export async function fetchExport<N extends 'system.data.export' | 'system.ledger.export'>(
  tool: N,
  args: Input<N>,
  { out, json }: { out?: string; json: boolean },
): Promise<void> {
  const asked = await ok<'system.data.export' | 'system.ledger.export'>(tool, args);
  if (asked.status === 'pending_approval') {
    aside(asked);
    return json ? sayJson(asked.data) : undefined;
  }
  let answer: ExportAnswer = asked.data;
  if (answer.link === undefined) {
    await followJob(answer.job_id, json ? undefined : (job) => note(progressLine(job)));
    answer = (await ok('system.export.get', { job_id: answer.job_id })).data;
  }
  const file = resolve(out ?? basename(answer.filename!));
  await download(answer, file);
  for (const warning of asked.warnings) note(`Note: ${warning}`);
  if (json) return sayJson({ ...answer, file });
  const rows = Object.values(answer.row_counts ?? {}).reduce((sum, each) => sum + each, 0);
  facts({ file, bytes: answer.size_bytes, rows, link: answer.link, until: answer.expires_at });
}

/** Downloads from the server that the command talks to, even if the link names another address for it. */
async function download({ link }: ExportAnswer, file: string): Promise<void> {
  const { pathname, search } = new URL(link!);
  const { url } = target();
  const response = await fetch(`${url}${pathname}${search}`).catch(() => {
    throw unreachable(`Signalbox at ${url} is not reachable.`);
  });
  if (!response.ok || !response.body) {
    throw new CliError(exits.failed, 'INTERNAL', `The file could not be downloaded (status ${response.status}).`, { hint: `Open ${link}` });
  }
  const part = `${file}.part`;
  try {
    await pipeline(Readable.fromWeb(response.body), createWriteStream(part));
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    throw new CliError(exits.failed, 'INTERNAL', `${file} could not be written: ${(error as Error).message}`, {});
  }
}

export async function verifyLedgerFile(path: string, json: boolean): Promise<void> {
  const config = cliConfig();
  const secrets = secretBox(config.SIGNALBOX_SECRET_KEY, config.SIGNALBOX_DATA_DIR);
  try {
    const check = await checkLedgerFile(createReadStream(path), secrets);
    if (!check.whole && !json) note('Filtered: each row and the file were checked; that none is missing in between cannot be.');
    showLedgerCheck(check, json);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw usage(`There is no file ${path}.`, 'signalbox ledger export writes one.');
    if (error instanceof AppError) throw usage(error.message, error.hint ?? '');
    throw error;
  }
}
