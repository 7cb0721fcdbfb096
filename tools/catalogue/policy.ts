import { hasScope, isPerson, readOnlyRoles, type Caller, type Front } from '../../contracts/caller.ts';
import { AppError } from '../../contracts/errors.ts';
import type { CareLevel, Policy, PolicyEffect, PolicySubject } from '../../contracts/governance/policy.ts';
import { onlyReads, type AnyTool } from './define.ts';

/** The decision about a call, the rule that made it, and the other rules that were checked. */
export interface Verdict {
  effect: PolicyEffect;
  /** Short name of the rule that decided, e.g. `scope`, `level standard`, `rule 2`. */
  rule: string;
  reason: string;
  hint?: string;
}

/** A0 to A2 for this caller: some tools need approval for agents but not for people. */
export const approvalOf = (tool: AnyTool, caller: Caller): 'A0' | 'A1' | 'A2' =>
  typeof tool.approval === 'string' ? tool.approval : tool.approval[isPerson(caller) ? 'people' : 'agents'];

const allow = (rule: string, reason: string): Verdict => ({ effect: 'allow', rule, reason });
const ask = (rule: string, reason: string): Verdict => ({ effect: 'ask', rule, reason });
const deny = (rule: string, reason: string, hint: string): Verdict => ({ effect: 'deny', rule, reason, hint });

/** The reason why this caller may not use this tool at all; null: it may. The single rule for listing, searching and calling. */
export function barrier(tool: AnyTool, caller: Caller, front: Front = 'mcp'): Verdict | null {
  if (tool.standsIn) return null;
  if (!onlyReads(tool) && !tool.own && readOnlyRoles.has(caller.role)) {
    const why = tool.secret ? `, and ${tool.name} tells a secret` : '';
    return deny('role', `The role "${caller.role}" is read-only${why}.`, 'Ask somebody with another role.');
  }
  if (tool.roles && !tool.roles.includes(caller.role)) {
    return deny('role', `${tool.name} is for the role ${tool.roles.join(' or ')}.`, 'Ask somebody with that role.');
  }
  if (caller.scopes.length > 0 && tool.scopes.length > 0 && !tool.scopes.some((scope) => hasScope(caller.scopes, scope))) {
    return deny('scope', `Your key lacks a scope for ${tool.name}.`, `It needs one of these scopes: ${tool.scopes.join(', ')}.`);
  }
  if (caller.access?.covers && !tool.ungoverned && !caller.access.covers(tool.name, tool.secret ? 'write' : tool.effect)) {
    return deny('capability', `None of your capabilities covers ${tool.name}.`, 'system.policy.explain shows which capabilities do.');
  }
  const scope = caller.access?.scope;
  if (scope && !tool.ungoverned) {
    if (!scope.configured) {
      const hint = `access.stakeholder.configure says what the team "${scope.team}" may see.`;
      return deny('team', 'Nobody has said yet what your team may see.', hint);
    }
    if (!tool.scoped) {
      return deny('team', `${tool.name} is not for stakeholder teams.`, 'They search, look up and read: system.tool.list shows with what.');
    }
  }
  const mounts = caller.access?.session?.mounts;
  if (tool.provider && mounts && !mounts.has(tool.provider)) {
    return deny('mount', `"${tool.provider}" is not mounted in this session.`, 'Mount it with system.session.open, or leave the session.');
  }
  const verdicts = policiesOf(caller).map((policy) => ruled(policy, tool, caller, front));
  return verdicts.find((verdict) => verdict?.effect === 'deny') ?? null;
}

export const refusal = ({ rule, reason, hint }: Verdict, tool: string): AppError =>
  new AppError('FORBIDDEN', reason, { ...(hint === undefined ? {} : { hint }), details: { rule, tool } });

/** Applies the caller's policy to a call of this tool. */
export function judge(tool: AnyTool, caller: Caller, front: Front): Verdict {
  const barred = barrier(tool, caller, front);
  if (barred) return barred;
  if (tool.ungoverned) return allow('always', 'Looking around and coming back for answers needs nobody.');
  const needs = approvalOf(tool, caller);
  const person = isPerson(caller);
  const verdicts = policiesOf(caller).map((policy) => ruled(policy, tool, caller, front) ?? byLevel(policy.level, needs, tool, person));
  const verdict = verdicts.toSorted((a, b) => gravity[a.effect] - gravity[b.effect])[0] ?? byLevel('standard', needs, tool, person);
  // A tenant's rule cannot remove the approval that A2 always needs.
  return needs === 'A2' && verdict.effect === 'allow' ? ask('always', `${tool.name} always needs a person's decision.`) : verdict;
}

const gravity = { deny: 0, ask: 1, allow: 2 };

const policiesOf = ({ access }: Caller): Policy[] => (access ? [access.policy, ...(access.policy.and ? [access.policy.and] : [])] : []);

function ruled(policy: Policy, tool: AnyTool, caller: Caller, front: Front): Verdict | null {
  if (policy.rules.length === 0) return null;
  const subject = subjectOf(tool, caller, front);
  const at = policy.rules.findIndex((rule) => rule.matches(subject));
  if (at < 0) return null;
  const { effect, reason } = policy.rules[at]!;
  const rule = `rule ${at + 1} of ${policy.name}`;
  return effect === 'deny' ? deny(rule, reason, 'A person of your tenant decides what the policy says.') : { effect, rule, reason };
}

export function subjectOf(tool: AnyTool, caller: Caller, front: Front): PolicySubject {
  const [domain = '', resource = '', action = ''] = tool.name.split('.');
  const session = caller.access?.session;
  return {
    tool: { name: tool.name, domain, resource, action, effect: tool.effect, approval: approvalOf(tool, caller), external: tool.external },
    caller: { name: caller.principal, kind: caller.principalKind, role: caller.role, team: caller.team ?? '', front },
    session: { id: session?.id ?? '', mounts: [...(session?.mounts ?? [])] },
  };
}

/** The default of a level of care, if no rule applies. */
function byLevel(level: CareLevel, needs: 'A0' | 'A1' | 'A2', tool: AnyTool, person: boolean): Verdict {
  const rule = `level ${level}`;
  if (needs === 'A2') return ask(rule, `${tool.name} always needs a person's decision.`);
  if (level === 'open') return allow(rule, 'Nothing but what always asks does here.');
  if (level === 'standard') {
    return needs === 'A1' && !person ? ask(rule, `Agents ask before ${tool.name}.`) : allow(rule, 'Nothing here asks for a decision.');
  }
  const grave = needs === 'A1' || tool.effect === 'destructive' || (tool.external && tool.effect !== 'read');
  if (level === 'careful') {
    return grave
      ? ask(rule, 'What destroys, or reaches outside, is decided by a person.')
      : allow(rule, 'It neither destroys nor reaches outside.');
  }
  if (tool.effect === 'read')
    return tool.external ? ask(rule, 'Even reading outside is decided by a person.') : allow(rule, 'It only reads.');
  return grave || !person ? ask(rule, 'Whatever changes something is decided by a person.') : allow(rule, 'A person makes the change.');
}
