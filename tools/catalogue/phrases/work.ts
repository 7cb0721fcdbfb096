/** Phrases of people who need a tool, with words that its name and description lack, separated by `; `. */
export const work: Readonly<Record<string, string>> = {
  'authoring.artifact.generate':
    'write a PRD for this; draft user stories from the feedback; make a Jira ticket text; create a spec, a release note, an FAQ; put it into a document for the developers; turn the export complaints into a ticket with acceptance criteria; requirements document for single sign-on; one-pager for engineering about the new search; user stories, please; write a customer e-mail about the fix',
  'authoring.report.generate':
    'a report on how we compare with the competition; write up the state of customer feedback; quarterly review as a document; write up for the board how customers see us; market comparison as a document; I need pages on churn for the management meeting; compose the quarterly voice-of-the-customer paper',
  'authoring.report.get_latest':
    'the most recent summary, without writing a new one; what did the last report say; open the newest competitor analysis that we have; pull up the last finished report; has somebody written the monthly summary yet?',
  'insight.heatmap.get':
    'where does it burn: which areas have the most trouble; which topics are hot by product area; a map of complaints against customer groups; where do requests pile up; which areas glow red; problems by area and kind of customer as a grid; where is the most noise, by topic; feature requests per segment',
  'insight.matrix.get': 'cross table of problems and accounts; grid of who suffers from what; a table to colour in',
  'insight.scenario.analyze':
    'what if we fixed the login problem; what would happen if we dropped this feature; play through a price change; which customers would gain if we built it; compare the effect of two options; suppose we shut the old API down, who would mind; imagine search were twice as fast; what changes if we raise prices; weigh up fixing sync against building SSO',
  'insight.strategy.generate':
    'where should the product go next; what are we missing in the market; long-term themes, dangers and chances; think about where we are heading: threats and opportunities; what does all the feedback mean for our plans; big conclusions from half a year of signals; which bets should we place among small firms; what is brewing beneath the surface',
  'insight.trend.list':
    'is it getting better or worse; what is growing fast lately; development of feedback over time; topics on the way up or down; do requests for SSO grow month by month; is trouble with login falling; which subjects gain weight; curve of praise over the past quarter; more or fewer crash reports than before',
  'opportunity.priority.list':
    'what should we build first; rank our ideas; top ten bets; what is worth the effort; what promises the highest return; which three projects come first, and why by points; ranking of what to build; where should we put our effort; best ideas by score',
  'opportunity.record.get': 'details of one idea with its score and evidence; why is this opportunity rated so high',
  'opportunity.record.list':
    'opportunities in onboarding; what could we build; which ideas have been rejected or accepted, and when; backlog of product chances; everything we might build for onboarding; list proposed improvements by state',
  'run.checkpoint.get':
    'where was I before the interruption; give me my saved progress; pick up where the job stopped; I crashed, what was my last saved state; continue where the import stopped',
  'run.checkpoint.save':
    'remember how far this job has got; save the intermediate state; put my intermediate results in a safe place in case I crash; I am at item 500 of 900, keep that; preserve where I am so that I can resume; secure what has been done up to now',
  'run.record.complete':
    'the job is over, close it with its result; it went wrong, end it as failed; finish up and note the outcome; the evaluation has finished, note its numbers and close it; call it off: the run has failed; all steps are through, wrap up',
  'run.record.create':
    "I am about to do something in several steps, open a log for it; prepare an execution with its inputs; set up a job of my own to be tracked; register a new experiment before I begin; I want my work on the migration to be tracked; lay out a run with these parameters; prepare a nightly job's record",
  'run.record.get': 'which steps has it done so far; what became of that execution; how did the nightly job end',
  'run.record.list': 'what is running now; which executions failed this week; recent jobs of the pipeline',
  'run.record.start':
    'let the prepared execution begin; set it in motion; kick it off; the experiment is set up, begin now; run r-9 may start; all inputs are there, get going; flip it from prepared to running; off it goes',
  'run.step.log':
    "note that I have done the next step; add a line to the job's log; first part finished, write that down; second stage is through, took 40 seconds; put the download as done into the run; record an intermediate step; write what I have just done into my run",
  'schema.definition.get': 'what fields must an order have; show the contract for that data; the current format of the event',
  'schema.definition.list':
    'which data formats have we agreed on; all versions of a format; known contracts; which event formats exist; contracts for data that we keep; show every registered format with its version',
  'schema.definition.register':
    'from now on an invoice must look like this; publish a new version of the format; write down the contract for this data; version 2 of the order event is out, file it; from now on customers need an e-mail field, put that contract on record; save this JSON Schema',
  'schema.instance.validate':
    'is this JSON correct; does my data fit the agreed format; what is wrong with this record; check a payload; does this order follow our rules; test the payload against version 2; is any field missing or wrong in my JSON',
  'signal.facet.list': 'break the feedback down by kind and account; tally of what people said; how much of it is grave',
  'signal.record.search':
    'what are customers saying about it; feedback about the login; complaints from enterprise accounts last month; who asked for dark mode; find quotes of users on pricing; reviews that mention crashes; what do people complain about in the app stores; voices on the new editor; who praised support last month; evidence from interviews that onboarding hurts; every remark by enterprise clients on exports; feature requests for offline mode',
  'substrate.artifact.get': 'give me the stored file back; what is behind this hash; open the blob',
  'substrate.artifact.list': 'which files have been put into storage; all blobs; stored outputs',
  'substrate.artifact.upload':
    'put this file into storage and give me its hash; hand over a large file; save bytes for later; keep the build output; keep this picture and tell me its fingerprint; the model file has to be stored; stash these bytes; upload my build result',
  'substrate.manifest.checkout':
    'what files belong to the release; get everything in the snapshot; the contents of the bundle under a folder; list what is in the nightly bundle; give me the files of that release; unpack the snapshot; what was in the set of last Friday',
  'substrate.manifest.create': 'freeze these files as one set; pack the outputs together; make a release out of stored files',
  'substrate.manifest.get': 'how big is the bundle and who made it; facts about a snapshot',
  'substrate.pointer.advance': `make the new snapshot the current one, unless somebody was quicker; switch production to another release; go back to the former release; "stable" should now mean the new build, if nobody has changed it meanwhile; switch the label to another set of files; promote this manifest; move latest forward, but only from where I saw it; roll production's name back`,
  'substrate.pointer.create': 'give this set a name like "nightly"; call this release stable; a new label that can be moved later',
  'substrate.pointer.history': 'what did the label stand for before; who switched the release last',
  'substrate.pointer.list':
    'all names of releases; all labels with what is behind each; which names exist for our file sets; tags and the snapshots they refer to; overview of releases by name; which labels are there, and what do they stand for',
  'substrate.pointer.resolve':
    'what does "stable" mean right now; which set is behind this name; which manifest does latest refer to at the moment; what am I getting under "stable"; look up a label',
  'system.call.get': 'what did this single call do; everything about one action in the log; which background work did this call begin',
  'system.capability.list': 'what do the permissions of keys stand for; which tools belong to a permission',
  'system.capability.save':
    "this permission shall cover only these tools; redefine what a key's permission means; restrict a bot to certain functions",
  'system.connection.describe':
    'what do I paste into my editor to use this server; set up Claude Desktop with Signalbox; snippet for VS Code; how can my own script talk to this; which tool set is smallest',
  'system.data.export':
    'get our data out in a file; download everything as CSV; take out the records for compliance; dump entities and signals; give me all feedback as a spreadsheet; compliance wants our review log of last year; hand over everything you hold on Globex as a file; dump the decisions to CSV; data for an audit',
  'system.health.get':
    'are all parts of the platform up; is the system slow today; state of databases and workers; does everything work; why is it so slow, are jobs piling up; is the database reachable; length of the backlog and state of each component; any outage on our side',
  'system.health.history':
    'how was the platform over the last day; when did the search engine fail; how long was Postgres gone on Tuesday; availability of each component; was there a breakdown while I slept',
  'system.inbox.get': 'show me this open item in full; the whole output that I am to judge',
  'system.inbox.list':
    'what is waiting for somebody; all open decisions in one list; is there anything for me to approve, retry or judge; what is due first; work for humans',
  'system.job.cancel': 'stop what is running in the background; abort the import; never mind that long operation',
  'system.job.get':
    'what came of the thing I started earlier; wait until the background work is over; is my import through; what has become of the background work; still running or finished?; how much longer for the export I requested; result of what I submitted before lunch; is the import still going on',
  'system.job.list':
    'what is going on in the background; all imports of today, also those that went wrong; are any exports still being made; everything that takes longer and how far it is; what has been queued up',
  'system.limit.get':
    'am I being throttled; how close am I to the quota; who hammers the server; when may I call again; requests per minute that remain',
  'system.ledger.search':
    'who did what when; which calls went wrong today; what has this bot been doing with our data; log of all actions; who deleted that',
  'system.ledger.verify': 'has anyone altered the log; can we trust the audit records; prove that nothing was removed from the history',
  'system.policy.explain':
    "why may I not do this; why does it want a person's OK; would I be allowed to delete it; which rule stands in my way",
  'system.policy.history': 'what did the rules say last month; who tightened the rules and why; earlier wording of our rules',
  'system.policy.list': 'which rules hold here; how careful are the bots told to be; all sets of rules',
  'system.policy.save':
    'bots must ask before deleting; forbid sending messages at all; new rule: nothing leaves the house; tighten what is allowed',
  'system.policy.simulate':
    'try out new rules before they count; what would have been stopped last week; may a bot with these rights do that; who is allowed what',
  'system.session.close': 'I am finished for today; end this stretch of work',
  'system.session.get': 'which tools have I taken along; how long does my stretch of work last',
  'system.session.open':
    'begin a stretch of work with fewer rights; let me work with only these integrations; I want to be asked about everything in this one',
  'system.session.update': 'take one more tool along; leave an integration behind for the rest of my work; change what I have at hand',
  'system.tool.describe': 'which fields does it want; how do I call this; manual of a function',
  'system.tool.list': 'everything you can do; all functions by area; the full menu',
  'system.tool.search': 'how do I do that here; is there a function for it; what could help me with this',
  'work.board.get':
    'where do we stand; how much is left to do; overview of all tickets by column; are we on track; how far along is the project; number of open and finished tickets per column; kanban at a glance; what is in progress across the team',
  'work.phase.get':
    'what belongs to milestone two; where is the working folder for this stage; goals of a stage; criteria for being finished with the design stage; when does stage 3 count as complete; which conditions has this milestone; goal and rules of the testing phase; what do we have to deliver before we may close the step; what has to be true before a stage may be closed',
  'work.phase.list': 'into which stages is the plan divided; all milestones with their criteria',
  'work.phase.set':
    'add a stage to the plan; results of this stage shall be checked by somebody; rename the milestone; raise the bar for finished work',
  'work.task.block': 'this one has to wait for that one; do not begin before the migration is done; make a ticket depend on another',
  'work.task.claim':
    'anything for me to do?; give me the next ticket; I am free, what is next; let me have a job; hand me the next piece of work; I have time, what is up; assign something to me; next in line, please; pick a ready ticket for me',
  'work.task.comment': 'write something under the ticket; leave word for whoever takes over; add a remark',
  'work.task.complete': 'finished, here is the outcome; close my ticket; that is done, on to the next',
  'work.task.create':
    'put this on the to-do list; open a ticket; somebody should fix the login, note it; break the work down into pieces; new item on the board; note that somebody has to update the docs; new ticket: broken link on the home page; put the cleanup on our list, after the release; plan three subtasks for this',
  'work.task.fail': 'I cannot get this to work, give it up; the job is broken and needs a human; report that it went wrong',
  'work.task.get': 'what exactly does the ticket say; who has it and what is it waiting for; one ticket in full',
  'work.task.get_current':
    'what had I begun before the restart; what is assigned to me; what am I supposed to be working on; I have lost track, what do I hold; did I have something open; which job is mine at the moment; the ticket I hold right now; what is on my desk',
  'work.task.heartbeat': 'do not take it away from me, I am still at it; I need more time for my ticket; sixty percent done',
  'work.task.history':
    'who had the ticket before me; why did it come back to the board; every claim and release of a ticket; how long did each worker hold it; which late result was turned away; when did its lease run out',
  'work.task.list':
    'all open tickets; what is stuck; tickets about billing; what does that worker have in hand; everything labelled urgent; which jobs failed this week; tickets of stage 2 that nobody has taken; what remains in review',
  'work.task.release': 'somebody else should take my ticket; I give it back; drop what I am holding without finishing',
  'work.task.update_status':
    'set the ticket to done; move it to another column; approve what is in review; send it back for another try; the ticket can go to finished; put it into review; begin with it: in progress; the fix did not work, reopen it; pass what has been checked',
};
