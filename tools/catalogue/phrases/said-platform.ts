/** Whole requests with their particulars, as people of all trades write them, for tools that keep the platform itself, separated by `; `. They extend the other lists of this folder. */
export const saidOfPlatform: Readonly<Record<string, string>> = {
  'access.key.collect':
    'the manager has approved my new key, hand me its secret; my browser crashed before I saw the token; I never got to see the secret of the key I made this morning; the fresh key has not been used and its secret is gone, make another; pick up the credential that was granted',
  'access.key.create':
    'Lena starts on Monday, let her in as an operator; the new greenhouse robot needs a token; let a contractor in with reading rights until Friday; add Omar as a member with the role pm; I want a key that may only search; make an account for the night bot; give the auditors an access that expires; invite a person; put a new colleague into the sales team',
  'access.key.list':
    'who can get into our system at all; list people and bots with access and their roles; did anybody use the old tablet’s token this year; which credentials run out in March; does Otto still have a key; which role does Lena have; members of our installation',
  'access.key.revoke':
    'Tom left the firm, close his access; somebody posted our token online, kill it; remove the contractor’s rights as of now; the lost tablet must not get in any more; throw a person out of the team; end the access of the old robot; block this user',
  'access.key.rotate':
    'new secret for the greenhouse bot, the old one should work for another hour; exchange the token without an outage; our key is about to expire, extend it with a fresh one; security wants all tokens changed every quarter; reissue the secret',
  'access.session.end':
    'I left myself signed in at the library computer; close all browser windows of Tom’s account; log me out on the phone; sign everybody out of the web console; end the sign-in on my old laptop',
  'access.session.list':
    'am I still signed in at the office PC; from which browsers has Lena opened the console; when did I last sign in; list sign-ins to the web interface; which of my devices are logged in to the console',
  'access.stakeholder.configure':
    'the board members should see the bakery area and nothing else; let the press team look at competitors only; the investors get month-old figures; change which subjects the branch managers may view; give the support team access to the billing area; cut the partners off from prices',
  'access.stakeholder.list':
    'what are the branch managers allowed to look at; which groups have a limited view, and of what; list the outside teams and their areas; does the press team see competitors; every audience with its restrictions',
  'access.stakeholder.preview':
    'show me the data as the investors would find it; how much would the press team get to see; would the partners see this document; test the view of the branch managers; what remains visible with that restriction',
  'agent.a2a.cancel':
    'abort the protocol request that I sent a minute ago; the other side’s A2A job is no longer needed; withdraw my agent-to-agent call; stop the A2A task of the shipping partner; cancel over the A2A protocol',
  'agent.a2a.get':
    'did the A2A request of the shipping partner get an answer; show the messages of that protocol task; status of the agent-to-agent request; which artifacts came out of the A2A task; read one A2A task',
  'agent.a2a.list':
    'what have other companies’ agents asked us over A2A; all protocol requests that are still working; agent-to-agent tasks of today; is an A2A request waiting for input; list the tasks that came by A2A',
  'agent.a2a.send':
    'send our own endpoint a test message as an A2A client would; reply to the A2A task that waits for me; call a skill of this platform by the agent-to-agent protocol; try our agent card with a plain question; post an A2A message',
  'agent.activity.list':
    'what is each of the bots busy with this minute; is the greenhouse robot working or asleep; who is on duty and on which job; what did the translator do last; show me all hands at work; is any helper free right now; is anyone already on the lift repair',
  'agent.capability.list':
    'which of our bots can read X-rays; what can the helpers do, all in all; does any agent know Portuguese; list of skills and who has each; is there a bot that can book trains; what are the agents good at',
  'agent.history.list':
    'why is the greenhouse bot on hold, and since when; when did the translator last fall over; who switched the night bot off; what happened to the agent over the week; was this worker ever removed; timeline of an agent’s changes',
  'agent.message.acknowledge':
    'I have read the three messages from the tester, clear them; mark the note from the planner as seen; do not show me those again; empty my mailbox of what I read; noted, thanks: tick it off',
  'agent.message.list':
    'has the planner written back; anything in my mailbox from the other bots; wait until the tester answers; read what the others wrote to me; are there messages that I have not seen; my unread mail',
  'agent.message.send':
    'tell the greenhouse bot to close the windows; write the planner that the parts have come; ask the translator bot how long it needs; let agent Rosa know that I am late; pass a word to the night worker; send the tester a note that the oven is free',
  'agent.output.review':
    'look through what the bots wrote and nobody has judged yet; the summary by the night bot is good, accept it; reject the translation, it is full of mistakes; correct the label that the bot gave; which results of agents wait for a verdict; fix the answer of the assistant and take it',
  'agent.output.submit':
    'a person should check my translation before it goes out; please have somebody judge this summary; I hand in my draft of the menu for a verdict; is my answer good enough, let a human decide; submit what I made so that someone can accept or correct it',
  'agent.peer.heartbeat':
    'this is the greenhouse robot, I am up; still here, do not mark me as offline; our remote agent reports that it is alive; renew my presence; beat every half minute; I am healthy',
  'agent.peer.list':
    'which agents can I hand something to; is the shipping partner’s bot reachable; find me an agent that does bookkeeping; whom can I message; list the partners’ agents with their addresses; which outside agents have gone silent',
  'agent.peer.register':
    'the shipping company has an agent at this URL, add it; register the remote bot of our supplier with its skills; make a helper from outside known to us; here is an agent card, take it in; connect the bookkeeping firm’s agent; announce myself with my endpoint',
  'agent.peer.unregister':
    'the supplier’s bot is gone for good, take it out; remove the outside agent; do not keep the dead robot on the list; I am leaving, sign me off; delete an agent from the registry; drop the partner’s endpoint',
  'agent.presence.get':
    'how many hours was the greenhouse bot away on Sunday; was the translator reachable all night; when was the robot online yesterday; show the gaps in the agent’s presence; percentage of time the worker was up',
  'agent.registry.activate':
    'the greenhouse bot may work again; end the suspension of the translator; switch the paused robot back on; let the night worker take tasks again; reactivate the bot; it has been repaired, put it back into service',
  'agent.registry.deactivate':
    'the greenhouse bot makes nonsense, take it off duty; do not give the translator any work until further notice; pause the night robot; suspend the agent that sends too many mails; stop a bot from claiming tasks; put the assistant on hold',
  'agent.registry.list':
    'how do our bots perform, and what do they cost; which robots are below their targets; all house agents and whether they are paused; success rates of the helpers over the month; how healthy is our fleet; which version of the translator runs; which agents are switched off',
  'agent.registry.register':
    'a new robot for the greenhouse: enter it; publish a new version of the translator’s prompt; I am worker nine and sign up; add a bot of our own with a target of 95 percent; change the definition of the night agent; enter an in-house agent',
  'agent.session.close':
    'our talk with the supplier’s bot is over; end the dialogue between the two agents; close the conversation that nobody uses; we have agreed, finish the discussion; shut the chat of the bots',
  'agent.session.get':
    'read back what the supplier’s bot and ours said; the whole conversation of the two agents; what was agreed in the bots’ dialogue; show me the messages of that exchange; who takes part in the conversation',
  'agent.session.list':
    'which conversations between bots are open; all talks that our agent has had with the supplier; are any two agents in a dialogue; list the discussions of agents; recent exchanges among the bots',
  'agent.session.open':
    'let our buyer bot and the supplier’s bot talk this through; begin a longer exchange with another agent; start a discussion between three bots about the timetable; open a conversation about these two tasks; set up a dialogue',
  'agent.session.send':
    'answer the supplier’s bot in our dialogue; say in the conversation that we accept; ask the other side in the running talk what it can do; add my reply to the agents’ discussion; next turn in the exchange with the other bot',
  'agent.task.cancel':
    'the supplier’s bot need not go on with what we gave it; call back the job that we passed to an outside agent; we solved it ourselves, cancel the delegation; the assignment we received is void; tell the partner to drop it',
  'agent.task.delegate':
    'have the bookkeeping bot check these invoices; let a second model judge the text; pass the X-ray to an agent that can read it; get another bot to review my change; give the route planning to the shipping partner and wait for it; ask a specialist agent to do the legal check; hand this over to whoever can do Portuguese',
  'agent.task.get':
    'how far has the bookkeeping bot got with the invoices; is what I handed to the partner still under way; with whom is the delegated job; until when must the other agent deliver; state of the work that I passed on',
  'agent.task.get_result':
    'what did the bookkeeping bot find in the invoices; bring me the answer of the partner agent; wait for the second opinion that I asked another bot for; did the delegated job succeed, and what came of it; read the outcome of what I passed on',
  'agent.task.list':
    'what have we passed to partners this week; all jobs that came in from other companies’ bots; which delegations are late; list what is out with other agents; do we owe anybody an answer',
  'agent.task.receive':
    'I am an agent of another company and want to give you a job; take this piece of work from the shipping partner; accept a task over the interface for outside agents; we hand your platform a search to do; put work from outside on your board',
  'agent.task.report':
    'I take on the job that the other agent gave me; accepted, I start with your assignment; tell the agent that hired me that I am half through; here is the finished list that your bot asked for; I cannot do what was delegated to me, report the error; decline the work another bot handed me; deliver my result to the delegating side',
  'agent.version.list':
    'which prompts has the translator had; what was different in the bot two versions ago; who released version 5 of the night agent; all past definitions of the greenhouse bot; which version is in force',
  'agent.version.rollback':
    'the new prompt of the translator is awful, take the former one; put the greenhouse bot back to version 3; return the agent to how it was on Friday; the update made it worse, undo; go back one release of the bot',
  'approval.request.approve':
    'yes, the bot may send that mail; go ahead with the deletion it asked for; I agree to the request of the night agent; permit the call that waits; I say OK to what the robot wants; sign off on the held action',
  'approval.request.cancel':
    'I do not need the permission any more; take back the request I made to the boss; the waiting call is pointless now, withdraw it; forget my question for consent; nobody has to decide on that any longer',
  'approval.request.get':
    'has the boss agreed to my deletion yet; what came out of the call that needed consent; wait until somebody has decided on my request; was the mail approved or turned down; show that one request for permission',
  'approval.request.list':
    'which actions of the bots need my yes; what have I got to sign off today; does anything wait for the boss’s consent; who has asked for permission to delete something; list the held calls',
  'approval.request.reject':
    'no, the bot must not send that mail; turn the deletion down; I do not agree with what the night agent wants; refuse the waiting action; say no to the request',
  'approval.request.resolve':
    'I have looked: the mail did go out although the call broke off; nobody knew whether the payment note arrived, it did not; clear up the call with the unknown ending; say that the action had no effect; settle whether it happened',
  'connector.hubspot.update_deal':
    'the school has signed, set its deal to won; the offer for the hospital is now 12,000, change the deal; move the bakery’s deal to negotiation in HubSpot; lost to a rival, update the CRM; new closing date for the sale',
  'connector.mount.list':
    'is our chat tool connected; which outside apps can the bots write to; does HubSpot get real data, or is it a dry run; list the connected services; what are we hooked up to',
  'connector.mount.remove':
    'cut the connection to Slack; the bots must not touch HubSpot any longer; delete the stored Slack token; disconnect the CRM; take the chat tool off',
  'connector.mount.set':
    'connect our Slack with this bot token; bots may from now on really write to HubSpot; set up the chat connection; here is a new token for the CRM; test mode off for Slack; link our workspace',
  'connector.slack.post_message':
    'write in the bakery channel that the oven is fixed; post the menu in #kitchen; tell the team in Slack that we are closed tomorrow; reply in that Slack thread; put a message into the drivers’ channel',
  'event.delivery.list':
    'which events did our server miss while it was down; what could not be pushed to the shop system; show failed pushes with their errors; undeliverable hooks; what got lost on the way to the receiver',
  'event.delivery.retry':
    'our server is back, push everything it missed; send that one lost event again; deliver the failed hooks once more; replay what the shop system did not get; try the dead letter of the webhook again',
  'event.stream.subscribe':
    'what has happened here since noon; wake me when something new comes in; wait until the next complaint is flagged; keep me posted about changes; everything that took place since event 900; listen until a merge happens',
  'event.subscription.get':
    'does our shop system still get the events; why has the hook gone quiet; how far behind is the push to our server; show one subscription with its last error; is the Slack alert working',
  'event.subscription.get_secret':
    'with which key do you sign the pushes to our server; I need the signing secret of the hook; how can the shop system check that an event is genuine; show the webhook’s key',
  'event.subscription.list':
    'whom do we push events to; list all hooks and whether they work; which alerts have I set up; is there a webhook for the shop system; who is told when something happens',
  'event.subscription.remove':
    'stop pushing to the old shop system; I do not want to be told about merges any more; delete the hook; end the alert in #kitchen; cancel my subscription to events',
  'event.subscription.resume':
    'the shop system works again, continue with the pushes; the hook was stopped after errors, switch it on; let the alerts flow again; unpause the subscription; go on where the delivery stopped',
  'event.subscription.save':
    'call our shop system whenever a document has been read in; mail me each time something fails; let #kitchen know when a new complaint comes up; tell me when a job is finished; set up a hook for merges; I want to be told about every approval request; change the address that events are pushed to',
  'event.subscription.test':
    'send the shop system a trial event; does our endpoint answer at all; check that the alert reaches #kitchen; fire a ping at the hook; try whether the receiver gets something',
  'external.prompt.get':
    'fill the other server’s prompt with my values; give me the ready prompt “code review” from the connected server; use a prompt that a third party offers; expand a foreign prompt; messages of an outside prompt',
  'external.prompt.list':
    'does the connected server come with prompts; which prompts can I take from outside; list the templates that third parties offer; ready-made prompts of the weather server; prompts from connected MCP servers',
  'external.resource.list':
    'what can I read on the weather server; list the files that the outside server shows; which records does the connected server hold; readable things on a third-party server; URIs offered by the MCP server',
  'external.resource.read':
    'open the file that the weather server offers under this URI; fetch the record from the connected server; read something from a third-party server; get the contents behind the outside URI; show me that resource',
  'external.server.add':
    'add the weather service’s MCP server; we want to use the tools of our wiki vendor; connect a tool server that runs at this address; plug a third-party tool set in; hook up the calendar’s MCP endpoint; make outside tools usable here',
  'external.server.get':
    'what is wrong with the weather server; show how the wiki tool server is set up; when did the outside server last answer; limits of the connected server; details on one tool provider',
  'external.server.list':
    'which tool servers from outside do we use; is the weather server up; all connected MCP servers and their state; how many tools did each third party bring; list providers of tools',
  'external.server.remove':
    'we no longer use the weather server, remove it; take the wiki vendor’s tools out; disconnect the calendar’s MCP endpoint; delete a tool server with its token; unplug a third party',
  'external.server.test':
    'see if the weather server answers now; ask the tool server what it offers at present; has the wiki vendor added tools, look again; check the connection to the outside server; how fast does the calendar server respond',
  'external.server.update':
    'the weather server has a new address; the token for the wiki tools has changed; switch the calendar server off for the weekend; give the outside server a longer timeout; turn the disabled tool server on again',
  'external.tool.approve':
    'the weather server’s new tool is harmless, let it be used; I have read the change and accept it; allow the agents to use the wiki tools; unlock what the third party added; approve the foreign definitions',
  'external.tool.get':
    'what does the wiki tool say it does, word for word; how has the outside tool’s description changed; is there something fishy in this foreign tool; who allowed that third-party tool; compare old and new definition',
  'external.tool.list':
    'which tools does the weather server give us; what outside tools still have to be checked; did a third-party tool change behind our back; which foreign functions may be called; list the tools of all connected servers',
  'notification.message.get':
    'did the mail to the caretaker go through, and when; why was that message never delivered; show what we wrote to the supplier; how many attempts were made for this mail; text of one message that was sent',
  'notification.message.list':
    'what mails went out today; which messages could not be delivered; did we send anything to the supplier; list everything the system has sent; messages still waiting to leave',
  'notification.message.retry':
    'send the failed mail to the caretaker once more; the hook was down, repeat the message; try that message again; resend what bounced; the Slack note did not arrive, do it over',
  'notification.message.send':
    'mail the caretaker that the heating is out; let the supplier know by e-mail; send Ana a message that her report is ready; alert the people on call; notify the drivers by webhook; write an e-mail to the choir; tell someone outside that it is done',
  'notification.webhook.list':
    'which receivers have their own signing key; for what hosts did we set a webhook secret; list the signed targets; who gets notifications with a separate secret',
  'notification.webhook.remove_secret':
    'the supplier’s receiver needs no own key any more; go back to the shared signing secret; delete the signing key of that target; drop the separate webhook secret',
  'notification.webhook.set_secret':
    'the supplier wants our notifications signed, make a key; new signing secret for what we send to that host; set up signatures for outgoing webhooks; change the key that notifications are signed with',
  'schema.definition.get':
    'how does a delivery note have to look; show the contract for bookings; which fields are required in an order; the third version of the invoice format; print the JSON schema called patient',
  'schema.definition.list':
    'which data formats have we written down; is there a contract for delivery notes; list the schemas with their versions; all formats that teams agreed on; what versions of the booking format exist',
  'schema.definition.register':
    'from today a delivery note needs a weight: store that format; add the contract for bookings; publish version 3 of the invoice schema; put down how a patient record must look; file a new data format',
  'schema.instance.validate':
    'does this delivery note have everything it needs; check the booking against our format; is this JSON a proper order; what is missing in the record; test whether the invoice fits the contract',
  'substrate.artifact.get':
    'give me the stored picture back; what is in the file with this hash; how large is that upload; show the text of a stored file; read the bytes behind the fingerprint',
  'substrate.artifact.list':
    'what files have been uploaded this week; list everything in storage; is the floor plan among the stored files; recent uploads with their sizes; find the hash of the photo',
  'substrate.artifact.upload':
    'store this floor plan; I have a photo to put somewhere; save the output of my script as a file; keep these bytes and give me a reference; upload the recording; put the CSV into storage',
  'substrate.manifest.checkout':
    'what files are in the spring catalogue bundle; list the contents of that package; which photos belong to the set; all paths in the snapshot; show the files of the release under images',
  'substrate.manifest.create':
    'freeze the photos of the spring catalogue as one set; pack these five stored files together; make a bundle that cannot change; take a snapshot of the outputs; combine the uploads into a release',
  'substrate.manifest.get':
    'how many files does the catalogue bundle have; who put this package together; when was the snapshot made; total size of the set; facts about the bundle',
  'substrate.pointer.advance':
    '“current” should now mean the summer catalogue; put the live label back on last week’s bundle; switch the name to the new set of files; make the new release the live one; move the tag',
  'substrate.pointer.create':
    'call this bundle “current”; give the spring catalogue a name that can move later; new label for the set of files; name the snapshot “live”; make a tag',
  'substrate.pointer.history':
    'which bundles were live before; who switched the catalogue on Tuesday; what did “current” mean last month; earlier targets of the label; all moves of the tag',
  'substrate.pointer.list':
    'which labels do we have for bundles; list the names and what they stand for; is there a label called live; all named releases; tags of our file sets',
  'substrate.pointer.resolve':
    'which bundle is live at the moment; what does the label “current” stand for; look up the name of the catalogue; to which set does the tag lead; hash behind a label',
};
