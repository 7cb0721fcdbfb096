/** The screens: one table, from which the router, the navigation, the palette and the shortcuts are made. */
export interface Screen {
  path: string;
  title: string;
  /** After `g`. Screens of one record have none, and are not in the navigation. */
  letter?: string;
  group: (typeof groups)[number];
  /** The screen is offered to whoever may call one of these. */
  tools: string[];
}

export const groups = ['Now', 'Work', 'Evidence', 'Connect', 'Administration'] as const;

export const screens = [
  { path: '/', title: 'Overview', letter: 'h', group: 'Now', tools: ['system.overview.get'] },
  { path: '/console/inbox', title: 'Inbox', letter: 'i', group: 'Now', tools: ['system.inbox.list'] },
  { path: '/console/approvals', title: 'Approvals', group: 'Now', tools: ['approval.request.list'] },
  { path: '/console/ledger', title: 'Ledger', letter: 'l', group: 'Administration', tools: ['system.ledger.search'] },
  { path: '/console/calls/$id', title: 'Call', group: 'Administration', tools: ['system.call.get'] },
  { path: '/console/search', title: 'Search', letter: 's', group: 'Evidence', tools: ['index.chunk.search', 'graph.fact.search'] },
  { path: '/console/sources', title: 'Sources', letter: 'd', group: 'Evidence', tools: ['knowledge.source.list'] },
  { path: '/console/documents/$id', title: 'Document', group: 'Evidence', tools: ['knowledge.document.get'] },
  { path: '/console/entities', title: 'Entities', letter: 'e', group: 'Evidence', tools: ['entity.record.list'] },
  { path: '/console/entities/$id', title: 'Entity', group: 'Evidence', tools: ['entity.record.get'] },
  { path: '/console/reviews', title: 'Entity reviews', letter: 'q', group: 'Evidence', tools: ['entity.review.list'] },
  { path: '/console/memories', title: 'Memories', letter: 'z', group: 'Evidence', tools: ['memory.record.list'] },
  { path: '/console/memories/$id', title: 'Memory', group: 'Evidence', tools: ['memory.record.get'] },
  { path: '/console/work', title: 'Work', letter: 'w', group: 'Work', tools: ['work.board.get'] },
  { path: '/console/work/$id', title: 'Task', group: 'Work', tools: ['work.task.get'] },
  { path: '/console/signals', title: 'Signals', letter: 'n', group: 'Evidence', tools: ['signal.record.search'] },
  { path: '/console/insight', title: 'Insight', letter: 'm', group: 'Evidence', tools: ['insight.matrix.get'] },
  { path: '/console/opportunities', title: 'Opportunities', letter: 'o', group: 'Evidence', tools: ['opportunity.record.list'] },
  { path: '/console/opportunities/$id', title: 'Opportunity', group: 'Evidence', tools: ['opportunity.record.get'] },
  { path: '/console/drafts', title: 'Drafts', letter: 'r', group: 'Evidence', tools: ['authoring.draft.list'] },
  { path: '/console/drafts/$id', title: 'Draft', group: 'Evidence', tools: ['authoring.draft.get'] },
  { path: '/console/briefs', title: 'Briefs', letter: 'b', group: 'Evidence', tools: ['authoring.brief.list'] },
  { path: '/console/agents', title: 'Agents', letter: 'a', group: 'Work', tools: ['agent.registry.list'] },
  { path: '/console/agents/$id', title: 'Agent', group: 'Work', tools: ['agent.registry.list'] },
  { path: '/console/delegations', title: 'Delegations', letter: 'v', group: 'Work', tools: ['agent.task.list'] },
  { path: '/console/jobs', title: 'Jobs', letter: 'j', group: 'Work', tools: ['system.job.list'] },
  { path: '/console/policies', title: 'Policies', letter: 'p', group: 'Administration', tools: ['system.policy.list'] },
  { path: '/console/policies/$name', title: 'Policy', group: 'Administration', tools: ['system.policy.list'] },
  { path: '/console/servers', title: 'Servers', letter: 'x', group: 'Administration', tools: ['external.server.list'] },
  { path: '/console/servers/$name', title: 'Server', group: 'Administration', tools: ['external.server.list'] },
  { path: '/console/teams', title: 'Teams', letter: 'u', group: 'Administration', tools: ['access.stakeholder.list'] },
  { path: '/console/system', title: 'System', letter: 'y', group: 'Administration', tools: ['system.health.get'] },
  { path: '/console/connect', title: 'Connect', letter: 'c', group: 'Connect', tools: ['system.connection.describe'] },
  { path: '/console/tools', title: 'Tools', letter: 't', group: 'Connect', tools: ['system.tool.list'] },
  { path: '/console/tools/$name', title: 'Tool', group: 'Connect', tools: ['system.tool.describe'] },
  { path: '/console/a2a', title: 'A2A', letter: '2', group: 'Connect', tools: ['agent.a2a.list'] },
  { path: '/console/keys', title: 'Keys', letter: 'k', group: 'Connect', tools: ['access.key.list'] },
  { path: '/console/sessions', title: 'Sign-ins', letter: 'f', group: 'Connect', tools: ['access.session.list'] },
] as const satisfies Screen[];

const list: readonly Screen[] = screens;
/** Those with a place in the navigation. */
export const places = list.filter((screen): screen is Screen & { letter: string } => screen.letter !== undefined);

/** The screen of an address, without its query. A record's screen wins over its list only where the pattern fits. */
export function screenAt(path: string): Screen | undefined {
  const parts = path.split('/');
  return list.find((screen) => {
    const pattern = screen.path.split('/');
    return pattern.length === parts.length && pattern.every((part, i) => part.startsWith('$') || part === parts[i]);
  });
}

/** Links to screens that do not exist are not shown. */
export const hasScreen = (path: string): boolean => screenAt(path.split(/[?#]/)[0]!) !== undefined;

/** Whether the screen is shown at the address, or the list of the record that is. */
export const isAt = (screen: Screen, path: string): boolean =>
  screen.path === path || (screen.path === '/' ? path === '/console' : path.startsWith(`${screen.path}/`));
