/** Linking tables through the tool: files and artifacts, repeats, what cannot be read, a worker that dies. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { Caller } from '../../contracts/caller.ts';
import type { Job } from '../../contracts/jobs.ts';
import { restart } from '../../services/sweep.ts';
import { histories, replay, save } from '../setup/replay.ts';
import { eventually, lostOf, testStack, type TestStack } from '../setup/stack.ts';

interface Answer {
  job_id: string;
  status: string;
  rows: number[];
  columns: { left: string; right: string; kind: string }[];
  shape: string;
  sure: number;
  to_review: number;
  links: { left_row: number; right_row: number; left_id?: string; right_id?: string; probability: number; columns?: { says: string }[] }[];
  artifact_sha256: string;
}

let stack: TestStack;
let pm: Caller;
beforeAll(async () => {
  stack = await testStack({ model: false });
  pm = await stack.caller({ name: 'pm', kind: 'human' });
});
afterAll(() => stack?.stop());

const put = (name: string, content: string): string => {
  const path = join(stack.config.INGEST_ROOTS[0]!, name);
  writeFileSync(path, content);
  return path;
};
const upload = async (caller: Caller, content: string, filename: string): Promise<string> =>
  (await stack.ok<{ sha256: string }>(caller, 'substrate.artifact.upload', { content, media_type: 'text/csv', filename })).sha256;
/** Waits for the job when the answer came before it. */
async function link(caller: Caller, args: object): Promise<Answer> {
  const answer = await stack.ok<Answer>(caller, 'entity.table.link', args);
  if (answer.links) return answer;
  await eventually('the job is done', async () => {
    const { job } = await stack.ok<{ job: Job }>(caller, 'system.job.get', { job_id: answer.job_id, wait_seconds: 10 });
    return job.status !== 'running' && job.status !== 'queued';
  });
  return await stack.ok<Answer>(caller, 'entity.table.link', args);
}

const names =
  'Amber Basalt Cobalt Damson Ember Fjord Garnet Heron Indigo Jasper Kestrel Lagoon Marble Nimbus Onyx Pewter Quartz Russet Saffron Tundra'.split(
    ' ',
  );
const crm = [
  'id,company,city,phone',
  ...names.map((name, i) => `${i + 1},${name} Trading Ltd,${i % 2 ? 'Bristol' : 'Leeds'},0117 496 ${1000 + i * 37}`),
].join('\n');
const billing = [
  'customer;town;tel',
  ...names.slice(5).map((name, i) => `${name} Trading;${(i + 5) % 2 ? 'Bristol' : 'Leeds'};0117496${1000 + (i + 5) * 37}`),
].join('\n');

describe('two tables', () => {
  it('with other names and delimiters are linked row by row', async () => {
    const args = {
      left: { file_path: put('crm.csv', crm) },
      right: { artifact_sha256: await upload(pm, billing, 'billing.csv') },
      limit: 100,
    };
    const answer = await link(pm, args);
    expect(answer).toMatchObject({ status: 'completed', rows: [20, 15], shape: 'one_to_one', sure: 15 });
    expect(answer.columns.map(({ left, right }) => `${left}=${right}`)).toEqual(
      expect.arrayContaining(['company=customer', 'city=town', 'phone=tel']),
    );
    expect(answer.links.map(({ left_row, right_row }) => left_row - right_row)).toEqual(Array.from({ length: 15 }, () => 5));
    expect(answer.links[0]).toMatchObject({
      left_id: expect.stringMatching(/^\d+$/),
      columns: expect.arrayContaining([expect.objectContaining({ says: 'equal' })]),
    });

    const kept = await stack.ok<{ artifact: { content: string } }>(pm, 'substrate.artifact.get', {
      sha256: answer.artifact_sha256,
      include_content: true,
    });
    expect(kept.artifact.content.trim().split('\n')).toHaveLength(1 + answer.sure + answer.to_review);

    const again = await stack.call(pm, 'entity.table.link', { ...args, limit: 3 });
    expect(again.data).toMatchObject({ job_id: answer.job_id, artifact_sha256: answer.artifact_sha256 });
    expect((again.data as Answer).links).toHaveLength(3);
    expect(JSON.stringify(again.envelope)).toContain('asked before');
  }, 120_000);

  it('asked for by two at once are one job', async () => {
    const args = {
      left: { file_path: put('crm.csv', crm) },
      right: { file_path: put('both.csv', `${billing}\nUmber Trading;Hull;01482496777`) },
    };
    const both = await Promise.all([link(pm, args), link(pm, args)]);
    expect(new Set(both.map(({ job_id }) => job_id)).size).toBe(1);
    const other = await link(pm, { ...args, threshold: 0.8 });
    expect(other.job_id).not.toBe(both[0].job_id);
  }, 120_000);
});

describe('one table', () => {
  it('shows its duplicates; two identical rows are one', async () => {
    const twice = `${crm}\n21,Amber Trading Limited,Leeds,0117 496 1000\n22,Heron Tradng Ltd,,0117 496 1259`;
    const answer = await link(pm, { left: { file_path: put('twice.csv', twice) } });
    expect(answer.shape).toBe('clusters');
    expect(answer.links.map(({ left_id, right_id }) => `${left_id}-${right_id}`).sort()).toEqual(['1-21', '8-22']);
  });
});

describe('what is refused', () => {
  it.each([
    ['neither file nor artifact', { left: {} }, 'VALIDATION_ERROR'],
    ['both', { left: { file_path: 'a.csv', artifact_sha256: 'a'.repeat(64) } }, 'VALIDATION_ERROR'],
    ['an unknown artifact', { left: { artifact_sha256: 'b'.repeat(64) } }, 'NOT_FOUND'],
    ['a file that is not there', { left: { file_path: 'none.csv' } }, 'NOT_FOUND'],
    ['a file outside', { left: { file_path: '/etc/passwd' } }, 'VALIDATION_ERROR'],
    ['a threshold that means nothing', { left: { file_path: 'crm.csv' }, threshold: 0.2 }, 'VALIDATION_ERROR'],
  ])('%s', async (_, args, code) => {
    expect((await stack.call(pm, 'entity.table.link', args)).error).toMatchObject({ code });
  });

  it('another tenant’s artifact', async () => {
    const sha256 = await upload(pm, crm, 'crm.csv');
    const other = await stack.caller({ tenant: 'globex', name: 'other' });
    expect((await stack.call(other, 'entity.table.link', { left: { artifact_sha256: sha256 } })).error).toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  it('a file that is not a table, by its job; the fixed file is new content and works', async () => {
    const path = put('broken.xlsx', 'PK\u0003\u0004 this is no workbook');
    const answer = await stack.call(pm, 'entity.table.link', { left: { file_path: path } });
    const { job } = await stack.ok<{ job: Job }>(pm, 'system.job.get', {
      job_id: answer.error ? (answer.error.details?.['job_id'] as string) : (answer.data as Answer).job_id,
      wait_seconds: 30,
    });
    expect(job).toMatchObject({ kind: 'table_link', status: 'failed', error: { code: 'VALIDATION_ERROR' } });
  });
});

describe('whatever happens to the worker', () => {
  it('the job is finished by the next one, and found by the sweep when its process is lost', async () => {
    await stack.stopWorkers();
    const asked = await stack.ok<Answer>(pm, 'entity.table.link', {
      left: { file_path: put('later.csv', `${crm}\n23,Onyx Trading,Leeds,0117 496 1518`) },
    });
    expect(asked.status).toBe('queued');
    const { workflow_id } = (await stack.ok<{ job: Job }>(pm, 'system.job.get', { job_id: asked.job_id })).job;
    await stack.temporal.handle(workflow_id).terminate('lost');
    const lost = await lostOf(stack, asked.job_id);
    expect(lost).toMatchObject([{ kind: 'job', tenant: 'acme' }]);
    expect(await restart(stack.services, lost)).toBe(1);
    await stack.startWorkers();
    const job = await eventually('it is done', async () => {
      const found = (await stack.ok<{ job: Job }>(pm, 'system.job.get', { job_id: asked.job_id, wait_seconds: 10 })).job;
      return found.status === 'completed' ? found : null;
    });
    expect(job.result).toMatchObject({ rows: 21, sure: 1 });
    // What is in the tables stays out of the process's history: it has figures and hashes.
    expect(JSON.stringify(job.result)).not.toContain('Onyx');
  }, 120_000);

  it('a cancelled job ends, and may be asked for again', async () => {
    await stack.stopWorkers();
    const args = { left: { file_path: put('cancelled.csv', `${crm}\n24,Pewter Trading,Bristol,0117 496 1555`) } };
    const asked = await stack.ok<Answer>(pm, 'entity.table.link', args);
    await stack.ok(pm, 'system.job.cancel', { job_id: asked.job_id });
    await stack.startWorkers();
    await eventually('it has ended', async () => {
      const { job } = await stack.ok<{ job: Job }>(pm, 'system.job.get', { job_id: asked.job_id, wait_seconds: 5 });
      return job.status === 'cancelled';
    });
    expect((await link(pm, args)).job_id).not.toBe(asked.job_id);
    expect(await asTenant('acme', () => stack.db.query(`select 1 from jobs where kind = 'table_link' and status = 'running'`))).toEqual([]);
  }, 120_000);
});

describe('replay', () => {
  it('of what they did here', async () => {
    const query = "WorkflowType = 'tableLink' and ExecutionStatus != 'Running'";
    await eventually('they are listed', async () => {
      let count = 0;
      for await (const each of histories(stack.temporal.client, query)) count += each ? 1 : 0;
      return count >= 5;
    });
    expect(await replay(histories(stack.temporal.client, query))).toBeGreaterThanOrEqual(5);
    if (!process.env['RECORD_HISTORIES']) return;
    const target = fileURLToPath(new URL('../replay/histories', import.meta.url));
    let count = 0;
    for await (const { history } of histories(stack.temporal.client, query)) {
      count += 1;
      save(join(target, `tableLink-${String(count).padStart(2, '0')}.history.gz`), history);
    }
  }, 120_000);
});
