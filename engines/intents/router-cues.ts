import { unquoted } from './router-reading.ts';
import { behind, pattern } from './router-words.ts';
import { skillById, skills } from './skills.ts';

/**
 * Pure: the likely skill of an instruction, and its tool. The table lists cues below the name of a skill or a tool: a
 * weight and a pattern of whole words (`pattern` in router-words.ts). A cue at the beginning (^) weighs more than one
 * inside. Cues of weight 0 only choose among the tools of a skill; if several tools have a cue, the first in this table
 * is chosen, and the name that it needs follows the cue. Decision 20 compares this with the search of tools.
 */
const table = String.raw`
search-signals
3 ^(search|find|look for|query|fetch|retrieve|dig up|pull up|hunt for)
3 ^(quotes?|passages?|feedback|signals?|mentions|evidence)
3 ^(show|get|give) (me|us) (what|everything|anything|all|every|the)?\s*(\d+\s+)?(passages?|quotes?|feedback|signals?|mentions?|evidence|complaints?|hits|results)
3 ^(what|who|which|where|when|how|why|has|have|did|does|do|is|are|was|were|any)\b.*\b(say|says|said|saying|mention(s|ed)?|complain(s|ed|ing)?|ask(s|ed|ing)? (for|about)|wrote|written|request(s|ed)?|talk(s|ed|ing)? about|feel|think)
2 (anything|everything|something) (about|on|regarding|that)
2 evidence (on|about|regarding)
1 passages?|quotes?|feedback|signals?|mentions|complaints
2 (in|from|across) (the|our|my) (documents?|docs|notes|transcripts|knowledge base|manuals|calls|interviews|feedback)
graph.fact.search
2 facts? (about|on|known)|as of \d{4}
0 facts?
signal.record.search
0 signals?|complain\w*|churn|feature requests?|bug reports?|what (do|did|are|have) (our |the )?(customers|users|clients|people)
ingest-content
3 ^(ingest|import|upload|index|crawl|archive|remember|memori[sz]e|digest)
3 ^(add|store|save|submit|take in|take|put|keep|record|load|read in|process|file)\b.*\b{stored}
3 ^(add|store|save|submit|take in|put|keep|record|load|read|learn|note down|process)\b.*\b((to|into|in) (the|our|your) (knowledge( base)?|index|memory|library|corpus|records?)|https?:.*|this|the following)
4 ^make\b.*\bsearchable
1 https?:\/\/\S+
3 ^(here (is|are|'s)|attached (is|are|you find)|this is|i('m| am) (sending|forwarding|attaching))\b.*\b{stored}
flag-issue
4 ^(flag|escalate)
4 ^(report|raise|file|log|open|register|note|create|record|submit)\s+(an?|the|this|another|new|a new)?\s*({severity}\s+)?({quote}\s*)?(new\s+)?(\w+\s+)?{defect}
3 (there('s| is)|we have|found|noticed|seeing|hit)\s+(an?|another)\s+(new\s+)?({severity}\s+)?(\w+\s+)?{defect}
3 ^(new\s+)?({severity}\s+)?{defect}(\s+report)?(?!\w)(?!\s+(is|are|was|has|did|in|with|about|from)\b)
2 ^(?!.*\?).*\b((is|are) (broken|down)|(does not|doesn't|do not|don't|stopped) work(ing)?)
2 (flag|report|raise|escalate)\s+(it|this|that|an?|the)
entity.resolution.get_stats
5 (entity )?resolution\b.*\b(stats?|statistics|quality|accuracy|accurate|good|well|doing|rates?)|(how (good|well|accurate)|stats?|statistics|quality|accuracy)\b.*\b(resolution|name matching|resolved|matched)
entity.feature.get_health
4 ^(the )?health of|how healthy (is|are)|health of (the|our)|adoption of|^who (uses|is using)
0 health( of| for)?|(open issues|adoption) (for|with|in|of)|^how (does|is) (?=(the |our )?feature\b)
entity.issue.get_impact
4 ^(who|which|how many)\b.*\b(affected|hit|impacted|bothered|hurt) by|(impact|blast radius) of|how (bad|severe|widespread|serious) (is|are)|^(whom?|which customers) do(es)?\b(?=.*\b(affect|hit|hurt|impact)\b)
0 (affected|hit|impacted|hurt|bothered) by|severity of|how frequent (is|are)
entity.customer.get_profile
3 ^(tell (me|us) (more )?about|describe)
4 (can|could) you tell (me|us) about
4 ^prepare (me|us) for\b.*\b(call|meeting|visit)(\b.*\b(with|at))?
0 ^(what do we know about|((show|give|get|open)( me| us)?)?\s*(the |a )?profile of)
graph.entity.find_related
3 (related|connected|linked|tied) (to|with)|connections? (of|to|with)|hangs? together( with)?|relationships? of|neighbou?rs of
entity.record.list
0 ^(list|enumerate|which|how many|(who|what) are( all)?( the| our| my)?( known)? {kind}(?=\s*[?.!]*$)|(show|give|get|name)( me| us)?( all| the| our| every| known| a list of)+|what {kind})
lookup-entity
3 connections? between
4 ^look\s?-?up
4 ^find (me )?(the |our )?{one}
4 (everything|all|anything|more) (you (have|know) |we (have|know) )?(about|on) (the |our )?{one}
2 ^(who|what) (is|are|was)\s+(?!the (evidence|proof|source|basis|trend)|trending|going|happening|growing|new|hot|said|being).*
4 ^(give|get|show) (me|us) (a|the) list of
3 ^(identify|show (me |us )?(the )?(profile|details|record|entry|aliases|history))
4 ^(list|show|enumerate|name|give (me|us))(\s+(me|us))?(\s+(all|the|our|every|known|first|\d+|of))*\s+{thing}
3 ^(which|what|how many)\s+{thing}\s+(do we|are there|exist|have we|are known|does)
2 (profile|details|aliases|other names|information|info|background) (of|on|for|about)
1 {one} (called |named )?{quote}
propose-entity-change
4 ^({merge}|{split}|close|reopen|resolve|add (the |an )?alias)
3 (are|is) {really}{same}(?! as (last|before))
4 also known as|a\.?k\.?a|alias (of|for)|is another name|goes by|should be merged|duplicate of
5 ^{link}\b.*\bto\b.*\b({system}|[A-Z][A-Z0-9]+-\d+)
4 ^(mark|set|change|update|move)\b.*\b(as|to)\b.*\b({ended}|open|in[ _\-]progress|planned|reopened|wontfix|blocked|deprecated)
4 (set|change|update)\b.*\bstatus
3 ^(the |our )?(issue |feature |bug )?{quote} (is|was|has been) (now )?{ended}
3 ^propose
insight.scenario.analyze
5 ^what if|what (happens|would happen|changes|breaks|would change)\b.*\bif|if we (were to )?(fix|build|ship|drop|remove|deprecate|retire|sunset|discontinue)
5 what would (fixing|building|shipping|dropping|removing|deprecating|retiring)
0 what (happens|changes|breaks)\b.*\bwhen|(what|who)\b.{0,40}?\bif|what would|simulate|scenario
opportunity.priority.list
4 should we (build|do|work on|ship|tackle|prioriti[sz]e|fix)|what (to|shall we) build|priorities|^(prioriti[sz]e|rank)|quick wins?
0 prioriti[sz](e|ed|ing|ation)
insight.strategy.generate
3 strategic|leadership (should )?know|patterns? (across|in)|^(what|which)\b.*\brisks?
0 risks?|patterns?|leadership\b.*\bknow|may churn|insights?
opportunity.record.list
3 opportunities
0 opportunity
insight.heatmap.get
4 heat ?map
4 most {spoken}|top \d* ?(issues|themes|features|topics)
4 ({speaks}|asked for) (the )?most
4 (hottest|biggest|main|key|most important|most urgent) (topics|themes|issues|features|problems|pain points)
4 {hurts}\b.{0,20}\bmost|most customers|pain points?
0 {hurts}\b.*\bmost|most (painful|severe|requested)|top \d* ?(problems|bugs)|worst (topics|themes|issues|features|problems|bugs|pain points)
insight.trend.list
4 trend(s|ing)?
4 what('s| is| has been) (hot|growing|emerging|new|moving|rising)
2 {rising}|{falling}|emerging|going up or down
0 trend\w*|hot|new|grows?|gaining traction
analyze-landscape
4 overview|landscape|big picture|state of (our|the) (knowledge|graph)|top \d* ?(customers|entities)
4 ^(analy[sz]e|explore|browse)
4 what('s| is| has been) (going on|happening)
3 ^how (is|are)\b.*\b(area|doing|developing)
4 ^summar(y|i[sz]e)\b.*\b(what we know|area|knowledge|everything|graph)|summary of (what|everything|our|the graph|all)
1 (product )?area
2 graph (around|of|near)
trace-provenance
4 ^(trace|verify|fact-?check|substantiate|prove|back up|double-?check)
4 provenance|evidence (for|that|behind|of)|proof (for|that|of)|substantiat\w+
4 where (does|do|did|is|comes?)\b.*\b(come|comes|came|from|originate|taken from)
4 what (supports|backs|proves|is behind)|how do we know|(based|founded) on what|what is .{1,200} based on
4 on what (evidence|basis|grounds)|backed (up )?by
4 ^is it (really )?(true|correct|right)|can we (prove|show) that|which sources? (say|support|back|show)
3 (sources?|citations?) (of|for|behind)
2 claim|statement|assertion
authoring.report.get_latest
0 ^(show|get|give|open|read|fetch|find|what|where|see|send|is there)\b.*\b{latest}\b.{0,60}\b{papers}|^(the )?(latest|newest|most recent) .{0,60}\b{papers}
generate-report
6 {latest}\b.{0,60}\b({paper}|(roadmap|health) summary|area overview)
6 ^({write})\b.*\b{paper}
7 ^({write}|give|send|turn)\b.*\b({prd}|{rfc}|{jira}|road ?map summary|(health|impact) summary|area overview|competitive (intel\w*|summary|overview))
5 ^(weekly|daily|monthly) (digest|report|summary|recap)
4 ^report (on|about)
5 (in|as) (an?|one) (short |brief )?{paper}
4 ^(brief (me|us)|sum up in writing|write up)
1 report|briefing|memo|write-?up|dossier
`;

interface Cue {
  weight: number;
  whole: RegExp;
}

const cues = new Map<string, Cue[]>();
for (const line of table.trim().split('\n')) {
  const [, weight, source] = /^(\d) (.+)$/.exec(line) ?? [];
  if (source === undefined) cues.set(line, []);
  else [...cues.values()].at(-1)!.push({ weight: Number(weight), whole: pattern(String.raw`(?<!\w)(${source})(?!\w)`) });
}

/** Only the beginning counts: instructions are at the beginning, and long texts are content. */
const longest = 600;

const weighed = (name: string, said: string): number =>
  (cues.get(name) ?? []).reduce((sum, { weight, whole }) => sum + (whole.test(said) ? weight : 0), 0);

/** The likely skills of an instruction, best first; quoted words do not count. */
function likely(head: string): { skill: string; score: number }[] {
  const said = unquoted(head.slice(0, longest));
  return skills
    .map(({ id, tools }) => ({ skill: id, score: [id, ...tools].reduce((sum, name) => sum + weighed(name, said), 0) }))
    .filter((each) => each.score > 0)
    .toSorted((a, b) => b.score - a.score);
}

/** The tools of a skill whose cue occurs in the instruction, best first, each with the text after the cue. */
export function toolsOf(skill: string, text: string): Map<string, string> {
  const said = unquoted(text);
  const { tools } = skillById(skill);
  const found = new Map<string, string>();
  for (const [name, own] of cues) {
    const cue = tools.includes(name) && own.find(({ whole }) => whole.test(said));
    if (cue) found.set(name, behind(said, cue.whole));
  }
  return found;
}

/** "Find and flag …": two instructions in one. */
function twoOrders(head: string): string[] {
  const [, first, second] = /^(\S+(?:\s+\S+)?),?\s+(?:and then|and|or|then)\s+(.+)$/is.exec(head) ?? [];
  if (first === undefined || second === undefined) return [];
  const meant = [first, second].map((clause) => likely(clause)[0]).filter((each) => each !== undefined && each.score >= 3);
  return [...new Set(meant.map((each) => each!.skill))];
}

const asks =
  /^(?:what|who|whom|whose|which|where|when|why|how|has|have|had|did|does|do|is|are|was|were|can|could|should|any|anyone|anything)\b|\?\s*$/i;

/**
 * The intended skill, or the possible ones. A question that fits no other skill is a search. `among` is empty when
 * nothing is recognized.
 */
export function choose(text: string): { skill: string } | { among: string[] } {
  const head = text.slice(0, longest);
  const orders = twoOrders(head);
  if (orders.length > 1) return { among: orders };
  const ranked = likely(head);
  const [first, second] = ranked;
  if (first && first.score >= 2) {
    const { score, skill } = first;
    return score > (second?.score ?? 0) ? { skill } : { among: ranked.filter((each) => each.score === score).map((each) => each.skill) };
  }
  return asks.test(head) ? { skill: 'search-signals' } : { among: ranked.map((each) => each.skill) };
}
