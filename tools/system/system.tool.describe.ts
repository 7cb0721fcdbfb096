import { z } from 'zod';
import { wayTo } from '../catalogue/audience.ts';
import { approvalText, defineTool } from '../catalogue/define.ts';
import { externalNamed, isExternalName } from '../catalogue/external.ts';
import type { Schema } from '../../contracts/json-schema.ts';
import { exampleArguments } from '../catalogue/examples.ts';
import { foreignOutput, listedTokens } from '../catalogue/listed-schema.ts';

export default defineTool({
  name: 'system.tool.describe',
  title: 'Describe a tool',
  description: 'Everything about one tool, by any of its names: arguments, answer, effect, scopes, other spellings.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  ungoverned: true,
  scopes: [],
  latency: 'L1',
  input: z.object({ name: z.string().min(1).max(128) }),
  output: z.object({
    name: z.string(),
    alias_of: z.string().optional(),
    title: z.string(),
    description: z.string(),
    version: z.number(),
    effect: z.string(),
    idempotent: z.boolean(),
    external: z.boolean(),
    approval: z.string(),
    scopes: z.array(z.string()),
    latency: z.string(),
    input_schema: z.record(z.string(), z.unknown()),
    output_schema: z.record(z.string(), z.unknown()),
    aliases: z.array(z.object({ name: z.string(), system: z.string(), deprecated: z.boolean() })),
    tokens: z.number().describe('About how many it costs in a list of tools'),
    example: z.record(z.string(), z.unknown()).nullable().describe('Arguments that the schema accepts'),
    how_to_call: z.string().optional(),
  }),
  intents: ['what arguments does this tool take', 'show the schema', 'help on a tool'],
  core: true,
  worker: true,
  aliases: [],
  async handler({ name }, { caller, front, services, tools, audience }) {
    const { catalogue } = tools;
    const resolved =
      (isExternalName(name) && !catalogue.find(name) && (await externalNamed(services, caller, name, front))) ||
      catalogue.resolve(name, caller, front);
    const { tool } = resolved;
    const listed = catalogue.describe(resolved, audience);
    const way = audience && wayTo([resolved], { catalogue, caller, audience });
    return {
      data: {
        name: listed.name,
        ...(resolved.alias ? { alias_of: tool.name } : {}),
        title: tool.title,
        description: listed.description,
        version: tools.version(tool.name),
        effect: tool.effect,
        idempotent: tool.idempotent,
        external: tool.external,
        approval: approvalText(tool),
        scopes: tool.scopes,
        latency: tool.latency,
        input_schema: listed.inputSchema,
        output_schema: tool.foreign ? foreignOutput(tool.foreign.output) : catalogue.jsonSchema(tool.output),
        aliases: tool.aliases.map((alias) => ({ name: alias.name, system: alias.system, deprecated: alias.deprecated !== undefined })),
        tokens: listedTokens(listed),
        example: tool.foreign ? null : exampleArguments((resolved.alias?.input ?? tool.input) as z.ZodObject, listed.inputSchema as Schema),
        ...(way === undefined ? {} : { how_to_call: way }),
      },
    };
  },
});
