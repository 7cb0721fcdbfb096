import { reportTypes, type ReportType } from '../../contracts/authoring/authoring.ts';
import { areaIn } from './router-analyze.ts';
import { toolsOf } from './router-cues.ts';
import { quoted, unquoted } from './router-reading.ts';
import { behind, daysIn, given, kindIn, pattern, pick, rx, takeLimit, wholeName, without, type Args } from './router-words.ts';

/** Pure: the requested report or artifact. Its subject may be in `subject`, which perform-report.ts identifies. */

const kinds: Partial<Record<ReportType, RegExp>> = {
  customer_health_summary: rx`\b(customer|account|client)s?(['’]s?)? health\b|\bhealth (summary|report)\b`,
  customer_impact_brief: rx`\b(customer|account|client)s?(['’]s?)? impact\b|\bimpact (brief|report|summary)\b`,
  roadmap_summary: /\broad ?map\b/i,
  competitive_intel: /\bcompetit(?:ive|ors?|ion)\b/i,
  weekly_digest: rx`\b(daily|weekly|monthly|quarterly)\s+(\w+\s+)?{papers}\b`,
  product_area_overview: /\b(?:product )?area overview\b/i,
};
const artifacts = { prd: rx`\b{prd}\b`, rfc: rx`\b{rfc}\b`, jira: rx`\b{jira}\b` };
const onePager = /\bone-?pager\b/i;

/** A type of report by its name or a common synonym. */
export function reportTypeIn(text: string): ReportType | undefined {
  const plain = text
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_')
    .replace(/[.!]+$/, '');
  return reportTypes.find((type) => type === plain) ?? pick(kinds, unquoted(text));
}

export const artifactTypeIn = (text: string): string | undefined => pick({ ...artifacts, one_pager: onePager }, unquoted(text));

const readers = rx`\b(for|to) (the |our )?(?<who>leadership|executives?|management|board|engineers?|engineering|developers|designers?|design|sales|cs|customer success)( team)?\b`;
const audiences = { engineering: /^engineer/i, design: /^design/i, cs_sales: /^(?:sales|cs|customer)/i, leadership: /^/ };
const windows: [RegExp, number][] = [
  [/\bdaily\b/i, 1],
  [/\bmonthly\b/i, 30],
  [/\bquarterly (?:\w+ )?\w*(?:report|digest|summary|update|recap)\b/i, 91],
];

const reportOrder = rx`^({write}|summari[sz]e|report|brief|write up|sum up in writing)\b.*?(\b{paper}\b)?(\s+(me|us))?\s*(\b{about}\b\s*)(us on|me on)?\s*`;
const asPaper = rx`\s+(in|as) (an?|one) (short |brief )?{papers}$`;
const everything = /^(?:everything|all|what we know|the (?:whole )?(?:knowledge|graph|landscape))$/i;

const latest = 'authoring.report.get_latest';

export function report(text: string): { tool: string; arguments: Args } {
  const { text: bounded, limit } = takeLimit(text);
  const said = unquoted(bounded);
  const who = readers.exec(said)?.groups!['who'];
  const audience = who === undefined ? undefined : pick(audiences, who);
  const left = bounded.replace(readers, '').replace(/\s+/g, ' ').trim();
  const type = reportTypeIn(left);
  const about = type === undefined ? {} : { report_type: type, ...filters(type, left) };
  if (toolsOf('generate-report', bounded).has(latest)) return { tool: latest, arguments: about };
  const made = pick(artifacts, said);
  if (made)
    return { tool: 'authoring.artifact.generate', arguments: given({ artifact_type: made, ...basis(left, artifacts[made]), audience }) };

  const days = windows.find(([period]) => period.test(said))?.[1] ?? daysIn(said);
  const shape = {
    format: onePager.test(said) ? 'one_pager' : /\bdetailed\b/i.test(said) ? 'detailed' : undefined,
    audience,
    time_window_days: days ?? (type === 'weekly_digest' ? 7 : undefined),
  };
  const as = (args: Args) => ({ tool: 'authoring.report.generate', arguments: given({ ...args, ...given(shape) }) });
  if (type !== undefined) return as(about);
  const area = areaIn(left);
  if (area !== undefined) return as({ report_type: 'product_area_overview', filter_area: area });
  const subject = reportOrder.test(left) ? (quoted(left)[0] ?? without(left, reportOrder).replace(asPaper, '')) : '';
  return as(everything.test(subject) ? { report_type: 'weekly_digest', time_window_days: 30 } : { subject, limit });
}

/** The text after a word such as "on" or "for". */
const topicOf = (text: string, not = ''): string => pattern(`\\b{about}\\b\\s+${not}(?<what>.+)$`).exec(text)?.groups!['what'] ?? '';

/** The filters for a type of report. */
function filters(type: ReportType, text: string): Args {
  const area = areaIn(text);
  if (area !== undefined) return { filter_area: area };
  const tail = behind(text, kinds[type] ?? /^/);
  const name = quoted(tail)[0] ?? wholeName(topicOf(tail, '(?!(the )?(last|past|this|next)\\b)'));
  if (name === undefined || everything.test(name)) return {};
  return type === 'customer_health_summary' || type === 'customer_impact_brief' ? { filter_customer: name } : { subject: name };
}

/** The subject of an artifact: an opportunity by id, or an entity by name. */
function basis(text: string, kind: RegExp): Args {
  const id = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/i.exec(text)?.[0];
  if (id !== undefined) return { opportunity_id: id };
  const about = topicOf(behind(text, kind));
  const name = quoted(text)[0] ?? wholeName(about);
  return name === undefined ? {} : given({ entity_name: name, entity_type: kindIn(about) });
}
