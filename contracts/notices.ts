/** Notices between processes through Postgres: they say that something may have changed, never what. */

/** One channel for all topics, so that a process listens once. */
export const noticeChannel = 'signalbox';

/** Topics that processes wait for, by id. */
export const topics = {
  delegation: (tenant: string, id: string): string => `delegation/${tenant}/${id}`,
  a2aTask: (tenant: string, id: string): string => `a2a/${tenant}/${id}`,
  approval: (tenant: string, id: string): string => `approval/${tenant}/${id}`,
  /** A key was revoked or replaced. */
  keys: (tenant: string): string => `keys/${tenant}`,
  /** A run of an agent has said something, or has ended. */
  workRun: (tenant: string, id: string): string => `work-run/${tenant}/${id}`,
  inbox: (tenant: string, agent: string): string => `inbox/${tenant}/${agent}`,
  /** The tool list may have changed: for the whole tenant, for users of external tools, for one session. */
  toolRights: (tenant: string): string => `tools/${tenant}/rights`,
  externalTools: (tenant: string): string => `tools/${tenant}/external`,
  /** New events (written by a trigger on the outbox), or changed subscriptions. */
  events: (tenant: string): string => `events/${tenant}`,
  subscriptions: (): string => 'events',
  /** An MCP session has ended, or a message of its client reached another api. Also a stream of the old transport. */
  mcpSession: (tenant: string, id: string): string => `mcp/${tenant}/${id}`,
  workSession: (tenant: string, id: string): string => `tools/${tenant}/session/${id}`,
};
