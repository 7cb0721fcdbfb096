import type { PrincipalKind, Role } from '../caller.ts';
import type { PolicyEffect, StakeholderScope } from './policy.ts';

/** What the console knows about its user: the answer of `GET /console/api/session`. */
export interface ConsoleFacts {
  tenant: string;
  principal: string;
  kind: PrincipalKind;
  role: Role;
  team: string | null;
  /** What a team's key sees. */
  scope?: StakeholderScope;
  scopes: string[];
  capabilities: string[];
  /** Name and version. */
  policy: string;
  key: { id: string; name: string; ends: string | null };
  /** The verdict of each tool, as a call would get it now. Shows and hides controls; the server decides again. */
  may: Record<string, PolicyEffect>;
  features: { a2a: boolean; neo4j: boolean; qdrant: boolean; llm: boolean };
  /** Temporal's UI, for links to processes. */
  temporal: { url: string; namespace: string } | null;
  /** False: this server needs no key. */
  sign_in: boolean;
  version: string;
  /** The build of the console; null: it is not built. */
  build: string | null;
  /** `events`: the stream of events followed from here tells all that happened after this answer. */
  session: { ends: string | null; events: string };
}

/** What the sign-in page offers: the answer of `GET /console/api/sign-in`. */
export interface SignInFacts {
  /** Where people sign in beside the key; null: nowhere. */
  issuer: { name: string; path: string } | null;
  /** Why the last sign-in there failed. */
  failure: { message: string; hint: string | null } | null;
}
