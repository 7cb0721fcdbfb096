import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { screens } from './screens.ts';
import { Broken } from './shell/Broken.tsx';
import { NotFound } from './shell/NotFound.tsx';
import { Shell } from './shell/Shell.tsx';
import { parseSearch, stringifySearch } from './url.ts';

/** The code of each screen, loaded when it is shown first. */
const code: Record<(typeof screens)[number]['path'], () => Promise<{ default: ComponentType }>> = {
  '/': () => import('./screens/overview/Overview.tsx'),
  '/console/inbox': () => import('./screens/inbox/Inbox.tsx'),
  '/console/approvals': () => import('./screens/approvals/Approvals.tsx'),
  '/console/ledger': () => import('./screens/ledger/Ledger.tsx'),
  '/console/calls/$id': () => import('./screens/calls/Call.tsx'),
  '/console/search': () => import('./screens/search/Search.tsx'),
  '/console/sources': () => import('./screens/sources/Sources.tsx'),
  '/console/documents/$id': () => import('./screens/document/Document.tsx'),
  '/console/entities': () => import('./screens/entities/Entities.tsx'),
  '/console/entities/$id': () => import('./screens/entity/Entity.tsx'),
  '/console/reviews': () => import('./screens/reviews/Reviews.tsx'),
  '/console/memories': () => import('./screens/memories/Memories.tsx'),
  '/console/memories/$id': () => import('./screens/memories/Memory.tsx'),
  '/console/work': () => import('./screens/work/Work.tsx'),
  '/console/work/$id': () => import('./screens/work/Task.tsx'),
  '/console/signals': () => import('./screens/signals/Signals.tsx'),
  '/console/insight': () => import('./screens/insight/Insight.tsx'),
  '/console/opportunities': () => import('./screens/opportunities/Opportunities.tsx'),
  '/console/opportunities/$id': () => import('./screens/opportunities/Opportunity.tsx'),
  '/console/drafts': () => import('./screens/drafts/Drafts.tsx'),
  '/console/drafts/$id': () => import('./screens/drafts/Draft.tsx'),
  '/console/briefs': () => import('./screens/briefs/Briefs.tsx'),
  '/console/agents': () => import('./screens/agents/Agents.tsx'),
  '/console/agents/$id': () => import('./screens/agents/Agent.tsx'),
  '/console/delegations': () => import('./screens/delegations/Delegations.tsx'),
  '/console/jobs': () => import('./screens/jobs/Jobs.tsx'),
  '/console/policies': () => import('./screens/policies/Policies.tsx'),
  '/console/policies/$name': () => import('./screens/policies/Policy.tsx'),
  '/console/servers': () => import('./screens/servers/Servers.tsx'),
  '/console/servers/$name': () => import('./screens/servers/Server.tsx'),
  '/console/teams': () => import('./screens/teams/Teams.tsx'),
  '/console/system': () => import('./screens/system/System.tsx'),
  '/console/connect': () => import('./screens/connect/Connect.tsx'),
  '/console/tools': () => import('./screens/tools/Tools.tsx'),
  '/console/tools/$name': () => import('./screens/tools/Tool.tsx'),
  '/console/a2a': () => import('./screens/a2a/A2a.tsx'),
  '/console/keys': () => import('./screens/keys/Keys.tsx'),
  '/console/sessions': () => import('./screens/sessions/Sessions.tsx'),
};

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound });
const getParentRoute = () => root;
const routes = screens.map(({ path }) => createRoute({ getParentRoute, path, component: lazyRouteComponent(code[path]) }));
const home = createRoute({ getParentRoute, path: '/console', component: lazyRouteComponent(code['/']) });
/** A one-time code in the fragment signs in here; then the browser goes on to the first screen. */
const signIn = createRoute({ getParentRoute, path: '/console/sign-in', component: () => null });

export const router = createRouter({
  routeTree: root.addChildren([...routes, home, signIn]),
  // Without one, the router's own page takes the place of the shell as well.
  defaultErrorComponent: Broken,
  parseSearch,
  stringifySearch,
});
