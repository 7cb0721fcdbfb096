import { z } from 'zod';
import { trajectory, type Trajectory } from '../../contracts/knowledge/trajectory.ts';
import { defineTool, type Alias } from '../catalogue/define.ts';

const input = z.object({ trajectory_id: z.string().min(1).max(64).describe('metadata.trajectory_id of an answer') });
const output = z.object({ trajectory });
type Input = z.input<typeof input>;
type Output = z.infer<typeof output>;

const thoughtsOf = ({ steps }: Trajectory): string[] => steps.map((step) => step.thought);

const explainAnswer: Alias<Input, Output> = {
  name: 'explain_answer',
  system: 'agentic-rag',
  description: 'How an answer came about: its plan, its reasoning and its sources.',
  input,
  toInput: (args) => args as Input,
  toAnswer: ({ trajectory: found }) => ({ ...found, thoughts: thoughtsOf(found) }),
  toText: ({ trajectory: found }) =>
    [
      ['=== Answer Explanation ==='],
      ['Plan:', ...found.plan.map((step) => `  - ${step}`)],
      ['Reasoning:', ...thoughtsOf(found).map((thought) => `  * ${thought}`)],
      ['Sources:', ...(found.sources.length > 0 ? found.sources.map(({ type, id }) => `  [${type}] ${id}`) : ['  none'])],
    ]
      .map((block) => block.join('\n'))
      .join('\n\n'),
};

const indexExplain: Alias<Input, Output> = {
  name: 'index.explain',
  system: 'intelli-platform',
  description: 'Why an answer is as it is: its plan, its reasoning and its sources.',
  input,
  toInput: (args) => args as Input,
  toAnswer: ({ trajectory: { plan, steps, sources, ...rest } }) => ({ ...rest, plan, reasoning: steps, sources }),
};

export default defineTool({
  name: 'index.answer.explain',
  title: 'Explain an answer',
  description:
    'How an answer came about: what was planned, what each step found and why it was weighed so, and the sources with their scores per retriever.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['knowledge:read'],
  latency: 'L1',
  input,
  output,
  intents: [
    'why did the search find this',
    'explain how this answer was derived',
    'which sources is this answer based on',
    'show the reasoning',
  ],
  aliases: [explainAnswer, indexExplain],
  async handler({ trajectory_id }, { caller, services }) {
    const found = await services.knowledge.trajectories.get(caller.tenant, trajectory_id);
    return { data: { trajectory: found }, metadata: { result_count: found.sources.length } };
  },
});
