/** Phrases of people who need a tool, with words that its name and description lack, separated by `; `. */
export const knowledge: Readonly<Record<string, string>> = {
  'document.content.classify':
    'is this a contract or an invoice?; sort this file into one of our categories; which of these labels suits the text; what sort of paper is it; is it a complaint, a praise or a question; which of our five categories is this letter; contract, offer or invoice?; put a label on the scan',
  'document.content.parse':
    'take this file apart without storing it; what headings and sections are in there; just get me the plain text of this web page; split a Word file into its parts; show me the outline of this presentation, nothing else; which chapters does the manual have; open that spreadsheet file and tell me what is inside; structure of a report by section; take the text out of the scan',
  'document.table.extract':
    "pull the figures out of this PDF as rows; get the price list in the report as cells; I need the numbers on page 4 as a table; sheet contents row by row; I want the rate card in the contract as data; get me the quarterly numbers from the annual report's grid; rows and columns of the sheet; copy the matrix out of the slides",
  'entity.alias.add':
    'people also call it X; "SSO" is what we call Single Sign-On; this short name stands for that customer; teach it another spelling; treat both spellings as one; IBM and Big Blue mean the same; when somebody writes k8s they mean Kubernetes; add a nickname for the customer; the old product name still counts',
  'entity.change.undo':
    'joined the wrong two companies, put them back; revert what I answered a moment ago; oops, wrong key: bring the question back; separate them again as they were before; roll back a join of two entries; I said yes by mistake',
  'entity.customer.get_profile':
    "everything about one account before a call; what does this client want and hate; brief me on a company; how happy is this customer; is the account at risk; tell me about Globex before I phone them; what are Initech's pains and how do they use us; a picture of the account: value, problems, feelings; how do we stand with this client",
  'entity.feature.get_health':
    'how is the export feature doing?; is this feature liked, and what is broken in it; state of a capability of our product: adoption, problems, feedback; do people use search and what do they say about it; are people content with the mobile app; does dark mode work well for users, and what is said; condition of the reporting module; number of bugs and requests for a part of the product',
  'entity.issue.flag':
    'customers run into something new, put it on record; this looks like a real bug, make it known; raise the alarm about an outage that clients report; someone should look into these complaints',
  'entity.issue.get_impact':
    'who is hit by this bug, and how badly?; how many customers suffer from the outage; how severe is the problem and for whom; revenue affected by a defect; which accounts complain about it; login fails for some: which clients, and is it bad; how many are touched by the sync error; who is suffering from the slow dashboard; how urgent is this defect, judged by who has it; damage done by a bug',
  'entity.link.create':
    'note the ticket number from the tracker at this issue; put the CRM id beside the customer; attach an outside reference; the same thing is called PROJ-12 in Jira; store where it stands in the other system; remember that our Acme is number 4711 in Salesforce; this bug is GH-77 in the tracker; add the support-desk number to our record of the problem; put the Linear id at the feature; write down the foreign key of the account',
  'entity.mention.list':
    'every place where Globex comes up; sentences with the name of the account; show me what was said about dark mode, newest on top; quotes that name this person; text around each occurrence of the product',
  'entity.merge.confirm':
    'yes, both are one company; they are duplicates, make them one; join the two entries; same customer under two names; Acme Inc and ACME are one and the same, go on; agreed, the proposed pair is identical; unite both customers',
  'entity.merge.reject':
    'no, those are two different companies; they only sound alike, leave them apart; not a duplicate; stop suggesting to join them; Delta the airline is not Delta the taps maker; the suggested pair is wrong, keep both; they share a name, nothing else',
  'entity.proposal.submit':
    'I think these two are the same, somebody please check; this entry mixes two companies, suggest dividing it; hint at a duplicate for review',
  'entity.record.get':
    'look up one customer, feature or person; details of a known thing; what other names does it go by; when did it first appear and what became of it; show the entry of Acme',
  'entity.record.list':
    'all customers with the most feedback first; which people and products turn up in our data; list known themes; every company whose name begins so; names of all clients starting with "Glo"; which products come up at all; whom do we know at Initech; give me the roster of accounts',
  'entity.record.split':
    'it was wrong to join them, take them apart again; two firms ended up in one entry; undo the merge of these accounts; divide an entry; Mercury became one entry for two firms, pull them apart; somebody joined the wrong accounts, reverse it; two Peters were thrown together',
  'entity.resolution.get_stats':
    'how often do we match names wrongly?; quality of the duplicate detection over time; share of names recognised automatically; do we ask humans too often whether names match; precision of our deduplication by month; share of name matches decided without a person; are automatic matches right',
  'entity.review.list':
    'which pairs might be duplicates; what matching questions are open; what do I have to look at about customers that may be the same; doubtful names waiting for a person; pairs of clients where we are unsure; is there anything to decide about duplicates; show me uncertain name matches one by one',
  'entity.review.get':
    'open one pending duplicate and compare both sides; how sure is the matcher and what speaks for it; what would a yes do to names and facts; details of a proposed pair',
  'entity.status.set':
    'the bug has been fixed, note that; mark it as shipped; this problem is being worked on; it is closed in the tracker, keep ours in step; reopen the issue',
  'entity.table.link':
    'we have two customer lists, which rows belong together; find doubles in this spreadsheet; match our export against theirs; join two tables without a common key',
  'entity.type.set':
    'no, that is a rival and not one of our functions; the word print view is nothing of ours, stop listing it; treat Initech as a client from now on; this was filed under the wrong kind; tell the system what this name stands for',
  'graph.entity.browse':
    'what is in the area of billing; show neighbours of this customer one step away; explore what hangs together; just let me look around the payment corner; what is near Globex, two steps at most; I want to get a feeling for the search area; walk through the things around this feature; show surroundings without a question in mind',
  'graph.entity.find_related':
    'what ties these two together; is there any connection between a customer and a complaint, maybe through others; what else is affected through it; who is linked to this, directly or via somebody; hidden links; how does Globex hang together with the sync error, perhaps through somebody else; which path leads from this feature to that customer; what else is connected with the outage; is there a chain between both',
  'graph.episode.add':
    'note in our shared history that this happened today; keep this conversation with its date; tell the graph a new fact; Bob moved to sales last week, record that; put this event on the timeline; note for the timeline that Globex renewed on Friday; put down that Anna took over support today; the conversation with Initech belongs into our history; remember as dated: prices rose in May',
  'graph.episode.delete':
    "that recorded conversation was wrong, remove it with what came from it; unlearn a single event; take back what I told the graph; take the call of last Tuesday out of our common memory, only that one; the imported talk with id 77 should be gone; erase a single recorded event; remove one conversation from the graph's past; make one imported conversation disappear from the graph",
  'graph.episode.get': 'has the event I told you been taken in yet; where in the queue is my conversation; read one recorded event again',
  'graph.episode.list':
    'which events were recorded lately; what is still in line to be taken into the graph; recorded conversations that went wrong',
  'graph.fact.list':
    'everything dated that is known about Acme, in order of time; who was its owner from when to when; bars of validity for one account; what ended and what still holds for this person',
  'graph.fact.search':
    'what was true about them in March; who led the team before; how do these two relate, and since when; what is known about a person; when did they switch to another vendor; since when has Anna been in charge; who supplied them in 2022; what do we know for certain about Globex; what held before the change; statements on how they are related',
  'graph.neighbourhood.get':
    'draw the web around a customer; load more nodes beside this one; picture of what touches the billing feature; bounded graph for a screen',
  'graph.node.search':
    'look up things by name in the graph; anything by the name of Phoenix, be it a team or a project; who or what is "Orion"; nodes with a similar name; find that thing by its name, I only need what kind it is',
  'graph.projection.rebuild': 'Neo4j is out of step with our records; fill the graph database again from scratch; the graph copy was lost',
  'graph.store.clear':
    'start over with an empty graph; wipe all entities and events; throw away everything we know about entities; burn the whole graph, we start anew; empty everything about entities, it was only a test; delete all we learnt about who is who',
  'graph.summary.get':
    'the big picture of our product landscape; what stands out lately; state of an area in brief: top customers, issues, features; what is everybody talking about; how does our landscape look in short; numbers and top names at a glance; what moved most in the last weeks',
  'index.answer.explain':
    'how did you come to that result; why was this passage ranked first; which steps led to the answer; on what did you base this; why did you name that document; which hits made you say so; lay open how the search went; show what lies behind the last answer',
  'index.chunk.search':
    'where in our documents is it written; what does the handbook say about holidays; look for something in everything we have read in; quote me the place about refunds; has anybody mentioned it in a meeting; what do our docs say on two-factor login; is there a section about backups; find the lines on data retention in the policy; what was said about pricing in the meetings; show the part of the guide that covers installation; where do the texts mention rate limits',
  'index.code_example.search':
    'is there a sample in Go for this; how do I write that in TypeScript, show me a snippet; example implementation from our docs; a Python snippet for paging through results; how would one do retries in Java, is there sample code; show me SQL from our docs that joins two tables; an example in C# for reading a file; code in Go that opens a socket; how is that written in Rust, Kotlin or Ruby, show me some lines; got a shell or PHP sample?',
  'index.projection.rebuild':
    'Qdrant is out of step with our records; fill the vector database again from scratch; the copy of the vectors was lost',
  'ingest.content.submit':
    'take in a whole folder; read in this archive; feed content from another system; another program sends us a heading and a body, keep it searchable; a webhook delivers plain text, store it for search; the zip with all manuals has to be read in; take this snippet of text into the index; feed in whatever comes from the form',
  'ingest.dlq.abandon': 'give up on the file that will not load; close that failed item, we do not need it; stop trying to take it in',
  'ingest.dlq.list':
    'what could not be taken in, and with which error; which uploads got stuck; list of contents that were refused; what went wrong for good while reading in, and why; which files gave up; are there items that need a decision after failing; show the rejected ones with the reason',
  'ingest.dlq.retry':
    'the database is back, try the stuck one again; give the failed item another go; run that broken import once more; the vector store is up again, repeat item 12; the network was down then, take another run at it; redo the import that died; have one more attempt at a stuck file',
  'ingest.document.submit':
    "put this PDF where it can be searched; here is our handbook, read it in; add a spreadsheet to the library; I have a report to file; new version of the contract, replace the old one; this contract has to be findable from now on; put the new price list into the library; index my report; read in /data/handbook.docx; the team's wiki export as a file, add it",
  'ingest.pipeline.run':
    'compute all vectors anew; some documents were stored but never indexed, do that now; rerun the processing over everything; we have a new embedding model, do everything over; go through all stored documents once more; catch up on what was not processed; start the whole processing by hand',
  'ingest.transcript.submit':
    "here is what was said in yesterday's call; keep the minutes of a meeting; take in the recording's captions of our interview; file the notes of a customer conversation; notes of today's interview with Globex, keep them by speaker; the Teams recording as text, file it; add our stand-up's minutes; what the customer told us on the phone, as a VTT file",
  'ingest.url.submit':
    'read that website; add an article from the internet; follow the links of this site one level and store what you find; import our public docs; swallow the documentation at this address and what hangs below it; read our public blog into the library; index https://example.org two levels deep; fetch all pages of that site and keep them; get the web manual in',
  'ingest.youtube.submit':
    'make this video searchable; what do they say in the clip, keep it; take in a talk from YouTube; the keynote on YouTube, take in what is said; captions of this clip into the library; watch this video for me and keep it',
  'knowledge.base.create':
    'a separate place for the legal papers; start a new collection; keep these files apart from the rest; give the HR papers a home of their own; new library for the partner docs; I need an empty collection',
  'knowledge.base.delete':
    'throw away the whole collection; remove a library with everything in it; that set of documents is obsolete, delete it all',
  'knowledge.base.list': 'which libraries do we have, how big are they; all collections of documents',
  'knowledge.base.query':
    'look only in the legal collection; search within one library; ask just this set of documents; only in the HR library: how many days off; look into the partner docs and nowhere else; ask one collection',
  'knowledge.document.get':
    'let me read the whole transcript; go to the next page of the text; table of contents of an ingested file; scroll on from the place that was found; what comes right after the quoted lines',
  'knowledge.passage.get':
    'follow a reference to its original words; doc_1a2b#12: what does it say; look up the quote in its source; verify the footnote of a report; original wording behind a figure',
  'knowledge.source.delete':
    'this document is outdated, take it out; remove one file from the library; the contract must not be found any more',
  'knowledge.source.get':
    'when was this file read in, and how many parts does it have; details of one document; is that report in the library already; state of the handbook we took in; who uploaded this file and is it complete; facts about one source; did the price list make it into the library',
  'knowledge.source.list':
    'what has been read in so far; all files in the library; documents added this week; what material do we have; which manuals have been read in; everything from the sales team in the library; newest files we hold; what are you drawing on',
  'knowledge.source.update':
    'give this document a better title; put labels on a file; correct the description of a source; this one matters more than others',
  'memory.record.consolidate':
    'which of your notes say the same twice; clean up what you have noted; there are duplicates among the lessons, join them; tidy the memory; too many notes about the same thing',
  'memory.record.delete':
    'forget what I told you about the server; forget the hint with the old server name; what you kept about the proxy is not true any more; strike that from your notes; throw the saved lesson away; that hint is out of date, erase it',
  'memory.record.extract':
    'go through this chat and keep what matters; what did we agree on in that conversation, note it; remember my preferences from this talk; pull the decisions out of the meeting into memory; learn who I am from what I said',
  'memory.record.get':
    'what did that decision say before; since when is this our convention; show the earlier versions of the note; what replaced the old rule; when did we change our mind on that',
  'memory.record.list': 'everything you have noted so far; all our decisions; show your notes of this month',
  'memory.record.restore':
    'those two notes were different, separate them again; take back the clean-up of the notes; the joined lessons were not the same',
  'memory.record.save':
    'keep in mind that we use tabs; do not forget this lesson; for the future: the deploy needs two approvals; note this for next time; write down what we agreed; bear in mind for later that staging is reset on Sundays; learn this: never deploy on Friday; put this insight where the others find it; make a note of the workaround',
  'memory.record.search':
    'have we decided on that before; do you recall how we fixed it; our conventions for naming; did we run into timeouts like this before; what do our lessons say on migrations; have you noted anything about the proxy; what was our conclusion about caching; remind me what we agreed on for logging; any experience with slow tests from earlier',
  'memory.record.update':
    'the decision has changed, correct your note; we no longer deploy on Tuesdays but on Fridays; replace that lesson by a better one; the note is out of date, here is what holds now; let this note expire next month',
  'provenance.chain.trace':
    'where does this figure come from; who said that originally; prove it with quotes; can you back this statement up; follow it back to the sources; on what evidence does that sentence rest; give me the quotes behind "users hate the editor"; how do we know this; lead me to the origin of the 40 percent; which interviews stand behind it',
};
