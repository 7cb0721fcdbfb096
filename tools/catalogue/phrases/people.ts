/** Phrases of people who need a tool, with words that its name and description lack, separated by `; `. */
export const people: Readonly<Record<string, string>> = {
  'access.key.collect':
    'my new credential was approved, what is its secret; the page closed before I could copy the new key; show me the token of the key that I asked for',
  'access.key.create':
    'a new colleague needs to log in; let the build robot in; issue a token for CI; onboard another agent with limited rights; give me credentials that end in a month; I need a login that can only read',
  'access.key.list':
    'who has access to this installation; which tokens are out there; are there credentials that nobody uses; when does the deploy token run out; overview of logins and their rights',
  'access.key.revoke':
    'lock this robot out at once; that token was committed to git, kill it; take away the access of somebody who left; disable a login',
  'access.key.rotate':
    'swap the secret without downtime; new password for the same agent; the token expires next week, renew it; quarterly change of credentials',
  'access.session.end':
    'I forgot to log out on the shared computer; my laptop was stolen, throw it out of the console; log a colleague out everywhere; end every login but this one',
  'access.session.list':
    'on which machines am I logged in; is somebody else using my login; who has the console open right now; show the logins of a colleague',
  'access.stakeholder.configure':
    "what should the finance people be able to see?; hide everything but payments from that group; narrow the view of a department; who outside the product team may look at which areas; give marketing only monthly figures; the support crew should only get to see the checkout; take the competitor area away from the partners' login; from Monday on legal sees contracts and nothing more",
  'access.stakeholder.list':
    'which departments can look in here, and at what; overview of who sees which areas; what is the sales team restricted to',
  'agent.a2a.cancel': 'never mind what I sent over A2A; abort the request of the partner protocol; withdraw the A2A message',
  'agent.a2a.get':
    'how far is the A2A request; what did the platform answer to my A2A message; show the conversation of an A2A task; artefacts of the protocol task',
  'agent.a2a.list':
    'requests that came in over the agent-to-agent protocol; A2A traffic of today; which protocol tasks hang; everything partners asked over A2A',
  'agent.a2a.send':
    'try out our agent card; talk to Signalbox over A2A; ping the platform with an agent-to-agent message; ask a skill something in plain English over the protocol',
  'access.stakeholder.preview':
    'how much would sales get to see; look through the eyes of that department; how many documents does a group reach',
  'agent.activity.list':
    'who is busy right now, and with what?; is anybody idle?; what is everyone up to at the moment; who is online; which bots are doing something; has the writer bot started on anything yet?; what keeps the crawler busy; who holds which ticket at this minute; are all workers asleep?',
  'agent.capability.list':
    'what skills are available and who has them; what can the others do for us; overview of everything our agents are good at; is there anybody who can translate; I need someone who can do OCR, is that something the others do?; what are our helpers able to do, and which one does what; skills of all registered agents, by agent; list of abilities before I give work away',
  'agent.history.list':
    'when did the crawler go down last; who put this bot on hold, and why; everything that was done to the worker this week; has anybody touched the summariser; since when is it out of service',
  'agent.message.acknowledge':
    'I have seen this message, do not show it again; clear my inbox; got it, tick that message off; mark everything up to here as seen',
  'agent.message.list':
    'anything new in my mailbox?; did somebody write to me; any mail from the other bots; show unread messages; has the reviewer replied yet',
  'agent.message.send':
    'drop a line to the reviewer; let the other worker know I am finished; write to the tester; ping my colleague; pass this note on to another bot; warn the others; please tell the deployer that the build is broken; ask the planner which version to use; give the tester a heads-up; inform the agent in charge',
  'agent.output.review':
    "these drafts by the bot are fine; mark what the assistant wrote as good; that summary is wrong, send it back with a correction; which results of the bots has nobody looked at yet; judge what an agent has made; the bot's two reports are good, take them; send the translator's text back, the tone is off; what have the agents handed in that still needs a verdict; thumbs down for that answer, here is the right one",
  'agent.output.submit':
    'somebody should look over what I wrote before it counts; here is my draft, please have it checked; hand over my result for sign-off; get a human opinion on my answer',
  'agent.peer.heartbeat':
    'tell them I am still here; signal that the remote agent is up; sign of life for the partner; keep my registration from going stale',
  'agent.peer.list':
    'which partners are up at the moment; whom could I ask for help; are any outside bots reachable; who is healthy among the agents we know; look up somebody who can summarise',
  'agent.peer.register':
    'a new partner bot joins us, here is its address; hook up a remote agent; introduce an agent by its URL; let us work with the agent at this endpoint',
  'agent.peer.unregister': 'that partner has left, take it off the list; we no longer work with this remote agent; drop an outside agent',
  'agent.presence.get':
    'was the bot up all night; how many hours was the crawler down yesterday; uptime of a worker; did it drop out today, and for how long',
  'agent.registry.activate':
    'let the paused bot work again; switch the agent back on; it may pick up jobs again; end the break of that worker',
  'agent.registry.deactivate':
    'the agent misbehaves, stop giving it work; suspend a worker for now; switch the agent off until further notice; bench that bot; that crawler floods us, switch it off for now; the notifier has to stop until Monday; no more jobs for the summariser; take the noisy one out of service',
  'agent.registry.list':
    'how well are our bots doing, and what do they cost us; which workers are failing their targets; all our agents with version and state; reliability and spending per agent; is each of our agents within its targets, and at what price; uptime and success rate of the bots; which versions are deployed; what did the translator cost this month',
  'agent.registry.register':
    'there is a new worker called X; sign in as a worker; roll out version 3 of the summariser; set the target response time for an agent; enrol a bot',
  'agent.session.close': 'we are done talking, end it; hang up on the other agent; finish the conversation with the partner',
  'agent.session.get':
    'what have the two bots said to each other so far; history of our talk with the partner; show the thread with the other agent',
  'agent.session.list':
    'which bots are talking to each other right now; all dialogues that are still open; conversations of the partner; did anybody start talking to the reviewer',
  'agent.session.open':
    'begin a dialogue with a partner; set up a channel with the other agent for several messages; start talking to another bot',
  'agent.session.send':
    'answer the partner in our conversation; say something in the running dialogue; next message in the thread with the other agent',
  'agent.task.cancel':
    'never mind, the partner can stop; call off what I gave to the other agent; we do not need that job from outside any more; take back an assignment',
  'agent.task.delegate':
    'have somebody else translate this; give this job to a partner; outsource this; get the specialist to do it; find someone to summarise this for me',
  'agent.task.get':
    'is the partner still on it?; how is the job doing that I gave away; status of what I outsourced; who has the assignment now',
  'agent.task.get_result':
    'did the partner come back with something?; what came out of the job I gave away; fetch the answer from the other agent; wait until the specialist is finished',
  'agent.task.list':
    'everything we have given to partners, open or not; what jobs came to us from outside; which assignments to others are still running; who owes us a result',
  'agent.task.receive': 'a partner wants us to do something; accept a job from an outside agent; here is work for your platform from us',
  'agent.task.report':
    'I am half way with the job you gave me; here is the result of your assignment; tell whoever asked me that it failed; send back what I was asked for',
  'agent.version.list':
    'what did the definition look like before; every release of the summariser; compare two releases of a bot; which release is live, and who made it',
  'agent.version.rollback':
    "the new release of the bot is worse, go back to the old one; undo the last change to an agent; restore last week's definition of the summariser; since yesterday's update the classifier answers nonsense, return to what we had; put the triage bot back to version 4; the release was a mistake, undo it",
  'approval.request.approve':
    'fine, it may go ahead; give the green light; I allow what the bot asked for; release the held call; permit it just this once',
  'approval.request.cancel':
    'forget what I asked permission for; withdraw it before anybody decides; I changed my mind, nobody needs to say yes any more',
  'approval.request.get':
    'has anybody said yes yet?; am I still waiting for permission; what came of the thing I needed an OK for; look at one pending question',
  'approval.request.list':
    'what is waiting for my OK; anything I have to sign off?; which actions are on hold until a human decides; what do the bots want permission for',
  'approval.request.reject': 'no, it must not do that; refuse permission; turn down what the bot wants to do; stop that held action',
  'approval.request.resolve':
    'nobody knows whether it went through, I have checked: it did; settle an approved action with an unclear ending; the message did arrive in the end',
  'claim.evidence.link':
    'here is something that backs it up; this document contradicts our hypothesis; attach proof to a statement; add a source that speaks against it; ticket 88 speaks for the theory, put it there; the survey disproves what we assumed; add two interviews as support; tie a source to that assertion',
  'claim.record.create':
    'I believe that churn comes from pricing, let us test that; note down a hypothesis; put an assumption on record to be checked; make a statement that needs backing; my theory: users leave because of slow search; let us assume that big customers want SSO, and check it; put on file what we suspect; assert that the outage caused the churn',
  'claim.record.decide':
    'the hypothesis holds; this assumption has turned out wrong; rule on a statement; there is not enough proof yet, ask for more; settle whether it is true; we have seen enough, that theory is true; throw the assumption out; confirmed: onboarding is too long; final verdict on the hypothesis',
  'claim.record.get':
    'what do we have for and against this assumption; why did we throw out that hypothesis; show one statement with its proof',
  'claim.record.list': 'which hypotheses are still undecided; what assumptions do we hold about pricing; all statements that were refuted',
  'connector.hubspot.update_deal':
    'the deal is won, note it in the CRM; push the new amount into HubSpot; set the close date of an opportunity in sales; move the Acme deal to negotiation; Globex signed, set the sales stage; put 40k as the new value in our CRM; the renewal slipped to June, change it in sales; update the pipeline entry of a prospect',
  'connector.mount.list':
    'can we post to Slack from here?; which outside systems are hooked up; are we really sending, or only pretending (dry run); state of our integrations',
  'connector.mount.remove': "unhook Slack; we must not write to the CRM any more, drop the credentials; revoke the integration's token",
  'connector.mount.set':
    'hook up our Slack workspace; here is the API token for HubSpot; go live with the integration instead of dry run; add an integration',
  'connector.slack.post_message':
    'let the team know in their channel; announce this in chat; drop a note in #general; reply in the thread; notify people on Slack; write in #releases that version 2 is out; tell everybody on chat that the outage is over; answer the question in the support channel; shout it out to the team',
  'external.prompt.get': 'fill in a prompt template from another server; give me the ready-made prompt with my values',
  'external.prompt.list': 'which ready-made prompts do connected servers offer; prompt templates from outside',
  'external.resource.list': 'what files or records can be read on a connected server; what does the other server expose',
  'external.resource.read': 'open a file that a connected server offers; fetch something by its URI from the other server',
  'external.server.add':
    'plug in the GitHub tools; connect another tool server by its URL; make a new set of tools available; install an MCP server',
  'external.server.get': 'why is that tool server failing; settings of one connected server; last error of a provider of tools',
  'external.server.list': 'which tool servers are plugged in, and do they work; all our providers of outside tools',
  'external.server.remove': 'unplug a tool server; we no longer need those outside tools; delete a provider',
  'external.server.test': 'does the tool server respond?; try the connection; reload what a provider offers',
  'external.server.update':
    'the tool server moved to another address; new token for a provider; turn off a tool server for a while; allow more calls at a time',
  'external.tool.approve': 'I have looked at these outside tools, they may be used; trust the changed tool; unlock tools of a new server',
  'external.tool.get':
    'read the whole text of a foreign tool before trusting it; old and new wording side by side; who let this outside tool in',
  'external.tool.list':
    'which outside tools may not be used yet; has the description of a foreign tool been altered; suspicious tools from providers',
};
