import { createAgents } from './agents/index.ts';
import { createAuthoring } from './authoring/index.ts';
import { withdrawDrafts } from './authoring/withdraw.ts';
import { createFeeds } from './feeds/index.ts';
import { createGovernance } from './governance/index.ts';
import { forgetRetired } from './graph/forget.ts';
import { createGraph } from './graph/index.ts';
import { forgetAnswers } from './graph/model-answers.ts';
import { graphRetrieval } from './graph/retrieval.ts';
import { follow } from './kernel/followers.ts';
import { createKernel, type Deps } from './kernel/kernel.ts';
import { createKnowledge } from './knowledge/index.ts';
import { createOutbound } from './outbound/index.ts';
import { forgetCorrections, forgetSignals } from './signals/forget.ts';
import { createSignals } from './signals/index.ts';
import { relinkSignals } from './signals/relink.ts';
import { createSubstrate } from './substrate/index.ts';
import { createWork } from './work/index.ts';

export type { Deps } from './kernel/kernel.ts';
export type Services = ReturnType<typeof createServices>;

follow({ documentsVoid: forgetAnswers, passagesGoing: forgetRetired });
follow({ documentsVoid: forgetSignals, sourcesDeleted: forgetCorrections, entitiesChanged: relinkSignals });
follow({ documentsWithdrawn: withdrawDrafts });

/** Wires the bounded contexts, each with those before it. Called once per process. */
export function createServices(deps: Deps) {
  const base = createKernel(deps);
  const { kernel } = base;
  const work = createWork(kernel);
  const substrate = createSubstrate(kernel);
  const governance = createGovernance(kernel, substrate);
  const outbound = createOutbound(kernel, governance);
  // What these two ask a later context is asked when all are there.
  const knowledge: ReturnType<typeof createKnowledge> = createKnowledge(kernel, substrate, {
    graph: graphRetrieval,
    retryEpisode: (tenant, id) => graph.graph.episodes.retry(tenant, id),
  });
  const graph: ReturnType<typeof createGraph> = createGraph(kernel, knowledge, {
    opportunities: {
      top: (tenant, entityIds, limit) => signals.opportunities.queries.top(tenant, entityIds, limit),
      chain: (tenant, id, limit) => signals.opportunities.evidence.chain(tenant, id, limit),
    },
    readAgain: (tenant) => signals.rereading.wakeSoon(tenant),
  });
  const signals = createSignals(kernel, knowledge, graph);
  const authoring = createAuthoring(kernel, outbound, graph);
  const feeds = createFeeds(kernel, outbound);
  const agents = createAgents(kernel, governance);
  return {
    ...base,
    ...work,
    ...substrate,
    ...governance,
    ...outbound,
    ...knowledge,
    ...graph,
    ...signals,
    ...authoring,
    ...feeds,
    ...agents,
  };
}
