/** OpenAI Chat Completions. */
import { collector, descriptionsOf, eventStream, sendJson, textOf, type Format } from './format.ts';

export const chat: Format = {
  path: /\/chat\/completions$/,
  read(body) {
    const conversation = collector();
    const system: string[] = [];
    for (const { role, content, tool_call_id, tool_calls } of body['messages'] ?? []) {
      if (role === 'system' || role === 'developer') system.push(textOf(content));
      else if (role === 'user') conversation.said(textOf(content));
      else if (role === 'tool') conversation.result(tool_call_id, textOf(content));
      for (const call of tool_calls ?? []) conversation.called(call.id, call.function.name);
    }
    return {
      system: system.join('\n'),
      descriptions: descriptionsOf(body['tools'] ?? []),
      items: conversation.items,
      tools: (body['tools'] ?? []).map((tool: { function: { name: string } }) => ({ name: tool.function.name })),
    };
  },
  write(response, { id, text, call, usage }, { body }) {
    const calls = call && [{ id: call.id, type: 'function', function: { name: call.tool.name, arguments: JSON.stringify(call.args) } }];
    const finish_reason = call ? 'tool_calls' : 'stop';
    const whole = { id, created: Math.floor(Date.now() / 1000), model: body['model'] };
    const counts = {
      prompt_tokens: usage.input,
      completion_tokens: usage.output,
      total_tokens: usage.input + usage.output,
      prompt_tokens_details: { cached_tokens: 0 },
    };
    if (!body['stream']) {
      const message = { role: 'assistant', content: text, ...(calls ? { tool_calls: calls } : {}) };
      const choices = [{ index: 0, message, finish_reason }];
      return sendJson(response, 200, { ...whole, object: 'chat.completion', choices, usage: counts });
    }
    const send = eventStream(response);
    const chunk = (choices: object[], more = {}): void => send({ ...whole, object: 'chat.completion.chunk', choices, ...more });
    const delta = (given: object, reason: string | null = null): void => chunk([{ index: 0, delta: given, finish_reason: reason }]);
    delta({ role: 'assistant', content: text ?? '' });
    if (calls) delta({ tool_calls: calls.map((each, index) => ({ index, ...each })) });
    delta({}, finish_reason);
    chunk([], { usage: counts });
    send('[DONE]');
    response.end();
  },
};
