/** The events of Claude Code, whose format Qwen Code took over. */
import type { AgentEvent, RunUsage } from '../../../contracts/work/runs.ts';
import { at, countAt, listAt, shown, textAt, toolCall, usageEvent, type Json, type State } from './reading.ts';

/** @param usageOf what the run used, from its last event */
export function takeStreamJson(event: Json, state: State, usageOf: (result: Json) => RunUsage): AgentEvent[] {
  state.sessionId ??= textAt(event, 'session_id') || null;
  switch (event['type']) {
    case 'system':
      return event['subtype'] === 'api_retry' ? retried(event, state) : [];
    case 'assistant':
      return listAt(event, 'message', 'content').flatMap((part) => assistantPart(part, event, state));
    case 'user':
      return listAt(event, 'message', 'content').flatMap((part) =>
        part['type'] === 'tool_result'
          ? [shown('tool_result', contentOf(part['content']), part['is_error'] === true ? { error: true } : {})]
          : [],
      );
    case 'result':
      state.usage = usageOf(event);
      return [...ended(event, state), usageEvent(state.usage)];
    default:
      return [];
  }
}

function assistantPart(part: Json, event: Json, state: State): AgentEvent[] {
  if (part['type'] === 'tool_use') return [toolCall(textAt(part, 'name'), part['input'])];
  if (part['type'] !== 'text') return [];
  const text = textAt(part, 'text');
  // A helper that the agent started speaks to the agent.
  if (at(event, 'parent_tool_use_id') == null) state.text = text;
  return [shown('text', text)];
}

function retried(event: Json, state: State): AgentEvent[] {
  const status = countAt(event, 'error_status');
  if (status === 401 || status === 403) state.keyRefused += 1;
  return [shown('notice', `The model's provider answered ${status || textAt(event, 'error')}; attempt ${countAt(event, 'attempt')}`)];
}

function ended(event: Json, state: State): AgentEvent[] {
  state.finished = true;
  const result = at(event, 'result');
  if (typeof result === 'string') state.text = result;
  state.refused.push(...listAt(event, 'permission_denials').map((denial) => textAt(denial, 'tool_name')));
  // Qwen Code 0.15 ended with success and this text when its provider refused the key.
  const hidden = /^\[API Error: .*/.exec(state.text)?.[0];
  if (event['is_error'] === true || event['subtype'] !== 'success' || hidden) {
    const errors = at(event, 'errors');
    const told = textAt(event, 'error', 'message') || (Array.isArray(errors) ? errors.join('; ') : '') || state.text;
    state.failure = [event['subtype'] === 'success' ? '' : textAt(event, 'subtype'), hidden ?? told]
      .filter(Boolean)
      .join(': ')
      .slice(0, 2_000);
  }
  return state.refused.map((tool) => shown('notice', `Refused by its permissions: ${tool}`, { tool }));
}

const contentOf = (content: unknown): string =>
  Array.isArray(content) ? content.map((part) => textAt(part, 'text')).join('\n') : typeof content === 'string' ? content : '';
