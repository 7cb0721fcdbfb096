/** OpenAI Responses. */
import { collector, eventStream, sendJson, textOf, type Format } from './format.ts';
import type { Tool } from './script.ts';

export const responses: Format = {
  path: /\/responses$/,
  read(body) {
    const conversation = collector();
    const system = [textOf(body['instructions'])];
    const input = typeof body['input'] === 'string' ? [{ role: 'user', content: body['input'] }] : (body['input'] ?? []);
    for (const item of input) {
      if (item.type === 'function_call' || item.type === 'custom_tool_call') conversation.called(item.call_id, item.name);
      else if (item.type === 'function_call_output' || item.type === 'custom_tool_call_output')
        conversation.result(item.call_id, textOf(item.output));
      else if (item.role === 'user') conversation.said(textOf(item.content));
      else if (item.role === 'developer' || item.role === 'system') system.push(textOf(item.content));
    }
    const tools = (body['tools'] ?? []).flatMap((tool: Record<string, any>): Tool[] =>
      tool['type'] === 'namespace'
        ? (tool['tools'] ?? []).map(({ name }: Tool) => ({ name, namespace: tool['name'] }))
        : [{ name: tool['name'] ?? tool['type'] }],
    );
    // Codex lists its subagents in the description of an argument.
    const descriptions = JSON.stringify(body['tools'] ?? []);
    return { system: system.join('\n'), descriptions, items: conversation.items, tools };
  },
  write(response, { id, text, call, usage }, { body }) {
    const message =
      text === null ? null : { type: 'message', id: `${id}_m`, status: 'completed', role: 'assistant', content: [part(text)] };
    const output: Record<string, any>[] = [
      ...(message ? [message] : []),
      ...(call
        ? [
            {
              type: 'function_call',
              id: `${id}_c`,
              call_id: call.id,
              status: 'completed',
              ...call.tool,
              arguments: JSON.stringify(call.args),
            },
          ]
        : []),
    ];
    const whole = {
      id,
      object: 'response',
      created_at: Math.floor(Date.now() / 1000),
      model: body['model'],
      parallel_tool_calls: false,
      tool_choice: 'auto',
      tools: [],
      error: null,
      incomplete_details: null,
    };
    const done = {
      ...whole,
      status: 'completed',
      output,
      usage: {
        input_tokens: usage.input,
        input_tokens_details: { cached_tokens: 0 },
        output_tokens: usage.output,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: usage.input + usage.output,
      },
    };
    if (!body['stream']) return sendJson(response, 200, done);
    const write = eventStream(response);
    let sequence_number = 0;
    const send = (type: string, data: object): void => write({ type, sequence_number: sequence_number++, ...data }, type);
    send('response.created', { response: { ...whole, status: 'in_progress', output: [], usage: null } });
    for (const [output_index, item] of output.entries()) {
      const of = { output_index, item_id: item['id'] };
      const begun = item === message ? { content: [] } : { arguments: '' };
      send('response.output_item.added', { output_index, item: { ...item, status: 'in_progress', ...begun } });
      if (item === message) {
        send('response.content_part.added', { ...of, content_index: 0, part: part('') });
        send('response.output_text.delta', { ...of, content_index: 0, delta: text });
        send('response.output_text.done', { ...of, content_index: 0, text });
        send('response.content_part.done', { ...of, content_index: 0, part: part(text!) });
      } else {
        send('response.function_call_arguments.delta', { ...of, delta: item['arguments'] });
        send('response.function_call_arguments.done', { ...of, arguments: item['arguments'] });
      }
      send('response.output_item.done', { output_index, item });
    }
    send('response.completed', { response: done });
    response.end();
  },
};

const part = (text: string): object => ({ type: 'output_text', text, annotations: [] });
