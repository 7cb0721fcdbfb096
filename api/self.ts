import type { z } from 'zod';
import { workCapability, type Capability } from '../contracts/agents/agents.ts';
import type { Catalogue } from '../tools/catalogue/catalogue.ts';
import { onlyReads } from '../tools/catalogue/define.ts';

/** agentic-rag's names of two of the tools. */
const knownAs = ['hybrid_retrieve', 'ingest_url'];

const work: Capability = {
  name: workCapability,
  description: 'Puts a task on the board for an agent of this platform, and answers with what came of it.',
  parameters_schema: {
    type: 'object',
    properties: {
      description: { type: 'string', minLength: 1 },
      phase_id: { type: 'integer', default: 1 },
      priority: {
        anyOf: [
          { type: 'string', enum: ['high', 'medium', 'low'] },
          { type: 'integer', minimum: 1, maximum: 10 },
        ],
      },
      tags: { type: 'array', items: { type: 'string' } },
    },
    required: ['description'],
  },
  returns_schema: { type: 'object', properties: { result: { type: ['string', 'null'] } } },
};

/** What this platform offers to other agents: all reading tools, all ingestion tools, and work. */
export function selfCapabilities(catalogue: Catalogue): Capability[] {
  const offered = catalogue.tools.filter((tool) => onlyReads(tool) || tool.name.startsWith('ingest.'));
  const own = offered.map((tool): Capability => ({
    name: tool.name,
    description: tool.description,
    parameters_schema: catalogue.jsonSchema(tool.input as z.ZodType),
    returns_schema: catalogue.jsonSchema(tool.output as z.ZodType),
  }));
  const aliases = knownAs.flatMap((name): Capability[] => {
    const found = catalogue.find(name);
    if (!found?.alias) return [];
    const { tool, alias } = found;
    return [
      {
        name,
        description: alias.description ?? tool.description,
        parameters_schema: catalogue.jsonSchema(alias.input),
        returns_schema: {},
      },
    ];
  });
  return [...own, ...aliases, work];
}
