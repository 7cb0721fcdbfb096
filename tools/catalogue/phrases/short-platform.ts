/** Short and colloquial phrases for tools of the platform: work, agents, access, records, events, as people type them, separated by `; `. They extend the other lists of this folder. */
export const shortOfPlatform: Readonly<Record<string, string>> = {
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
  'connector.hubspot.update_deal': 'move the deal to closed won; CRM deal amount; change stage in HubSpot; set deal properties',
  'connector.mount.list': 'integrations that we have; outbound connections; connected apps; dry run or live',
  'connector.mount.remove': 'remove the HubSpot token; cut the integration; unlink an app',
  'connector.mount.set': 'hook up the CRM; store an integration token; link HubSpot; switch an integration from dry run to live',
  'connector.slack.post_message':
    'write into the Slack channel; tell #general; reply in a thread on Slack; Slack the team; channel announcement',
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
  'notification.message.get': 'was the mail delivered; details of one notification; delivery attempts; what would have been sent',
  'notification.message.list': 'sent messages; failed mails; outbox log; notification history; what went out',
  'notification.message.retry': 'resend the mail; try the failed message again; deliver the notification once more',
  'notification.message.send': 'notify somebody; mail this to a colleague; inform a person; message by webhook; let the boss know',
  'notification.webhook.list': 'signed targets',
  'notification.webhook.remove_secret': "drop a webhook's signing secret; go back to the common secret",
  'notification.webhook.set_secret': 'new signing key; sign notifications with',
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
  'system.export.list': 'earlier exports; history of exports; past backups; who took data out; files still downloadable',
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
  'work.holder.list': 'holders of tickets; presence of assignees; is the assignee alive; tickets held by absent bots',
  'work.lane.list':
    'swim lanes; workload of each assignee; distribution of tickets; totals by priority; totals by stage; unassigned tickets',
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
  'access.session.end': 'log out everywhere; kick somebody out of the console; end my other logins; forgotten sign-in; lost laptop',
  'access.session.list': 'my logins; active logins; open console sessions; which devices am I logged in on; who is logged in',
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
