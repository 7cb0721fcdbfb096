/** The scripted model, asked by the clients of real providers. */
import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, stepCountIs, streamText, tool, type LanguageModel } from 'ai';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { scripts, scriptWord, type Step } from './script.ts';
import { startModel, type ScriptedModel } from './server.ts';

let model: ScriptedModel;
afterEach(() => model.close());

const steps: Step[] = [
  { write: 'a.txt', content: 'it’s\n' },
  { shell: 'ls' },
  { tool: 'work.board.get', args: { limit: 1 } },
  { text: 'DONE' },
];
const prompt = scriptWord('work');
const play = async (named: Record<string, Step[]> = { work: steps }): Promise<ScriptedModel> => (model = await startModel(scripts(named)));

const providers: Record<string, (url: string) => LanguageModel> = {
  'Anthropic Messages': (url) => createAnthropic({ baseURL: `${url}/v1`, apiKey: 'x' })('scripted'),
  'Chat Completions': (url) => createOpenAICompatible({ name: 'scripted', baseURL: `${url}/v1`, includeUsage: true })('scripted'),
  Gemini: (url) => createGoogleGenerativeAI({ baseURL: `${url}/v1beta`, apiKey: 'x' })('scripted'),
};

/** Tools as an agent offers them; they note their calls. */
function offered() {
  const calls: [string, unknown][] = [];
  const noting = <T>(name: string, inputSchema: z.ZodType<T>) =>
    tool({ inputSchema, execute: (input: T) => (calls.push([name, input]), `result of ${name}`) });
  const tools = {
    Write: noting('Write', z.object({ file_path: z.string(), content: z.string() })),
    Bash: noting('Bash', z.object({ command: z.string() }).loose()),
    'mcp__signalbox__work-board-get': noting('board', z.object({ limit: z.number() })),
  };
  return { calls, tools };
}
const called = [
  ['Write', { file_path: '/home/ann/tree/a.txt', content: 'it’s\n' }],
  ['Bash', { command: 'ls', description: 'Scripted' }],
  ['board', { limit: 1 }],
];
const system = 'You work for Ann.\nWorking directory: /home/ann/tree\nPlatform: linux';

describe.each(Object.entries(providers))('%s', (_, of) => {
  it('plays a script, whole and in a stream', async () => {
    const { url } = await play();
    for (const streams of [false, true]) {
      const { calls, tools } = offered();
      const question = { model: of(url), system, prompt, tools, stopWhen: stepCountIs(9), maxOutputTokens: 500 };
      const { text, totalUsage } = streams ? streamText(question) : await generateText(question);
      expect(await text).toBe('DONE');
      expect(calls).toEqual(called);
      expect(await totalUsage).toMatchObject({ inputTokens: 4_000, outputTokens: 80 });
    }
  });

  it('answers with an error', async () => {
    for (const status of [401, 429, 500]) {
      const { url, close } = await play({ work: [{ status }] });
      await expect(generateText({ model: of(url), prompt, maxRetries: 0, maxOutputTokens: 500 })).rejects.toMatchObject({
        statusCode: status,
      });
      await close();
    }
    await play();
  });
});

describe('Responses', () => {
  const ask = (url: string, body: object): Promise<Response> =>
    fetch(`${url}/v1/responses`, { method: 'POST', body: JSON.stringify({ model: 'scripted', ...body }) });
  const tools = [
    { type: 'function', name: 'exec_command' },
    { type: 'namespace', name: 'mcp__signalbox', tools: [{ type: 'function', name: 'work_board_get' }] },
  ];

  it('goes on where the conversation is', async () => {
    const { url } = await play();
    const input: object[] = [{ role: 'user', content: [{ type: 'input_text', text: prompt }] }];
    const names: unknown[] = [];
    for (let step = 0; step < 3; step += 1) {
      const { output } = (await (await ask(url, { input, tools })).json()) as {
        output: { call_id: string; name: string; namespace?: string; arguments: string }[];
      };
      names.push([output[0]!.name, output[0]!.namespace, JSON.parse(output[0]!.arguments)]);
      input.push(output[0]!, { type: 'function_call_output', call_id: output[0]!.call_id, output: 'well' });
    }
    expect(names).toEqual([
      ['exec_command', undefined, { cmd: "printf %s 'it’s\n' > 'a.txt'" }],
      ['exec_command', undefined, { cmd: 'ls' }],
      ['work_board_get', 'mcp__signalbox', { limit: 1 }],
    ]);
    const events = (await (await ask(url, { input, tools, stream: true })).text()).match(/^event: .*/gm);
    expect(events).toEqual(expect.arrayContaining(['event: response.output_text.delta', 'event: response.completed']));
  });
});

it('does not answer when it hangs, and still ends', async () => {
  const { url, waitFor } = await play({ work: [{ hang: true }] });
  const answer = generateText({ model: providers['Anthropic Messages']!(url), prompt, maxRetries: 0, maxOutputTokens: 500 });
  const refused = answer.then(
    () => null,
    (error: unknown) => error,
  );
  expect((await waitFor(({ move }) => 'hang' in move)).path).toBe('/v1/messages');
  await model.close();
  expect(await refused).toBeInstanceOf(Error);
  await play();
});
