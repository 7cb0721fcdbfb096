/** Activities of the opportunities workflow. Imports nothing, so that workflow code may use it. */

export interface OpportunitiesWorked {
  /** `empty`: nothing left; `more`: call again. */
  state: 'empty' | 'more';
  /** Changed signals that were processed. */
  changes: number;
  /** Clusters that were recomputed with their neighbours. */
  refined: number;
  /** Clusters whose counts and scores were updated. */
  counted: number;
}

/** Idempotent: may run twice, late, or be killed half-way. */
export interface OpportunityActivities {
  /** Processes changed signals of a tenant for some seconds. */
  workOnOpportunities(tenant: string): Promise<OpportunitiesWorked>;
}
