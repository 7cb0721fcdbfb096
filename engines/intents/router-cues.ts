import { quoteMark, unquoted } from './router-reading.ts';

/** Pure: which skill an instruction sounds like. */

type Cue = [pattern: RegExp, weight: number];

const severity = '(?:critical|severe|urgent|high|medium|low|major|minor|serious)(?:[- ](?:severity|priority))?';
const issue = '(?:issue|bug|problem|defect|outage|incident|regression|blocker|alert)';
const thing =
  '(?:customer|company|account|feature|issue|theme|stakeholder|person|people|entity|entities|companies|customers|accounts|features|issues|themes|stakeholders|persons)';
const stored =
  '(?:document|doc|note|notes|transcript|recording|page|pages|website|site|article|file|files|pdf|deck|e-?mail|minutes|content|text|video|talk|link|url|folder|archive|summary of (?:the|our|my) (?:call|meeting))';

/** A cue that begins the instruction (^) tells most; what stands inside it tells less. */
const cues: Record<string, Cue[]> = {
  'search-signals': [
    [/^(?:search|find|look for|query|fetch|retrieve|dig up|pull up|hunt for)\b/i, 3],
    [/^(?:quotes?|passages?|feedback|signals?|mentions|evidence)\b/i, 3],
    [
      /^(?:show|get|give) (?:me|us) (?:what|everything|anything|all|every|the)?\s*(?:\d+\s+)?(?:passages?|quotes?|feedback|signals?|mentions?|evidence|complaints?|hits|results)\b/i,
      3,
    ],
    [
      /^(?:what|who|which|where|when|how|why|has|have|did|does|do|is|are|was|were|any)\b.*\b(?:say|says|said|saying|mention(?:s|ed)?|complain(?:s|ed|ing)?|ask(?:s|ed|ing)? (?:for|about)|wrote|written|request(?:s|ed)?|talk(?:s|ed|ing)? about|feel|think)\b/i,
      3,
    ],
    [/\b(?:anything|everything|something) (?:about|on|regarding|that)\b/i, 2],
    [/\bevidence (?:on|about|regarding)\b/i, 2],
    [/\b(?:passages?|quotes?|feedback|signals?|mentions|complaints)\b/i, 1],
    [/\b(?:in|from|across) (?:the|our|my) (?:documents?|docs|notes|transcripts|knowledge base|manuals|calls|interviews|feedback)\b/i, 2],
    [/\bfacts? (?:about|on|known)\b|\bas of \d{4}\b/i, 2],
  ],
  'ingest-content': [
    [/^(?:ingest|import|upload|index|crawl|archive|remember|memori[sz]e|digest)\b/i, 3],
    [new RegExp(`^(?:add|store|save|submit|take in|take|put|keep|record|load|read in|process|file)\\b.*\\b${stored}\\b`, 'i'), 3],
    [
      /^(?:add|store|save|submit|take in|put|keep|record|load|read|learn|note down|process)\b.*(?:\b(?:to|into|in) (?:the|our|your) (?:knowledge(?: base)?|index|memory|library|corpus|records?)\b|\bhttps?:|\bthis\b|\bthe following\b)/i,
      3,
    ],
    [/^(?:make)\b.*\bsearchable\b/i, 4],
    [/\bhttps?:\/\/\S+/i, 1],
    [
      new RegExp(
        `^(?:here (?:is|are|'s)|attached (?:is|are|you find)|this is|i(?:'m| am) (?:sending|forwarding|attaching))\\b.*\\b${stored}\\b`,
        'i',
      ),
      3,
    ],
  ],
  'flag-issue': [
    [/^(?:flag|escalate)\b/i, 4],
    [
      new RegExp(
        `^(?:report|raise|file|log|open|register|note|create|record|submit)\\s+(?:an?|the|this|another|new|a new)?\\s*(?:${severity}\\s+)?(?:${quoteMark}\\s*)?(?:new\\s+)?(?:\\w+\\s+)?${issue}\\b`,
        'i',
      ),
      4,
    ],
    [
      new RegExp(
        `\\b(?:there(?:'s| is)|we have|found|noticed|seeing|hit)\\s+(?:an?|another)\\s+(?:new\\s+)?(?:${severity}\\s+)?(?:\\w+\\s+)?${issue}\\b`,
        'i',
      ),
      3,
    ],
    [
      new RegExp(
        `^(?:new\\s+)?(?:${severity}\\s+)?${issue}(?:\\s+report)?\\b(?!s)(?!\\s+(?:is|are|was|has|did|in|with|about|from)\\b)`,
        'i',
      ),
      3,
    ],
    [/^(?!.*\?).*\b(?:(?:is|are) (?:broken|down)|(?:does not|doesn't|do not|don't|stopped) work(?:ing)?)\b/i, 2],
    [new RegExp(`\\b(?:flag|report|raise|escalate)\\s+(?:it|this|that|an?|the)\\b`, 'i'), 2],
  ],
  'lookup-entity': [
    [/^look\s?-?up\b/i, 4],
    [/^find (?:me )?(?:the |our )?(?:customer|company|account|feature|theme|stakeholder|person|entity)\b/i, 4],
    [
      /\b(?:everything|all|anything|more) (?:you (?:have|know) |we (?:have|know) )?(?:about|on) (?:the |our )?(?:customer|company|account|feature|theme|stakeholder|person|entity)\b/i,
      4,
    ],
    [
      /^(?:who|what) (?:is|are|was)\s+(?!the (?:evidence|proof|source|basis|trend)|trending|going|happening|growing|new|hot|said|being)/i,
      2,
    ],
    [/\b(?:can|could) you tell (?:me|us) about\b|^(?:give|get|show) (?:me|us) (?:a|the) list of\b/i, 4],
    [
      /^(?:tell (?:me|us) (?:more )?about|describe|identify|show (?:me |us )?(?:the )?(?:profile|details|record|entry|aliases|history))\b/i,
      3,
    ],
    [
      new RegExp(
        `^(?:list|show|enumerate|name|give (?:me|us))\\b(?:\\s+(?:me|us))?(?:\\s+(?:all|the|our|every|known|first|\\d+|of))*\\s+${thing}\\b`,
        'i',
      ),
      4,
    ],
    [new RegExp(`^(?:which|what|how many)\\s+${thing}\\s+(?:do we|are there|exist|have we|are known|does)\\b`, 'i'), 3],
    [
      /\b(?:related|connected|linked|tied) (?:to|with)\b|\bconnections? (?:of|to|between|with)\b|\bhangs? together\b|\brelationships? of\b|\bneighbou?rs of\b/i,
      3,
    ],
    [
      /\b(?:entity )?resolution\b.*\b(?:stats?|statistics|quality|accuracy|accurate|good|well|doing|rates?)\b|\b(?:how (?:good|well|accurate)|stats?|statistics|quality|accuracy)\b.*\b(?:resolution|name matching|resolved|matched)\b/i,
      5,
    ],
    [/^(?:the )?health of\b|\bhow healthy (?:is|are)\b|\bhealth of (?:the|our)\b|\badoption of\b|^who (?:uses|is using)\b/i, 4],
    [
      /^(?:who|which|how many)\b.*\b(?:affected|hit|impacted|bothered|hurt) by\b|\b(?:impact|blast radius) of\b|\bhow (?:bad|severe|widespread|serious) (?:is|are)\b|^whom? does\b.*\b(?:affect|hit|hurt)\b/i,
      4,
    ],
    [/^prepare (?:me|us) for\b.*\b(?:call|meeting|visit)\b/i, 4],
    [/\b(?:profile|details|aliases|other names|information|info|background) (?:of|on|for|about)\b/i, 2],
    [new RegExp(`\\b(?:the )?(?:customer|company|account|feature|theme|stakeholder|entity) (?:called |named )?${quoteMark}`, 'i'), 1],
  ],
  'propose-entity-change': [
    [/^(?:merge|unify|deduplicate|consolidate|combine)\b/i, 4],
    [/^(?:split|separate|unmerge|divide)\b/i, 4],
    [/\b(?:are|is) (?:really |actually |probably )?(?:the same|identical|duplicates?|one and the same)\b(?! as (?:last|before))/i, 3],
    [/\b(?:also known as|a\.?k\.?a\.?|alias (?:of|for)|is another name|goes by|should be merged|duplicate of)\b/i, 4],
    [/^add (?:the |an )?alias\b/i, 4],
    [
      /^(?:link|connect|attach|tie)\b.*\bto\b.*\b(?:jira|linear|github|gitlab|zendesk|salesforce|hubspot|asana|intercom|azure|trello|[A-Z][A-Z0-9]+-\d+)\b/i,
      5,
    ],
    [
      /^(?:mark|set|change|update|move)\b.*\b(?:as|to)\b.*\b(?:fixed|resolved|open|closed|in[ _-]progress|done|shipped|released|planned|reopened|wontfix|blocked|deprecated)\b/i,
      4,
    ],
    [/\b(?:set|change|update)\b.*\bstatus\b/i, 4],
    [
      new RegExp(
        `^(?:the |our )?(?:issue |feature |bug )?${quoteMark} (?:is|was|has been) (?:now )?(?:fixed|resolved|closed|shipped|released|done)\\b`,
        'i',
      ),
      3,
    ],
    [/^(?:close|reopen|resolve)\b/i, 4],
    [/^propose\b/i, 3],
  ],
  'analyze-landscape': [
    [/\b(?:overview|landscape|big picture|heat ?map|state of (?:our|the) (?:knowledge|graph))\b/i, 4],
    [/\btrend(?:s|ing)?\b/i, 4],
    [/^(?:analy[sz]e|explore|browse)\b/i, 4],
    [/\b(?:what(?:'s| is)|what has been) (?:going on|hot|happening|growing|emerging|new|moving|rising)\b/i, 4],
    [/\b(?:most (?:mentioned|frequent|common|discussed|talked about)|top \d* ?(?:issues|themes|features|customers|entities|topics))\b/i, 4],
    [/\b(?:talk(?:ing|ed)? about|mention(?:ed)?|discuss(?:ed)?|complain(?:ing|ed)? about|comes? up|asked for) (?:the )?most\b/i, 4],
    [/\b(?:hottest|biggest|main|key|most important|most urgent) (?:topics|themes|issues|features|problems|pain points)\b/i, 4],
    [
      /\bshould we (?:build|do|work on|ship|tackle|prioriti[sz]e|fix)\b|\bwhat (?:to|shall we) build\b|\bpriorities\b|^(?:prioriti[sz]e|rank)\b|\bquick wins?\b/i,
      4,
    ],
    [/\b(?:hit|hits|hurt|hurts|affect|affects|bother|bothers|impact|impacts)\b.{0,20}\bmost\b|\bmost customers\b|\bpain points?\b/i, 4],
    [
      /^what if\b|\bwhat (?:happens|would happen|changes|breaks|would change)\b.*\bif\b|\bif we (?:were to )?(?:fix|build|ship|drop|remove|deprecate|retire|sunset|discontinue)\b/i,
      5,
    ],
    [/\bwhat would (?:fixing|building|shipping|dropping|removing|deprecating|retiring)\b/i, 5],
    [/\bopportunities\b/i, 3],
    [/\bstrategic\b|\bleadership (?:should )?know\b|\bpatterns? (?:across|in)\b|^(?:what|which)\b.*\brisks?\b/i, 3],
    [/^how (?:is|are)\b.*\b(?:area|doing|developing)\b/i, 3],
    [/\b(?:rising|declining|growing|emerging|fading|going up or down|gaining|increasing|decreasing|picking up|slowing down)\b/i, 2],
    [
      /^summar(?:y|i[sz]e)\b.*\b(?:what we know|area|knowledge|everything|graph)\b|\bsummary of (?:what|everything|our|the graph|all)\b/i,
      4,
    ],
    [/\b(?:product )?area\b/i, 1],
    [/\bgraph (?:around|of|near)\b/i, 2],
  ],
  'trace-provenance': [
    [/^(?:trace|verify|fact-?check|substantiate|prove|back up|double-?check)\b/i, 4],
    [/\b(?:provenance|evidence (?:for|that|behind|of)|proof (?:for|that|of)|substantiat\w+)\b/i, 4],
    [/\bwhere (?:does|do|did|is|comes?)\b.*\b(?:come|comes|came|from|originate|taken from)\b/i, 4],
    [/\bwhat (?:supports|backs|proves|is behind)\b|\bhow do we know\b|\b(?:based|founded) on what\b|\bwhat is .{1,200} based on\b/i, 4],
    [/\bon what (?:evidence|basis|grounds)\b|\bbacked (?:up )?by\b/i, 4],
    [/^is it (?:really )?(?:true|correct|right)\b|\bcan we (?:prove|show) that\b|\bwhich sources? (?:say|support|back|show)/i, 4],
    [/\b(?:sources?|citations?) (?:of|for|behind)\b/i, 3],
    [new RegExp(`\\b(?:claim|statement|assertion)\\b`, 'i'), 2],
  ],
  'generate-report': [
    [
      /^(?:write|generate|create|prepare|draft|produce|compile|make|give me|put together|assemble|compose|send me|get|have|want|i need|we need)\b.*\b(?:report|brief|briefing|write-?up|digest|memo|dossier|one-?pager|status paper)\b/i,
      6,
    ],
    [
      /^(?:write|generate|create|prepare|draft|produce|make|give|put together|compose|send|turn|i need|we need)\b.*\b(?:PRDs?|RFCs?|product requirements?|requirements document|jira (?:issues?|tickets?|stories)|user stories|road ?map summary|(?:health|impact) summary|area overview|competitive (?:intel\w*|summary|overview))\b/i,
      7,
    ],
    [
      /\b(?:latest|last|newest|most recent|current)\b.{0,60}\b(?:report|digest|briefing|brief|memo|one-?pager|(?:roadmap|health) summary|area overview)\b/i,
      6,
    ],
    [/^(?:weekly|daily|monthly) (?:digest|report|summary|recap)\b/i, 5],
    [/^report (?:on|about)\b/i, 4],
    [/\b(?:in|as) (?:a|an|one) (?:short |brief )?(?:report|brief|briefing|memo|digest|dossier|one-?pager)\b/i, 5],
    [/^(?:brief (?:me|us)|sum up in writing|write up)\b/i, 4],
    [/\b(?:report|briefing|memo|write-?up|dossier)\b/i, 1],
  ],
};

/** Long texts are content; whoever instructs does so at the beginning. */
const longest = 600;

export interface Likely {
  skill: string;
  score: number;
}

/** Skills that an instruction sounds like, likeliest first; quoted words do not count. */
export function likely(head: string): Likely[] {
  const said = unquoted(head.slice(0, longest));
  return Object.entries(cues)
    .map(([skill, own]) => ({ skill, score: own.reduce((sum, [pattern, weight]) => sum + (pattern.test(said) ? weight : 0), 0) }))
    .filter((each) => each.score > 0)
    .toSorted((a, b) => b.score - a.score);
}

/** "Find and flag …": two orders in one. */
function twoOrders(head: string): string[] {
  const [, first, second] = /^(\S+(?:\s+\S+)?),?\s+(?:and then|and|or|then)\s+(.+)$/is.exec(head) ?? [];
  if (first === undefined || second === undefined) return [];
  const meant = [first, second].map((clause) => likely(clause)[0]).filter((each) => each !== undefined && each.score >= 3);
  return [...new Set(meant.map((each) => each!.skill))];
}

const asks =
  /^(?:what|who|whom|whose|which|where|when|why|how|has|have|had|did|does|do|is|are|was|were|can|could|should|any|anyone|anything)\b|\?\s*$/i;

/**
 * The skill meant, or those that may be meant. Who asks something that no other skill answers, searches.
 * `among` is empty when nothing is recognised.
 */
export function choose(text: string): { skill: string } | { among: string[] } {
  const head = text.slice(0, longest);
  const orders = twoOrders(head);
  if (orders.length > 1) return { among: orders };
  const ranked = likely(head);
  const [first, second] = ranked;
  if (first && first.score >= 2 && first.score - (second?.score ?? 0) >= 1) return { skill: first.skill };
  if (first && first.score >= 2) return { among: ranked.filter((each) => each.score === first.score).map((each) => each.skill) };
  if (asks.test(head)) return { skill: 'search-signals' };
  return { among: ranked.map((each) => each.skill) };
}
