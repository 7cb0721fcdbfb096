/** Whole requests with their particulars, as people of all trades write them, for tools of the board and of runs of coding agents, separated by `; `. They extend the other lists of this folder. */
export const saidOfWork: Readonly<Record<string, string>> = {
  'work.board.get':
    'how far is the kitchen renovation, all columns please; which cards are in the doing column right now; give me the wall with all our stickies; what changed on the board since nine; how many cards are left before the museum opens; show the kanban for the harvest phase',
  'work.board.list':
    'what views of the tasks have people saved; is there already a board for the bakery crew; list our named boards; which filtered walls do we have; the boards that exist, with what each one shows',
  'work.board.remove':
    'the board of the old orchestra tour can go, keep its cards; delete the saved view called Night shift; we do not need the second board any more; take the marketing wall away; throw out a filter that nobody uses',
  'work.board.save':
    'make a board that only shows cards tagged plumbing; I want my own view with just the urgent ones; save this selection of tasks as Ward B; set up a separate wall for the drivers; store the search for overdue items under a name; change what the translators board shows',
  'work.budget.get':
    'what is the daily allowance of the coding agents, and how much of it is gone; how much money may the robots still burn today; is there a spending cap on phase two; did the runs hit their limit; remaining allowance of the coding bots; why do the runners take no new tasks, is the money spent',
  'work.budget.set':
    'coding agents may use at most 20 dollars a day; put a ceiling on what the runs cost; no more than two million tokens daily for the build phase; lift the spending limit of the runners; stop the agents from spending when it gets too expensive; give the coding bots a daily allowance',
  'work.holder.list':
    'who has cards in hand, and are they even there; has anybody gone quiet while holding work; which people or bots are sitting on tasks; list everyone with something in progress; is a ticket held by a machine that is switched off; who holds how many tasks at once',
  'work.lane.list':
    'how many cards does each person have; split the number of tasks by priority; count the open jobs per milestone; who is overloaded and who has nothing; numbers of tasks for every assignee; just the totals per phase, no titles',
  'work.phase.get':
    'when is the design stage of the bridge considered finished; what are the exit criteria of phase three; which folder do we use in the testing phase; explain the purpose of the pilot stage; does the painting milestone need a review; tell me the conditions for closing the milestone',
  'work.phase.list':
    'into which stages have we cut the expedition; list the milestones of the move; what comes after the pilot phase; every phase and what counts as done; show how the project is divided',
  'work.phase.set':
    'add a milestone called Dress rehearsal; work in the wiring stage must be checked before it counts; rename phase four to Handover; new stage for the clean-up after the festival; the acceptance criteria of the milestone are now stricter; which repository and command runs of this phase shall use, set that; put the stage in another directory',
  'work.plan.accept':
    'looks good, create all those tasks; the breakdown is fine, put it on the board with its dependencies; file the whole plan in one go; yes, add every proposed card; turn the accepted split into real tickets',
  'work.plan.propose':
    'split the relocation of the archive into tasks; make a work plan out of these notes; what steps does opening a second shop need, as tasks; cut this big story into smaller cards; turn the spec in this markdown into a list of tickets; suggest how to break the migration up and in what order; decompose the job, but do not file anything yet',
  'work.recurrence.list':
    'which chores come back by themselves; what is filed automatically each week; when is the next monthly inspection card made; did the nightly repeating task produce something; list the repeating jobs; all cards that come round on a timetable',
  'work.recurrence.remove':
    'the quarterly stocktaking must not come back any more; stop creating the Thursday cleaning ticket for good; delete the schedule that makes cards; cancel the repeating chore; no more automatic tasks for watering the plants',
  'work.recurrence.save':
    'every first of the month file a card to check the fire extinguishers; pause the repeating task over the holidays; stop the automatic ticket for now, we will resume in spring; have the stocktaking task made each quarter; put the weekly chore on hold; the regular card should come on Fridays instead of Mondays; switch the paused recurring task on again; repeat this job nightly at two',
  'work.run.append':
    'send the coding agent’s output lines to its run; I am the runner, here are the next events of the agent; store what the agent printed; add tokens used so far to my run; stream the transcript of the coding agent to the server; write agent events 40 to 60 into the run',
  'work.run.close':
    'the coding agent has exited, record the outcome of its run; my run is finished and its checks passed, hand the changes in; the agent ran into an error, close its run as failed; end the run because the bot asks a question; report the result of the coding session with branch and diff; the agent is blocked, end its run and let a person decide',
  'work.run.get':
    'show the diff of that run; what did the coding bot change, which files and lines; which checks failed in this run; how did the bot’s attempt at the login fix end; what patch did the agent hand in; how many tokens did this one run take; did the tests pass on the agent’s branch; what did the reviewer say about the agent’s change; changes made in a run; was the pull request of this run merged',
  'work.run.list':
    'which coding agents are at work on which machine; all attempts at the parser task; runs that crashed this week; is there code from agents waiting for somebody to review; what ran on the build host yesterday; every pull request that agents made and whether it is merged; which runs are approved but not merged; list the tries of the bots in the payments repository; past coding sessions on this task',
  'work.run.merged':
    'the approved branch is now in main, note it; the merge of the agent’s work hit a conflict; tell the board that the pull request went in; approved changes landed on trunk; could not merge, send the task round again; report that the patch is merged',
  'work.run.open':
    'I hold the task and now launch a coding agent on it; start a coding session for my task and give me its key; register that the bot begins to code; what must the coding agent know before it starts; begin an attempt at the task with an agent; open a run for the runner on this host',
  'work.run.pushed':
    'I pushed the agent’s branch to origin; the approved changes are on the remote now; have a pull request opened for what was approved; the branch is up, tell the tracker; record the push of the reviewed work; make a merge request out of the approved branch',
  'work.run.review':
    'the change of the coding bot looks right, approve it; reject the agent’s patch, it breaks the build; request changes on the run; the bot’s work needs another attempt, tell it why; tell the waiting agent: use the second option; I read the diff and it is fine; sign the agent’s pull request off; send the code back with a note',
  'work.run.tail':
    'let me watch live what the coding agent prints; last lines of the run’s output; what has the bot been saying since event 120; follow the log of the running agent; why does the agent hang, show its output; the console output of that attempt; transcript of the coding session',
  'work.task.archive':
    'clear everything that was finished last month from the wall; hide the done card about the roof; the old failed ticket clutters the view, put it away; bring an archived card back; done and dusted, file it away without deleting',
  'work.task.assign':
    'keep the violin repair for Marta; this card is meant for worker seven only; give the ticket to Ines, nobody else; lift the reservation so that anyone can take it; unreserve the task; reassign the card from Paul to Noor; set the assignee; who is meant to do it: the night bot; free the task from the person it was kept for',
  'work.task.attach':
    'put the floor plan on the card; the photo of the crack belongs to the ticket; add this stored file to the task; hang the measurement sheet on the job; link the screenshot to the issue on our board; enclose the drawing with the task',
  'work.task.block':
    'the painters cannot begin before the plaster is dry, note that as a dependency; tiling has to wait until the pipes are tested; make card B depend on card A; the launch task must not start until legal is through; note that the oven order comes first; add a prerequisite to the ticket; this card is held up by two others; the task requires the other one to be finished; record that one job cannot start until another is through',
  'work.task.cancel':
    'the customer withdrew the order, drop the task even though Kim is on it; forget about repainting the fence; stop the job that somebody already works on, it is pointless; scrap the ticket; we will not do that card any more; call the work off and tell its worker',
  'work.task.claim':
    'what can I start with; give me the most urgent open job; I have an hour, let me take something; is there a card nobody has taken; next piece of work in the wiring phase, please; assign me a ready ticket; my hands are free, what needs doing; pull the top card for me',
  'work.task.comment':
    'write on the card that the paint has arrived; leave the next shift a hint about the faulty valve; note under the ticket that the supplier called back; ask on the card which colour they want; add to the task what I found out; put a remark on line 12 of the change',
  'work.task.complete':
    'the shelves are up, tick my card off; finished the translation, here is the file; my job is through, result attached; I have fixed the leak, close it; work delivered; that was the last step of my ticket, mark it finished with this summary',
  'work.task.create':
    'somebody has to order new filters, put it on the board; add a card to clean the brewing tanks by Tuesday; new job: replace the lamp in hall 3; file a to-do for the choir leader; note a piece of work that waits until the scaffolding is down; open an item for the broken lift; we need someone to proofread the menu; jot down a chore',
  'work.task.create_from_template':
    'make the usual onboarding card for the new nurse; begin the standard opening procedure from our template; start the checklist that we saved for every concert; the same set of steps as last quarter, from the blueprint; use the release template for version 9; new card from the saved form with the name filled in; kick off the routine inspection by its template; create the ticket as our pattern says',
  'work.task.delete':
    'that card was only a test, wipe it completely; erase the ticket with the private address in it; remove the duplicate job from the system for good; delete it with all its comments; the task should leave no trace',
  'work.task.detach':
    'the wrong photo is on the card, take it off; remove the old drawing from the ticket; unlink the file from the job; the log does not belong to this task; strip an attachment',
  'work.task.edit':
    'the card should say blue instead of green; new deadline for the boiler check: the 14th; fix the typo in the ticket’s title; add the tag roof to the job; rewrite the description of the task; the due date slips by a week; change the acceptance criteria on the card; correct what the job says',
  'work.task.fail':
    'I cannot finish the weld, the part is out of production; it will not work, the door is locked and nobody has the key; put my ticket down as failed with the reason; three attempts and still an error, a human must look; impossible: the supplier went bankrupt; the job went wrong, try again later',
  'work.task.get':
    'what is the card about the chimney, exactly; who is on the roof repair and since when; read me the ticket with its comments; status of the boiler job; can I take that task, and if not what stands in the way; is the payroll ticket finished; why is nobody allowed to start this card; what was the outcome of that task',
  'work.task.get_current':
    'I was restarted, which job was mine; what do I have on my bench; am I holding a card right now; remind me what I am working on; did I take anything before the crash; my own open ticket',
  'work.task.graph':
    'which cards have to be done before the opening; everything that is stuck behind the permit; why can the roofing not start, follow the chain; what depends on the foundation being poured; draw what waits for what; root blocker of the task; prerequisites of the prerequisites; what would be freed if this job were finished; the order in which these jobs have to happen; what keeps this ticket from being ready',
  'work.task.heartbeat':
    'still soldering, give me more time; do not give my card to somebody else, I am half through; I need another hour on my ticket; keep my lease alive; sixty of ninety rooms are cleaned, I go on; tell the board that I have not died',
  'work.task.history':
    'who had the roof card before Ali; how often was this job given back; how did the boiler ticket get here, step by step; when was the card taken and by whom; who changed the deadline of the task; why did my result come too late; past holders of the job; who checked and passed the card',
  'work.task.list':
    'all cards about plumbing; which jobs are overdue; tasks that were finished on Monday; what does Priya have on her plate; everything tagged urgent in the garden phase; tickets that have been lying around for weeks; which work failed; find the card that mentions the crane; jobs that ran out of time and are stuck; what is still to do',
  'work.task.move':
    'the flood damage goes before everything else; bump the card to high priority; this job can wait, make it low; push the ticket into the next milestone; the lamp is urgent now; shift the task to the summer phase; do that card sooner',
  'work.task.release':
    'my shift ends, somebody else may go on with the card; I took the wrong job, back on the pile with it; put the ticket back unfinished; I will not get to it, free it; let another worker continue with mine; I let go of the task; undo my claim',
  'work.task.update_status':
    'drag the card to done; reopen the lamp ticket, it flickers again; the job in review is fine, pass it; set the roof task back to ready; that failed one may be tried anew; move the ticket into progress; the work does not meet the criteria, back to ready with it; accept the finished card',
  'work.template.list':
    'what kinds of standard cards do we have; which blueprints for jobs are there; do we have a form for recurring inspections; list the saved checklists and what has to be filled in; which variables does the concert template need',
  'work.template.remove':
    'the old opening checklist is not used any more, delete it; throw the blueprint away; remove the saved form for tickets; that standard card can go; drop the release template',
  'work.template.save':
    'store these steps as a blueprint for every new hire; make a standard card for concerts, with the date as a blank; I want to reuse this ticket each time; update our saved checklist; turn the inspection card into a form; define a pattern for jobs that come again; new template with placeholders for room and date',
  'work.tracker.list':
    'which outside issue lists feed our board; does the GitHub import still run; when did we last get tickets from Jira; why do no new issues arrive from GitLab; list the connected trackers; is the Linear sync broken',
  'work.tracker.remove':
    'stop taking over issues from the old repository; cut the link with Jira; forget the access token for GitLab issues; we moved away from Linear, remove it; no more tickets from that project',
  'work.tracker.save':
    'bring the bugs from our GitHub repository onto the board; connect our Jira project so that its tickets become cards; the issue import needs a new token; issues of the team in Linear should show up as tasks; suspend the import from GitLab for now; mirror issues both ways',
  'work.tracker.sync':
    'get the newest GitHub issues right now; somebody just filed a bug in Jira, pull it in; do not wait for the next round, synchronise the tracker; push our task states back to the issues now; refresh cards from GitLab',
  'work.usage.get':
    'what did the coding bots cost us last week; how many tokens went into the parser task; which agent is the most expensive; cost of all runs per day; hours that agents spent on the checkout phase; usage of the runs this month; sum up the money spent on a task; how much did that piece of work cost in tokens',
};
