import { analyze } from './router-analyze.ts';
import { toolsOf } from './router-cues.ts';
import type { Draft } from './router-forms.ts';
import { ingest } from './router-ingest.ts';
import { propose } from './router-propose.ts';
import { parted, plainly, quoted, type Reading } from './router-reading.ts';
import { report } from './router-report.ts';
import { dateIn, given, isEntityId, kindIn, named, nameIn, pick, rx, takeLimit, wholeName, without, type Args } from './router-words.ts';

type Call = Omit<Draft, 'skill'>;

/** Longer text is content, not an instruction, and the patterns below are too slow for megabytes. */
const longestOrder = 4_000;

const readers: Record<string, (text: string) => Call> = {
  'search-signals': search,
  'flag-issue': flag,
  'lookup-entity': lookup,
  'propose-entity-change': propose,
  'analyze-landscape': analyze,
  'trace-provenance': trace,
  'generate-report': report,
};

/** The draft of a skill from words and files. The caller overrides it with arguments from data. */
export function draftOf(skill: string, { text, files }: Reading): Draft {
  if (skill === 'ingest-content') return { skill, ...ingest(text, files) };
  return { skill, ...readers[skill]!(plainly(text.slice(0, longestOrder))) };
}

const searchOrder = rx`^(search|find|look|query|fetch|retrieve|dig up|pull up|hunt|show|get|give|(i|we) need)\b(\s+(me|us))?(\s+(for|up))?(\s+(all|any|every|the|some)\b)?(\s+(our |the )?(knowledge base|documents|docs|notes|transcripts)\s+for\b)?(\s+(facts?|passages?|quotes?|evidence|signals?|feedback|mentions|results|documents?)\b)?(\s+(about|on|for|of|that mention|mentioning|regarding)\b)?[\s:]*`;

function search(text: string): Call {
  const { text: left, limit } = takeLimit(text);
  const as_of = /\bas of\b/i.test(left) ? dateIn(left) : undefined;
  const asked = left.replace(/[,;]?\s*\bas of \d{4}-\d{2}-\d{2}\b/i, '');
  const query = without(asked, /^(?:wh|how|did|do|has|have|is|are|any)/i.test(left) ? /^$/ : searchOrder);
  return { tool: toolsOf('search-signals', left).keys().next().value ?? 'index.chunk.search', arguments: given({ query, limit, as_of }) };
}

const flagOrder = rx`^((new )?(issue|bug|problem|incident|outage|alert)(\s+report)?(?=\s*([:,–—\-]|$))|(something|it) is broken(?=\s*([:,–—\-]|$))|(flag|escalate|report|raise|file|log|open|register|note|create|record|submit)\b|(there('s| is)|we have|((i|we) )?(have )?(found|noticed)|we (are|'re) seeing|we hit)\b)(\s+(as|that|an?|the|this|another|new|following)\b)*(\s+{severity})?(\s+new)?(\s+{defect})?(\s+(called|named|titled|with|in|about|that|where|whereby)\b)?[\s:,–—\-]*`;

const severities = {
  critical: /\b(?:critical|blocker|sev(?:erity)?[ -]?[01]|p0|outage|showstopper)\b/i,
  high: /\b(?:high|severe|serious|major|urgent|sev(?:erity)?[ -]?2|p1)\b/i,
  medium: /\b(?:medium|moderate|sev(?:erity)?[ -]?3|p2)\b/i,
  low: /\b(?:low|minor|trivial|cosmetic|p3)\b/i,
};

function flag(text: string): Call {
  const { head, rest } = parted(text);
  let [name] = quoted(head);
  let reason: string;
  if (name !== undefined) reason = [head.slice(head.indexOf(name) + name.length + 1), rest].filter(Boolean).join(' ');
  else {
    const whole = [without(head, flagOrder), rest].filter(Boolean).join('. ');
    const cut = /[.!?]\s+|\n+|\s+[–—-]\s+|,?\s+because\s+|,\s+(?=(?:users?|customers?|people|they|it|which|so|and)\b)/i.exec(whole);
    name = cut ? whole.slice(0, cut.index) : whole;
    reason = cut ? whole.slice(cut.index + cut[0].length) : '';
  }
  const args = {
    issue_name: name.replace(/[\s.:;,]+$/, '').slice(0, 200),
    reason: reason.replace(/^[\s:,.;–—-]*(?:because\s+|reason:\s*)?/i, '').trim(),
    severity: pick(severities, head),
  };
  return { tool: 'entity.issue.flag', arguments: given(args) };
}

const lookupOrder = rx`^(look\s?-?up|who (is|are|was)|what (is|are|was|do we know (about|of)|can you tell (me|us) about)|which|tell (me|us) (more )?about|describe|identify|find|show( me| us)?|get|give (me|us)|fetch|list|open)\b[\s:]*(the )?((profile|details|aliases|other names|record|entry|history|information|info|background)( of| on| for| about)?)?[\s:]*`;
const health = 'entity.feature.get_health';
const impact = 'entity.issue.get_impact';
const profile = 'entity.customer.get_profile';

function lookup(text: string): Call {
  const entity_type = kindIn(text);
  const { text: left, limit } = takeLimit(text);
  const cued = toolsOf('lookup-entity', left);
  const [inQuotes] = quoted(left);
  const about = (cue: string, slot: string, tool = cue): Call => {
    const name = inQuotes ?? wholeName(cued.get(cue)!.replace(/\s+(?:doing|affect|hit|hurt|impact)\s*\??$/i, ''));
    return { tool, arguments: given({ [slot]: name }) };
  };
  const customer = entity_type === 'customer' && !/\bwhich customers\b/i.test(left);

  if (cued.has('entity.resolution.get_stats') && inQuotes === undefined) {
    const days = /\b(\d{1,3})\s+days?\b/i.exec(text)?.[1];
    return {
      tool: 'entity.resolution.get_stats',
      arguments: given({ window_days: days && Math.min(400, Math.max(1, Number(days))), entity_type }),
    };
  }
  if (cued.has(health)) return customer ? about(health, 'customer_name', profile) : about(health, 'feature_name');
  if (cued.has(impact)) return about(impact, 'issue_name');
  if (cued.has(profile) && customer) return about(profile, 'customer_name');
  const related = cued.get('graph.entity.find_related');
  if (related !== undefined)
    return { tool: 'graph.entity.find_related', arguments: given({ ...named(inQuotes ?? nameIn(related)), limit }) };
  if (cued.has('entity.record.list') && inQuotes === undefined && (entity_type !== undefined || /\bentit/i.test(left))) {
    const search = /\b(?:called|named|like|starting with|beginning with|matching)\s+(\S.*)$/i.exec(left)?.[1]?.replace(/[?.!]+$/, '');
    const count = limit ?? Number(/^\S+\s+(?:me\s+)?(?:the\s+)?(?:first\s+)?(\d{1,3})\b/.exec(left)?.[1] ?? 0);
    return { tool: 'entity.record.list', arguments: given({ entity_type, search, limit: count >= 1 ? Math.min(count, 100) : undefined }) };
  }
  return { tool: 'entity.record.get', arguments: given({ ...named(nameIn(without(left, lookupOrder))), entity_type }) };
}

const traceOrder = rx`^(please\s+)?(trace|verify|fact-?check|substantiate|prove|back up|double-?check|what (is|are) (the |our )?(evidence|proof|sources?|basis)( there)?|what (supports|backs|proves|is behind)|how do we know|is it (really )?(true|correct|right)|can we (prove|show)|which sources? (say|support|back|show)|where does|show (me )?(the )?(provenance|evidence|proof)|where (did|do) we get|on what (evidence|basis|grounds) (do|can) we say|is the (claim|statement))\b(\s+(that|for|behind|of|to|up|the (claim|statement|idea|assertion|number)|this (claim|statement)|our (claim|statement)|says?))*[\s:,]*`;
const traceEnd =
  /\s+(?:to its sources?|back to its (?:evidence|sources?)|come from|comes from|originate|based on|backed (?:up )?by \w+)\s*\??$/i;

function trace(text: string): Call {
  const said = quoted(text)[0] ?? without(text, traceOrder).replace(traceEnd, '');
  const claim = said
    .replace(/^(?:the )?(?:claim|statement|assertion)\s+(?:that\s+)?/i, '')
    .replace(/[?]+$/, '')
    .trim();
  const args: Args = isEntityId(claim) ? { entity_id: claim } : /^(?:it|this|that)$/i.test(claim) ? {} : { claim };
  return { tool: 'provenance.chain.trace', arguments: given(args) };
}
