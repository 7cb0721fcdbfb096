/** Whole requests with their particulars, as people of all trades write them, for recorded runs, memories and the system's own tools, separated by `; `. They extend the other lists of this folder. */
export const saidOfSystem: Readonly<Record<string, string>> = {
  'memory.record.consolidate':
    'there are five notes about the oven, make them one; do we have the same lesson twice; clean the notebook of repetitions; which of our memories overlap; propose what could be joined in the notes',
  'memory.record.delete':
    'forget that the caretaker is called Lou; the hint about the back door is no longer right, remove it; erase what you know about my holidays; delete that note; strike the lesson about the old oven',
  'memory.record.extract':
    'go through this chat and keep what we decided about the menu; what in this conversation should be remembered; note my preferences from what I have just told you; take the promises out of our dialogue; learn from our talk',
  'memory.record.get':
    'what did the rule about the oven say before; since when do we close at six; who changed the note and when; show that memory with all its versions; which note took the place of this one',
  'memory.record.list':
    'show everything you have kept in mind; list our lessons; what was noted this week; all decisions of the choir committee; my own private notes; what do you know about me',
  'memory.record.restore':
    'the notes about both ovens should not have been joined; take the last clean-up back; make two memories out of the merged one again; undo joining the lessons; bring a merged note back',
  'memory.record.save':
    'remember that the back door sticks; from now on we order flour on Mondays, keep that; note for everybody: never wash the brass; I prefer short answers, remember that; the caretaker has the spare key, do not forget; keep what we learnt from the flood; store this decision for later',
  'memory.record.search':
    'what did we decide about the oven; do you remember who has the spare key; have we had this problem with the heating before; what do I like for breakfast, I told you once; what did I say about the concert in our earlier chats; is there a rule on ordering flour; recall what we learnt from the flood',
  'memory.record.update':
    'we now order flour on Tuesdays, change that note; Lou no longer has the spare key, Kim has it; correct what you remembered about the door; the rule has changed, put the new one in place of it; give the note another tag',
  'run.checkpoint.get':
    'from which row should my import go on; give me the state that I saved last; the script was killed, where was it; load my last intermediate state; what had I stored at step four',
  'run.checkpoint.save':
    'I have processed 400 of 1,000 rows, save that; keep my intermediate state in case the script dies; store where my calculation stands; write a restore point; put the state of the pipeline aside',
  'run.record.complete':
    'my script has ended well, close its record; the nightly calculation broke off, note why and end it; finish the record of my experiment with these figures; call my pipeline off; the batch is over, 12 files made',
  'run.record.create':
    'open a record for tonight’s calculation; I start an experiment with these settings, set up a log for it; register my batch before it begins; keep track of what my script does; a new entry for my pipeline’s execution',
  'run.record.get':
    'what did last night’s calculation do, step by step; how far has my batch got; which settings did the experiment have; did the script end well; show one recorded execution; results of the pipeline execution',
  'run.record.list':
    'which calculations ran yesterday; list all experiments; failed batches of the week; is any pipeline still running; executions that belong to the big one; recorded runs of my script',
  'run.record.start':
    'the batch begins now; set the prepared experiment to running; the script has started; my execution is under way from here; go: start the calculation’s record',
  'run.step.log':
    'rows 1 to 100 are imported, add that to the log of my batch; write down that the model has been trained; my script finished its second part; note an intermediate result in the execution; add an entry to the experiment',
  'system.budget.save':
    'the language model may use at most five dollars a day; no more AI text until further notice; raise our daily tokens; remove the limit for the LLM; set what we may spend on the model',
  'system.call.get':
    'what did that one call do, and who made it; why did the deletion at noon fail; show everything that followed from this call; look into a single entry of the audit trail; which rule let the call through',
  'system.capability.list':
    'what may a key with the reading permission do; explain the permissions; which functions come with that right; list the permission groups; what does this scope allow',
  'system.capability.save':
    'the permission “kitchen” should cover only the search tools; bots of this kind may also write notes; define which functions a right opens; narrow what that permission allows; make a new permission group; make a group of rights for the reviewers',
  'system.connection.describe':
    'how do I use this from my editor; what do I put in the configuration of Claude; give me the connection settings for Cursor; how does my program log on here; which address and header does a client need; set my assistant up with this server',
  'system.data.export':
    'I want all our data as a file; download all complaints as a spreadsheet; hand me everything about the hospital in one file; make a backup of our records; export entities for the accountant; the data protection officer wants a copy',
  'system.deprecation.list':
    'do we still use tool names that will vanish; what is going to be removed; which spellings are outdated; is the old name of the search still called by anybody; what must we change before the next version',
  'system.export.get':
    'is the file with our data ready; give me the link to download it; how far is the backup; where can I get the spreadsheet I asked for; fetch the finished export',
  'system.export.list':
    'what data has been taken out, and by whom; list the earlier downloads; did somebody export the complaints in May; which backup files can still be fetched; past data exports',
  'system.health.get':
    'is everything all right with the server; something is slow, is the database up; are the workers alive; is anything broken right now; does the search engine respond; how long is the backlog of imports',
  'system.health.history':
    'was there an outage on Sunday night; how often was the database away this week; when did the server have trouble; how long were we down; was everything up while I was gone',
  'system.inbox.get':
    'show me the third item that I have to decide; what exactly is asked of me there; open that pending decision with its whole text; details of what waits for me; read one open item',
  'system.inbox.list':
    'what do I have to take care of today; everything that waits for a human; which decisions are open; is anything stuck until I say something; what should I look at first; list all that needs a person',
  'system.job.cancel':
    'stop the import that is running; never mind the export, abort it; kill the background job; that report takes too long, cancel it; halt the processing',
  'system.job.get':
    'is the import of the archive through; how far is the export; wait for the background work to end; did what I started this morning succeed; show the progress of that job',
  'system.job.list':
    'what runs in the background; which imports are still going; any jobs that failed today; list long-running work; is the server busy with something',
  'system.ledger.export':
    'the auditor wants the whole record of calls as a file; export who did what in April; download the audit trail; give me the log with its proof; archive the record of actions',
  'system.ledger.search':
    'who deleted the floor plan; what did the night bot do on Sunday; which calls were refused today; who changed the price; show what Lena did last week; everything done with that key; who allowed the deletion',
  'system.ledger.verify':
    'can somebody have changed the record of calls; check that nothing is missing in the audit trail; prove that the log is genuine; verify the chain; has history been rewritten',
  'system.limit.get':
    'how many requests may I still make; am I going too fast; when am I allowed to call again; what is left for the language model today; who uses up our quota; my rate limit',
  'system.model.get':
    'which AI model writes our texts; how much has the model used this month; what did the LLM cost yesterday; is there a language model at all; tokens used by purpose',
  'system.overview.get':
    'how do things stand, all in all; give me the whole picture of what is running and waiting; morning check: tasks, agents, jobs; how busy is the place; is there something I should worry about; status of operations in a nutshell',
  'system.policy.explain':
    'may I delete a source with my key; why was I not allowed to send that mail; which rule keeps the night bot from posting; do I need somebody’s consent for this; who am I here, and what may I do; would this call be let through; what rights do I have',
  'system.policy.history':
    'who made the rule about mails, and when; how did our rules look in January; earlier versions of the strict level; what was changed in the policy; when was that restriction added',
  'system.policy.list':
    'which rules apply to the bots; list our levels of care; is there a rule against deleting; show the policies that we have; what is forbidden here',
  'system.policy.save':
    'bots may never delete anything; ask me before a mail goes out; only with the boss’s consent may prices be changed; make the rules stricter; allow posting without asking; add a rule that stops interns; this action must need two eyes; change the policy; nobody may call that tool; require a human yes for it',
  'system.policy.simulate':
    'if bots could not delete, which of last week’s calls would have failed; try the stricter rule without putting it into force; what effect would the new policy have; test a draft of our rules; what would change if we asked before every mail; who could still do it under the new rule; just check what a ban would do',
  'system.session.close':
    'I am done for the day; close my session; finish this stretch of work; end what I opened this morning; leave the session',
  'system.session.get':
    'what do I have available in this session; does my session still run; which connectors did I mount; how careful is this session; when does my session end',
  'system.session.open':
    'I begin work and only need Slack; open a session in which everything has to be confirmed; start working with fewer rights; begin a session with the weather server; narrow down what I can do',
  'system.session.update':
    'add HubSpot to my running session; I do not need the weather server any more in this session; take another tool along; change what my session includes; mount one more connector',
  'system.tool.call':
    'run the tool called so-and-so with these arguments; use a function that is not in my list; call it by its name; execute the tool that the search found; invoke another tool through you',
  'system.tool.describe':
    'which arguments does the search take; how is this tool used; show the input fields of a function; explain that tool; what does it return',
  'system.tool.list':
    'what can you do; list every function there is; which tools exist for mails; show all commands; what is on offer in the area of knowledge',
  'system.tool.search':
    'with which tool can I book a room; find me a function that sends mail; is there something here for translating; what do I call to do this; look for a suitable tool',
};
