/** Questions, situations and telegraphic orders that mean a tool of the board, of runs or of the system without naming it, separated by `; `. They extend the other lists of this folder. */
export const askedOfWork: Readonly<Record<string, string>> = {
  'work.board.get':
    'are we going to make it by opening night; cards in every column; how many things are still in review; board for sprint 12; where is the backlog at',
  'work.board.list':
    'somebody set up a wall for the farm, what is it called; saved boards?; which team boards can I pick from; names of the views',
  'work.board.remove':
    'board “Harvest 2023” is obsolete, remove; kill the saved view; nobody looks at that wall, get rid of it; delete board',
  'work.board.save':
    'I always filter by the tag stage, keep that as a board; save view: open bugs of the mobile team; call this filter Kitchen; wall for the props department',
  'work.budget.get':
    'how close are the agents to their daily cap; budget of phase build?; will the runners stop soon because of cost; token allowance left for runs today',
  'work.budget.set':
    'I am worried about the agents’ bill, cap it; max 5 dollars per day for runs; double the daily cap of the runners; remove the cap on agent spending',
  'work.holder.list':
    'people with unfinished cards who went home; holders and whether they are online; is everyone who has a task still alive; who sits on what, and are they there',
  'work.lane.list': 'cards per assignee; is the work spread fairly; tasks by priority, numbers only; how many jobs has each phase',
  'work.phase.get':
    'what must be finished before the rehearsals count as done; definition of the beta phase; phase 3?; what are the rules in this stage',
  'work.phase.list': 'what are the steps from planning to opening; phases in order; name the stages; is there a phase for testing',
  'work.phase.set':
    'the beta phase should require a review; new phase “Costumes”; turn the review gate off for docs; say that agents work on this repository in phase build; redefine when the stage is done',
  'work.plan.accept': 'yes to the plan; put the whole breakdown on the board; file all of it; the proposed tasks are right, go',
  'work.plan.propose':
    'this epic is too large; how would you slice the stage rebuild; make a to-do list out of the design document; plan: new checkout page, step by step; which subtasks and in what order',
  'work.recurrence.list':
    'what gets put on the board automatically; repeating cards; did the weekly backup ticket appear; schedules for tasks',
  'work.recurrence.remove':
    'we sold the farm, no more daily milking card; end the repeating ticket; stop making that task every month; remove the recurrence',
  'work.recurrence.save':
    'a card for changing filters should appear every six weeks; repeat: check backups, daily; halt the automatic weekly card while we are closed; the monthly job should come on the 15th; suspend a recurrence; make the ticket regular',
  'work.run.append':
    'push the agent’s stdout to the server; more events of my run; usage so far: 40k tokens; log lines from Claude Code into the run',
  'work.run.close':
    'Codex has finished, report it; run over, branch attached; the agent gave up, say so; end of the coding run with result and checks; it stopped with a question for a human',
  'work.run.get':
    'diff of the agent’s work; did CI pass for the bot; what files did Claude touch; is the branch of this attempt merged; result of one coding run; pull request of an agent run, what state; how many lines did it add',
  'work.run.list':
    'agents’ attempts on this ticket; what is running on host build-3; unmerged agent branches; runs waiting for review; did any PR by the bots get in today; lost runs; coding runs since Monday',
  'work.run.merged': 'PR merged; the agent’s branch is in; merge conflict in the approved change; landed on main',
  'work.run.open':
    'launching Claude Code on my ticket; begin an agent run for the claimed task; hand the coding agent its briefing; runner starts an agent',
  'work.run.pushed':
    'branch pushed; git push of the approved change is done; make the PR now that it is on the remote; approved branch is on GitHub',
  'work.run.review':
    'LGTM, approve the run; the agent’s diff is wrong, another try; approve the bot’s pull request; tell the agent to add tests and send it back; decide on the handed-in code; answer what the coding agent wants to know',
  'work.run.tail':
    'agent output, live; what is Claude doing in that run; stream of the coding run; last 50 events; is the coding agent still typing',
  'work.task.archive': 'old finished cards are in the way; put away what is done; archive ticket; restore an archived card to the board',
  'work.task.assign':
    'Greta should do the lighting; assignee: worker-4; only the senior bot may pick this up; nobody is reserved any more, open it for all; un-assign; hold this card for me',
  'work.task.attach':
    'the seating plan goes with the ticket; put the test report on the task; attach; upload is stored, now hang it on the card',
  'work.task.block':
    'no lighting before the stage is built; B after A; this needs the other card first; link as blocker; cannot go ahead until the visa has been granted; waits for',
  'work.task.cancel':
    'show cancelled, so no posters needed: drop that task; never mind this card; kill the ticket even if someone is on it; requirement vanished',
  'work.task.claim':
    'I want to work; anything ready in the costumes phase; which ticket may I take; got capacity; start me on something; grab the next ready card',
  'work.task.comment':
    'tell whoever picks this up that the key is under the mat; note on the ticket; ask the author of the card a question; remark: tests are flaky; reply under the task',
  'work.task.complete':
    'lighting is done, over and out; my part is finished; closing my card with the link to the file; task finished, result: 14 seats repaired; hand in',
  'work.task.create':
    'the curtain is torn, someone has to sew it; bug: login page blank; ticket please; remind the team to renew the licence; backlog item; to do: book the hall',
  'work.task.create_from_template':
    'new season, the usual opening checklist; standard bug template, fill it in; one more of those inspection cards; instantiate template; as always for a new client: the onboarding steps; do the routine from the saved pattern',
  'work.task.delete':
    'that ticket never should have existed; delete card; contains personal data, remove the task completely; purge the task',
  'work.task.detach':
    'that is the wrong attachment; unlink the report from the card; drop the attached file; file should not hang on this ticket',
  'work.task.edit':
    'the title is misspelt; deadline moved to May; add acceptance criteria; replace the description; the ticket lacks a tag; change what has to be done',
  'work.task.fail':
    'no way to do this; blocked forever, API was shut down; I tried everything; it broke and I cannot repair it; mark my task failed; error, needs a human',
  'work.task.get':
    'what prevents me from taking this ticket; why is the card not free to be claimed; what is missing before the task can start; why does nobody start this card; ticket 12, tell me all; may I begin with this one or is something missing; what did the previous worker note; is it done yet, this task; who is on it',
  'work.task.get_current': 'what was I about to do; did I have a card; after the crash: my open work; which ticket do I hold',
  'work.task.graph':
    'before we open, what remains to be done and in which order; why is this still blocked, all the way down; everything downstream of the stage build; dependency chain; which jobs hang on this one; show upstream tasks',
  'work.task.heartbeat': 'need more time; I have not forgotten my card; renew lease; not done but on it; keep it mine',
  'work.task.history':
    'who touched this ticket; how come it is back in ready; previous attempts at the card; ticket log; who let the lease run out; when did it go to review and who passed it',
  'work.task.list':
    'open bugs; unassigned cards; what is overdue; Greta’s tickets; all of phase costumes; tasks containing the word curtain; jobs whose worker died; finished this week; which are blocked',
  'work.task.move': 'highest priority now; drop it down the list; belongs in the beta phase; urgent!; it can wait; reprioritise',
  'work.task.release':
    'I am out, someone else take it; wrong skill for me, back it goes; let go of my ticket; unclaim; I stop here without finishing',
  'work.task.update_status':
    'status → done; in review, looks good, pass; move back to ready; open it again; failed one: once more; card to in progress',
  'work.template.list': 'is there a template for bugs; ticket blueprints; what blanks does the opening checklist have; our standard tasks',
  'work.template.remove': 'template no longer needed; remove blueprint; that form of ticket is outdated; delete template “show”',
  'work.template.save':
    'we write this ticket every month, make it reusable; template with {{city}} and {{date}}; change the bug template; blueprint for opening a branch; keep the checklist for reuse',
  'work.tracker.list': 'when was Jira last synced; connected repos; import errors of the tracker; which projects feed tickets',
  'work.tracker.remove': 'disconnect GitHub issues; stop the Jira import for good; tracker away; no more sync',
  'work.tracker.save':
    'connect Jira; GitHub issues → board; GitLab with this token; Linear team MOB to phase beta; pause the sync; label filter for imported issues',
  'work.tracker.sync': 'sync now; GitHub has new issues, get them; import at once; refresh the tracker',
  'work.usage.get':
    'agent bill this month; cost by phase; tokens the bots burnt on one ticket; run hours per agent; how expensive was it; statistics of agent spending; usage by day',
  'memory.record.consolidate':
    'notebook is full of repeats; same lesson three times; merge what overlaps in your memory; tidy up; redundancy among notes',
  'memory.record.delete':
    'delete what you noted about me; no longer remember the wifi code; this memory must go; unlearn the preference; drop that lesson',
  'memory.record.extract':
    'anything in this chat to remember; distil our conversation; keep the takeaways of the dialogue; what did I tell you that is worth saving',
  'memory.record.get': 'memory in full with what came before; when was the rule written; former wording; is this note still valid',
  'memory.record.list': 'everything in memory; which notes do you hold; newest lessons; preferences you saved; notes of category decision',
  'memory.record.restore': 'merging the notes was an error; unjoin; bring the notes back as they were; reverse the consolidation',
  'memory.record.save':
    'for future reference: the stage is 9 m wide; I hate long mails, keep it in mind; lesson: test on Safari; this will matter later; team convention: tabs; note it for the next agent',
  'memory.record.search':
    'what did I say last time about the stage; have we been here before; my preference on mails?; what was the fix for the Safari bug; do we have a convention for branch names; what was agreed in former talks with me; past experience with this',
  'memory.record.update':
    'the stage is 10 m wide, not 9; fix the note; we changed our mind on tabs; replace the lesson; new expiry for a memory',
  'run.checkpoint.get': 'where did my job leave off; resume from the saved state; last checkpoint please; reload progress after restart',
  'run.checkpoint.save': 'in case of a crash: page 40 of 90; remember my offset; persist state; checkpoint now',
  'run.record.complete':
    'pipeline finished; experiment failed, accuracy too low; close execution with outputs; stop recording, all done; run cancelled by me',
  'run.record.create':
    'I want a log of what I am going to do; new pipeline execution; track this batch; open an execution with these inputs; record for tonight’s experiment',
  'run.record.get':
    'what happened in the pipeline execution; steps with times; outputs of the experiment; did the batch finish; look into one execution',
  'run.record.list': 'all batches; experiments of June; which executions failed; sub-runs of the nightly pipeline; my recorded runs',
  'run.record.start': 'inputs are in place, begin; execution is now running; mark as started; start the recorded pipeline',
  'run.step.log':
    'step 3 done; downloaded 40 files, log it; note in the execution: training started; append a step; progress line for my batch',
  'system.budget.save': 'AI costs too much, limit it; no LLM at all; ten thousand tokens per day; restore the default model budget',
  'system.call.get':
    'that failed call, what was it; trace of one request; who made the call and under which rule; details of a tool invocation',
  'system.capability.list': 'what is cap:graph; which permissions are defined; what can holders of this right do; explain the rights',
  'system.capability.save':
    'new right: may search but not write; capability for the theatre bots; change which tools a right includes; reset a capability',
  'system.connection.describe':
    'how to hook my client up; MCP config please; Cursor settings; what URL do I use; connect Codex to this server; key placeholder and headers',
  'system.data.export':
    'we leave, give us our data; CSV of all customers; everything about one person under GDPR; backup; export facts as JSON; put all records into a file',
  'system.deprecation.list':
    'outdated tool names; will my old calls still work; what is scheduled for removal; who still calls the old search',
  'system.export.get': 'export done?; where is my file; download link please; CSV ready yet',
  'system.export.list': 'former exports; who has downloaded our data; is last week’s dump still there; list of data files that were made',
  'system.health.get':
    'server ok?; why is everything slow; is the search down or is it me; are we up; database state; problems at the moment?',
  'system.health.history': 'downtime this week; when exactly did the database fail; uptime per component; yesterday’s breakdown',
  'system.inbox.get':
    'open the first item in my inbox; full text of what is pending; what exactly needs my decision; that open question in detail',
  'system.inbox.list':
    'what needs me; anything to decide; human to-do list; pending questions, approvals and errors together; is someone waiting for me',
  'system.job.cancel': 'stop it; abort the export; that import is wrong, cancel; end the background process; I do not need that job',
  'system.job.get': 'how long will the import take; finished?; outcome of the job; wait for it to end; did my upload get processed',
  'system.job.list':
    'what is the server doing; imports in progress; failed background jobs; queue; everything that is still being processed',
  'system.ledger.export': 'audit log as a file; the auditor needs records of May; download who-did-what; ledger to JSON',
  'system.ledger.search':
    'who did that; what did key seven do; failed calls last hour; deletions in May; activity of the farm bot; who approved the mail; show the audit entries',
  'system.ledger.verify': 'is the audit trail genuine; tampering?; verify hashes of the log; make sure no entry is missing',
  'system.limit.get': 'rate limit?; too many requests, when can I go on; calls left; model tokens left today; who uses the most calls',
  'system.model.get': 'GPT or Claude, what do we use; AI spending; model usage per purpose; is an LLM connected; tokens this week',
  'system.overview.get': 'status at a glance; how is everything; stuck tasks, open approvals, sick agents, in one look; situation report',
  'system.policy.explain':
    'whoami: account, role and rights; under which name and role am I connected; what is my key allowed to do; what am I allowed to do; my permissions; why did I get “refused”; which role do I have; can my key delete things; why must someone confirm this; am I an admin',
  'system.policy.history': 'policy versions; who loosened the rule; rules as of March; what did the last change to the policy do',
  'system.policy.list': 'our rules; which policies exist; what needs consent here; levels of caution',
  'system.policy.save':
    'mails only after my OK; forbid deletions by bots; new policy for interns; every post needs a human; loosen the rule; ask first; put a rule in place that stops spending',
  'system.policy.simulate':
    'what if we required consent for mails; test the new rules on last week; how many calls would be stopped; preview of a policy; do not activate, only show what it would do',
  'system.session.close': 'done for now; end session; closing time; I am leaving',
  'system.session.get': 'my session: what is in it; until when; which servers are mounted; is the strict level on',
  'system.session.open': 'starting work; session with Slack only; I want a stricter level for this work; open my session',
  'system.session.update': 'also mount the wiki server; remove Slack from my session; more tools for this session; swap connectors',
  'system.tool.call': 'execute by tool name; call something that is not listed; run that tool for me; pass these arguments on to a tool',
  'system.tool.describe': 'how to use this tool; arguments?; parameters of the search; what does the tool answer with',
  'system.tool.list': 'list of tools; what are your functions; everything in the domain work; commands available to me',
  'system.tool.search': 'tool for sending mail?; how can I do this here; find the right function; what would I use to rename a file',
};
