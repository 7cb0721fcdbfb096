import { toolsOf } from './router-cues.ts';
import { quoted, quoteMark, unquoted } from './router-reading.ts';
import { behind, dateIn, daysIn, given, kindIn, nameIn, pick, rx, takeLimit, wholeName, type Args } from './router-words.ts';

/** Pure: the insight tool for an instruction, and its arguments. */

export function analyze(text: string): { tool: string; arguments: Args } {
  const area = areaIn(text);
  const around = rx`\b(graph (around|of|near)|(browse|explore)( the graph)?( around| from| near)?)\s+(?<what>.+)$`.exec(text)?.groups![
    'what'
  ];
  if (around !== undefined && area === undefined) {
    const root = nameIn(around.replace(/^(?:the |our )?(?:knowledge )?graph(?: around| near| of)?\s*/i, ''));
    if (root !== undefined) return { tool: 'graph.entity.browse', arguments: { root_entity_name: root } };
  }
  const said = unquoted(text);
  const { text: left, limit } = takeLimit(text);
  const tool = toolsOf('analyze-landscape', text).keys().next().value ?? 'graph.summary.get';
  switch (tool) {
    case 'insight.scenario.analyze':
      return { tool, arguments: scenario(text) };
    case 'opportunity.priority.list':
      return { tool, arguments: given({ filter: pick(filters, said), limit }) };
    case 'insight.strategy.generate':
      return { tool, arguments: focus(left) };
    case 'opportunity.record.list':
      return { tool, arguments: given({ status: /\b(new|reviewing|accepted|rejected)\b/i.exec(said)?.[1]?.toLowerCase(), limit }) };
  }
  // There is no ranking for an area, but a summary with its trends.
  if (area !== undefined) return { tool: 'graph.summary.get', arguments: { scope: 'product_area', name: area } };
  if (tool === 'insight.heatmap.get') return { tool, arguments: given({ ...ranking(said), limit }) };
  if (tool === 'insight.trend.list') return { tool, arguments: given({ ...trend(said), limit }) };
  return { tool: 'graph.summary.get', arguments: {} };
}

/** A product area that the text explicitly calls an area. */
export function areaIn(text: string): string | undefined {
  const { before, behind: named } =
    rx`\b(in|for|of|about|on|is|are|analy[sz]e|explore)\s+(the |our )?(product )?(area\s+)?(?<before>"[^"]+"|“[^”]+”|'[^']+'|[\p{L}\p{N}&\/ \-]{2,60}?)\s+(product )?area\b|\b(product )?area\s+(of |called |named )?(?<behind>"[^"]+"|“[^”]+”|[\p{Lu}][\p{L}\p{N}&\/ \-]{1,60})`.exec(
      text,
    )?.groups ?? {};
  const name = before ?? named;
  return name === undefined ? undefined : nameIn(name);
}

const actions = {
  deprecate_feature: rx`\b(deprecat\w*|remov\w*|drop(ped|ping|s)?|retir\w*|sunset\w*|kill\w*|discontinu\w*|turn(ed|ing)? off|delet\w*)\b`,
  fix_issue: rx`\b(fix\w*|resolv\w*|solv\w*|repair\w*)\b`,
  build_feature: rx`\b(buil[dt]\w*|ship\w*|add(ed|ing)?|implement\w*|launch\w*|develop\w*|introduc\w*)\b`,
};
const filters = {
  quick_wins: /\bquick wins?\b/i,
  strategic: /\bstrateg/i,
  emerging: /\bemerging\b/i,
  high_confidence: /\bhigh(?:est)?[- ]confidence\b/i,
};
const metrics = {
  severity_weighted: /\bseverit|\bsevere|\bworst\b|\bgrave|\bpainful\b|\burgent\b/i,
  signal_count: rx`\bmost {spoken}\b|\b{speaks} (the )?most\b|\bsignals\b`,
};

export const actionIn = (text: string): string | undefined => pick(actions, text);

function scenario(text: string): Args {
  const action = pick(actions, unquoted(text));
  const verb = action && actions[action].exec(text);
  const before = /\bif\s+(.+?)\s+(?:is|are|was|were|gets?|got)\s*(?:to be |being )?$/i.exec(verb ? text.slice(0, verb.index) : '')?.[1];
  const after = action ? behind(text, actions[action]).replace(/\s+(?:change|mean|bring|reach|affect|cost|do)s?\s*\??\s*$/i, '') : '';
  return given({ action, entity_name: quoted(text)[0] ?? wholeName(before ?? after) });
}

function focus(text: string): Args {
  const about =
    /\b(?:about|on|for|around|regarding|concerning|in)\s+(?!the (?:last|past)\b|last\b|past\b)(.+?)(?:\s+(?:over|in|of|for|during) (?:the )?(?:last|past)\b.*)?$/i.exec(
      text.replace(/[?.!]+$/, ''),
    )?.[1];
  return given({ focus_area: quoted(text)[0] ?? wholeName(about ?? ''), time_window_days: daysIn(text) });
}

export function dimensionIn(said: string): string | undefined {
  if (/\b(?:themes?|topics?)\b/i.test(said)) return 'themes_by_signal_volume';
  if (/\b(?:issues?|bugs?|problems?|pain points?)\b/i.test(said))
    return /\b(?:by|per|across|of each) (?:the )?features?\b/i.test(said) ? 'issues_by_feature' : 'issues_by_customer';
  return /\bfeatures?\b/i.test(said) ? 'features_by_customer' : undefined;
}

const ranking = (said: string): Args => ({
  dimension: dimensionIn(said) ?? (/\bcustomers?\b|\bheat ?map\b|\bhurt/i.test(said) ? 'issues_by_customer' : 'themes_by_signal_volume'),
  metric: pick(metrics, said),
  date_from: /\b(?:since|from|after)\b/i.test(said) ? dateIn(said) : undefined,
});

function trend(said: string): Args {
  const [up, down] = [rx`\b({rising}|grows?)\b`.test(said), rx`\b({falling}|or down)\b`.test(said)];
  const turning = /\bemerging\b/i.test(said) ? 'emerging' : undefined;
  return {
    entity_type: kindIn(said.replaceAll(quoteMark, ' ')) ?? 'theme',
    direction: up === down ? turning : up ? 'growing' : 'declining',
    window_days: daysIn(said),
  };
}
