/** Gemini's generateContent. */
import { collector, descriptionsOf, eventStream, sendJson, textOf, type Body, type Format } from './format.ts';

export const gemini: Format = {
  path: /:(?:generateContent|streamGenerateContent)$/,
  read(body) {
    const conversation = collector();
    // Calls may come without ids: their results follow in the same order.
    const open: { id: string; name: string }[] = [];
    for (const { role, parts } of body['contents'] ?? []) {
      for (const part of parts ?? []) {
        if (part.functionCall) {
          const call = { id: part.functionCall.id ?? `call${conversation.items.length}`, name: part.functionCall.name };
          open.push(call);
          conversation.called(call.id, call.name);
        } else if (part.functionResponse) {
          const { id, name, response } = part.functionResponse;
          const at = open.findIndex((call) => (id ? call.id === id : call.name === name));
          const [call] = at < 0 ? [] : open.splice(at, 1);
          if (call) conversation.result(call.id, textOf(response?.output ?? response));
        } else if (part.text !== undefined && role === 'user') conversation.said(part.text);
      }
    }
    const declared = (body['tools'] ?? []).flatMap((tool: { functionDeclarations?: Body[] }) => tool.functionDeclarations ?? []);
    return {
      system: textOf(body['systemInstruction']?.parts),
      descriptions: descriptionsOf(declared),
      items: conversation.items,
      tools: declared.map(({ name }: Body) => ({ name })),
    };
  },
  write(response, { id, text, call, usage }, { url }) {
    const parts = [
      ...(text === null ? [] : [{ text }]),
      ...(call ? [{ functionCall: { id: call.id, name: call.tool.name, args: call.args } }] : []),
    ];
    const answer = {
      candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }],
      usageMetadata: {
        promptTokenCount: usage.input,
        candidatesTokenCount: usage.output,
        totalTokenCount: usage.input + usage.output,
      },
      modelVersion: 'scripted',
      responseId: id,
    };
    if (!url.pathname.endsWith(':streamGenerateContent')) return sendJson(response, 200, answer);
    eventStream(response)(answer);
    response.end();
  },
};
