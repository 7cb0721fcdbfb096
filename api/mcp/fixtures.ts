import {
  ResourceNotFoundError,
  ProtocolError,
  createRequestStateCodec,
  inputRequired,
  type CallToolResult,
  type InputRequiredResult,
  type McpServerOptions,
  type Server,
  type ServerCapabilities,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { randomBytes } from 'node:crypto';
import type { CallChannel } from './call.ts';
import { FixtureJobs } from './fixture-jobs.ts';
import { fixture, image, interactiveTools, listedFixtures, plainTools } from './fixture-tools.ts';

/**
 * Tools, resources and prompts that the MCP conformance suite expects. Served only with SIGNALBOX_CONFORMANCE=true;
 * not part of the product.
 */
export interface Fixtures {
  tools: readonly { name: string }[];
  capabilities: ServerCapabilities;
  options: Partial<McpServerOptions>;
  /** Tools that ask the client questions, which only the SDK supports. */
  isInteractive(name: unknown): boolean;
  inputSchema(name: string): Record<string, unknown> | undefined;
  interactive(
    params: { name: string; arguments?: Record<string, unknown> | undefined },
    ctx: ServerContext,
  ): Promise<CallToolResult | InputRequiredResult> | undefined;
  plain(params: Record<string, unknown>, channel: CallChannel): Promise<CallToolResult> | undefined;
  install(server: Server): void;
  /** Tasks of the tools that become tasks. */
  jobs: FixtureJobs;
  /** Set by the server; called by the tools that change a list. */
  onChanged: (list: 'tools' | 'prompts') => void;
}

export function createFixtures(): Fixtures {
  const state = createRequestStateCodec({ key: randomBytes(32) });
  const jobs = new FixtureJobs();
  const interactive = { ...interactiveTools(state), ...jobs.tools };
  const listed = [...listedFixtures, ...Object.keys(jobs.tools).map((name) => fixture(name))];
  const fixtures: Fixtures = {
    tools: listed,
    jobs,
    capabilities: { resources: { subscribe: true, listChanged: true }, prompts: { listChanged: true }, completions: {} },
    options: { requestState: { verify: state.verify } },
    isInteractive: (name) => typeof name === 'string' && Object.hasOwn(interactive, name),
    inputSchema: (name) => listed.find((tool) => tool.name === name)?.inputSchema,
    interactive: ({ name, arguments: args }, ctx) => (fixtures.isInteractive(name) ? interactive[name]!(ctx, args ?? {}) : undefined),
    plain: ({ name, _meta }, channel) =>
      Object.hasOwn(plainTools, name as string)
        ? plainTools[name as string]!({ channel, meta: (_meta ?? {}) as Record<string, unknown>, changed: fixtures.onChanged })
        : undefined,
    install: installResourcesAndPrompts,
    onChanged: () => {},
  };
  return fixtures;
}

const resources = [
  { uri: 'test://static-text', name: 'Static text', mimeType: 'text/plain', text: 'This is the content of the static text resource.' },
  { uri: 'test://static-binary', name: 'Static binary', mimeType: 'image/png', blob: image },
  { uri: 'test://watched-resource', name: 'Watched resource', mimeType: 'text/plain', text: 'Watched resource content' },
];

type PromptMessages = { role: 'user'; content: Record<string, unknown> }[];
const text = (value: string) => ({ role: 'user' as const, content: { type: 'text', text: value } });

const prompts: Record<
  string,
  { arguments?: { name: string; required: boolean }[]; messages(args: Record<string, string>): PromptMessages }
> = {
  test_simple_prompt: { messages: () => [text('This is a simple prompt for testing.')] },
  test_prompt_with_arguments: {
    arguments: [
      { name: 'arg1', required: true },
      { name: 'arg2', required: true },
    ],
    messages: ({ arg1, arg2 }) => [text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)],
  },
  test_prompt_with_embedded_resource: {
    arguments: [{ name: 'resourceUri', required: true }],
    messages: ({ resourceUri }) => [
      {
        role: 'user',
        content: {
          type: 'resource',
          resource: { uri: resourceUri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' },
        },
      },
      text('Please process the embedded resource above.'),
    ],
  },
  test_prompt_with_image: {
    messages: () => [
      { role: 'user', content: { type: 'image', data: image, mimeType: 'image/png' } },
      text('Please analyze the image above.'),
    ],
  },
  test_input_required_result_prompt: { messages: ({ context }) => [text(`Prompt with context: ${context}`)] },
};

function installResourcesAndPrompts(server: Server): void {
  server.setRequestHandler('resources/list', () => ({ resources: resources.map(({ uri, name, mimeType }) => ({ uri, name, mimeType })) }));
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [{ uriTemplate: 'test://template/{id}/data', name: 'Template', mimeType: 'application/json' }],
  }));
  server.setRequestHandler('resources/read', ({ params: { uri } }) => {
    const found = resources.find((resource) => resource.uri === uri);
    const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
    if (id !== undefined) {
      return {
        contents: [{ uri, mimeType: 'application/json', text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }) }],
      };
    }
    if (!found) throw new ResourceNotFoundError(uri);
    return {
      contents: [
        found.blob === undefined
          ? { uri, mimeType: found.mimeType, text: found.text }
          : { uri, mimeType: found.mimeType, blob: found.blob },
      ],
    };
  });
  server.setRequestHandler('resources/subscribe', () => ({}));
  server.setRequestHandler('resources/unsubscribe', () => ({}));
  server.setRequestHandler('completion/complete', () => ({ completion: { values: [], total: 0, hasMore: false } }));
  server.setRequestHandler('prompts/list', () => ({
    prompts: Object.entries(prompts).map(([name, prompt]) => ({
      name,
      description: `Test prompt ${name}`,
      ...(prompt.arguments ? { arguments: prompt.arguments } : {}),
    })),
  }));
  server.setRequestHandler('prompts/get', ({ params }, ctx) => {
    const prompt = prompts[params.name];
    if (!prompt) throw new ProtocolError(-32602, `Unknown prompt ${params.name}`);
    if (params.name !== 'test_input_required_result_prompt') return { messages: prompt.messages(params.arguments ?? {}) } as never;
    const answered = ctx.mcpReq.inputResponses?.user_context as { content?: { context?: string } } | undefined;
    if (answered?.content?.context !== undefined) return { messages: prompt.messages({ context: answered.content.context }) } as never;
    return inputRequired({
      inputRequests: {
        user_context: inputRequired.elicit({
          message: 'What context should the prompt use?',
          requestedSchema: { type: 'object', properties: { context: { type: 'string' } }, required: ['context'] },
        }),
      },
    });
  });
}
