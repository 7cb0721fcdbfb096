import type { MessageJson, Plan } from '../../../contracts/agents/a2a.ts';
import { planOf } from '../../../engines/intents/router.ts';
import { scriptedPlan } from './scripted.ts';
import { skills } from '../../../engines/intents/skills.ts';

/**
 * What a task's messages ask for, oldest first: the script where it is switched on, a tool called by its name, or what
 * the router understands. Whether the key may call it is the pipeline's to say: it refuses with what is missing.
 */
export const planner =
  (scripted: boolean) =>
  (messages: MessageJson[]): Plan => {
    const last = messages.at(-1);
    return (scripted && last ? scriptedPlan(last.messageId) : null) ?? (last ? named(last) : null) ?? planOf(messages);
  };

const ofSkills = new Set(skills.flatMap(({ tools }) => tools));

/** `{"tool": NAME, "arguments": {…}}` for a tool that stands behind no skill; extended cards list them. */
function named({ parts }: MessageJson): Plan | null {
  for (const { data } of parts) {
    if (data === null || typeof data !== 'object' || Array.isArray(data)) continue;
    const { skill, tool = skill, arguments: args, input = args } = data as Record<string, unknown>;
    if (typeof tool !== 'string' || !tool.includes('.') || ofSkills.has(tool) || tool.length > 128) continue;
    if (skill !== undefined && skill !== tool) continue;
    if (input !== undefined && (input === null || typeof input !== 'object' || Array.isArray(input))) {
      return { kind: 'ask', skill: tool, text: `The arguments of ${tool} must be an object.` };
    }
    return { kind: 'call', skill: tool, tool, arguments: (input ?? {}) as Record<string, unknown> };
  }
  return null;
}
