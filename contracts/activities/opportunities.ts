/** What the opportunities workflow does to the world. Imports nothing, so that workflow code may use it. */

export interface OpportunitiesWorked {
  /** `empty`: nothing is left to do; `more`: there is. */
  state: 'empty' | 'more';
  /** Changes of signals that were taken up. */
  changes: number;
  /** Clusters that were drawn anew with their neighbours. */
  refined: number;
  /** Clusters that were counted and scored. */
  counted: number;
}

/** May run twice, late, or be killed half-way, and leaves the same behind. */
export interface OpportunityActivities {
  /** Takes up changes of a tenant's signals for some seconds. */
  workOnOpportunities(tenant: string): Promise<OpportunitiesWorked>;
}
