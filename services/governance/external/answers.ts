import type { McpContent, McpResult } from '../../../adapters/mcp/types.ts';
import type { Caller } from '../../../contracts/caller.ts';
import type { Ref } from '../../../contracts/envelope.ts';
import { AppError } from '../../../contracts/errors.ts';
import { jsonProblem, storable } from '../../../contracts/json.ts';
import { mediaType } from '../../../contracts/substrate/substrate.ts';
import type { Artifacts } from '../../substrate/index.ts';

/** Larger answers are stored as an artifact and referenced. */
const mostInline = 256 * 1024;
const previewLength = 2_000;
const maxDepth = 256;

export interface ExternalAnswer {
  data: Record<string, unknown>;
  refs: Ref[];
  warnings: string[];
}

/** @throws AppError VALIDATION_ERROR with the server's message when the tool reports a failure */
export async function answerOf(caller: Caller, artifacts: Artifacts, name: string, given: McpResult): Promise<ExternalAnswer> {
  const result = fit(given);
  if (result.isError) throw failed(name, result);
  const refs: Ref[] = [];
  const warnings: string[] = [];
  const content: McpContent[] = [];
  for (const block of result.content) content.push(await withoutBytes(caller, artifacts, block, refs, warnings));
  const data = { content, ...(result.structuredContent === undefined ? {} : { structured_content: result.structuredContent }) };
  return await inline(caller, artifacts, data, refs, warnings);
}

/** The same for resources and prompts, whose answers have no content blocks. */
export async function bounded(caller: Caller, artifacts: Artifacts, given: Record<string, unknown>): Promise<ExternalAnswer> {
  const data = fit(given);
  const refs: Ref[] = [];
  const warnings: string[] = [];
  const { contents } = data;
  if (!Array.isArray(contents)) return await inline(caller, artifacts, data, refs, warnings);
  const kept: unknown[] = [];
  for (const resource of contents as Record<string, unknown>[]) {
    kept.push((await withoutBytes(caller, artifacts, { type: 'resource', resource }, refs, warnings))['resource']);
  }
  return await inline(caller, artifacts, { ...data, contents: kept }, refs, warnings);
}

/** Limits the size for storing: repeats under the same key, and approved calls, read the answer from Postgres. */
function fit<T>(answer: T): T {
  const problem = jsonProblem(answer, maxDepth, { text: false });
  if (problem === null) return storable(answer);
  throw new AppError('PAYLOAD_TOO_LARGE', `The server's answer ${problem}.`, {
    hint: 'Ask it for less at a time. The call itself has been carried out.',
    details: { reason: 'too_large' },
  });
}

async function inline(
  caller: Caller,
  artifacts: Artifacts,
  data: Record<string, unknown>,
  refs: Ref[],
  warnings: string[],
): Promise<ExternalAnswer> {
  const text = JSON.stringify(data);
  if (text.length <= mostInline) return { data, refs, warnings };
  const { sha256, size } = await artifacts.upload(caller, Buffer.from(text), { mediaType: 'application/json' });
  const preview = textOf((data['content'] as McpContent[] | undefined) ?? []) || text;
  return {
    data: { artifact: { sha256, size, media_type: 'application/json' }, preview: cut(preview) },
    refs: [...refs, { type: 'artifact', id: sha256 }],
    warnings: [...warnings, `The answer has ${Math.ceil(size / 1024)} KB; it is kept as an artifact, which substrate.artifact.get reads.`],
  };
}

/** Images, sounds and files go into the blob store; the block refers to them. */
async function withoutBytes(caller: Caller, artifacts: Artifacts, block: McpContent, refs: Ref[], warnings: string[]): Promise<McpContent> {
  const resource = block['resource'] as Record<string, unknown> | undefined;
  const [holder, field] = block.type === 'resource' && resource ? [resource, 'blob'] : [block, 'data'];
  const base64 = holder[field];
  if (typeof base64 !== 'string' || (block.type !== 'image' && block.type !== 'audio' && block.type !== 'resource')) return block;
  const { [field]: _bytes, ...rest } = holder;
  const given = mediaType.safeParse(holder['mimeType']);
  let kept: Record<string, unknown>;
  try {
    const bytes = artifacts.fromBase64(base64);
    const { sha256, size } = await artifacts.upload(caller, bytes, { mediaType: given.success ? given.data : 'application/octet-stream' });
    refs.push({ type: 'artifact', id: sha256 });
    kept = { ...rest, artifact: sha256, size };
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'SERVICE_UNAVAILABLE') throw error;
    warnings.push(`A part of the answer (${block.type}) could not be kept: ${error.message}`);
    kept = rest;
  }
  return (holder === block ? kept : { ...block, resource: kept }) as McpContent;
}

/** Do not cut inside a character. */
const cut = (text: string): string => text.slice(0, previewLength).toWellFormed();

const textOf = (content: McpContent[]): string =>
  content
    .filter((block) => block.type === 'text' && typeof block['text'] === 'string')
    .map((block) => block['text'] as string)
    .join('\n');

function failed(name: string, result: McpResult): AppError {
  const said = textOf(result.content).trim();
  return new AppError('VALIDATION_ERROR', `${name} answers with an error: ${cut(said) || 'without a word'}`, {
    hint: 'This is what the other server says, not Signalbox. Mend the arguments if it asks for that.',
    details: {
      reason: 'tool_error',
      ...(result.structuredContent !== undefined && JSON.stringify(result.structuredContent).length <= 8_192
        ? { structured_content: result.structuredContent }
        : {}),
    },
  });
}
