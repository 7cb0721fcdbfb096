import { analyze } from './router-analyze.ts';
import { ingest } from './router-ingest.ts';
import type { Args, Draft } from './router-needs.ts';
import { propose } from './router-propose.ts';
import { parted, plainly, quoted, unquoted, type Reading } from './router-reading.ts';
import { report } from './router-report.ts';
import { dateIn, isEntityId, kindIn, named, nameIn, takeLimit, wholeName, without } from './router-words.ts';

/** What is longer is content, not an order; and the patterns below are not made for megabytes. */
const longestOrder = 4_000;

/** What words and files say for a skill. What data said already is laid over it by the caller. */
export function draftOf(skill: string, { text: whole, files }: Reading): Draft {
  if (skill === 'ingest-content') return { skill, ...ingest(whole, files) };
  const text = whole.slice(0, longestOrder);
  const { head, rest } = parted(text);
  switch (skill) {
    case 'search-signals':
      return { skill, ...search(plainly(text)) };
    case 'flag-issue':
      return { skill, tool: 'entity.issue.flag', arguments: flag(head, rest) };
    case 'lookup-entity':
      return { skill, ...lookup(plainly(text)) };
    case 'propose-entity-change':
      return { skill, ...propose(plainly(text)) };
    case 'analyze-landscape':
      return { skill, ...analyze(plainly(text)) };
    case 'trace-provenance':
      return { skill, tool: 'provenance.chain.trace', arguments: trace(plainly(text)) };
    case 'generate-report':
      return { skill, ...report(plainly(text)) };
    default:
      throw new Error(`no skill ${skill}`);
  }
}

const searchOrder =
  /^(?:search|find|look|query|fetch|retrieve|dig up|pull up|hunt|show|get|give|(?:i|we) need)\b(?:\s+(?:me|us))?(?:\s+(?:for|up))?(?:\s+(?:all|any|every|the|some)\b)?(?:\s+(?:our |the )?(?:knowledge base|documents|docs|notes|transcripts)\s+for\b)?(?:\s+(?:facts?|passages?|quotes?|evidence|signals?|feedback|mentions|results|documents?)\b)?(?:\s+(?:about|on|for|of|that mention|mentioning|regarding)\b)?[\s:]*/i;

/** What customers said, rather than what stands anywhere. */
const customersSay =
  /\b(?:signals?|complain\w*|complaints?|churn|feature requests?|bug reports?)\b|\bwhat (?:do|did|are|have) (?:our |the )?(?:customers|users|clients|people)\b/i;

function search(text: string): Omit<Draft, 'skill'> {
  const { text: left, limit } = takeLimit(text);
  const asOf = /\bas of\b/i.test(left) ? dateIn(left) : undefined;
  const facts = asOf !== undefined || /\bfacts?\b/i.test(left);
  const query = without(
    left.replace(/[,;]?\s*\bas of \d{4}-\d{2}-\d{2}\b/i, ''),
    /^(?!wh|how|did|do|has|have|is|are|any)/i.test(left) ? searchOrder : /^$/,
  );
  return {
    tool: facts ? 'graph.fact.search' : customersSay.test(left) ? 'signal.record.search' : 'index.chunk.search',
    arguments: {
      ...(query === '' ? {} : { query }),
      ...(limit === undefined ? {} : { limit }),
      ...(asOf === undefined ? {} : { as_of: asOf }),
    },
  };
}

const flagOrder =
  /^(?:(?:new )?(?:issue|bug|problem|incident|outage|alert)(?:\s+report)?(?=\s*(?:[:,–—-]|$))|(?:something|it) is broken(?=\s*(?:[:,–—-]|$))|(?:flag|escalate|report|raise|file|log|open|register|note|create|record|submit)\b|(?:there(?:'s| is)|we have|(?:(?:i|we) )?(?:have )?(?:found|noticed)|we (?:are|'re) seeing|we hit)\b)(?:\s+(?:as|that|an?|the|this|another|new|following)\b)*(?:\s+(?:critical|severe|urgent|high|medium|low|major|minor|serious)(?:[- ](?:severity|priority))?)?(?:\s+new)?(?:\s+(?:issue|bug|problem|defect|outage|incident|regression|blocker|alert))?(?:\s+(?:called|named|titled|with|in|about|that|where|whereby)\b)?[\s:,–—-]*/i;

const severities: [RegExp, string][] = [
  [/\b(?:critical|blocker|sev(?:erity)?[ -]?[01]|p0|outage|showstopper)\b/i, 'critical'],
  [/\b(?:high|severe|serious|major|urgent|sev(?:erity)?[ -]?2|p1)\b/i, 'high'],
  [/\b(?:medium|moderate|sev(?:erity)?[ -]?3|p2)\b/i, 'medium'],
  [/\b(?:low|minor|trivial|cosmetic|p3)\b/i, 'low'],
];

function flag(head: string, rest: string): Args {
  const severity = severities.find(([pattern]) => pattern.test(head))?.[1];
  const [named] = quoted(head);
  const after = without(head, flagOrder);
  const whole =
    named === undefined
      ? [after, rest].filter(Boolean).join('. ')
      : [head.slice(head.indexOf(named) + named.length + 1), rest].filter(Boolean).join(' ');
  let name = named;
  let reason = whole;
  if (name === undefined) {
    const cut = /[.!?]\s+|\n+|\s+[–—-]\s+|,?\s+because\s+|,\s+(?=(?:users?|customers?|people|they|it|which|so|and)\b)/i.exec(whole);
    name = cut ? whole.slice(0, cut.index) : whole;
    reason = cut ? whole.slice(cut.index + cut[0].length) : '';
  }
  reason = reason.replace(/^[\s:,.;–—-]*(?:because\s+|reason:\s*)?/i, '').trim();
  const clean = name.replace(/[\s.:;,]+$/, '').slice(0, 200);
  return {
    ...(clean === '' ? {} : { issue_name: clean }),
    ...(reason === '' ? {} : { reason }),
    ...(severity === undefined ? {} : { severity }),
  };
}

const lookupOrder =
  /^(?:look\s?-?up|who (?:is|are|was)|what (?:is|are|was|do we know (?:about|of)|can you tell (?:me|us) about)|which|tell (?:me|us) (?:more )?about|describe|identify|find|show(?: me| us)?|get|give (?:me|us)|fetch|list|open)\b[\s:]*(?:the )?(?:(?:profile|details|aliases|other names|record|entry|history|information|info|background)(?: of| on| for| about)?)?[\s:]*/i;

function lookup(text: string): Omit<Draft, 'skill'> {
  const kind = kindIn(text);
  const days = /\b(\d{1,3})\s+days?\b/i.exec(text)?.[1];
  if (/\b(?:resolution|resolved|name matching|matched)\b/i.test(text) && quoted(text).length === 0) {
    const window = days === undefined ? {} : { window_days: Math.min(400, Math.max(1, Number(days))) };
    return { tool: 'entity.resolution.get_stats', arguments: { ...window, ...(kind === undefined ? {} : { entity_type: kind }) } };
  }
  const { text: left, limit } = takeLimit(text);
  const bounded = limit === undefined ? {} : { limit };
  const told = profile(left, kind);
  if (told) return told;
  const related =
    /\b(?:related|connected|linked|tied) (?:to|with)\b|\bconnections? (?:of|to|with)\b|\bhangs? together with\b|\brelationships? of\b|\bneighbou?rs of\b/i.exec(
      left,
    );
  if (related) {
    const name = nameIn(left.slice(related.index + related[0].length));
    return { tool: 'graph.entity.find_related', arguments: { ...named(name), ...bounded } };
  }
  if (
    /^(?:list|enumerate|which|how many|(?:who|what) are(?: all)?(?: the| our| my)?(?: known)? (?:customers|features|issues|themes|people|stakeholders|companies|accounts)(?=\s*[?.!]*$)|(?:show|give|get|name)(?: me| us)?(?: all| the| our| every| known| a list of)+|what (?:customers|features|issues|themes|people|stakeholders|companies|accounts))\b/i.test(
      left,
    ) &&
    quoted(left).length === 0 &&
    (kind !== undefined || /\bentit/i.test(left))
  ) {
    const search = /\b(?:called|named|like|starting with|beginning with|matching)\s+(\S.*)$/i.exec(left)?.[1]?.replace(/[?.!]+$/, '');
    const count = limit ?? Number(/^\S+\s+(?:me\s+)?(?:the\s+)?(?:first\s+)?(\d{1,3})\b/.exec(left)?.[1] ?? NaN);
    return {
      tool: 'entity.record.list',
      arguments: {
        ...(kind === undefined ? {} : { entity_type: kind }),
        ...(search === undefined ? {} : { search }),
        ...(Number.isFinite(count) && count >= 1 ? { limit: Math.min(count, 100) } : {}),
      },
    };
  }
  return {
    tool: 'entity.record.get',
    arguments: { ...named(nameIn(without(left, lookupOrder))), ...(kind === undefined ? {} : { entity_type: kind }) },
  };
}

const impact =
  /\b(?:affected|hit|impacted|hurt|bothered) by\b|\b(?:impact|blast radius|severity) of\b|\bhow (?:bad|severe|widespread|serious|frequent) (?:is|are)\b|^(?:whom?|which customers) (?:does|do|is|are)\b(?=.*\b(?:affect|hit|hurt|impact)\b)/i;
const health =
  /\bhealth(?: (?:of|for))?\b|\bhow healthy (?:is|are)\b|\b(?:adoption|open issues) (?:of|for|with|in)\b|^who (?:uses|is using)\b|^how (?:does|is) (?=(?:the |our )?feature\b)/i;
const account =
  /^(?:tell (?:me|us) (?:more )?about|describe|what do we know about|what can you tell (?:me|us) about|prepare (?:me|us) for\b.*\b(?:with|at)|(?:show|give|get|open)?(?: me| us)?\s*(?:the |a )?profile of)\b/i;

/** How a feature does, whom an issue hits, what a customer is like; null: none of these is asked for. */
function profile(text: string, kind: string | undefined): Omit<Draft, 'skill'> | null {
  const said = unquoted(text);
  const about = (order: RegExp): string | undefined =>
    quoted(text)[0] ?? wholeName(text.slice(after(text, order)).replace(/\s+(?:doing|affect|hit|hurt|impact)\s*\??$/i, ''));
  const as = (tool: string, slot: string, name: string | undefined) => ({ tool, arguments: name === undefined ? {} : { [slot]: name } });
  const customers = kind === 'customer' && !/\bwhich customers\b/i.test(said);
  if (health.test(said)) {
    return customers
      ? as('entity.customer.get_profile', 'customer_name', about(health))
      : as('entity.feature.get_health', 'feature_name', about(health));
  }
  if (impact.test(said)) return as('entity.issue.get_impact', 'issue_name', about(impact));
  return customers && account.test(said) ? as('entity.customer.get_profile', 'customer_name', about(account)) : null;
}

const after = (text: string, order: RegExp): number => {
  const found = order.exec(text);
  return found ? found.index + found[0].length : 0;
};

const traceOrder =
  /^(?:please\s+)?(?:trace|verify|fact-?check|substantiate|prove|back up|double-?check|what (?:is|are) (?:the |our )?(?:evidence|proof|sources?|basis)(?: there)?|what (?:supports|backs|proves|is behind)|how do we know|is it (?:really )?(?:true|correct|right)|can we (?:prove|show)|which sources? (?:say|support|back|show)|where does|show (?:me )?(?:the )?(?:provenance|evidence|proof)|where (?:did|do) we get|on what (?:evidence|basis|grounds) (?:do|can) we say|is the (?:claim|statement))\b(?:\s+(?:that|for|behind|of|to|up|the (?:claim|statement|idea|assertion|number)|this (?:claim|statement)|our (?:claim|statement)|says?))*[\s:,]*/i;

function trace(text: string): Args {
  const [words] = quoted(text);
  const rest =
    words ??
    without(text, traceOrder).replace(
      /\s+(?:to its sources?|back to its (?:evidence|sources?)|come from|comes from|originate|based on|backed (?:up )?by \w+)\s*\??$/i,
      '',
    );
  const claim = rest
    .replace(/^(?:the )?(?:claim|statement|assertion)\s+(?:that\s+)?/i, '')
    .replace(/[?]+$/, '')
    .trim();
  if (isEntityId(claim)) return { entity_id: claim };
  return claim === '' || /^(?:it|this|that)$/i.test(claim) ? {} : { claim };
}
