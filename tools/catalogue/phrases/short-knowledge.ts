/** Short and colloquial phrases for tools of knowledge and what is made of it, as people type them, separated by `; `. They extend the other lists of this folder. */
export const shortOfKnowledge: Readonly<Record<string, string>> = {
  'authoring.artifact.generate':
    'draft requirements; write an RFC; tickets from customer feedback; spec with acceptance criteria; issue text from evidence; product requirements',
  'authoring.brief.configure':
    'when shall the news brief come; brief recipients; set my topics of interest; turn on the morning news; choose subjects for the digest; daily news at 7',
  'authoring.brief.generate': 'condense a list of articles; highlights out of given news; sum these stories up',
  'authoring.brief.get': 'morning paper; latest digest; the news summary of Tuesday; show the daily brief; headlines of the day',
  'authoring.brief.get_settings':
    'how is the brief set up; at what time does the digest come; which topics does it follow; subscribers of the digest',
  'authoring.brief.list': 'old briefs; archive of digests; all daily summaries; briefs of last month',
  'authoring.brief.run':
    'make the digest now; collect the news at once; run the morning job by hand; refresh the news; why is there no brief yet, start it; pull the latest headlines',
  'authoring.draft.get':
    "open a generated text; show the draft; read the PRD that was written; the report's text with sources; finished document",
  'authoring.draft.list': 'all generated documents; drafts in progress; which texts failed; PRDs and reports so far; previous write-ups',
  'authoring.figure.count':
    'is the number still right; recount a figure; check the 42 in that sentence; numbers in the report, verified anew',
  'authoring.report.generate':
    'write-up for management; customer health report; competitor comparison; how do we stack up against the rival; digest for stakeholders; executive report; sales material on a competitor; account review document',
  'authoring.report.get_latest': 'newest report; last finished competitor paper; the existing summary; most recent write-up',
  'authoring.schedule.list': 'planned reports; recurring mailings; why did the scheduled one fail; report calendar',
  'authoring.schedule.remove':
    'no more weekly mails of that report; delete the recurring report; cancel automatic reporting; drop a schedule',
  'authoring.schedule.run': "send the planned report right away; trigger the recurring report; don't wait until Friday, run it",
  'authoring.schedule.save':
    'every week a report by mail; automate a monthly digest; cron for a report; change who gets the recurring report; pause automatic reports',
  'authoring.statement.list':
    'sources behind each sentence; footnotes of the report; is every line supported; trace a sentence of the draft; fact check the document; citations in the text',
  'claim.evidence.link':
    'add proof; here is something that refutes it; attach a passage to the assertion; supporting evidence; this speaks against it',
  'claim.record.create': 'I assert something that must be proven; note an assertion for checking; state a thesis',
  'claim.record.decide': 'the hypothesis is proven; reject an assertion; judge whether it is true; verdict on a thesis; need more proof',
  'claim.record.get': 'pros and cons of an assertion; proof collected so far; how was the hypothesis judged; evidence for and against',
  'claim.record.list': 'open hypotheses; disputed assertions; all theses with support; what is still unproven',
  'document.content.classify':
    'is this a contract or an invoice; sort a file into one of my labels; kind of text; categorise; put a label on it',
  'document.content.parse': 'extract text from a PDF; structure of a file; look into a docx; turn a page into plain text',
  'document.table.extract': 'get the numbers out of the spreadsheet; table on page 3; cells of a PDF table; rows and columns',
  'entity.alias.add': 'also known as; another spelling for a customer; nickname; abbreviation stands for; synonym of a product name',
  'entity.change.undo': 'revert the merge; take back my decision on names; undo a split; it was wrong to accept that match',
  'entity.customer.get_profile':
    'account overview; everything on this client; customer 360; what is the account unhappy with; background before a customer call; how happy is a client; how has this account developed since we last looked',
  'entity.feature.get_health': 'how well does a feature do; adoption of search; state of the export function; open problems of a feature',
  'entity.issue.flag': 'report a problem that I saw; note a defect; this seems broken, put it down',
  'entity.issue.get_impact':
    'how bad is the bug; who suffers from it; number of accounts affected; severity of an outage; reach of a defect',
  'entity.link.create':
    'connect our record with its Jira ticket; store an external id; cross-reference to Salesforce; URL of the same thing elsewhere',
  'entity.mention.list':
    'every passage that names her; where does this name occur; occurrences of a company; texts that talk about a person; who talks about it',
  'entity.merge.confirm': 'match is right; same one, accept the match; yes to the proposed pair; they are identical',
  'entity.merge.reject': 'match is wrong; not identical; decline the proposed pair; two separate firms',
  'entity.proposal.submit':
    'suggest joining two records; duplicate companies, please unify; combine both entries; these records belong together; fuse duplicates',
  'entity.record.get': 'tell me about this person; look up a company; details of an entity; open the record by name; whois',
  'entity.record.list':
    'all customers; list of people; known features; products in the graph; browse companies; which competitors are known',
  'entity.record.split': 'one record mixes two firms; pull apart; undo a false unification; separate namesakes',
  'entity.resolution.get_stats':
    'accuracy of matching; share of automatic matches; how often are people asked about names; precision of name resolution',
  'entity.review.get':
    'details of a doubtful match; why does it think they are the same; compare both candidates; context of one question about names',
  'entity.review.list': 'doubtful matches; uncertain names; possible duplicates to decide; who-is-who questions; matching queue',
  'entity.status.set': 'problem is solved; mark the issue fixed; the feature is in progress; note how far a bug is',
  'entity.table.link': 'dedupe a CSV; fuzzy join two spreadsheets; find the same firms in both files; merge contact lists; double rows',
  'entity.type.set': 'this is a competitor, not a customer; change the category of a name; what kind of thing is it; mark as product',
  'feed.api.fetch': 'get articles by API; query the news API; call NewsAPI now',
  'feed.article.index': 'let search find the articles; put news into the knowledge base; make stories searchable',
  'feed.article.list':
    'stored articles; news about chips; press coverage of a topic; look through the news; articles by date; headlines on a subject; media mentions',
  'feed.article.store': 'save these articles; keep the fetched stories; add a news item',
  'feed.rss.fetch': 'latest entries of a feed; read the RSS; what is new on this blog; pull one feed; peek into a feed',
  'feed.source.get': 'settings of one feed; last fetch of a source; why did this feed fail',
  'feed.source.list': 'all feeds; RSS subscriptions; which news sites do we follow; broken feeds; where does our news come from',
  'feed.source.remove': 'delete a feed; stop following a site; drop an RSS subscription; no more news from there',
  'feed.source.save': "follow a blog; new news site; pause a feed; change a feed's address; add a news API; disable a source of news",
  'feed.webpage.fetch':
    "read a web page; text of an article by URL; open this link; show me the whole story behind a link; get the page's content",
  'graph.entity.browse':
    'wander through the graph; what surrounds a topic; look around in an area; explore connections; overview around a company',
  'graph.entity.find_related':
    'link between two firms; how is a person tied to a product; connection path; what do they have in common; chain from A to B; associations',
  'graph.episode.add':
    'tell the graph something; add a dated fact; she changed jobs; note an occurrence; new knowledge about a relationship; on Monday the contract was signed',
  'graph.episode.delete': 'remove what I told the graph; erase an episode; retract a noted event',
  'graph.episode.get': 'has my entry reached the graph; one episode; text of what was told',
  'graph.episode.list': 'what was fed to the graph; queued episodes; entries of the graph, newest first',
  'graph.fact.list': 'chronicle of a company; all that held for a person, dated; biography; history of an account; facts with dates',
  'graph.fact.search':
    'what held back then; who was CEO in 2020; relationships at a point in time; is it still the case; since when; former employers; outdated facts; dated knowledge',
  'graph.neighbourhood.get': 'graph around a node; ego network; map of connections; surroundings to visualise; nodes near it',
  'graph.node.search': 'find a node by name; entity with a similar name; which thing is meant by this name; look up a name variant',
  'graph.projection.rebuild': 'Neo4j is out of step; rebuild the graph database',
  'graph.store.clear': 'wipe the graph; delete all entities',
  'graph.summary.get':
    'overview of what we know; size of the graph; number of entities; landscape at a glance; most mentioned; knowledge summary',
  'index.answer.explain':
    'why these hits; how was the answer found; ranking explained; retrieval trace; plan and steps behind an answer; scores of the sources',
  'index.chunk.search':
    'look it up; what does the manual say; full-text search; search meeting notes; find the passage; who talked about it in the call; what was agreed; answer from our documents; ask the knowledge base; next steps from the meeting; verbatim wording; action items agreed in a call; follow-ups from the minutes; commitments we gave in calls; exact words with their time',
  'index.code_example.search': 'code snippet; sample code; how do I call this API, with an example',
  'index.projection.rebuild': 'Qdrant is out of step; rebuild the vector store; resync vectors',
  'ingest.content.submit': 'index this text; add anything to the search; put an artifact into the index; import content',
  'ingest.dlq.abandon': "ignore what failed; close a dead letter; don't try it any more",
  'ingest.dlq.list':
    'unreadable files; what could not be imported; failed imports with the reason; ingestion errors; rejected documents; stuck stages',
  'ingest.dlq.retry': 'import the failed file once more; resume the stuck import; second attempt; rerun failed stages; retry it',
  'ingest.document.submit':
    'import a document; upload a PDF; add a Word file; load a directory; feed a spreadsheet in; import zip archive; add to the knowledge base',
  'ingest.pipeline.run': 'compute vectors anew; process all documents again; new embedding model, redo; refresh the index',
  'ingest.run.get': 'one harvest run; errors of the crawl log; counts of a harvest',
  'ingest.run.list': 'harvest runs; log of crawls; past imports by status',
  'ingest.run.log': 'record my harvest; log counts of a crawl; note errors of an import that I ran',
  'ingest.transcript.submit':
    "add a call recording's text; import subtitles; meeting minutes with speakers; upload a VTT; put in the Zoom transcript",
  'ingest.url.submit': 'import a website; scrape pages; spider the docs site; add a web page to search; page was updated, take it in again',
  'ingest.youtube.submit': 'add a YouTube talk; import video captions; make a video searchable',
  'insight.count.rebuild': 'statistics look wrong, recount; repair counts; recompute heatmap numbers',
  'insight.heatmap.get':
    'hot spots; most frequent problems; top issues by customers; biggest themes; what hurts most; ranking of themes; areas of trouble',
  'insight.matrix.get': 'pivot table; features against customers; crosstab; grid with counts',
  'insight.scenario.analyze': 'consequences of fixing it; what-if; effect of removing a feature; impact before we decide',
  'insight.strategy.generate':
    'risks and chances; who might churn; customers at risk; accounts that could cancel; patterns in feedback; strategic view; renewal dangers',
  'insight.trend.list':
    'rising topics; is it increasing; over time; week over week; emerging subjects; tone by month; going up or down; new topics lately; momentum',
  'knowledge.base.create': 'new collection of documents; separate space for legal; own search area',
  'knowledge.base.delete': 'drop a whole collection; delete the space with everything in it',
  'knowledge.base.list': 'collections of documents; which knowledge bases exist; spaces',
  'knowledge.base.query': 'ask only the legal collection; search within one base; limited to the HR space',
  'knowledge.document.get':
    'read the whole text; open a document from the start; context around a passage; table of contents; full transcript',
  'knowledge.passage.get': 'open the cited place; show the citation; read the quoted paragraph in full; verify a reference',
  'knowledge.source.delete': 'remove a document from search; purge everything from a source; unindex; delete an imported file',
  'knowledge.source.get': 'state of one source; number of passages of a file; did this source fail; tags of a source',
  'knowledge.source.list':
    'what has been imported; all documents; inventory of files; list transcripts; indexed material; contents of the knowledge base',
  'knowledge.source.update': 'change its description; set priority',
  'memory.record.consolidate': 'deduplicate memories; merge similar notes; memory hygiene; repeated lessons; compact what you know',
  'memory.record.delete': 'forget that; remove a note to self; wipe what you remember; that memory is outdated, drop it',
  'memory.record.extract':
    'remember this conversation; keep decisions of the chat; notes from a dialogue; harvest preferences; memories out of a transcript',
  'memory.record.get': 'history of a note; old version of a memory; what was it before; superseded by what; valid since when',
  'memory.record.list': 'all my notes; what have you remembered; saved notes by date; recent memories',
  'memory.record.restore': 'unmerge memories; revert the deduplication of notes; split joined memories',
  'memory.record.save': 'keep in mind; note to self; save a preference; lesson learned; write down for next time',
  'memory.record.search':
    'do you remember; recall a preference; what did I tell you; notes on a topic; have we learned anything about it; my stored knowledge',
  'memory.record.update':
    'update what you remember; what you remember is wrong, correct it; change a memory; new version of a note; supersede a decision; extend the expiry of a note',
  'opportunity.factor.set': 'effort is three weeks; override a score factor; adjust the estimate; set the confidence by hand',
  'opportunity.goal.set': "this quarter's focus; strategic goal; prioritise mobile; what matters to the strategy",
  'opportunity.priority.list':
    'prioritised backlog; roadmap ranking; what comes next on the product; best bets; rank requests by impact; scoring with reasons',
  'opportunity.record.get':
    'why does it have this score; one opportunity; details behind an idea; factors of the score; customers behind an idea',
  'opportunity.record.list':
    'all product ideas; requests grouped by subject; clusters of feedback; rejected ideas; candidate features; opportunity backlog',
  'opportunity.status.set':
    "accept the idea; we won't do it; put under review; decline an opportunity; take onto the roadmap; decision on an idea",
  'opportunity.title.set': 'better title for an idea',
  'provenance.chain.trace':
    'where does this come from; origin of a statement; evidence chain; back to the source; what is this based on; proof behind a number',
  'signal.facet.list':
    'number of complaints per class; breakdown of feedback; counts by sentiment; distribution; how many bugs versus requests; tally by competitor',
  'signal.reading.correct':
    'speaker is on our side, not a customer; wrong date of the call; who speaks for whom; fix how the transcript was understood',
  'signal.reading.get':
    'what was left out and why; how was the call understood; participants by side; why is that line missing among the statements',
  'signal.record.correct':
    'wrong class; it is praise, not a complaint; change the sentiment; reclassify a statement; severity is too high; not from a customer',
  'signal.record.get': 'one customer statement; passage of a quote; similar remarks',
  'signal.record.search':
    'customer quotes; voice of the customer; compliments; gripes; what do clients say; who asked for it; opinions on the price; user feedback; literal wording of customers',
};
