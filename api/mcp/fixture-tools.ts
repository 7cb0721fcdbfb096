/** Tools of the conformance suite; its scenarios define their answers. */
import {
  MissingRequiredClientCapabilityError,
  inputRequired,
  type CallToolResult,
  type InputRequests,
  type InputRequiredResult,
  type ServerContext,
  type createRequestStateCodec,
} from '@modelcontextprotocol/server';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CallChannel } from './call.ts';

/** A red pixel, and an empty WAV. */
export const image = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const audio = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=';

interface Plain {
  channel: CallChannel;
  meta: Record<string, unknown>;
  changed(list: 'tools' | 'prompts'): void;
}

const say = (text: string): CallToolResult => ({ content: [{ type: 'text', text }] });
const embedded = (uri: string, mimeType: string, text: string) => ({ type: 'resource' as const, resource: { uri, mimeType, text } });

export const plainTools: Record<string, (call: Plain) => Promise<CallToolResult>> = {
  test_simple_text: async () => say('This is a simple text response for testing.'),
  test_image_content: async () => ({ content: [{ type: 'image', data: image, mimeType: 'image/png' }] }),
  test_audio_content: async () => ({ content: [{ type: 'audio', data: audio, mimeType: 'audio/wav' }] }),
  test_embedded_resource: async () => ({
    content: [embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
  }),
  test_multiple_content_types: async () => ({
    content: [
      { type: 'text', text: 'Multiple content types test:' },
      { type: 'image', data: image, mimeType: 'image/png' },
      embedded('test://mixed-content-resource', 'application/json', JSON.stringify({ test: 'data', value: 123 })),
    ],
  }),
  test_error_handling: async () => ({ ...say('This tool intentionally returns an error for testing'), isError: true }),
  async test_tool_with_progress({ channel, meta }) {
    for (const progress of [0, 50, 100]) {
      if (meta.progressToken !== undefined)
        channel.notify('notifications/progress', { progressToken: meta.progressToken, progress, total: 100 });
      await sleep(50);
    }
    return say('Progress was reported.');
  },
  async test_trigger_tool_change({ changed }) {
    changed('tools');
    return say('tools changed');
  },
  async test_trigger_prompt_change({ changed }) {
    changed('prompts');
    return say('prompts changed');
  },
  json_schema_2020_12_tool: async () => say('ok'),
  test_headers: async () => say('ok'),
};

type Interactive = (ctx: ServerContext, args: Record<string, unknown>) => Promise<CallToolResult | InputRequiredResult>;

const string = { type: 'string' as const };
const form = (message: string, properties: Record<string, unknown>, required: string[] = Object.keys(properties)) =>
  inputRequired.elicit({ message, requestedSchema: { type: 'object', properties, required } as never });
const askName = form('What is your name?', { name: string });
const sampling = (text: string, maxTokens = 100) => ({
  messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }],
  maxTokens,
});

interface ClientAnswer {
  content?: Record<string, unknown>;
  roots?: { uri: string }[];
}
const answerTo = (ctx: ServerContext, key: string): ClientAnswer | undefined => ctx.mcpReq.inputResponses?.[key] as never;
const field = (ctx: ServerContext, key: string, name: string): unknown => answerTo(ctx, key)?.content?.[name];

/**
 * Sends a request to the client on the stream of the call. By default the SDK uses the GET stream, which may not be
 * open yet.
 */
const onCall = (ctx: ServerContext) => ({ relatedRequestId: ctx.mcpReq.id });

/** Asks the client with a 2025 request on the stream of the call. */
const elicit =
  (message: string, properties: Record<string, unknown>, required: string[], prefix: string): Interactive =>
  async (ctx, args) => {
    const answer = await ctx.mcpReq.elicitInput(
      { message: String(args.message ?? message), requestedSchema: { type: 'object', properties, required } as never },
      onCall(ctx),
    );
    return say(`${prefix}: action=${answer.action}, content=${JSON.stringify(answer.content ?? {})}`);
  };

const titled = (words: string[]) => ['value1', 'value2', 'value3'].map((value, i) => ({ const: value, title: words[i] }));
const options = ['option1', 'option2', 'option3'];

export const interactiveTools = (state: ReturnType<typeof createRequestStateCodec>): Record<string, Interactive> => ({
  async test_tool_with_logging(ctx) {
    for (const line of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      await ctx.mcpReq.log('info', line);
      await sleep(50);
    }
    return say('Tool with logging executed.');
  },
  async test_logging_tool(ctx) {
    await ctx.mcpReq.log('info', 'A log line.');
    return say('logged');
  },
  async test_sampling(ctx, args) {
    const answer = await ctx.mcpReq.requestSampling(sampling(String(args.prompt)), onCall(ctx));
    return say(`LLM response: ${(answer.content as { text?: string }).text ?? ''}`);
  },
  test_elicitation: elicit('', { username: string, email: string }, ['username', 'email'], 'User response'),
  test_elicitation_sep1034_defaults: elicit(
    'Please review the defaults',
    {
      name: { ...string, default: 'John Doe' },
      age: { type: 'integer', default: 30 },
      score: { type: 'number', default: 95.5 },
      status: { ...string, enum: ['active', 'inactive', 'pending'], default: 'active' },
      verified: { type: 'boolean', default: true },
    },
    [],
    'Elicitation completed',
  ),
  test_elicitation_sep1330_enums: elicit(
    'Please select',
    {
      untitledSingle: { ...string, enum: options },
      titledSingle: { ...string, oneOf: titled(['First Option', 'Second Option', 'Third Option']) },
      legacyEnum: { ...string, enum: ['opt1', 'opt2', 'opt3'], enumNames: ['Option One', 'Option Two', 'Option Three'] },
      untitledMulti: { type: 'array', items: { ...string, enum: options } },
      titledMulti: { type: 'array', items: { anyOf: titled(['First Choice', 'Second Choice', 'Third Choice']) } },
    },
    [],
    'Elicitation completed',
  ),
  async test_missing_capability() {
    throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } });
  },
  async test_streaming_elicitation(ctx) {
    const name = field(ctx, 'user_name', 'name');
    return typeof name === 'string' ? say(`Hello, ${name}!`) : inputRequired({ inputRequests: { user_name: askName } });
  },
  async test_input_required_result_elicitation(ctx) {
    const name = field(ctx, 'user_name', 'name');
    return typeof name === 'string' ? say(`Hello, ${name}!`) : inputRequired({ inputRequests: { user_name: askName } });
  },
  async test_input_required_result_sampling(ctx) {
    const answer = answerTo(ctx, 'capital_question');
    if (answer) return say(String(answer.content?.text));
    return inputRequired({ inputRequests: { capital_question: inputRequired.createMessage(sampling('What is the capital of France?')) } });
  },
  async test_input_required_result_list_roots(ctx) {
    const answer = answerTo(ctx, 'client_roots');
    if (answer) return say(`Roots: ${(answer.roots ?? []).map((root) => root.uri).join(', ')}`);
    return inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } });
  },
  async test_input_required_result_request_state(ctx) {
    if (ctx.mcpReq.requestState() !== undefined && field(ctx, 'confirm', 'ok') !== undefined) return say('state-ok');
    return inputRequired({
      inputRequests: { confirm: form('Please confirm', { ok: { type: 'boolean' } }) },
      requestState: await state.mint({}),
    });
  },
  async test_input_required_result_tampered_state(ctx) {
    if (ctx.mcpReq.requestState() !== undefined) return say('state-ok');
    return inputRequired({
      inputRequests: { confirm: form('Please confirm', { ok: { type: 'boolean' } }) },
      requestState: await state.mint({}),
    });
  },
  async test_input_required_result_multiple_inputs(ctx) {
    const name = field(ctx, 'user_name', 'name');
    const greeting = answerTo(ctx, 'greeting');
    const roots = answerTo(ctx, 'client_roots');
    if (name !== undefined && greeting && roots) return say(`${greeting.content?.text} ${name}, ${roots.roots?.length} roots`);
    return inputRequired({
      inputRequests: {
        user_name: askName,
        greeting: inputRequired.createMessage(sampling('Generate a greeting', 50)),
        client_roots: inputRequired.listRoots(),
      },
      requestState: await state.mint({}),
    });
  },
  async test_input_required_result_multi_round(ctx) {
    const known = ctx.mcpReq.requestState<{ name?: string }>();
    const name = known?.name ?? (known && field(ctx, 'step1', 'name'));
    if (name === undefined) {
      return inputRequired({
        inputRequests: { step1: form('Step 1: What is your name?', { name: string }) },
        requestState: await state.mint({}),
      });
    }
    const color = field(ctx, 'step2', 'color');
    if (color !== undefined) return say(`${name} likes ${color}.`);
    return inputRequired({
      inputRequests: { step2: form('Step 2: What is your favorite color?', { color: string }) },
      requestState: await state.mint({ name }),
    });
  },
  async test_input_required_result_capabilities(ctx) {
    const able =
      (ctx.mcpReq.envelope as Record<string, { sampling?: object; elicitation?: object } | undefined> | undefined)?.[
        'io.modelcontextprotocol/clientCapabilities'
      ] ?? {};
    const inputRequests: InputRequests = {
      ...(able.sampling ? { greeting: inputRequired.createMessage(sampling('Generate a greeting', 50)) } : {}),
      ...(able.elicitation ? { user_name: askName } : {}),
    };
    return Object.keys(ctx.mcpReq.inputResponses ?? {}).length > 0 ? say('done') : inputRequired({ inputRequests });
  },
});

const schema2020 = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: { address: { $anchor: 'addressDef', type: 'object', properties: { street: string, city: string } } },
  properties: {
    name: string,
    address: { $ref: '#/$defs/address' },
    contactMethod: { ...string, enum: ['phone', 'email'] },
    phone: string,
    email: string,
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
};

const inputs: Record<string, Record<string, unknown>> = {
  json_schema_2020_12_tool: schema2020,
  test_sampling: { type: 'object', properties: { prompt: string }, required: ['prompt'] },
  test_elicitation: { type: 'object', properties: { message: string }, required: ['message'] },
  test_headers: { type: 'object', properties: { region: { ...string, 'x-mcp-header': 'Region' } } },
};

export const fixture = (name: string) => ({
  name,
  description: `Conformance fixture ${name}`,
  inputSchema: inputs[name] ?? { type: 'object', properties: {} },
});

export const listedFixtures = [...Object.keys(plainTools), ...Object.keys(interactiveTools(null as never))].map(fixture);
