import { z } from 'zod';
import { entityId, entityName, entityType } from '../../contracts/graph/graph.ts';
import { words } from '../../contracts/knowledge/knowledge.ts';
import { opportunityId } from '../../contracts/signals/opportunities.ts';
import { severities, signalClasses, signalSources, statementStates, tones } from '../../contracts/signals/signals.ts';
import { endOf, moment } from '../../contracts/times.ts';
import type { SignalQuery } from '../../services/signals/index.ts';

/** Filters of the tools that find and count signals. */
export const signalFilters = {
  source: z.enum([...signalSources, 'all']).default('all'),
  class: z.array(z.enum(signalClasses)).max(signalClasses.length).optional().describe('Any of these'),
  customer: entityName.optional(),
  feature: entityName.optional(),
  issue: entityName.optional(),
  theme: entityName.optional(),
  competitor: entityName.optional(),
  entity_ids: z.array(entityId).max(5).optional().describe('About all of these entities'),
  opportunity_id: opportunityId.optional().describe('Evidence of this opportunity'),
  state: z.enum(statementStates).optional().describe('How things stood when it was said'),
  unsettled: z.boolean().optional().describe('Only open ones that nothing later resolved or withdrew'),
  entity_type: entityType.optional().describe('Only statements about something of this type, e.g. customer'),
  area: words(200).optional().describe('Product area'),
  author: words(200).optional(),
  severity: z.enum(severities).optional().describe('This severity or higher'),
  tone: z.enum(tones).optional(),
  sentiment_from: z.number().min(-1).max(1).optional(),
  sentiment_to: z.number().min(-1).max(1).optional(),
  date_from: moment.optional(),
  date_to: moment.optional().describe('A day means its end'),
  as_of: moment.optional().describe('Ignores what was said or settled after this day (UTC). Default: now'),
  group_id: z.string().max(64).optional().describe('A group of near-duplicates'),
};
const filters = z.object(signalFilters);

const at = (given: string | undefined): Date | undefined => (given === undefined ? undefined : new Date(given));
const end = (given: string | undefined): Date | undefined => (given === undefined ? undefined : new Date(endOf(given)));

/** The same in the words of the service. */
export const filtersOf = (given: z.infer<typeof filters>): Omit<SignalQuery, 'limit' | 'cursor' | 'query'> => ({
  source: given.source === 'all' ? undefined : given.source,
  classes: given.class,
  customer: given.customer,
  feature: given.feature,
  issue: given.issue,
  theme: given.theme,
  competitor: given.competitor,
  about: given.entity_ids,
  opportunityId: given.opportunity_id,
  state: given.state,
  unsettled: given.unsettled,
  aboutType: given.entity_type,
  area: given.area,
  author: given.author,
  severity: given.severity,
  tone: given.tone,
  sentimentFrom: given.sentiment_from,
  sentimentTo: given.sentiment_to,
  from: at(given.date_from),
  to: end(given.date_to),
  asOf: end(given.as_of),
  groupId: given.group_id,
});
