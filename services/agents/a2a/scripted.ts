import type { A2aArtifactJson, PartJson, Plan, Step } from '../../../contracts/agents/a2a.ts';

/**
 * A scripted agent for conformance kits, behind a test switch. The id of the client's latest message selects its
 * behaviour. It runs in the same workflow as real skills.
 */

const file: PartJson = {
  raw: Buffer.from('Generated file content\n').toString('base64'),
  filename: 'output.txt',
  mediaType: 'text/plain',
};
const fileByUrl: PartJson = { url: 'https://example.com/output.txt', filename: 'output.txt', mediaType: 'text/plain' };

/** Long enough for a kit to drop a stream and reconnect. */
const holdMs = 4_000;
/** Longer than an answer without waiting takes, shorter than a kit's timeout. */
const delayMs = 2_000;

const artifact = (part: PartJson): A2aArtifactJson => ({ artifactId: 'output', name: 'output', parts: [part] });
const working: Step = { kind: 'status', state: 'working' };
const completed: Step = { kind: 'status', state: 'completed' };

const gives = (part: PartJson): Step[] => [{ kind: 'artifact', artifact: artifact(part), lastChunk: true }, completed];
const streams = (part: PartJson): Step[] => [working, ...gives(part)];

const scripts: Record<string, Step[] | { message: PartJson[] }> = {
  'tck-complete-task': [{ kind: 'status', state: 'completed', text: 'Hello from TCK' }],
  'tck-delayed-complete': [
    { kind: 'status', state: 'working', holdMs: delayMs },
    { kind: 'status', state: 'completed', text: 'Done after delay' },
  ],
  'tck-artifact-text': gives({ text: 'Generated text content' }),
  'tck-artifact-file': gives(file),
  'tck-artifact-file-url': gives(fileByUrl),
  'tck-artifact-data': gives({ data: { key: 'value', count: 42 } }),
  'tck-message-response': { message: [{ text: 'Direct message response' }] },
  'tck-input-required': [{ kind: 'status', state: 'input_required', text: 'Input required' }],
  'tck-reject-task': [{ kind: 'status', state: 'rejected', text: 'rejected' }],
  'tck-stream-001': streams({ text: 'Stream hello from TCK' }),
  'tck-stream-002': [completed],
  'tck-stream-003': streams({ text: 'Stream task lifecycle' }),
  'tck-stream-ordering-001': streams({ text: 'Ordered output' }),
  'tck-stream-artifact-text': streams({ text: 'Streamed text content' }),
  'tck-stream-artifact-file': streams(file),
  'tck-stream-artifact-chunked': [
    working,
    { kind: 'artifact', artifact: artifact({ text: 'chunk-1 ' }), append: false, lastChunk: false },
    { kind: 'artifact', artifact: artifact({ text: 'chunk-2' }), append: true, lastChunk: true },
    completed,
  ],
  'test-resubscribe-message-id': [{ kind: 'status', state: 'working', holdMs }, completed],
};

/** Longest first, because `tck-artifact-file` is a prefix of `tck-artifact-file-url`. */
const prefixes = Object.keys(scripts).toSorted((a, b) => b.length - a.length);

/** The scripted plan for a message; null: the router handles it. */
export function scriptedPlan(messageId: string): Plan | null {
  const prefix = prefixes.find((each) => messageId.startsWith(each));
  if (prefix === undefined) return null;
  const script = scripts[prefix]!;
  return Array.isArray(script) ? { kind: 'script', steps: script } : { kind: 'message', parts: script.message };
}
