/** Requests of managers, agents and newcomers in words of their own and of other products, for tools of the board and runs of coding agents, separated by `; `. */
export const heardOfWork: Readonly<Record<string, string>> = {
  'work.board.get':
    'Jira board of sprint 9; columns with the cards of phase 2; Trello view for the kitchen team; what moved on the board since 9:00; what sits in the review column at present; standup: show doing and done; how does the sprint look; board with only Priya’s cards; overall picture of the columns before I pick something; open the board named Ward B',
  'work.board.list':
    'which Jira filters have people saved; names of our Trello boards; is there a board of the finance team; list of shared kanban filters; which board did Greta make; the user says Ward B board, does such a thing exist; bookmarked ticket filters; named walls with their criteria; what can I put into the board argument',
  'work.board.remove':
    'nobody opens the Ward B view any more; delete the Trello board, keep the cards; saved filter of last sprint: out; drop the kanban view Q1 push; remove a shared Jira filter; the Berlin office closed, its board may go; the shared view is misleading people, take it down; I made a test view and want to tidy up after me',
  'work.board.save':
    'bookmark this: high priority and nobody assigned; a Jira quick filter for the billing label, shared with all; my team needs its own kanban, only tag ward-b; save this search so that I need not type it each morning; view of overdue stuff under the name Late; Trello board for the couriers; change the finance view to phase 3 only; named filter of stuck tickets; wall with what is reserved for worker-4, keep it',
  'work.budget.get':
    'how much may the coding bots still spend today; is there a cap on agent runs, how high; dollars left for Claude Code today; runners idle since 2 pm, is it the allowance; daily limits of runs per phase; today’s spend against the cap of the runs; what ceiling did finance put on the robots; FinOps: agent consumption today versus limit; can another run be started or is the money gone',
  'work.budget.set':
    'max 30 USD a day for Claude Code runs; cap phase 2 at 5 million tokens daily; the robots burned 400 dollars yesterday, never again; no limit on the runs until the release; AWS-budget-like brake for coding agents; halve what the coding bots may spend; the CFO wants a ceiling for agent runs; give the verify phase an allowance of its own; no new tickets to runners once ten dollars are used',
  'work.holder.list':
    'who has something in hand and does not answer; which bots hold tickets but are offline; who has got work right now, across the team; dead workers that keep tasks; in-flight work by person, with online status; like the green dot in Slack, for each assignee; Carlos is on leave, does he still hold something; anybody paused with work in his hands; people sitting on work, how many each, still there',
  'work.lane.list':
    'ticket count per assignee; how loaded is Priya compared with the others; WIP per person, numbers only; open items by priority, just figures; how many cards did nobody take; totals of the Jira swimlanes; histogram of tasks per phase; is the load balanced among the workers; which phase has the most ready work, counts suffice; done and open per milestone for the weekly report',
  'work.phase.get':
    'definition of done for phase 2; what is the epic Migration about and when may we close it; which checks must agent work pass in phase 3; repo and directory used in the verify stage; how does finished work get merged in this stage; exit criteria of beta; does the pilot stage have a sign-off gate; I took something in phase 4, what rules apply there; read me the description of a milestone',
  'work.phase.list':
    'our milestones in order; the equivalent of Jira’s fix versions, all of them; project stages with exit criteria; which number is the testing stage; filing wants a phase_id, what are the choices; how many phases do we have; from kick-off to handover, all steps; list of sprints or stages; GitHub milestones of this project',
  'work.phase.set':
    'add a stage for security review; phase 3 shall run npm test before work counts; rename milestone 2 to Go-live; set up a GitHub-like milestone called 1.0; everything in beta should be checked by a human; call agents stuck after 20 minutes in this stage; agent work in this phase should go out as pull request; docker compose up must run before the bot begins in this stage; turn off the sign-off for the docs stage; tighten the acceptance in the verification stage',
  'work.plan.accept':
    'fine, create all 14 tickets as you suggested; the breakdown is good, drop item 3 and then file it; import the whole plan with its dependencies at once; commit the proposed plan; go ahead with the suggested work breakdown; the human agreed with my split, put it on the board; all or nothing: file these proposed tasks; turn the draft plan into real work items; approved, make the cards of the plan',
  'work.plan.propose':
    'how would you cut the Salesforce migration into pieces; make tickets out of spec.md, only a suggestion; epic to stories, please; break task_01ab down, too big for one bot; this job is huge, I need a decomposition first; project plan for the office move, steps and order; from these meeting notes a to-do breakdown please; draft of a WBS; what are the subtasks of a GDPR audit',
  'work.recurrence.list':
    'cron jobs that make tickets; which tasks come every Monday; did the monthly backup check get filed; all repeating to-dos with their next date; schedule overview of routine work; Jira automation rules that create issues on a timer; is the weekly report task paused; is there already something periodic for log rotation on the board; regular duties and when they come up',
  'work.recurrence.remove':
    'the weekly pen-test ticket is no longer needed; stop generating the cleaning task, for ever; delete the cron that files tickets; we outsourced backups, drop the monthly check; remove the Jira automation timer; end the Monday routine; the same card appears again and again and nobody wants it, kill the schedule; the office closed, no more plant watering to-dos; rec_12 must go from the timetable',
  'work.recurrence.save':
    'each Friday 17:00 Berlin time open a ticket to check backups; cron 0 8 * * 1-5 for the standup notes task; the monthly invoice run should appear as a task by itself; pause the weekly pen-test for August; Jira automation: create an issue each quarter; I always forget the certificate renewal, have a task pop up yearly; move the routine from Monday to Thursday; resume the paused repeating item; daily at 6 a card for the night cleaning; every week one from the form Inspection',
  'work.run.append':
    'here come lines 200 to 260 of Claude’s output; as the runner I must upload what the bot printed; ship the stdout of the coding agent; usage update: 18k in, 2k out, 40 cents; agent events since seq 40, store them; Fluentd-like log shipping for a coding session; the bot called npm test, record that event; stream tool results into wrun_01jd; report interim token use of the coding session',
  'work.run.close':
    'Claude is done, 4 commits, tests green, hand in; the bot crashed with exit 137, finish its session as failed; the agent asks which database to use, end its run for a human to answer; wrun_01jd is over, here is the patch; child process exited, runner writes up the outcome; stop the coding session and give the ticket back; submit final diff and checks of the attempt; Codex gave up after three tries, register it; agent session ended, lint failed',
  'work.run.get':
    'what is in wrun_01jd; what did Claude change for the login bug; did the bot’s tests pass; outcome of last night’s attempt by the bot; why was the bot’s change sent back; lines added and removed by that session; like a GitHub Actions run summary for the agent; cost of a single attempt; which branch and commit did the agent end on',
  'work.run.list':
    'all bot sessions on the payments repo this week; which agent changes wait for my review; failed attempts at task_01ab by coding bots; the list of GitHub Actions runs, but for coding agents; what ran on host build-7 last night; approved and never merged; is any Claude session live at the moment; coding sessions of worker-4 since Monday; overview of PRs by bots; sessions whose runner disappeared',
  'work.run.merged':
    'abc123 is on main, close it out; the merge queue says conflict in api.ts, let it be redone; the reviewed branch has landed; rebase failed, the ticket must go round again; git merge went fine, tell the board; I merged the bot’s PR by hand just now; the approved patch cannot be applied any more; fast-forward done, report the commit; change of the agent went into the release branch',
  'work.run.open':
    'starting Claude Code on my ticket, register it; I hold task_01ab, spawn the bot and give it a key; temporary credentials for the agent that begins to code; runner on build-7 begins an attempt, branch fix/login; what context should the bot get at launch; new coding session on the item that I took; agent launch record with base commit; let Codex loose on this ticket, with a key that dies at the end; announce that a bot begins to code',
  'work.run.pushed':
    'branch fix/login is on origin now; git push done for the approved work; the remote has the commits, let the PR be opened; runner here, commit abc123 went up to origin; open the GitHub PR for the approved run; approved branch uploaded to GitLab, make the MR; reviewed change sits on the remote, not merged yet; push happened, the tracker should take over; origin has it, now somebody must be asked to merge',
  'work.run.review':
    'LGTM on Claude’s change; the bot’s patch misses tests, have it try again; request changes: use the retry helper; approve wrun_01jd please; the diff is rubbish, back to the agent; answer the bot’s question: Postgres, not MySQL; code review verdict on the agent’s work; let the bot’s code through; sign-off on machine-written code; I do not accept what the robot coded',
  'work.run.tail':
    'tail -f of the bot’s session; what is Claude typing now; last output of wrun_01jd; kubectl logs for the coding agent; the bot seems hung for ten minutes, what did it last say; events after 310, wait for more; look over the bot’s shoulder while it codes; full transcript of the attempt; which commands did the bot run, one after the other',
  'work.task.archive':
    'sweep finished cards off the Trello board; the done column is too full, put task_01ab away; hide the failed ticket from lists but keep it; unarchive the ticket about the lift; get the closed thing out of sight; bring back the card that was put away last week; finished in March and still clutters my board; tidy up done work without losing it; out of view please, not deleted',
  'work.task.assign':
    'the certificate ticket is for Carlos; only worker-4 may take task_01ab; Jira assignee should be Bob; Priya is ill, whoever wants may take what was reserved for her; make Lena responsible for the banner; nobody but the finance bot should pick this up; hand the Globex ticket to Tom; set the owner of a ticket; earmark it for the night shift',
  'work.task.attach':
    'put screenshot.png on the ticket; link the stored log to task_01ab; Jira attachment: contract.pdf; the result file with hash 9f3c belongs to this job; add an evidence file to the card; my CSV is in storage, connect it to my ticket; pin a document to the issue; the reviewer should see the report together with the task; whoever continues needs this file on the ticket',
  'work.task.block':
    'the certificate cannot go before DNS is done; Jira link: is blocked by; the deploy ticket waits for the QA ticket; add dependency from task_01ab to task_02cd; hold this until legal has finished their ticket; it must not be picked up before the other; put a prerequisite on a card; I noticed that my follow-up needs another ticket first; ticket order: first schema, then import',
  'work.task.cancel':
    'Globex withdrew, stop work on their ticket at once; not needed, whoever is on it shall stop; close the ticket as won’t do; close as obsolete, nobody wants it now; pull the plug on task_01ab; scope was cut, drop the item and free what waits on it; the feature is dead, end the work on it; stop Carlos from working on the banner, it is pointless; the requirement is gone since this morning',
  'work.task.claim':
    'what should I work on now; give me something from phase 2; I take task_01ab, lock it for me; Jira: start the next one from the backlog and assign me; idle and ready, next job please; dequeue one work item; like SQS receive-message, for work; I’ll do the certificate one; lock the next item for me for ten minutes; any high priority thing free that I can begin',
  'work.task.comment':
    'FYI on the ticket: the vendor answers Monday; write under task_01ab that DNS is through; leave a handover remark for the next shift; inline review note on api.ts line 88; ask Bob on the card which logo; I found something relevant to a task that is not mine, note it there; a Jira comment for the record; add my finding to the discussion of the issue; tell whoever takes this ticket about the VPN',
  'work.task.complete':
    'done, all 14 seats fixed, here is the summary; the certificate is renewed, tick mine off; resolve my Jira issue as fixed; requirements met, hand in the result and free those who wait; finish task_01ab with fencing token 7; ack the message, work done; my piece is ready, result inside; deliver and close what I hold; job’s done, boss, report attached',
  'work.task.create':
    'somebody must renew the SSL certificate by 1 July; Jira ticket: the importer chokes on umlauts; log a bug about the broken CSV; out of scope for me but it has to be done, file it for another; put calling Weber back on the list; add a work item in phase 2, high prio; new to-do for Carlos, due Friday; raise a ticket for facilities, the radiator is cold; subtask of task_01ab: write the tests; enqueue a piece of work for any agent',
  'work.task.create_from_template':
    'the usual onboarding ticket for Jonas, start 1 July; release checklist for 2.4.0; make one from Inspection with city Lyon; Jira issue from the bug form, fill the fields; standard incident ticket please; new client Globex, the same checklist as always; from the cookie cutter, with these values; another one of the monthly closing tasks, values for June; a saved pattern exists for this sort of job, file one',
  'work.task.delete':
    'task_01ab was a test, erase it with its history; someone pasted passwords into the ticket, remove it altogether; hard delete of the duplicate ticket; the ticket names a patient, destroy it; delete the Jira issue permanently; it should be as if that card was never filed; junk ticket made by a broken script, wipe it; not archive, really delete the task; spam task, get it out of the database',
  'work.task.detach':
    'screenshot is on the wrong ticket, take it off; remove contract.pdf from task_01ab; the attachment is outdated, unpin it; drop the Jira attachment but leave the file in storage; unlink hash 9f3c from the card; Bob attached the salary list by mistake, off with it; wrong version of the drawing hangs at the ticket; disconnect a file from a job; the card should not carry this PDF',
  'work.task.edit':
    'due date of the certificate ticket to 15 July; change the wording, the customer is Globex and not Initech; add the label billing to a ticket; Jira: edit summary and description; make task_01ab a part of the migration one; allow five attempts on this ticket; this ticket should need a sign-off; no due date any more for the banner; requirements changed: French as well; longer lock time for this piece of work',
  'work.task.fail':
    'cannot be done, the vendor API is gone; I tried all I could, a human must look at my ticket; nack the message with a reason; my ticket failed for lack of credentials, retry later; it blew up again, I give up on it; no way forward: I have no access to the server; I cannot deliver what was asked, the spec contradicts itself; throw an exception on my job; hand my broken ticket to triage',
  'work.task.get':
    'who is on the certificate ticket and how far; read task_01ab to me; Jira issue detail page; state of the DNS job and its comments; why can I not take this one; acceptance criteria of the ticket; what exactly is demanded here before I begin; result of the finished certificate work; files hanging on one ticket; what’s the story with the Globex ticket',
  'work.task.get_current':
    'what was I doing before the blackout; my context was wiped, do I still hold something; my own open lease; which job did I take before the reboot; am I on anything at present; my active Jira issue; did my claim survive the restart; what is in progress under my own name; I woke up with no memory, what did I promise to work on',
  'work.task.graph':
    'what all waits on DNS; critical path to the go-live; Jira linked issues, several levels deep; why is the launch not moving, root of it; if the certificate slips, what slips with it; which upstream jobs are not done; blockers of the blockers; downstream impact of the schema ticket; dependency picture for task_01ab',
  'work.task.heartbeat':
    '60 of 90 files through, going on; extend my lock on the ticket; the tests take long, I must not lose my job; still alive and on it; like SQS change-message-visibility; report progress of 40 % on mine; keep ownership for ten more minutes; do not hand my ticket out, the compile is slow; renew my hold on task_01ab',
  'work.task.history':
    'who dropped the certificate ticket and how many times; activity tab of a Jira issue; how did the due date change, and by whom; timeline of task_01ab; why was my completion refused; it bounced between three bots, show how; who signed this ticket off; how long did Carlos have it; when and by whom was it reopened',
  'work.task.list':
    'everything overdue, with owner; tickets of Carlos; what is stuck and for which reason; JQL: priority high and unassigned; orphaned leases on the board; find the ticket about certificates; all subtasks of task_01ab; items that went wrong this week; labelled billing and in phase 2; is this already filed, search the titles first; who’s got the Globex thing right now',
  'work.task.move':
    'the certificate is P1 now; lower the priority of the banner ticket; put task_01ab into the next sprint; escalate it to high; postpone it into phase 4; the CEO wants the logo first; Jira issue into another fix version; deprioritise the banner thing; this ticket is in the wrong stage, it is testing',
  'work.task.release':
    'I have to stop, someone else shall go on with mine; unassign myself from the certificate ticket; I am not qualified for what I took, put it back for others; my shift ends at 6, ticket back into the pile; drop my lock without a result; requeue what I took; took task_01ab by mistake; give back my unfinished ticket; free my hold so the next one can have it',
  'work.task.update_status':
    'reopen task_01ab please; Jira transition from in review to done; status to in progress; QA passed, so it is done; let the failed import ticket run again; drag it over to Done; take it from Carlos, back to ready; refuse what is in review, to ready again; change the column of a card; wave the reviewed ticket through',
  'work.template.list':
    'which ticket forms can I choose from; Jira issue templates that we have; what must I fill in for the onboarding form; like GitHub’s issue templates, which are there; standard checklists on offer; is there a pattern for incidents and which variables has it; names of the saved blueprints; do we have a form for release tickets; available cookie cutters for tasks',
  'work.template.remove':
    'nobody uses the fax checklist any more; drop the issue form Legacy rollout; delete the onboarding blueprint, we have a new one; remove a GitHub-like issue template; our incident form is outdated, take it away; the pattern Christmas window can go; two checklists for the same thing, remove the older; standard ticket Inspection is not wanted any more; clean out unused ticket forms',
  'work.template.save':
    'make a reusable form out of the incident ticket; GitHub-style issue template for bugs; onboarding checklist with blanks for name and start date; store the release steps so that only the version must be filled in; we type the same ticket every month, save us that; change the wording of our inspection form; blueprint with {{customer}} in the title, priority high; the bug form should also ask for the browser; new standard card for incidents, reserved for the on-call bot',
  'work.tracker.list':
    'which GitHub repos and Jira projects are hooked up; tickets from Linear stopped coming on Monday, why; state of the Jira integration; last sync with each issue system; does the token for GitLab still work; external backlogs that we mirror; is acme/web connected to the board; connected issue sources and their errors; how stale are the mirrored issues',
  'work.tracker.remove':
    'disconnect Jira project OPS from us; stop mirroring acme/web for good; we cancelled Linear, cut the connection; revoke the stored GitHub token of the issue sync; unlink the GitLab project, the cards may stay; remove integration with issue system; the vendor’s repo must not feed our board any more; end the two-way issue mirroring; trk_3 is not needed any more',
  'work.tracker.save':
    'issues of acme/web labelled agent shall turn into our tasks; hook up Jira project OPS with this token; Linear team MOB should feed phase 2; new GitLab token, the old one expires on Friday; do not close the GitHub issue when our task is done; pull from Jira every 15 minutes instead of 5; pause the issue sync during the freeze; only bugs assigned to Lena should come over from Jira; two-way mirror with GitHub issues; our developers live in Jira and the bots here, connect both',
  'work.tracker.sync':
    'I just filed acme/web 412, bring it over now; force a Jira refresh; the card is not there yet, pull the issues again; do not wait five minutes, import now; write our results back to Linear right away; resync project OPS; fetch the GitHub bugs from this morning at once; manual sync of the issue mirror; Jira shows old state of our work, push the updates',
  'work.usage.get':
    'what did Claude Code cost us in June; tokens per ticket, highest first; spend of coding bots per day; which bot burns the most; how much has phase 2 swallowed up to now; invoice check: agent costs since 1 May; number of runs and hours by worker agent; is Codex cheaper than Claude for us; price of getting task_01ab coded',
};
