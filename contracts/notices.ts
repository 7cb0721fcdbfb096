/** What processes tell each other through Postgres: that something may have changed, never what. */

/** One channel for all topics, so that a process listens once. */
export const noticeChannel = 'signalbox';

/** Kinds of things that somebody waits for, by their ids. */
export const topics = {
  delegation: (tenant: string, id: string): string => `delegation/${tenant}/${id}`,
  a2aTask: (tenant: string, id: string): string => `a2a/${tenant}/${id}`,
  approval: (tenant: string, id: string): string => `approval/${tenant}/${id}`,
  inbox: (tenant: string, agent: string): string => `inbox/${tenant}/${agent}`,
  /** What clients would list has changed: for all of a tenant's, for those that list external tools, for those in a session. */
  toolRights: (tenant: string): string => `tools/${tenant}/rights`,
  externalTools: (tenant: string): string => `tools/${tenant}/external`,
  /** Something was told (a trigger on the outbox writes it); who is told has changed. */
  events: (tenant: string): string => `events/${tenant}`,
  subscriptions: (): string => 'events',
  workSession: (tenant: string, id: string): string => `tools/${tenant}/session/${id}`,
};
