import { hasScope, isPerson, type Caller, type PrincipalKind } from '../../contracts/caller.ts';
import { AppError } from '../../contracts/errors.ts';
import { careLevels, type PolicyDefinition } from '../../contracts/governance/policy.ts';

/** What a key may do, as far as a maker could give away too much. */
export interface Rights {
  name: string;
  kind: PrincipalKind;
  scopes: readonly string[];
  capabilities: readonly string[];
  policy: string;
  /** Null: the default. */
  rpm: number | null;
  burst: number | null;
  expiresAt: Date | null;
}

/** What else the rules need to know. */
export interface Known {
  /** The maker's policy, and the one wanted. */
  own: PolicyDefinition;
  wanted: PolicyDefinition;
  /** The maker's limits, and the default for a key without limits. */
  limits: { rpm: number; burst: number };
  defaults: { rpm: number; burst: number };
  /** When the maker's key ends. */
  ends: Date | null;
  /** A person has a key of this name. */
  nameOfPerson: boolean;
}

/**
 * A key never allows more than its maker's. Agents are held to more than people, who answer for what they make: neither
 * limits, nor end, nor name of an agent's keys go beyond its own.
 * @throws AppError FORBIDDEN
 */
export function assertNoMore(maker: Caller, wanted: Rights, known: Known): void {
  const tooMuch = excessOf(maker, wanted, known);
  if (!tooMuch) return;
  const [rule, message, hint] = tooMuch;
  throw new AppError('FORBIDDEN', message, { hint, details: { rule } });
}

function excessOf(maker: Caller, wanted: Rights, known: Known): [rule: string, message: string, hint: string] | null {
  const person = isPerson(maker);
  if (!person && wanted.kind !== 'agent') {
    return ['kind', 'An agent makes no key of a person.', 'A person of your tenant makes it, or leave out "kind".'];
  }
  if (maker.scopes.length > 0) {
    const scope = wanted.scopes.find((one) => !hasScope(maker.scopes, one));
    const hint = `Give some of your own: ${maker.scopes.join(', ')}.`;
    if (wanted.scopes.length === 0) return ['scopes', 'Your key has scopes, so a key that you make needs scopes, too.', hint];
    if (scope !== undefined) return ['scopes', `Your key does not have the scope ${scope}.`, hint];
  }
  if (maker.capabilities.length > 0) {
    const capability = wanted.capabilities.find((one) => !maker.capabilities.includes(one));
    const hint = `Give some of your own: ${maker.capabilities.join(', ')}.`;
    if (wanted.capabilities.length === 0) return ['capabilities', 'Your key declares capabilities, so its keys need some, too.', hint];
    if (capability !== undefined) return ['capabilities', `Your key does not have the capability ${capability}.`, hint];
  }
  if (wanted.policy !== maker.policy && !isStricter(known.own, known.wanted)) {
    return [
      'policy',
      `The policy ${wanted.policy} may allow more than yours (${maker.policy}).`,
      'Leave "policy" out: then it is your own.',
    ];
  }
  if (person) return null;
  const rpm = wanted.rpm ?? known.defaults.rpm;
  const burst = wanted.burst ?? known.defaults.burst;
  if (rpm > known.limits.rpm || burst > known.limits.burst) {
    return ['limits', `Your key has ${known.limits.rpm} calls per minute and a burst of ${known.limits.burst}.`, 'Give no more than that.'];
  }
  if (known.ends && (!wanted.expiresAt || wanted.expiresAt > known.ends)) {
    return [
      'expires',
      `Your key expires at ${known.ends.toISOString()}; keys that you create may not outlive it.`,
      'Give an earlier expiry.',
    ];
  }
  if (known.nameOfPerson) return ['name', `A person is called "${wanted.name}".`, 'Give it another name.'];
  return null;
}

/** Rules could allow what a level does not, so levels are compared only where the maker's policy has no rules, and the other no exceptions. */
const isStricter = (own: PolicyDefinition, wanted: PolicyDefinition): boolean =>
  own.rules.length === 0 &&
  wanted.rules.every(({ effect }) => effect !== 'allow') &&
  careLevels.indexOf(wanted.base) >= careLevels.indexOf(own.base);
