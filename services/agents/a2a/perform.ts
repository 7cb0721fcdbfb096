import type { MessageJson, Plan } from '../../../contracts/agents/a2a.ts';
import type { Envelope } from '../../../contracts/envelope.ts';
import { read } from '../../../engines/intents/router-reading.ts';
import { isEntityId } from '../../../engines/intents/router-words.ts';
import { latestOn, newestReport, quoting, reportOn } from './perform-report.ts';

type Args = Record<string, unknown>;

/** One tool call of a turn. `step` identifies it within the turn, so that it acts once when the turn is repeated. */
export type TurnCall = (tool: string, args: Args, step: string) => Promise<Envelope>;

/**
 * Runs a plan. Most plans are one call. Names are resolved to ids first, bytes are uploaded before they are ingested, and
 * a report's subject is identified before the report is requested. A tool's refusal does not throw: it is in the
 * envelope.
 * @param messages the messages from which the plan was made; they contain the files
 */
export async function perform(plan: Plan & { kind: 'call' }, messages: readonly MessageJson[], call: TurnCall): Promise<Envelope> {
  const { tool, arguments: args } = plan;
  if (tool === 'authoring.report.generate' && args['subject'] !== undefined) return await reportOn(args, call);
  if (tool === 'authoring.report.get_latest' && args['subject'] !== undefined) return await latestOn(args, call);
  if (tool === 'authoring.report.get_latest' && args['report_type'] === undefined) return await newestReport(call);
  if (plan.skill === 'generate-report' && !tool.startsWith('authoring.')) return await quoting(args, call);
  const uploaded = await upload(plan, messages, call);
  if (uploaded?.error) return uploaded;
  const resolved = await withIds(plan, call);
  return 'refused' in resolved ? resolved.refused : await call(plan.tool, resolved.args, 'main');
}

async function upload(plan: Plan & { kind: 'call' }, messages: readonly MessageJson[], call: TurnCall): Promise<Envelope | null> {
  const source = plan.arguments['source'] as { kind?: unknown; sha256?: unknown } | undefined;
  if (plan.tool !== 'ingest.content.submit' || source?.kind !== 'artifact') return null;
  const file = messages.flatMap((message) => read(message).files).findLast((part) => part.raw !== undefined);
  if (file?.raw === undefined) return null;
  const named = file.filename === undefined ? {} : { filename: file.filename };
  return await call(
    'substrate.artifact.upload',
    { content_base64: file.raw, media_type: file.mediaType ?? 'application/octet-stream', ...named },
    'upload',
  );
}

/** Tools that change entities require ids, so that an ambiguous name changes nothing. Agents send names: resolve them. */
async function withIds(plan: Plan & { kind: 'call' }, call: TurnCall): Promise<{ args: Args } | { refused: Envelope }> {
  const { entity_names: many, entity_name: one, ...rest } = plan.arguments;
  const names = many ?? (one !== undefined && wantsId.has(plan.tool) ? [one] : undefined);
  if (!Array.isArray(names)) return { args: plan.arguments };
  const ids: string[] = [];
  for (const [i, name] of names.entries()) {
    if (isEntityId(String(name))) {
      ids.push(String(name));
      continue;
    }
    const found = await call('entity.record.get', { entity_name: String(name) }, `name-${i}`);
    const id = (found.data as { entity?: { entity_id?: string } } | null)?.entity?.entity_id;
    if (found.error || id === undefined) return { refused: found };
    ids.push(id);
  }
  return { args: { ...rest, ...(many === undefined ? { entity_id: ids[0] } : { entity_ids: ids }) } };
}
const wantsId = new Set(['entity.link.create', 'entity.status.set']);
