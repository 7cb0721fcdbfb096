import { z } from 'zod';
import { outputStatuses, verdicts } from '../../contracts/agents/agents.ts';
import { AppError } from '../../contracts/errors.ts';
import { defineTool, type Alias } from '../catalogue/define.ts';
import { agentId } from './agent.shared.ts';

const reviewed = z.object({
  output_id: z.string(),
  agent_id: z.string(),
  agent_version: z.number(),
  kind: z.string(),
  title: z.string(),
  content: z.string(),
  artifact_ref: z.string().nullable(),
  status: z.enum(outputStatuses),
  correction: z.string().nullable(),
  notes: z.string().nullable(),
  decided_by: z.string().nullable(),
  decided_at: z.string().nullable(),
  created_at: z.string(),
});

const input = z.object({
  agent_id: agentId.optional().describe('Only outputs of this agent'),
  status: z.enum([...outputStatuses, 'all']).default('pending'),
  limit: z.number().int().min(1).max(100).default(20),
  output_id: z.string().min(1).max(64).optional().describe('To judge: which output'),
  decision: z.enum(verdicts).optional().describe('To judge: accept, correct (with correction) or reject'),
  correction: z.string().min(1).max(65_536).optional().describe('What it should have been; the original is kept beside it'),
  notes: z.string().max(2_000).optional().describe('Why; the agent reads it'),
});

const output = z.object({
  groups: z.array(z.object({ agent_id: z.string(), name: z.string(), outputs: z.array(reviewed) })).optional(),
  output: reviewed.optional(),
});

const reviewAgentOutputs: Alias<z.input<typeof input>, z.infer<typeof output>> = {
  name: 'review_agent_outputs',
  system: 'pm-intelligence',
  description: 'Per agent, the outputs that wait for your judgement; with output_id and decision you give it.',
  input,
  toInput: (args) => args,
};

export default defineTool({
  name: 'agent.output.review',
  title: 'Judge what agents produce',
  description:
    'Lists outputs of agents that wait for a person, by agent; with output_id and decision (accept, correct, reject) judges one, once. People only. Accepting or correcting a signal_classification (JSON with class, sentiment, severity) corrects the signal; the classifier learns.',
  effect: 'write',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['agent:write'],
  latency: 'L1',
  input,
  output,
  intents: [
    'what did agents produce that waits for me',
    'accept the output of an agent',
    'correct what an agent wrote',
    'correct how an agent classified a signal',
    'review agent outputs',
  ],
  aliases: [reviewAgentOutputs],
  async handler({ agent_id, status, limit, output_id, decision, correction, notes }, { caller, services }) {
    const { outputs } = services.agents;
    if ((output_id === undefined) !== (decision === undefined)) {
      throw new AppError('VALIDATION_ERROR', 'output_id and decision go together.', {
        hint: 'Give both to judge an output, or neither to list those that wait.',
      });
    }
    if (output_id !== undefined && decision !== undefined) {
      const decided = await outputs.decide(caller, output_id, { verdict: decision, correction: correction ?? null, notes: notes ?? null });
      return {
        data: { output: decided.output },
        refs: decided.refs,
        warnings: decided.repeated ? ['You had judged it so before: nothing was done.'] : [],
      };
    }
    const { groups, total } = await outputs.list(caller, { agentId: agent_id, status: status === 'all' ? null : status, limit });
    const count = groups.reduce((sum, group) => sum + group.outputs.length, 0);
    return { data: { groups }, metadata: { result_count: count, total_count: total } };
  },
});
