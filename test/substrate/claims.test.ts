/** Claims: stated, supported, opposed and decided; every decision is kept, and a final one stands. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { Caller } from '../../contracts/caller.ts';
import type { Claim, ClaimDetail } from '../../contracts/substrate/claims.ts';
import { testStack, type TestStack } from '../setup/stack.ts';

let stack: TestStack;
let pm: Caller;
let other: Caller;
beforeAll(async () => {
  stack = await testStack({ workers: false, model: false });
  pm = await stack.caller({ name: 'pm' });
  other = await stack.caller({ tenant: 'globex', name: 'hank' });
});
afterAll(() => stack?.stop());

const state = async (args: object = {}): Promise<string> =>
  (await stack.ok<{ claim_id: string }>(pm, 'claim.record.create', { statement: 'Churn fell after the March release.', ...args })).claim_id;
const read = async (claim: string): Promise<ClaimDetail> =>
  (await stack.ok<{ claim: ClaimDetail }>(pm, 'claim.record.get', { claim_id: claim })).claim;
const link = (claim: string, evidence: object[], caller = pm) => stack.call(caller, 'claim.evidence.link', { claim_id: claim, evidence });
const decide = (claim: string, decision: string, rationale = 'because', caller = pm) =>
  stack.call(caller, 'claim.record.decide', { claim_id: claim, decision, rationale });

describe('a claim', () => {
  it('takes as evidence the refs that answers give', async () => {
    const { claim_id } = await stack.ok<{ claim_id: string }>(pm, 'claim.create', { statement: 'It stands in the file.' });
    const { envelope } = await stack.call(pm, 'substrate.artifact.upload', { content: 'proof', media_type: 'text/plain' });
    expect(envelope.refs).toEqual([{ type: 'artifact', id: expect.any(String), sha256: envelope.refs[0]!.id }]);
    const evidence = envelope.refs.map((ref) => ({ ref, stance: 'supports' }));
    for (const name of ['claim.evidence.link', 'claim.link_evidence']) await stack.ok(pm, name, { claim_id, evidence });
    expect((await read(claim_id)).evidence.map(({ ref }) => ref)).toEqual([`artifact:${envelope.refs[0]!.id}`]);
  });

  it('is stated, spoken for and against, and decided, by the names of the seed', async () => {
    const made = await stack.ok<{ claim_id: string; status: string }>(pm, 'claim.create', {
      statement: 'Büro 7 is the largest customer.',
      subject_ref: 'entity:ent_1',
      confidence: 0.9,
    });
    expect(made.status).toBe('open');
    const id = made.claim_id;
    const evidence = [
      { ref: 'doc_1#4', stance: 'supports', note: 'says so' },
      { ref: 'https://example.com/report', stance: 'refutes' },
      { ref: 'run_9', stance: 'context' },
    ];
    const linked = await stack.ok<{ claim: ClaimDetail }>(pm, 'claim.link_evidence', { claim_id: id, evidence });
    expect(linked.claim.evidence.map(({ ref, stance, note, linked_by }) => ({ ref, stance, note, linked_by }))).toEqual(
      evidence.map((entry) => ({ note: null, ...entry, linked_by: 'pm' })),
    );
    const decided = await stack.ok<{ claim: ClaimDetail }>(pm, 'claim.decide', {
      claim_id: id,
      decision: 'accepted',
      rationale: 'Two of three.',
    });
    expect(decided.claim).toMatchObject({
      statement: 'Büro 7 is the largest customer.',
      confidence: 0.9,
      status: 'accepted',
      rationale: 'Two of three.',
      decided_by: 'pm',
      evidence_counts: { supports: 1, refutes: 1, context: 1 },
      decisions: [{ seq: 1, decision: 'accepted', rationale: 'Two of three.', decided_by: 'pm' }],
    });
    expect(await read(id)).toEqual(decided.claim);
    const events = await asTenant('acme', () =>
      stack.db.query<{ type: string; data: object }>(
        'select type, data from outbox where tenant_id = $1 and subject = $2 order by xid, id',
        ['acme', id],
      ),
    );
    expect(events).toEqual([
      { type: 'claim.created', data: { subject_ref: 'entity:ent_1' } },
      { type: 'claim.decided', data: { decision: 'accepted', subject_ref: 'entity:ent_1' } },
    ]);
  });

  it('has each reference once per stance, however often it is linked', async () => {
    const claim = await state();
    const same = { ref: 'doc_1#1', stance: 'supports' };
    await Promise.all(Array.from({ length: 6 }, () => link(claim, [same, { ...same, stance: 'context' }])));
    const again = await link(claim, [{ ...same, note: 'another note' }]);
    expect(again.envelope.warnings).toEqual(['All of it was linked already.']);
    expect((await read(claim)).evidence).toMatchObject([{ ...same, note: null }, { stance: 'context' }]);
  });

  it('can be decided anew after more evidence was asked for, and only then', async () => {
    const claim = await state();
    expect((await decide(claim, 'needs_more_evidence', 'thin')).error).toBeUndefined();
    expect((await link(claim, [{ ref: 'doc_2#1', stance: 'supports' }])).error).toBeUndefined();
    expect((await decide(claim, 'needs_more_evidence', 'still thin')).error).toBeUndefined();
    expect((await decide(claim, 'rejected', 'no')).error).toBeUndefined();
    expect((await decide(claim, 'rejected', 'no')).envelope.warnings[0]).toContain('before');
    for (const [decision, rationale] of [
      ['accepted', 'after all'],
      ['rejected', 'for another reason'],
      ['needs_more_evidence', 'hm'],
    ] as const) {
      expect((await decide(claim, decision, rationale)).error).toMatchObject({
        code: 'CONFLICT',
        details: { status: 'rejected', decided_by: 'pm' },
      });
    }
    expect((await link(claim, [{ ref: 'late', stance: 'supports' }])).error).toMatchObject({ code: 'CONFLICT' });
    expect((await read(claim)).decisions.map(({ seq, decision, rationale }) => [seq, decision, rationale])).toEqual([
      [1, 'needs_more_evidence', 'thin'],
      [2, 'needs_more_evidence', 'still thin'],
      [3, 'rejected', 'no'],
    ]);
  });

  it('is decided once, also with concurrent decisions', async () => {
    const claim = await state();
    const judges = await Promise.all(['j1', 'j2', 'j3', 'j4'].map((name) => stack.caller({ name })));
    const answers = await Promise.all(judges.map((judge, i) => decide(claim, i % 2 ? 'accepted' : 'rejected', judge.principal, judge)));
    expect(answers.filter((answer) => !answer.error)).toHaveLength(1);
    for (const lost of answers.filter((answer) => answer.error)) expect(lost.error).toMatchObject({ code: 'CONFLICT' });
    expect((await read(claim)).decisions).toHaveLength(1);
  });

  it('takes 200 pieces of evidence, and a batch too many leaves none of it', async () => {
    const claim = await state();
    for (let i = 0; i < 190; i += 38) {
      expect(
        (
          await link(
            claim,
            Array.from({ length: 38 }, (_, j) => ({ ref: `r${i + j}`, stance: 'context' })),
          )
        ).error,
      ).toBeUndefined();
    }
    const over = await link(
      claim,
      Array.from({ length: 11 }, (_, j) => ({ ref: `over${j}`, stance: 'context' })),
    );
    expect(over.error).toMatchObject({ code: 'CONFLICT', details: { max_evidence: 200 } });
    expect((await read(claim)).evidence).toHaveLength(190);
  });

  it('is made once under one idempotency key, and listed by status and subject', async () => {
    const args = { statement: 'once', subject_ref: 'subject:once' };
    for (let i = 0; i < 2; i++) await stack.call(pm, 'claim.record.create', args, { idempotencyKey: 'claim-once' });
    const later = await state({ subject_ref: 'subject:once' });
    await decide(later, 'accepted');
    const list = async (filter: object) => (await stack.ok<{ claims: Claim[] }>(pm, 'claim.record.list', filter)).claims;
    expect((await list({ subject_ref: 'subject:once' })).map((claim) => claim.status)).toEqual(['accepted', 'open']);
    expect(await list({ subject_ref: 'subject:once', status: 'accepted' })).toMatchObject([{ claim_id: later }]);
    const first = await stack.call(pm, 'claim.record.list', { subject_ref: 'subject:once', limit: 1 });
    const second = await stack.call(pm, 'claim.record.list', {
      subject_ref: 'subject:once',
      limit: 1,
      cursor: first.envelope.metadata.next_cursor,
    });
    expect((second.data as { claims: Claim[] }).claims).toMatchObject([{ statement: 'once' }]);
    expect(second.envelope.metadata.next_cursor).toBeUndefined();
  });

  it("is not decided by an agent's word alone", async () => {
    const agent = await stack.caller({ name: 'builder', kind: 'agent' });
    const claim = await state();
    const answer = await decide(claim, 'accepted', 'I am sure', agent);
    expect(answer.envelope.status).toBe('pending_approval');
    expect(answer.envelope.refs[0]).toMatchObject({ type: 'approval' });
    expect(await read(claim)).toMatchObject({ status: 'open', decisions: [] });
  });

  it('of another tenant is not there', async () => {
    const claim = await state();
    const asked = [
      stack.call(other, 'claim.record.get', { claim_id: claim }),
      link(claim, [{ ref: 'x', stance: 'supports' }], other),
      decide(claim, 'accepted', 'mine', other),
    ];
    for (const answer of await Promise.all(asked)) expect(answer.error).toMatchObject({ code: 'NOT_FOUND' });
    expect((await stack.ok<{ claims: Claim[] }>(other, 'claim.record.list')).claims).toEqual([]);
  });

  it('refuses an invalid confidence, stance or statement', async () => {
    for (const args of [{ statement: '' }, { statement: 'x', confidence: 1.5 }, { statement: 'a\0' }]) {
      expect((await stack.call(pm, 'claim.record.create', args)).error).toMatchObject({ code: 'VALIDATION_ERROR' });
    }
    expect((await link(await state(), [{ ref: 'x', stance: 'likes' }])).error).toMatchObject({ code: 'VALIDATION_ERROR' });
  });
});
