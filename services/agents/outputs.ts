import type { Database, Row } from '../../adapters/postgres/database.ts';
import type { ReviewDecision } from '../../contracts/activities/kernel/review.ts';
import type { OutputStatus, Verdict } from '../../contracts/agents/agents.ts';
import { isPerson, type Caller } from '../../contracts/caller.ts';
import type { Ref } from '../../contracts/envelope.ts';
import { AppError, notFound } from '../../contracts/errors.ts';
import { derivedId, hashOf } from '../../contracts/ids.ts';
import { countedPage, matching, up } from '../kernel/paging.ts';
import type { Columns } from '../../prisma/rows.ts';
import { noteEvent } from '../kernel/outbox.ts';
import { Service } from '../kernel/service.ts';
import { applyClassification, classificationKind, classified, readProposal, requireSignal } from './classifications.ts';
import { deliver } from './messages.ts';

type Query = Database['query'];

const statusOf: Record<Verdict, OutputStatus> = { accept: 'accepted', correct: 'corrected', reject: 'rejected' };

export interface NewOutput {
  /** Default: the caller. */
  agentId?: string | undefined;
  kind: string;
  title: string;
  content: string;
  artifactRef?: string | undefined;
}

export interface Output {
  output_id: string;
  agent_id: string;
  agent_version: number;
  kind: string;
  title: string;
  content: string;
  artifact_ref: string | null;
  status: OutputStatus;
  /** A person's corrected version; the original is kept. */
  correction: string | null;
  notes: string | null;
  decided_by: string | null;
  decided_at: string | null;
  created_at: string;
}

interface OutputRow
  extends
    Row,
    Columns<
      'agent_outputs',
      | 'id'
      | 'agent_id'
      | 'agent_version'
      | 'kind'
      | 'title'
      | 'content'
      | 'artifact_ref'
      | 'correction'
      | 'notes'
      | 'decided_by'
      | 'decided_at'
      | 'created_at'
    > {
  status: OutputStatus;
}

export interface Judgement {
  verdict: Verdict;
  correction: string | null;
  notes: string | null;
}

/** Outputs of agents that people judge. Each waits in its own review workflow. */
export class AgentOutputs extends Service<'reviews'> {
  /**
   * Submits an output for judgement.
   * @throws AppError FORBIDDEN (in another agent's name), VALIDATION_ERROR and NOT_FOUND (an empty classification, or one
   * of a signal that does not exist)
   */
  async submit(caller: Caller, wanted: NewOutput, callKey: string): Promise<{ output: Output; refs: Ref[] }> {
    const { tenant, principal } = caller;
    const agent = wanted.agentId ?? principal;
    if (agent !== principal && !isPerson(caller)) {
      throw new AppError('FORBIDDEN', `You are "${principal}", not "${agent}".`, { hint: 'Leave agent_id out: it is your own output.' });
    }
    if (wanted.kind === classificationKind) await requireSignal(this.db.query, tenant, readProposal(wanted.content).signal_id);
    const id = derivedId('out', tenant, callKey);
    const row = await this.db.transaction(async (query) => {
      const [made] = await query<OutputRow>(
        `insert into agent_outputs (tenant_id, id, agent_id, agent_version, kind, title, content, artifact_ref)
         values ($1, $2, $3, coalesce((select version from agents where tenant_id = $1 and id = $3 and removed_at is null), 1), $4, $5, $6, $7)
         on conflict do nothing returning *`,
        [tenant, id, agent, wanted.kind, wanted.title, wanted.content, wanted.artifactRef ?? null],
      );
      if (!made) return await outputRow(query, tenant, id);
      await query(
        `insert into reviews (tenant_id, id, kind, action, type, subject, origin, created_by) values ($1, $2, 'agent_output', 'judge', $3, $4, 'agent', $5)`,
        [tenant, id, wanted.kind, JSON.stringify({ agent }), principal],
      );
      await noteEvent(query, tenant, 'agent.output_pending_review', id, { agent_id: agent, kind: wanted.kind });
      return made;
    });
    await this.deps.reviews.start({ tenant, id }, principal);
    return { output: outputView(row!), refs: this.deps.reviews.refs({ tenant, id }) };
  }

  /** By agent, longest waiting first. @param status null: all. @throws AppError FORBIDDEN (people only) */
  async list(
    caller: Caller,
    { agentId, status, limit }: { agentId?: string | undefined; status: OutputStatus | null; limit: number },
  ): Promise<{ groups: { agent_id: string; name: string; outputs: Output[] }[]; total: number }> {
    peopleOnly(caller);
    const list = {
      select: 'o.*, a.name',
      from: 'agent_outputs o left join agents a on a.tenant_id = o.tenant_id and a.id = o.agent_id',
      ...matching({ 'o.tenant_id = $': caller.tenant, 'o.agent_id = $': agentId, 'o.status = $': status }),
      order: [up('o.created_at', 'timestamptz'), up('o.id')],
    };
    const { items, total } = await countedPage(this.db.query, list, { limit }, (row: OutputRow & { name: string | null }) => row);
    const groups = [...Map.groupBy(items, (row) => row.agent_id)].map(([agent, own]) => ({
      agent_id: agent,
      name: own[0]?.name ?? agent,
      outputs: own.map(outputView),
    }));
    return { groups, total };
  }

  /**
   * Judges an output, once. A repeat of the same judgement by the same person succeeds without effect.
   * @throws AppError FORBIDDEN (people only), NOT_FOUND, VALIDATION_ERROR (a correction is missing or invalid), CONFLICT
   * (judged already)
   */
  async decide(caller: Caller, id: string, judgement: Judgement): Promise<{ output: Output; repeated: boolean; refs: Ref[] }> {
    const { tenant, principal: by } = caller;
    peopleOnly(caller);
    if ((judgement.verdict === 'correct') !== (judgement.correction !== null)) {
      throw new AppError('VALIDATION_ERROR', 'A correction is only allowed with the decision "correct".', {
        hint: 'Give decision "correct" together with correction: what it should have been.',
      });
    }
    const before = await this.row(tenant, id);
    const ref = { tenant, id };
    const refs: Ref[] = this.deps.reviews.refs(ref);
    if (before.kind === classificationKind && judgement.verdict !== 'reject') {
      const { signalId } = classified(before.content, judgement.correction);
      if (before.status === 'pending') await requireSignal(this.db.query, tenant, signalId);
      refs.push({ type: 'signal', id: signalId });
    }
    if (before.status !== 'pending') return { output: same(before, by, judgement), repeated: true, refs };
    // The workflow gets only a hash of the judgement, because its text must not go into a history.
    const key = hashOf({ by, ...judgement }).slice(0, 24);
    await this.db.query(
      `update reviews set subject = jsonb_set(subject, '{said}', coalesce(subject->'said', '{}') || jsonb_build_object($3::text, $4::jsonb)), updated_at = now()
       where tenant_id = $1 and id = $2 and kind = 'agent_output' and status = 'pending'`,
      [tenant, id, key, JSON.stringify(judgement)],
    );
    try {
      await this.deps.reviews.decide(ref, before.agent_id, {
        decision: judgement.verdict === 'reject' ? 'reject' : 'confirm',
        by,
        notes: null,
        said: key,
      });
    } catch (error) {
      // The output was judged meanwhile, perhaps by the same person in the same way.
      if (!(error instanceof AppError) || error.code !== 'CONFLICT') throw error;
      const now = await this.row(tenant, id);
      if (now.status === 'pending') throw error;
      return { output: same(now, by, judgement), repeated: true, refs };
    }
    return { output: same(await this.row(tenant, id), by, judgement), repeated: false, refs };
  }

  private async row(tenant: string, id: string): Promise<OutputRow> {
    const row = await outputRow(this.db.query, tenant, id);
    if (!row) throw notFound('agent output', id, 'agent.output.review without output_id lists those there are.');
    return row;
  }
}

function peopleOnly(caller: Caller): void {
  if (isPerson(caller)) return;
  throw new AppError('FORBIDDEN', "People judge what agents produce; this key is an agent's.", {
    hint: 'A person calls this with a key of their own. The verdict comes to the inbox of the agent.',
  });
}

/** The judged output. @throws AppError CONFLICT when another person judged it, or the judgement differs */
function same(row: OutputRow, by: string, { verdict, correction }: Judgement): Output {
  if (row.status === statusOf[verdict] && row.decided_by === by && row.correction === correction) return outputView(row);
  throw new AppError('CONFLICT', `This output was ${row.status} by ${row.decided_by} already.`, {
    hint: 'A judgement is final; the agent can submit a new version.',
    details: { reason: row.status, decided_by: row.decided_by },
  });
}

async function outputRow(query: Query, tenant: string, id: string): Promise<OutputRow | undefined> {
  return (await query<OutputRow>('select * from agent_outputs where tenant_id = $1 and id = $2', [tenant, id]))[0];
}

/**
 * Writes the judgement that the workflow has accepted, and sends a message to the agent. Safe to repeat.
 * @param corrected called when the judgement classified a signal; never fails
 */
export async function beginJudgement(
  db: Database,
  tenant: string,
  id: string,
  decision: ReviewDecision,
  corrected: (tenant: string) => Promise<void>,
): Promise<null> {
  const signal = await db.transaction(async (query) => {
    const [review] = await query<{ subject: { agent: string; said?: Record<string, Judgement> } }>(
      `update reviews set status = 'deciding', decided_by = $3, decided_at = coalesce(decided_at, now()), result = $4, rev = rev + 1, updated_at = now()
       where tenant_id = $1 and id = $2 and kind = 'agent_output' and status in ('pending', 'deciding') returning subject`,
      [tenant, id, decision.by, JSON.stringify({ decision: decision.decision, said: decision.said })],
    );
    const said = review?.subject.said?.[decision.said ?? ''];
    if (!said) throw new AppError('CONFLICT', 'This output is not open any more.');
    const [judged] = await query<OutputRow>(
      `update agent_outputs set status = $3, correction = $4, notes = $5, decided_by = $6, decided_at = now(), updated_at = now()
       where tenant_id = $1 and id = $2 and status = 'pending' returning *`,
      [tenant, id, statusOf[said.verdict], said.correction, said.notes, decision.by],
    );
    if (!judged) return null;
    const classifies = judged.kind === classificationKind && said.verdict !== 'reject';
    const classifiedSignal = classifies ? await applyClassification(query, tenant, decision.by, judged.content, said.correction) : null;
    await deliver(query, tenant, {
      id: derivedId('msg', 'judged', tenant, id),
      recipient: judged.agent_id,
      sender: decision.by,
      body: `Your output "${judged.title}" was ${judged.status}.${said.notes ? ` ${said.notes}` : ''}`,
      data: { output_id: id, decision: judged.status, ...(said.correction === null ? {} : { correction: said.correction }) },
    });
    return classifiedSignal;
  });
  if (signal !== null) await corrected(tenant);
  return null;
}

export const outputView = (row: OutputRow): Output => ({
  output_id: row.id,
  agent_id: row.agent_id,
  agent_version: row.agent_version,
  kind: row.kind,
  title: row.title,
  content: row.content,
  artifact_ref: row.artifact_ref,
  status: row.status,
  correction: row.correction,
  notes: row.notes,
  decided_by: row.decided_by,
  decided_at: row.decided_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
});
