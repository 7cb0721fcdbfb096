import { z } from 'zod';
import { outputStatuses } from '../../contracts/agents/agents.ts';
import { defineTool } from '../catalogue/define.ts';
import { agentId } from './agent.shared.ts';

export default defineTool({
  name: 'agent.output.submit',
  title: 'Hand something in to be judged',
  description:
    'Hands in what you produced for a person to accept, correct or reject. The verdict comes to your inbox (agent.message.list) and counts in your acceptance rate.',
  effect: 'write',
  idempotent: false,
  external: false,
  approval: 'A0',
  scopes: ['agent:write'],
  latency: 'L1',
  input: z.object({
    kind: z
      .string()
      .trim()
      .min(1)
      .max(64)
      .describe(
        'What sort of output, e.g. summary; signal_classification has JSON as content: signal_id with class, sentiment or severity',
      ),
    title: z.string().trim().min(1).max(300),
    content: z.string().min(1).max(65_536),
    artifact_ref: z.string().max(512).optional().describe('Artifact that holds the whole of it'),
    agent_id: agentId.optional().describe('Default: you'),
  }),
  output: z.object({
    output_id: z.string(),
    agent_id: z.string(),
    agent_version: z.number(),
    status: z.enum(outputStatuses),
    created_at: z.string(),
  }),
  intents: ['have my result checked by a person', 'submit an output for review', 'ask for a judgement of my work'],
  aliases: [],
  async handler({ agent_id, kind, title, content, artifact_ref }, { caller, services, callKey }) {
    const { output, refs } = await services.agents.outputs.submit(
      caller,
      { agentId: agent_id, kind, title, content, artifactRef: artifact_ref },
      callKey,
    );
    const { output_id, agent_version, status, created_at } = output;
    return { data: { output_id, agent_id: output.agent_id, agent_version, status, created_at }, refs };
  },
});
