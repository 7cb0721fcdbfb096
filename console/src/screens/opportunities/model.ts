/** Pure: a score as the product of its factors, step by step. */
import type { FactorName, FactorViews, OpportunityStatus } from '../../../../contracts/signals/opportunities.ts';
import type { AspectName } from '../../ui/Aspect.tsx';
import { worded } from '../../ui/words.ts';

export const listDefaults = { status: 'all', trend: '', q: '', sort: 'score', closed: '' };

const factorNames: FactorName[] = ['impact', 'confidence', 'strategic_alignment', 'urgency', 'effort'];

export interface FactorStep {
  factor: FactorName;
  value: number;
  /** The product before and after it. Effort divides. */
  before: number;
  after: number;
}

export const stepsOf = (factors: Pick<FactorViews, FactorName>): FactorStep[] => {
  let product = 1;
  return factorNames.map((factor) => {
    const { value } = factors[factor];
    const before = product;
    product = factor === 'effort' ? product / value : product * value;
    return { factor, value, before, after: product };
  });
};

/** Products below this are drawn as this: the scale is logarithmic, and a factor may be 0. */
const least = 0.1;
/** Place of a product on a logarithmic scale from 0 to 1, within the products of these steps. */
export function placeOf(steps: readonly FactorStep[]): (product: number) => number {
  const all = [1, ...steps.map(({ after }) => after)].map((each) => Math.max(least, each));
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const width = Math.log(high / low) || 1;
  return (product) => Math.log(Math.max(least, product) / low) / width;
}

/** `+33.1`, `−4`. */
export function signed(n: number): string {
  const shown = Math.abs(n) >= 100 ? Math.abs(n).toFixed(0) : String(Math.round(Math.abs(n) * 100) / 100);
  return n < 0 && shown !== '0' ? `−${shown}` : `+${shown}`;
}
export const rounded = (n: number): string => (Math.abs(n) >= 100 ? n.toFixed(0) : String(Math.round(n * 100) / 100));

export const statusAspects: Record<OpportunityStatus, AspectName> = {
  new: 'caution',
  reviewing: 'held',
  accepted: 'clear',
  rejected: 'out',
};
/** What leads to a status, as a person says it. */
export const verbs: Record<OpportunityStatus, string> = { new: 'Back to new', reviewing: 'Review', accepted: 'Accept', rejected: 'Reject' };

const text = (value: unknown): string =>
  value === null || value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value);

/** A line of the history in words. */
export function happened({ event, data }: { event: string; data: Record<string, unknown> }): string {
  const { from, to, factor, reason } = data;
  const why = reason ? `: ${text(reason)}` : '';
  if (event === 'status') return `${text(from)} → ${text(to)}${why}`;
  if (event === 'factor')
    return to === null
      ? `${worded(text(factor))} reset to its computed value`
      : `${worded(text(factor))} set to ${text(to)}, was ${text(from)}${why}`;
  if (event === 'title') return to === null ? 'named by its evidence again' : `named “${text(to)}”`;
  const rest = Object.entries(data).map(([name, value]) => `${worded(name)} ${text(value)}`);
  return [worded(event), ...rest].join(', ');
}
