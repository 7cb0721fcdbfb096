/** Questions, situations and telegraphic orders that mean a tool of access, agents, approvals, events, news or storage without naming it, separated by `; `. They extend the other lists of this folder. */
export const askedOfPlatform: Readonly<Record<string, string>> = {
  'access.key.collect':
    'approval came through, where is my token; never received the secret; give me the secret of the key I just created; token got lost before its first use',
  'access.key.create':
    'Ruth joins us tomorrow; token for the CI job, reading only; a login for the theatre’s bot; grant Ruth access as pm; new user; put Ruth into the support team; credentials for an intern, two weeks',
  'access.key.list':
    'users and roles; is there still a token for the old website; who has admin rights; logins not used for a year; list all accounts',
  'access.key.revoke':
    'Ruth has resigned; take away admin rights; leaked key!; ban the bot; throw Ruth out of support; delete a user; lock out',
  'access.key.rotate':
    'new token, same rights; the secret is a year old; renew before it runs out; change the password of the bot; swap credentials',
  'access.session.end':
    'forgot to log out at the airport; end Ruth’s sign-ins; log out of all browsers; stolen phone; kill the console sessions',
  'access.session.list': 'which browsers am I signed in with; is someone signed in as me; open sign-ins; last login in the console',
  'access.stakeholder.configure':
    'insurers may see claims only; finance sees weekly numbers; give the club’s board a narrower view; open search area to partners; visibility of the sales team',
  'access.stakeholder.list': 'who sees what; restrictions of each team; which areas has finance; list stakeholder groups',
  'access.stakeholder.preview':
    'see it like finance does; what stays hidden from partners; try the sales view; how many documents can the board see',
  'agent.a2a.cancel': 'A2A: cancel; the protocol task is superfluous; stop the agent-to-agent job; recall it',
  'agent.a2a.get': 'A2A task: state?; answer to our A2A message; result of the protocol call; what does the A2A peer say',
  'agent.a2a.list': 'A2A inbox; unfinished protocol tasks; what did A2A clients send; A2A list',
  'agent.a2a.send': 'A2A hello to ourselves; message/send; give the waiting A2A task its input; test our A2A endpoint',
  'agent.activity.list': 'who does what right now; is the farm bot busy; what is on everyone’s bench; agents at work; status of the crew',
  'agent.capability.list': 'can anybody here do SQL; skills?; who translates; which abilities do we have among the bots',
  'agent.history.list':
    'what happened to the farm bot; when was it paused; crashes of an agent; who removed the agent; status changes of a bot',
  'agent.message.acknowledge': 'read it, thanks; mark my mail as read; done with these messages; clear the notes I have seen',
  'agent.message.list': 'post?; new messages for me; has the reviewer written; wait for an answer; inbox of the agent',
  'agent.message.send':
    'tell the whole team of bots that the database is down; let all agents know; broadcast a warning to the other workers; tell worker-4 to stop printing; message to the reviewer: ready; ask the farm bot for its log; note to another agent; let a fellow agent know',
  'agent.output.review':
    'bot results to check; approve the bot’s text; this label by the bot is wrong; verdicts to give; look at what the agents have submitted',
  'agent.output.submit':
    'please judge my text; have my classification verified by a human; submit result for acceptance; here is my work, rate it',
  'agent.peer.heartbeat': 'alive; ping from the partner agent; do not list me as dead; I am online',
  'agent.peer.list': 'whom can I ask to do SQL; partner agents and addresses; who is reachable; contacts; find a bot for legal work',
  'agent.peer.register':
    'partner agent at https://…; add the insurer’s bot; new remote helper; here is my endpoint and what I can do; take a bot from outside on',
  'agent.peer.unregister': 'partner is gone; bot out of the directory; remove peer; sign the remote agent off',
  'agent.presence.get': 'online hours of a bot; was it there at 3 am; offline periods; how reliable was its presence; downtime of an agent',
  'agent.registry.activate': 'back on duty; the bot may continue; un-suspend; end of the agent’s pause; enable the worker',
  'agent.registry.deactivate':
    'no more work for that bot; it goes wild, stop it; freeze worker-4; send the agent on holiday; disable for now',
  'agent.registry.list':
    'our bots and their costs; who misses its targets; agent overview with health; paused bots; acceptance of results per bot',
  'agent.registry.register':
    'new bot in our house; new prompt for the farm bot; I am a worker, add me; define the objectives of an agent; agent version 4',
  'agent.session.close': 'end of conversation; we are through with the other bot; shut the dialogue; finish the exchange',
  'agent.session.get': 'what did both bots say; dialogue in full; messages of a conversation; read the exchange',
  'agent.session.list': 'talks among bots; conversations still open; with whom is our bot in touch; list dialogues',
  'agent.session.open':
    'I want to talk to the insurer’s bot at length; new dialogue; start a conversation about the claim; multi-turn exchange',
  'agent.session.send': 'reply in the dialogue; tell them in the conversation; next message to the partner; ask within our exchange',
  'agent.task.cancel': 'delegated work: stop; partner should drop it; recall what I farmed out; no need any more, other agent',
  'agent.task.delegate':
    'somebody else’s agent should do it; get a second opinion from another bot; let Gemini review it; give the translation away; who can take this, hand it over; outside help needed for the drawing',
  'agent.task.get': 'partner’s progress; is the outsourced drawing under way; where is my delegated work; due date of what I gave away',
  'agent.task.get_result':
    'what did the partner deliver; answer of the other agent, please; the drawing should be back, fetch it; second opinion ready?',
  'agent.task.list': 'outsourced jobs; what is at partners; received assignments; delegations, all of them',
  'agent.task.receive':
    'from our agent to your platform: please index this; incoming job from a foreign agent; take this on for us; work for you, from outside',
  'agent.task.report':
    'assignment accepted; tell the client agent: 70 %; my result for the one who hired me; the job you gave me failed; refuse an assignment',
  'agent.version.list': 'prompt history of a bot; releases of the agent; what was version 2 like; which definition is active',
  'agent.version.rollback': 'old prompt was better; bot back one version; undo release; restore the agent’s former definition',
  'approval.request.approve': 'OK, do it; allowed; I confirm the bot’s action; yes to the refund; permission granted',
  'approval.request.cancel': 'I take my request back; no permission needed any more; never mind the approval; retract',
  'approval.request.get': 'did they say yes; my request for permission, what is its state; approved or not; wait for the boss',
  'approval.request.list': 'permission requests; what should I allow; actions waiting for consent; things the bots may not do without me',
  'approval.request.reject': 'no way; not allowed; deny the refund; the bot shall not do it; permission refused',
  'approval.request.resolve':
    'it did happen after all; outcome unknown, I looked: nothing arrived; ambiguous action: settled; say whether the refund went out',
  'connector.hubspot.update_deal': 'deal won; HubSpot: amount 9,000; next stage in the CRM; update the sale with the clinic; deal lost',
  'connector.mount.list': 'Slack connected?; which integrations; is HubSpot live; outside services we use',
  'connector.mount.remove': 'Slack off; remove integration; HubSpot no more; delete the CRM token',
  'connector.mount.set': 'Slack on; here is the HubSpot token; really send from now on; integrate our chat; connect CRM',
  'connector.slack.post_message':
    '#stage: rehearsal at six; Slack message; tell the channel the build is green; answer in the Slack thread; post it',
  'event.delivery.list': 'lost pushes; failed webhooks; dead letters; what did the endpoint not get',
  'event.delivery.retry': 'endpoint up, resend; push again; redeliver the dead letter; repeat failed webhook',
  'event.stream.subscribe': 'anything new?; wait for something to happen; latest events; stream of changes; what came in since then',
  'event.subscription.get': 'webhook ok?; state of our hook; last error of the alert; is it delivering',
  'event.subscription.get_secret': 'webhook secret; verify pushes; HMAC key of the hook; check the signature of events',
  'event.subscription.list': 'webhooks; my alerts; where do events go; hooks and their state',
  'event.subscription.remove': 'hook off; no alert any more; delete the subscription; unsubscribe me',
  'event.subscription.resume': 'hook on again; continue pushing; endpoint repaired, resume; restart the alert',
  'event.subscription.save':
    'alert me when a deal is lost; webhook for new documents; tell #stage about failures; notify when an import ends; mail on each new bug; watch for outages and ping me',
  'event.subscription.test': 'trial push; test alert; will the hook get through; fire a test event',
  'external.prompt.get': 'foreign prompt with my text; expand the template from outside; use their prompt; fill in the server’s template',
  'external.prompt.list': 'prompts from servers; templates of others; do they offer prompts; list outside prompts',
  'external.resource.list': 'outside files; what does the wiki server hold; resources of MCP servers; readable from outside',
  'external.resource.read': 'open a resource URI; read from the wiki server; fetch outside file; contents of a server’s resource',
  'external.server.add': 'add MCP server https://…; plug in the wiki; connect third-party tools; npx server, please',
  'external.server.get': 'wiki server: what is the matter; details of an MCP server; settings and last error; is this provider enabled',
  'external.server.list': 'MCP servers; tool providers; connected servers, up or down; third parties we use',
  'external.server.remove': 'MCP server away; wiki tools no longer needed; delete provider; disconnect third party',
  'external.server.test': 'does the MCP server answer; ping the wiki server; reload its tools; connection test',
  'external.server.update': 'wiki server moved; new credentials for a server; disable MCP server; change timeout',
  'external.tool.approve': 'trust this tool; tool checked, OK; let agents call the wiki tools; accept the new definition',
  'external.tool.get': 'read the tool’s text; diff of a tool definition; is this foreign tool safe; what did they change',
  'external.tool.list': 'outside tools; tools waiting for trust; which third-party tools may we call; changed tools',
  'feed.api.fetch': 'news about hail from the API; query the news service; latest by keyword from the provider; articles from GNews',
  'feed.article.index': 'news into search; stored articles findable; make press quotable; index articles',
  'feed.article.list': 'stored news about hail; press on insurers; clippings since Sunday; most relevant articles; what do the papers say',
  'feed.article.store': 'keep this article; save news; store clippings; put the fetched ones away',
  'feed.rss.fetch': 'new posts on the farm blog; read RSS; what does the feed say; latest from the club’s news feed',
  'feed.source.get': 'feed ok?; when did we last poll the farm blog; settings of a feed; last error of a source',
  'feed.source.list': 'feeds; papers we read; news sources that fail; blogs we follow',
  'feed.source.remove': 'no more farm blog; feed away; unfollow; delete source of news',
  'feed.source.save': 'follow https://…/rss; new feed; pause the farm blog; new address of a feed; NewsAPI with this key',
  'feed.webpage.fetch': 'what is at this URL; read the page; just show me the article; text of a website; open link, do not store',
  'notification.message.get': 'that mail: did it arrive; attempts to deliver; what exactly was sent; why undelivered',
  'notification.message.list': 'outgoing mails; sent today; failures in sending; outbox',
  'notification.message.retry': 'mail again; resend; failed notice: once more; repeat sending',
  'notification.message.send':
    'e-mail Ruth; let the insurer know; send a note to the on-call phone; inform the parents; message to ruth@example.org; ping someone outside',
  'notification.webhook.list': 'signed receivers; which hosts have a secret; own signing keys; list of notification secrets',
  'notification.webhook.remove_secret': 'no own secret any more; default signature again; forget the host’s key; secret away',
  'notification.webhook.set_secret':
    'sign our notifications; secret for the insurer’s receiver; new signature key; change how messages are signed',
  'schema.definition.get': 'format of a claim form; schema, please; required fields; which version of the contract is current',
  'schema.definition.list': 'schemas; agreed formats; data contracts; versions of the claim form',
  'schema.definition.register': 'new schema; claim form version 2; agree on a format; store JSON Schema',
  'schema.instance.validate': 'valid?; check JSON; does the claim form fit; errors in my payload',
  'substrate.artifact.get': 'open stored file; bytes of a hash; download; content of an upload',
  'substrate.artifact.list': 'uploads; stored files; what is in storage; list of blobs by date',
  'substrate.artifact.upload': 'here is a file; upload; keep these bytes; save my report as a file; store image',
  'substrate.manifest.checkout':
    'files in the bundle; open the release; what has the snapshot got in it; paths of a set; compare what two sets hold',
  'substrate.manifest.create': 'bundle; snapshot of outputs; pack files; freeze a release',
  'substrate.manifest.get': 'bundle: size and author; about the snapshot; number of files in a set; when was it packed',
  'substrate.pointer.advance': 'live → new bundle; roll the label back; stable moves on; point to the former set',
  'substrate.pointer.create': 'name for a bundle; tag as beta; new label; movable name',
  'substrate.pointer.history': 'label history; what was live in May; former targets; who moved stable',
  'substrate.pointer.list': 'labels; named sets; all tags; names of bundles',
  'substrate.pointer.resolve': 'what is live; label → bundle; beta means which set; look up the tag',
};
