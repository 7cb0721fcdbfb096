import type { PartJson } from '../../../contracts/agents/a2a.ts';
import type { Draft } from '../../../contracts/authoring/authoring.ts';
import type { Envelope, EnvelopeError } from '../../../contracts/envelope.ts';
import type { Job } from '../../../contracts/jobs.ts';
import type { A2aChange } from './tasks-records.ts';

/** Maximum size of an artifact as JSON. The rest is cut, with a note. */
export const maxArtifactBytes = 1_000_000;
const maxTextChars = 4_000;

/** Turns a tool's answer into a change of the task: an artifact and the end, a failure, or a question for a missing argument. */
export function resultChange(turn: string, tool: string, envelope: Envelope): A2aChange {
  if (envelope.error) return failureChange(tool, envelope.error);
  const metadata = { tool, toolCallId: envelope.tool_call_id, refs: envelope.refs };
  return doneChange(turn, tool, envelope.data, [...envelope.warnings], metadata);
}

export function jobChange(turn: string, tool: string, job: Job): A2aChange {
  if (job.status === 'completed') return doneChange(turn, tool, job.result ?? {}, [], { tool, refs: [{ type: 'job', id: job.job_id }] });
  const text = job.status === 'cancelled' ? 'The job was cancelled.' : (job.error?.message ?? 'The job failed.');
  return { state: job.status === 'cancelled' ? 'canceled' : 'failed', parts: [{ text: `${tool}: ${text}` }] };
}

/** The result of a draft that a job has written, in the form of a direct answer. */
export const draftChange = (turn: string, draft: Draft): A2aChange =>
  doneChange(turn, `authoring.${draft.kind}.generate`, draft, draft.warnings, {
    tool: `authoring.${draft.kind}.generate`,
    refs: [{ type: 'job', id: draft.job_id }],
  });

export function workChange(turn: string, work: { taskId: string; result: string | null; agent: string | null }): A2aChange {
  return {
    state: 'completed',
    artifact: {
      artifact: {
        artifactId: `${turn}-result`,
        name: 'result',
        parts: [{ text: work.result ?? 'Done.', mediaType: 'text/plain' }],
        metadata: { workTaskId: work.taskId, ...(work.agent ? { agent: work.agent } : {}) },
      },
      lastChunk: true,
    },
  };
}

/** An error that the client can fix becomes a question; any other error fails the task. */
function failureChange(tool: string, error: EnvelopeError): A2aChange {
  const lines = [
    `${tool}: ${error.message}`,
    error.suggestion ?? '',
    error.alternatives?.length ? `Did you mean: ${error.alternatives.join(', ')}?` : '',
  ];
  const asked = error.code === 'VALIDATION_ERROR' || error.code === 'AMBIGUOUS_ENTITY';
  const { code, retryable, details, candidates } = error;
  const facts = { code, retryable, ...(details ? { details } : {}), ...(candidates ? { candidates } : {}) };
  return {
    state: asked ? 'input_required' : 'failed',
    parts: [{ text: lines.filter(Boolean).join('\n') }, { data: { error: facts }, mediaType: 'application/json' }],
  };
}

function doneChange(turn: string, tool: string, data: unknown, warnings: string[], metadata: Record<string, unknown>): A2aChange {
  const json = JSON.stringify(data ?? null);
  const fits = Buffer.byteLength(json) <= maxArtifactBytes;
  const notes = fits
    ? warnings
    : [...warnings, `The result has ${json.length} characters and is not shown whole: ask for less at once, or call ${tool} itself.`];
  const markdown = markdownOf(tool, data);
  const parts: PartJson[] =
    markdown === null
      ? [{ text: readable(tool, data, notes), mediaType: 'text/plain' }]
      : [
          { text: markdown, mediaType: 'text/markdown' },
          ...(notes.length === 0 ? [] : [{ text: notes.map((note) => `Note: ${note}`).join('\n'), mediaType: 'text/plain' }]),
        ];
  if (fits) parts.push({ data: data ?? null, mediaType: 'application/json' });
  return { state: 'completed', artifact: { artifact: { artifactId: `${turn}-result`, name: tool, parts, metadata }, lastChunk: true } };
}

/** The Markdown of an answer, if it has one. */
function markdownOf(tool: string, data: unknown): string | null {
  const { markdown, content } = (data ?? {}) as { markdown?: unknown; content?: unknown };
  if (typeof markdown === 'string') return markdown;
  return tool.startsWith('authoring.') && typeof content === 'string' ? content : null;
}

/** For people: the tool's name and the beginning of its answer. */
function readable(tool: string, data: unknown, notes: string[]): string {
  const lines = [`${tool}:`, ...outline(data, 0), ...notes.map((note) => `Note: ${note}`)].join('\n');
  return lines.length > maxTextChars ? `${lines.slice(0, maxTextChars)}…` : lines;
}

const maxItems = 20;
const maxDepth = 3;

function outline(value: unknown, depth: number): string[] {
  const pad = '  '.repeat(depth);
  if (value === null || typeof value !== 'object') return [`${pad}${short(value)}`];
  if (depth > maxDepth) return [`${pad}…`];
  if (Array.isArray(value)) {
    const shown = value.slice(0, maxItems).flatMap((item) => {
      const [first = '', ...rest] = outline(item, depth + 1);
      return [`${pad}- ${first.trimStart()}`, ...rest];
    });
    return value.length > maxItems ? [...shown, `${pad}… and ${value.length - maxItems} more`] : shown.length > 0 ? shown : [`${pad}none`];
  }
  return Object.entries(value)
    .filter(([, inner]) => inner !== null && inner !== undefined)
    .flatMap(([key, inner]) =>
      typeof inner === 'object' ? [`${pad}${key}:`, ...outline(inner, depth + 1)] : [`${pad}${key}: ${short(inner)}`],
    );
}

function short(value: unknown): string {
  const text = typeof value === 'string' ? value.replace(/\s+/g, ' ').trim() : String(value);
  return text.length > 500 ? `${text.slice(0, 500)}…` : text;
}
