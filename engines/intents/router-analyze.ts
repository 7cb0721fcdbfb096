import type { Args, Draft } from './router-needs.ts';
import { quoted, quoteMark, unquoted } from './router-reading.ts';
import { dateIn, kindIn, nameIn, takeLimit, wholeName } from './router-words.ts';

/** Pure: which insight an instruction is for, and its arguments. */

const whatIf =
  /\bwhat (?:happens|would happen|would change|changes|breaks|would break|would it mean)\b.*?\b(?:if|when)\b|\b(?:what|who)\b.{0,40}?\bif\b|\bwhat would\b|\bsimulate\b|\bscenario\b/i;
const strategic =
  /\bstrategic (?:insights?|risks?|patterns?|view)\b|\brisks?\b|\bpatterns?\b|\bleadership\b.*\bknow\b|\bmay churn\b|\binsights?\b/i;
const priorities =
  /\bshould we (?:build|do|work on|ship|tackle|prioriti[sz]e)\b|\bpriorities\b|\bprioriti[sz](?:e|ed|ing|ation)\b|\bquick wins?\b|\bwhat (?:to|shall we) build\b/i;
const opportunities = /\bopportunit(?:y|ies)\b/i;
const ranked =
  /\bheat ?map\b|\b(?:hit|hits|hurt|hurts|affect|affects|impact|impacts|bother|bothers)\b.*\bmost\b|\bmost customers\b|\bpain points?\b|\bmost (?:mentioned|frequent|common|discussed|talked about|painful|severe|requested)\b|\b(?:about|mention(?:ed)?|discuss(?:ed)?|asked for|comes? up) (?:the )?most\b|\btop \d* ?(?:issues|themes|features|topics|problems|bugs)\b|\b(?:hottest|biggest|main|key|most important|most urgent|worst) (?:topics|themes|issues|features|problems|bugs|pain points)\b/i;
const moving =
  /\btrend|\b(?:rising|declining|growing|grows?|emerging|fading|gaining|increasing|decreasing|picking up|slowing down|hot)\b|\bgoing (?:up|down)\b|\bgaining traction\b|\bnew\b/i;

export function analyze(text: string): Omit<Draft, 'skill'> {
  const around = /\b(?:graph (?:around|of|near)|(?:browse|explore)(?: the graph)?(?: around| from| near)?)\s+(.+)$/i.exec(text);
  const area = areaIn(text);
  if (around && area === undefined) {
    const root = nameIn(around[1]!.replace(/^(?:the |our )?(?:knowledge )?graph(?: around| near| of)?\s*/i, ''));
    if (root !== undefined) return { tool: 'graph.entity.browse', arguments: { root_entity_name: root } };
  }
  const said = unquoted(text);
  const { text: left, limit } = takeLimit(text);
  const bounded = limit === undefined ? {} : { limit };
  if (whatIf.test(said)) return { tool: 'insight.scenario.analyze', arguments: scenario(text) };
  if (priorities.test(said)) return { tool: 'opportunity.priority.list', arguments: { ...filterIn(said), ...bounded } };
  if (strategic.test(said)) return { tool: 'insight.strategy.generate', arguments: focus(left) };
  if (opportunities.test(said)) {
    const status = /\b(new|reviewing|accepted|rejected)\b/i.exec(said)?.[1]?.toLowerCase();
    return { tool: 'opportunity.record.list', arguments: { ...(status === undefined ? {} : { status }), ...bounded } };
  }
  // An area has no ranking of its own, but a summary with its trends.
  if (area !== undefined) return { tool: 'graph.summary.get', arguments: { scope: 'product_area', name: area } };
  if (ranked.test(said)) return { tool: 'insight.heatmap.get', arguments: { ...ranking(said), ...bounded } };
  if (moving.test(said)) return { tool: 'insight.trend.list', arguments: { ...trend(said), ...bounded } };
  return { tool: 'graph.summary.get', arguments: {} };
}

/** A product area that is called one. */
export function areaIn(text: string): string | undefined {
  const found =
    /\b(?:in|for|of|about|on|is|are|analy[sz]e|explore)\s+(?:the |our )?(?:product )?(?:area\s+)?("[^"]+"|“[^”]+”|'[^']+'|[\p{L}\p{N}&/ -]{2,60}?)\s+(?:product )?area\b|\b(?:product )?area\s+(?:of |called |named )?("[^"]+"|“[^”]+”|[\p{Lu}][\p{L}\p{N}&/ -]{1,60})/iu.exec(
      text,
    );
  return found ? nameIn(found[1] ?? found[2] ?? '') : undefined;
}

/** Days of a window that is spoken of. */
export function daysIn(text: string): number | undefined {
  const [, many, unit] =
    /\b(?:(?:last|past|previous|over|for) )(?:the )?(?:last |past |previous )?(?:(\d{1,3})\s+)?(day|week|month|quarter|year)s?\b/i.exec(
      text,
    ) ?? [];
  if (unit === undefined) return undefined;
  return Math.min(730, Math.max(1, Number(many ?? 1)) * { day: 1, week: 7, month: 30, quarter: 91, year: 365 }[unit.toLowerCase()]!);
}

const actions: [RegExp, string][] = [
  [
    /\b(?:deprecat\w*|remov\w*|drop(?:ped|ping|s)?|retir\w*|sunset\w*|kill\w*|discontinu\w*|turn(?:ed|ing)? off|delet\w*)\b/i,
    'deprecate_feature',
  ],
  [/\b(?:fix\w*|resolv\w*|solv\w*|repair\w*)\b/i, 'fix_issue'],
  [/\b(?:buil[dt]\w*|ship\w*|add(?:ed|ing)?|implement\w*|launch\w*|develop\w*|introduc\w*)\b/i, 'build_feature'],
];

export const actionIn = (text: string): string | undefined => actions.find(([verb]) => verb.test(text))?.[1];

function scenario(text: string): Args {
  const said = unquoted(text);
  const action = actionIn(said);
  const verb = actions.find(([pattern]) => pattern.test(said))?.[0].exec(text);
  const before = /\bif\s+(.+?)\s+(?:is|are|was|were|gets?|got)\s*(?:to be |being )?$/i.exec(verb ? text.slice(0, verb.index) : '')?.[1];
  const after = verb
    ? text.slice(verb.index + verb[0].length).replace(/\s+(?:change|mean|bring|reach|affect|cost|do)s?\s*\??\s*$/i, '')
    : '';
  const name = quoted(text)[0] ?? wholeName(before ?? after);
  return { ...(action === undefined ? {} : { action }), ...(name === undefined ? {} : { entity_name: name }) };
}

function filterIn(said: string): Args {
  if (/\bquick wins?\b/i.test(said)) return { filter: 'quick_wins' };
  if (/\bstrateg/i.test(said)) return { filter: 'strategic' };
  if (/\bemerging\b/i.test(said)) return { filter: 'emerging' };
  if (/\bhigh(?:est)?[- ]confidence\b/i.test(said)) return { filter: 'high_confidence' };
  return {};
}

function focus(text: string): Args {
  const days = daysIn(text);
  const about =
    /\b(?:about|on|for|around|regarding|concerning|in)\s+(?!the (?:last|past)\b|last\b|past\b)(.+?)(?:\s+(?:over|in|of|for|during) (?:the )?(?:last|past)\b.*)?$/i.exec(
      text.replace(/[?.!]+$/, ''),
    )?.[1];
  const name = quoted(text)[0] ?? (about === undefined ? undefined : wholeName(about));
  return { ...(name === undefined ? {} : { focus_area: name }), ...(days === undefined ? {} : { time_window_days: days }) };
}

export function dimensionIn(said: string): string | undefined {
  if (/\b(?:themes?|topics?)\b/i.test(said)) return 'themes_by_signal_volume';
  if (/\b(?:issues?|bugs?|problems?|pain points?)\b/i.test(said))
    return /\b(?:by|per|across|of each) (?:the )?features?\b/i.test(said) ? 'issues_by_feature' : 'issues_by_customer';
  return /\bfeatures?\b/i.test(said) ? 'features_by_customer' : undefined;
}

function ranking(said: string): Args {
  const dimension =
    dimensionIn(said) ?? (/\bcustomers?\b|\bheat ?map\b|\bhurt/i.test(said) ? 'issues_by_customer' : 'themes_by_signal_volume');
  const metric = /\bseverit|\bsevere|\bworst\b|\bgrave|\bpainful\b|\burgent\b/i.test(said)
    ? 'severity_weighted'
    : /\bmost (?:mentioned|frequent|common|discussed|talked about)\b|\b(?:about|mention(?:ed)?|discuss(?:ed)?|comes? up) (?:the )?most\b|\bsignals\b/i.test(
          said,
        )
      ? 'signal_count'
      : undefined;
  const from = /\b(?:since|from|after)\b/i.test(said) ? dateIn(said) : undefined;
  return { dimension, ...(metric === undefined ? {} : { metric }), ...(from === undefined ? {} : { date_from: from }) };
}

function trend(said: string): Args {
  const up = /\b(?:rising|growing|grows?|gaining|increasing|picking up|going up)\b/i.test(said);
  const down = /\b(?:declining|fading|decreasing|slowing down|going down)\b|\bor down\b/i.test(said);
  const direction = up === down ? (/\bemerging\b/i.test(said) ? 'emerging' : undefined) : up ? 'growing' : 'declining';
  const days = daysIn(said);
  return {
    entity_type: kindIn(said.replaceAll(quoteMark, ' ')) ?? 'theme',
    ...(direction === undefined ? {} : { direction }),
    ...(days === undefined ? {} : { window_days: days }),
  };
}
