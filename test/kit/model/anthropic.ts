/** Anthropic Messages. */
import { collector, descriptionsOf, eventStream, sendJson, textOf, type Format } from './format.ts';

export const anthropic: Format = {
  path: /\/v1\/messages$/,
  read(body) {
    const conversation = collector();
    // Claude Code sends its environment, and the tools that it holds back, as messages between the others.
    const system = [textOf(body['system'])];
    for (const { role, content } of body['messages'] ?? []) {
      if (role === 'system') {
        system.push(textOf(content));
        continue;
      }
      if (typeof content === 'string') {
        if (role === 'user') conversation.said(content);
        continue;
      }
      for (const part of content) {
        if (part.type === 'tool_use') conversation.called(part.id, part.name);
        else if (part.type === 'tool_result') conversation.result(part.tool_use_id, textOf(part.content));
        else if (part.type === 'text' && role === 'user') conversation.said(part.text);
      }
    }
    return {
      system: system.join('\n'),
      descriptions: descriptionsOf(body['tools'] ?? []),
      items: conversation.items,
      tools: (body['tools'] ?? []).map(({ name }: { name: string }) => ({ name })),
    };
  },
  write(response, { id, text, call, usage }, { body }) {
    const content = [
      ...(text === null ? [] : [{ type: 'text', text }]),
      ...(call ? [{ type: 'tool_use', id: call.id, name: call.tool.name, input: call.args }] : []),
    ];
    const stop = { stop_reason: call ? 'tool_use' : 'end_turn', stop_sequence: null };
    const counts = { input_tokens: usage.input, output_tokens: usage.output, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
    const message = { id, type: 'message', role: 'assistant', model: body['model'], content, ...stop, usage: counts };
    if (!body['stream']) return sendJson(response, 200, message);
    const write = eventStream(response);
    const send = (type: string, data: object): void => write({ type, ...data }, type);
    send('message_start', { message: { ...message, content: [], stop_reason: null, usage: { ...counts, output_tokens: 1 } } });
    for (const [index, block] of content.entries()) {
      const isText = block.type === 'text';
      send('content_block_start', { index, content_block: isText ? { ...block, text: '' } : { ...block, input: {} } });
      send('content_block_delta', {
        index,
        delta: isText ? { type: 'text_delta', text } : { type: 'input_json_delta', partial_json: JSON.stringify(call!.args) },
      });
      send('content_block_stop', { index });
    }
    send('message_delta', { delta: stop, usage: { output_tokens: usage.output } });
    send('message_stop', {});
    response.end();
  },
};
