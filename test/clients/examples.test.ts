/**
 * The programs of examples/, with their frameworks, a scripted model and a real stack. CrewAI needs 1 GB of packages: it runs
 * with TEST_CREWAI=1.
 */
import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Conversation, Step } from '../kit/model/script.ts';
import { startModel, type ScriptedModel } from '../kit/model/server.ts';
import { ClientStack, type Tenant } from '../setup/clients.ts';
import { pythonWith, type Python } from '../setup/python.ts';

const packages = (name: string): Promise<Python | null> => pythonWith(join(import.meta.dirname, name));
const agents = await packages('requirements-agents.txt');
const crewai = process.env['TEST_CREWAI'] === '1' ? await packages('requirements-crewai.txt') : null;
const programs: [string, Python | null][] = [
  ['with_openai_agents.py', agents],
  ['with_pydantic_ai.py', agents],
  ['with_crewai.py', crewai],
];

let api: ClientStack;
beforeAll(async () => {
  if (agents ?? crewai) api = await ClientStack.start();
}, 120_000);
afterAll(async () => await api?.stop());

async function runProgram(program: string, python: Python, tenant: Tenant, model: ScriptedModel): Promise<string> {
  const env = {
    ...process.env,
    ...python.env,
    SIGNALBOX_URL: api.proxy.url,
    SIGNALBOX_API_KEY: tenant.apiKey,
    SIGNALBOX_AGENT_ID: 'builder-1',
    PHASE: '1',
    OPENAI_BASE_URL: `${model.url}/v1`,
    OPENAI_API_KEY: 'none',
    MODEL: 'gpt-4.1-mini',
    // CrewAI reports to its makers otherwise, and keeps files in the home folder.
    OTEL_SDK_DISABLED: 'true',
    CREWAI_DISABLE_TELEMETRY: 'true',
    CREWAI_STORAGE_DIR: join(api.stack.config.SIGNALBOX_DATA_DIR, 'crewai'),
  };
  const { stdout } = await promisify(execFile)(python.command, [resolve(import.meta.dirname, '../../examples', program)], {
    env,
    cwd: api.stack.config.SIGNALBOX_DATA_DIR,
    maxBuffer: 16e6,
  });
  return stdout;
}

/** What tools have answered so far, oldest first. */
const answersOf = ({ items }: Conversation): string[] =>
  items.flatMap((item) => (item.kind === 'called' && item.result !== null ? [item.result] : []));

/** Claims, notes something, and completes with what it read in the answer to its claim. */
const diligent = (conversation: Conversation): Step => {
  const [claimed, noted, completed] = answersOf(conversation);
  if (claimed === undefined) return { tool: 'claim_task', args: {} };
  if (noted === undefined) return { tool: 'comment_task', args: { text: 'I have begun.' } };
  const { description } = JSON.parse(claimed) as { description: string };
  if (completed === undefined) return { tool: 'complete_task', args: { result: `${description}: done by an agent` } };
  return { text: `The last tool said: ${completed}` };
};

describe.each(programs)('%s', (program, python) => {
  it.skipIf(!python)(
    'claims a task, works on it and completes it',
    async () => {
      const tenant = await api.tenant(`works-${program.replaceAll(/\W|_/g, '-')}`);
      const [id = ''] = await tenant.tasks(1);
      const model = await startModel(diligent);
      try {
        expect(await runProgram(program, python!, tenant, model)).toContain('The last tool said: Done.');
      } finally {
        await model.close();
      }
      expect(model.asked[0]!.conversation.tools.map(({ name }) => name).toSorted()).toEqual([
        'claim_task',
        'comment_task',
        'complete_task',
        'fail_task',
      ]);
      expect(await tenant.task(id)).toMatchObject({
        status: 'done',
        assigned_agent_id: 'builder-1',
        result: 'Task 0: done by an agent',
        attempts: 1,
      });
      const { comments } = await tenant.task(id);
      expect(comments).toMatchObject([{ body: 'I have begun.' }]);
    },
    240_000,
  );

  it.skipIf(!python)(
    'gives the task back when its model fails',
    async () => {
      const tenant = await api.tenant(`fails-${program.replaceAll(/\W|_/g, '-')}`);
      const [id = ''] = await tenant.tasks(1);
      const model = await startModel((conversation) =>
        answersOf(conversation).length === 0 ? { tool: 'claim_task', args: {} } : { status: 400 },
      );
      try {
        await expect(runProgram(program, python!, tenant, model)).rejects.toThrow(/Scripted 400/);
      } finally {
        await model.close();
      }
      // Claimed and given back: two changes.
      expect(await tenant.task(id)).toMatchObject({ status: 'ready', assigned_agent_id: null, rev: 2 });
    },
    240_000,
  );
});
