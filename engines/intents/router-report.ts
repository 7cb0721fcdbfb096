import { reportTypes, type ReportType } from '../../contracts/authoring/authoring.ts';
import { areaIn, daysIn } from './router-analyze.ts';
import type { Args, Draft } from './router-needs.ts';
import { quoted, unquoted } from './router-reading.ts';
import { kindIn, takeLimit, wholeName, without } from './router-words.ts';

/** Pure: which report or artifact is wanted. What it is about may stand in `subject`; perform-report.ts finds out what that is. */

const papers = '(?:report|brief|briefing|write-?up|digest|memo|dossier|one-?pager|status paper|summary|overview|update|recap)';

const kinds: [RegExp, ReportType][] = [
  [/\b(?:customer|account|client)s?(?:['’]s?)? health\b|\bhealth (?:summary|report)\b/i, 'customer_health_summary'],
  [/\b(?:customer|account|client)s?(?:['’]s?)? impact\b|\bimpact (?:brief|report|summary)\b/i, 'customer_impact_brief'],
  [/\broad ?map\b/i, 'roadmap_summary'],
  [/\bcompetit(?:ive|ors?|ion)\b/i, 'competitive_intel'],
  [new RegExp(`\\b(?:daily|weekly|monthly|quarterly)\\s+(?:\\w+\\s+)?${papers}\\b`, 'i'), 'weekly_digest'],
  [/\b(?:product )?area overview\b/i, 'product_area_overview'],
];

const artifacts: [RegExp, string][] = [
  [/\bPRDs?\b|\bproduct requirements?(?: documents?| docs?)?\b|\brequirements document\b/i, 'prd'],
  [/\bRFCs?\b|\brequest for comments\b/i, 'rfc'],
  [/\bjira (?:issues?|tickets?|stories|epics?|tasks?)\b|\buser stories\b|\b(?:issues|tickets|stories) with acceptance criteria\b/i, 'jira'],
];

/** A type of report by its name, or as people call it. */
export function reportTypeIn(text: string): ReportType | undefined {
  const plain = text
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_')
    .replace(/[.!]+$/, '');
  return reportTypes.find((type) => type === plain) ?? kinds.find(([pattern]) => pattern.test(unquoted(text)))?.[1];
}

export const artifactTypeIn = (text: string): string | undefined =>
  artifacts.find(([pattern]) => pattern.test(unquoted(text)))?.[1] ?? (/\bone-?pager\b/i.test(unquoted(text)) ? 'one_pager' : undefined);

const aboutWords = '(?:on|about|for|of|regarding|covering|concerning)';
const readers =
  /\b(?:for|to) (?:the |our )?(leadership|executives?|management|board|engineers?|engineering|developers|designers?|design|sales|cs|customer success)(?: team)?\b/i;
const audiences: Record<string, string> = {
  le: 'leadership',
  ex: 'leadership',
  ma: 'leadership',
  bo: 'leadership',
  en: 'engineering',
  de: 'design',
  sa: 'cs_sales',
  cs: 'cs_sales',
  cu: 'cs_sales',
};

const reportOrder =
  /^(?:write|generate|create|prepare|draft|produce|compile|make|give|put together|assemble|compose|send|get|have|want|summari[sz]e|i need|we need|report|brief|write up|sum up in writing)\b.*?(?:\b(?:report|brief|briefing|write-?up|digest|memo|dossier|one-?pager|status paper)\b)?(?:\s+(?:me|us))?\s*(?:\b(?:on|about|for|of|regarding|covering|concerning)\b\s*)(?:us on|me on)?\s*/i;
const asPaper = new RegExp(`\\s+(?:in|as) (?:an?|one) (?:short |brief )?${papers}$`, 'i');
const everything = /^(?:everything|all|what we know|the (?:whole )?(?:knowledge|graph|landscape))$/i;

const latest = new RegExp(
  `^(?:show|get|give|open|read|fetch|find|what|where|see|send|is there)\\b.*\\b(?:latest|last|newest|most recent|current)\\b.{0,60}\\b${papers}\\b|^(?:the )?(?:latest|newest|most recent) .{0,60}\\b${papers}\\b`,
  'i',
);

export function report(text: string): Omit<Draft, 'skill'> {
  const { text: bounded, limit } = takeLimit(text);
  const said = unquoted(bounded);
  const reader = readers.exec(said)?.[1]?.slice(0, 2).toLowerCase();
  const audience = reader === undefined ? {} : { audience: audiences[reader] };
  const left = bounded.replace(readers, '').replace(/\s+/g, ' ').trim();
  const type = reportTypeIn(left);
  if (latest.test(said))
    return { tool: 'authoring.report.get_latest', arguments: type === undefined ? {} : { report_type: type, ...filters(type, left) } };
  const made = artifacts.find(([pattern]) => pattern.test(said));
  if (made) return { tool: 'authoring.artifact.generate', arguments: { artifact_type: made[1], ...basis(left, made[0]), ...audience } };

  const days = /\bdaily\b/i.test(said)
    ? 1
    : /\bmonthly\b/i.test(said)
      ? 30
      : /\bquarterly (?:\w+ )?\w*(?:report|digest|summary|update|recap)\b/i.test(said)
        ? 91
        : daysIn(said);
  const shape = {
    ...(/\bone-?pager\b/i.test(said) ? { format: 'one_pager' } : /\bdetailed\b/i.test(said) ? { format: 'detailed' } : {}),
    ...audience,
    ...(days === undefined ? (type === 'weekly_digest' ? { time_window_days: 7 } : {}) : { time_window_days: days }),
  };
  const tool = 'authoring.report.generate';
  if (type !== undefined) return { tool, arguments: { report_type: type, ...filters(type, left), ...shape } };
  const area = areaIn(left);
  if (area !== undefined) return { tool, arguments: { report_type: 'product_area_overview', filter_area: area, ...shape } };
  const subject = reportOrder.test(left) ? (quoted(left)[0] ?? without(left, reportOrder).replace(asPaper, '')) : '';
  if (everything.test(subject)) return { tool, arguments: { report_type: 'weekly_digest', time_window_days: 30, ...shape } };
  return { tool, arguments: { ...(subject === '' ? {} : { subject }), ...(limit === undefined ? {} : { limit }), ...shape } };
}

/** What a report of a type is narrowed to. */
function filters(type: ReportType, text: string): Args {
  const area = areaIn(text);
  if (area !== undefined) return { filter_area: area };
  const pattern = kinds.find(([, kind]) => kind === type)?.[0].exec(text);
  const tail = pattern ? text.slice(pattern.index + pattern[0].length) : text;
  const about = new RegExp(`\\b${aboutWords}\\b\\s+(?!(?:the )?(?:last|past|this|next)\\b)(.+)$`, 'i').exec(tail)?.[1];
  const name = quoted(tail)[0] ?? (about === undefined ? undefined : wholeName(about));
  if (name === undefined || everything.test(name)) return {};
  return type === 'customer_health_summary' || type === 'customer_impact_brief' ? { filter_customer: name } : { subject: name };
}

/** What an artifact is about: an opportunity by its id, an entity by its name. */
function basis(text: string, kind: RegExp): Args {
  const id = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/i.exec(text)?.[0];
  if (id !== undefined) return { opportunity_id: id };
  const found = kind.exec(text);
  const tail = found ? text.slice(found.index + found[0].length) : '';
  const about = new RegExp(`\\b${aboutWords}\\b\\s+(.+)$`, 'i').exec(tail)?.[1];
  const name = quoted(text)[0] ?? (about === undefined ? undefined : wholeName(about));
  const type = about === undefined ? undefined : kindIn(about);
  return name === undefined ? {} : { entity_name: name, ...(type === undefined ? {} : { entity_type: type }) };
}
