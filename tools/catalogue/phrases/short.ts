/** Short and colloquial phrases for every tool, as people type them, separated by `; `. They extend the other lists of this folder. */
export const short: Readonly<Record<string, string>> = {
  'access.stakeholder.configure':
    'limit what the sales team can view; open the mobile area to marketing; team visibility settings; restrict finance to two product areas',
  'access.stakeholder.list':
    'teams and their visibility; which departments are restricted; stakeholder permissions overview; what is marketing allowed to view',
  'agent.activity.list': 'workload of the crew; what are the bots doing; live view of agents at work; is somebody on it already',
  'agent.capability.list':
    'skills directory; who has the skill for OCR; which abilities are registered; competences of the agents; is there an agent for legal texts',
  'agent.history.list':
    'why was the bot paused; ups and downs of a worker; agent log of changes; since when has it been offline; who switched the agent off',
  'agent.message.acknowledge': 'mark as read; I have seen these messages; tick off the mail',
  'agent.message.list': 'any mail for me; check messages; unread notes from other agents; my inbox, please',
  'agent.message.send':
    'drop a line to another bot; write to a colleague agent; DM the build agent; tell the tester that staging is ready; leave a message for a worker that is away',
  'agent.output.review':
    "drafts by bots that need judging; accept the answer of the classifier; the bot's output is wrong, turn it down; quality check of agents' work; pending agent outputs; verdict on what an agent produced; poor work by an agent, turn it down",
  'agent.output.submit':
    'here is my draft, please judge it; hand over my result for a check; submit for human approval of quality; let a person look over what I wrote',
  'agent.peer.heartbeat':
    "sign of life; keep me marked as healthy; ping so that I'm not considered dead; still running; presence beat; I am here",
  'agent.peer.list': 'agents that are reachable; peers and their health; address book of agents; offline peers as well; contactable bots',
  'agent.peer.register':
    "add an outside agent by its URL; make a partner's bot known; onboard an A2A peer; register by agent card; join as a peer; new external agent",
  'agent.peer.unregister': "remove an agent for good; retire a bot; drop a dead peer; delete the agent's registration; deregister",
  'agent.presence.get': 'when was it last seen; availability over the day; outages of an agent; online times',
  'agent.registry.activate': 'unpause the bot; let it work again; resume an agent; lift the suspension; switch the worker back on',
  'agent.registry.deactivate':
    'suspend a bot; stop giving it work; freeze an agent that misbehaves; put on pause; bench the worker; disable an agent',
  'agent.registry.list':
    'fleet overview; cost and health of managed agents; which bots miss their objectives; all workers with version; acceptance rate by agent; agent roster',
  'agent.registry.register':
    "enrol myself as a worker; onboard a new in-house bot; announce a managed agent; new version of an agent's definition; change my listed abilities",
  'agent.session.close': 'end the discussion between agents; wind up the conversation; we are done talking',
  'agent.session.get':
    "transcript of the agents' chat; what was said between the two bots; read the thread with the other agent; dialogue so far",
  'agent.session.list': 'talks between agents; open threads; ongoing conversations; agent chats',
  'agent.session.open':
    'start a chat with two agents; begin a discussion thread; new conversation among bots; bring agents together to talk',
  'agent.session.send':
    'answer the other agent; post into the conversation; clarify for my counterpart; give a waiting peer the input that it asked for',
  'agent.task.cancel':
    'withdraw the work that I handed to a partner; abort delegation; tell the other agent to stop; outsourced work is no longer wanted',
  'agent.task.delegate':
    'let another agent do it; pass work to a specialist; have it done by a partner and give me the result; farm it out; forward to an agent with the right skill',
  'agent.task.get':
    'status of the outsourced work; how far is the partner with it; is the delegated work late; deadline of what I handed off',
  'agent.task.get_result':
    "fetch what the partner came up with; wait for the other agent's reply; did the delegate answer; outcome of the delegation; collect the result; has the delegate delivered",
  'agent.task.list':
    'everything I outsourced; work between us and other agents; incoming and outgoing delegations; tasks received from partners; all handed-off work',
  'agent.task.receive': 'take on work for a partner; another system wants us to do something; accept a job from a peer; inbound request',
  'agent.task.report':
    'tell the one who delegated how far I am; return the result to the delegating agent; 50 percent done, from the one that got the task; deliver to my client agent; report an error to who hired me',
  'agent.version.list': 'earlier definitions of a bot; which version is in use; changelog of an agent; prompts it had before',
  'agent.version.rollback':
    'back to the previous definition; revert a bot; the new prompt is bad, return to the old one; undo an agent release',
  'approval.request.approve': 'green light; go ahead with it; allow the held call; I consent; let it pass; OK to run',
  'approval.request.cancel': 'withdraw my request for permission; never mind, no need to approve; take back my pending call',
  'approval.request.get':
    'status of my request for permission; has a manager decided; did they allow it; outcome of the held call; wait for the decision',
  'approval.request.list': 'requests for permission; what do I have to decide; calls on hold; who wants permission for what',
  'approval.request.reject': "deny it; don't allow this; veto the call; turn the request down; disapprove",
  'approval.request.resolve':
    'the outcome is unclear, I checked: it went through; ambiguous call, it did not take effect; settle an uncertain result',
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
  'connector.hubspot.update_deal': 'move the deal to closed won; CRM deal amount; change stage in HubSpot; set deal properties',
  'connector.mount.list': 'integrations that we have; outbound connections; connected apps; dry run or live',
  'connector.mount.remove': 'remove the HubSpot token; cut the integration; unlink an app',
  'connector.mount.set': 'hook up the CRM; store an integration token; link HubSpot; switch an integration from dry run to live',
  'connector.slack.post_message':
    'write into the Slack channel; tell #general; reply in a thread on Slack; Slack the team; channel announcement',
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
  'event.delivery.list': 'which calls to our endpoint failed; lost events',
  'event.delivery.retry': 'redeliver; push the undelivered events again; endpoint is back up, resend',
  'event.stream.subscribe':
    "what's new; activity feed; events since a point in time; listen for changes; what took place meanwhile; catch up on events; wait till something happens",
  'event.subscription.get': 'how far is my webhook; one alert in detail; status of a subscription; why is nothing delivered',
  'event.subscription.get_secret': 'signing key of our webhook; whsec; how do I verify the signature',
  'event.subscription.list': 'all webhooks and alerts; who gets told of events; active subscriptions; alert overview; hooks',
  'event.subscription.remove': 'no more alerts; drop the hook; stop notifying that endpoint',
  'event.subscription.resume': 'webhook was paused, go on; restart deliveries; continue the alert; re-enable the hook',
  'event.subscription.save':
    'register a webhook; notify me when a job ends; alert on new complaints; call our URL on every change; tell me as soon as it is done; create an alarm',
  'event.subscription.test': 'send a ping to our webhook; try the alert target; test delivery',
  'external.prompt.get': "fill in the server's prompt; use a prompt template of GitHub's server",
  'external.prompt.list': 'prompt templates that a connected server offers; prompts over there',
  'external.resource.list': 'files that the connected server exposes; readable resources over there',
  'external.resource.read': 'open a resource URI',
  'external.server.add':
    'connect an MCP server; plug in a tool server; attach third-party tools; new integration by MCP; add a command that serves tools',
  'external.server.get': 'settings of a connected server; why does the MCP server not answer; last error of a server',
  'external.server.list': 'connected MCP servers; integrations by MCP; third-party tool servers; are they up',
  'external.server.remove': 'disconnect an MCP server; remove third-party tools; detach the server; forget its credentials',
  'external.server.test': 'does the connected server respond; refresh its tools; probe an MCP server; latency of a tool server',
  'external.server.update': 'new URL for an MCP server; change its token; disable a connected server; raise its timeout',
  'external.tool.approve':
    'trust the new tools; release a changed tool; I have checked the definition, allow it; whitelist a third-party tool',
  'external.tool.list': 'which third-party functions can I call; changed definitions to check',
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
  'memory.record.delete': 'forget that; remove a note to self; wipe what you remember; that memory is outdated, drop it',
  'memory.record.list': 'all my notes; what have you remembered; saved notes by date; recent memories',
  'memory.record.save':
    'keep in mind; note to self; save a preference; lesson learned; update what you remember; write down for next time; what you remember is wrong, correct it',
  'memory.record.search':
    'do you remember; recall a preference; what did I tell you; notes on a topic; have we learned anything about it; my stored knowledge',
  'notification.message.get': 'was the mail delivered; details of one notification; delivery attempts; what would have been sent',
  'notification.message.list': 'sent messages; failed mails; outbox log; notification history; what went out',
  'notification.message.retry': 'resend the mail; try the failed message again; deliver the notification once more',
  'notification.message.send': 'notify somebody; mail this to a colleague; inform a person; message by webhook; let the boss know',
  'notification.webhook.list': 'signed targets',
  'notification.webhook.remove_secret': "drop a webhook's signing secret; go back to the common secret",
  'notification.webhook.set_secret': 'new signing key; sign notifications with',
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
  'run.checkpoint.get': 'last saved state; where to continue; restore progress; resume point',
  'run.checkpoint.save': 'save progress; snapshot of my state; store a resume point; intermediate state',
  'run.record.complete': 'finish the run; end with a result; mark run as done',
  'run.record.create': 'begin a record of my work; track what I do; new execution log',
  'run.record.get': 'details of a run; its steps; what did the run produce; log of an execution',
  'run.record.list': 'list of runs; failed executions; run history',
  'run.record.start': 'set the run going; begin executing',
  'run.step.log': "next step done; add a step; write to the run's log; progress entry",
  'schema.definition.get': 'format of a record; fields of the event',
  'schema.definition.list': 'all schemas; registered formats; schema versions',
  'schema.definition.register': 'add a JSON Schema; define a format; data contract; new schema version',
  'schema.instance.validate': 'is the JSON valid; does it conform; format errors',
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
  'substrate.artifact.get': 'open a stored file; content of a hash; download the blob; original bytes',
  'substrate.artifact.list': 'stored files; list of blobs; recent artifacts',
  'substrate.artifact.upload': 'put a file in storage; save a blob; content-addressed; keep data and get a hash; upload bytes',
  'substrate.manifest.checkout': 'files of a snapshot; what is in the package; contents of a release; list paths',
  'substrate.manifest.create': 'bundle files; freeze a snapshot; package artifacts; immutable set',
  'substrate.manifest.get': 'size of a snapshot; who created the package; manifest metadata',
  'substrate.pointer.advance':
    'switch a label to another release; promote a build; roll back a label; repoint; set stable to another manifest',
  'substrate.pointer.create': 'new label; give the release a name; create a tag',
  'substrate.pointer.history': 'where has the label been; past releases under a name; who moved the tag',
  'substrate.pointer.list': 'all labels; tags with their targets; names of releases',
  'substrate.pointer.resolve': 'what is stable right now; target of a label; which manifest is behind the tag',
  'system.budget.save': 'cap the spending on the LLM; daily token limit; cost ceiling; switch off the language model',
  'system.call.get': 'one call in detail; what did this call do; verdict on a call',
  'system.capability.list': 'which tools does a capability cover; rights of keys; meaning of cap:index; permissions by capability',
  'system.capability.save':
    'let keys of this kind use more tools; define a permission set; bundle of allowed tools; grant rights to a bot; give a bot the right to read something',
  'system.data.export':
    'download everything; dump all records; takeout; backup of our data; data subject request; file with all records of a client',
  'system.deprecation.list': 'old tool names; what will be removed; deprecated spellings still in use',
  'system.export.get': 'is the export ready; link to the exported file; download link; fetch the dump',
  'system.health.get': 'is it running; status of the database; anything down; services up; ping the platform; search index status',
  'system.inbox.get': 'one pending item; details of something that waits for me',
  'system.inbox.list': 'my to-dos as a person; what needs a decision; everything pending on humans; waiting for people; action required',
  'system.job.cancel': 'abort the job; kill the running import; stop background work; cancel processing; halt it',
  'system.job.get':
    'job status; is the job finished; progress in percent; result of background work; wait until the job is through; import done yet',
  'system.job.list': 'background work; queue of jobs; running processes; what is being processed',
  'system.ledger.export': 'log as a file for auditors; download audit entries; ledger as JSON lines',
  'system.ledger.search':
    'audit log; who did what; which key deleted it; history of calls; log of actions by an agent; trace who changed something; what did this bot call',
  'system.ledger.verify': 'is the audit log intact; check the hash chain; proof that no entry was altered; integrity of the log',
  'system.model.get': 'which LLM is used; token consumption; language model costs; is a model configured',
  'system.overview.get':
    "control room; at a glance; state of operations; big picture; operator's summary; how many tasks, agents, jobs; load of the system; operations dashboard",
  'system.policy.explain':
    'am I allowed; permission check; why was I refused; which rule blocked it; may I do this; what would happen if I called it',
  'system.policy.list': 'rules in force; levels of care; existing policies; guard rails',
  'system.policy.save': 'require approval for outgoing messages; new rule; block deletes; add a guard rail; make a person confirm',
  'system.session.close': 'finish the working day; end of shift',
  'system.session.get': 'what is in my session; until when is my session valid; which care level applies',
  'system.session.open': 'begin working; new work session; start with stricter rules; limit what I can use for now',
  'system.session.update': 'add a connector to my session; drop a server from the session',
  'system.tool.call': 'invoke a hidden tool; run any tool by its name; proxy call',
  'system.tool.describe': 'parameters of a tool; how do I use this tool; schema of its arguments; usage',
  'system.tool.list': 'all available tools; catalogue of functions',
  'system.tool.search': 'which tool should I use; find a function; is there something that can do this',
  'work.board.get':
    'board; columns with tasks; state of the project; overview of tickets; backlog; progress of the phase; open and done counts',
  'work.phase.get': 'goal of the phase; what is this stage for',
  'work.phase.list': 'stages of the project; milestones; all phases',
  'work.phase.set': 'new phase; set up a milestone; project plan by stages; edit a phase; define done',
  'work.task.block': 'must wait for another ticket; dependency; blocked by; order of tasks; prerequisite',
  'work.task.claim': 'give me work; pick a ticket; next item; what shall I do; pull from the backlog',
  'work.task.comment': 'add a note; remark on a ticket; comment; write under the issue',
  'work.task.complete': 'finished, close my ticket; submit the deliverable; task done with result; deliver what I made; resolve',
  'work.task.create': 'new ticket; add a to-do; open an issue on the board; file work; put it on the backlog; somebody should do this',
  'work.task.fail': "cannot be done; I'm stuck for good; abandon with a reason; give up on the ticket; task impossible",
  'work.task.get': 'ticket details; task status; read the notes on a task; look at one issue; what does it wait for',
  'work.task.get_current': 'do I hold a task; current work',
  'work.task.heartbeat': 'keep my claim; not finished yet, need more time; prolong; still working; progress note on my ticket',
  'work.task.list': 'search tickets; tickets by tag; open tasks; done last week; failed tickets; tasks of one holder; to-do list',
  'work.task.release': 'put it back; return the ticket; unassign me; someone else can have it; drop my claim',
  'work.task.update_status': 'set to in progress; change the state; move the card; mark as done',
  'access.key.collect':
    "get the secret that I never received; the answer with my new key was lost; show my new key's secret after the approval",
  'access.key.create': 'issue an API key; credentials for a bot; new token for an agent; give a colleague access; access key',
  'access.key.list': 'all API keys; who holds a key; unused keys; overview of credentials; tokens and their last use',
  'access.key.revoke': 'withdraw a key; lock an API key out; the token got into the wrong hands; disable credentials; kill the key',
  'access.key.rotate': 'renew the secret of a key; replace credentials; new token in place of the old; key rollover',
  'access.stakeholder.preview': "check what sales would see; view as marketing; effect of a team's restrictions",
  'agent.a2a.cancel': 'abort what a peer has sent over A2A',
  'agent.a2a.get': "state of an A2A task; messages of a peer's request; A2A task in detail",
  'agent.a2a.list': 'incoming A2A tasks; what have peers asked for; A2A requests',
  'agent.a2a.send': 'try our A2A interface; speak A2A to ourselves; answer an A2A task that waits for input',
  'external.tool.get':
    'what exactly has the third-party tool changed; compare approved and present definition; suspicious places of a tool',
  'system.connection.describe':
    'how do I connect Cursor; client configuration; set up Claude Code; snippet for the settings file; connection help',
  'system.limit.get': 'my quota; calls per minute left; remaining budget; rate limits',
  'system.policy.history': 'earlier versions of the rules; policy changelog',
  'system.policy.simulate': 'try a rule before saving; dry run of a policy; what would a stricter rule refuse',
  'work.task.history': 'what happened to a ticket; life of a task; who claimed it before; lost leases of a task',
};
