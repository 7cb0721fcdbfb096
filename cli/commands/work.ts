import type { Output } from '../client.ts';
import { CliError, exits, usage } from '../exit.ts';
import { asAgent, choice, limit, list, needed, number, once, option } from '../fields.ts';
import { aside, facts, note, oneLine, paint, painted, pick, say, sayJson, table } from '../output.ts';
import { call, page, plain, type Rows, verb } from '../table.ts';

const phase = number(1, 1000);
const lease = number(1, 86_400);
export const paintStatus = painted({
  ready: 'cyan',
  in_progress: 'yellow',
  review: 'yellow',
  done: 'green',
  failed: 'red',
  blocked: 'dim',
});
const paintHealth = painted({ healthy: 'green', unhealthy: 'yellow', offline: 'red', paused: 'yellow', none: 'dim' });

type Task = Output<'work.task.complete'>['task'];

const showTask = (task: Task): void =>
  facts({
    ...pick(task, 'id as task', 'status', 'phase_id as phase', 'priority', 'title', 'description', 'tags'),
    ...pick(task, 'blocked_by as waits for', 'assigned_agent_id as held by'),
    token: task.status === 'in_progress' ? task.fencing_token : null,
    ...pick(task, 'reserved_for as reserved for', 'due_at as due', 'parent_id as part of', 'archived_at as archived'),
    'lease until': task.lease_expires_at,
    attempts: task.attempts > 0 ? `${task.attempts} of ${task.max_attempts}` : null,
    ...pick(task, 'progress', 'result', 'failure'),
    created: `${task.created_at} by ${task.created_by}`,
    completed: task.completed_at,
  });

const sayStatus = ({ id, status }: Task): void => say(`${id} is ${paintStatus(status)}.`);
const share = (value: number | null): string => (value === null ? '-' : `${Math.round(value * 1000) / 10} %`);

/** Commands for tasks and agents. */
export const workRows: Rows = {
  tasks: { help: 'the board: file, claim and finish tasks\nTasks, their dependencies and who works on them.' },
  'tasks ls': plain({
    help: 'list tasks\nLists tasks, oldest first.',
    takes: {
      phase_id: option('--phase <n>', '1 plan, 2 implement, 3 verify', phase),
      status: choice('--status <status>', ['blocked', 'ready', 'in_progress', 'review', 'done', 'failed']),
      tags: option('--tags <list>', 'that carry all of these', list),
      assigned_to: option('--assigned-to <agent>', 'held by this worker'),
      reserved_for: option('--reserved-for <worker>', 'that only this worker is given'),
      parent_id: option('--parent <id>', 'parts of this task'),
      overdue: option('--overdue', 'open and past their due date'),
      archived: option('--archived', 'archived ones instead'),
      limit: limit(100, 50),
    },
    examples: ['signalbox tasks ls --status ready', 'signalbox tasks ls --phase 2 --tags auth --json'],
    tool: 'work.task.list',
    list: 'tasks',
    columns: ['id', 'phase_id as phase', 'status', 'priority', 'assigned_agent_id as held by', 'description'],
    looks: { status: paintStatus },
    none: 'No tasks.',
  }),
  'tasks create': plain({
    help: 'file a task\nFiles a task for any worker to claim. It becomes ready by itself when the tasks it waits for are done.',
    takes: {
      description: '<description>',
      title: option('--title <text>', 'a short name'),
      phase_id: needed('--phase <n>', '1 plan, 2 implement, 3 verify', phase),
      priority: choice('--priority <priority>', ['high', 'medium', 'low']),
      blocked_by: option('--blocked-by <ids>', 'tasks that must be done first', list),
      tags: option('--tags <list>', 'words to find it by', list),
      due_at: option('--due <time>', 'with time zone, e.g. 2027-03-01T17:00:00Z'),
      assign_to: option('--assign-to <worker>', 'reserve it for this worker'),
      parent_id: option('--parent <id>', 'the task that it is a part of'),
      lease_seconds: option('--lease <seconds>', 'how long a claim lasts without a heartbeat', lease),
      agentId: asAgent,
      idempotencyKey: once,
    },
    examples: [
      'signalbox tasks create "Write the migration" --phase 2 --priority high',
      'signalbox tasks create "Test it" --phase 3 --blocked-by task_01jd3f8k # waits for the other',
    ],
    tool: 'work.task.create',
    show: ({ data }) => sayStatus(data.task),
  }),
  'tasks claim': plain({
    help: 'take the next ready task, or a certain one\nAssigns the next ready task of a phase, or the named one, under a lease. Prints the fencing token that completing it needs.',
    takes: {
      task_id: '[id]',
      phase_id: option('--phase <n>', 'take the next ready task of this phase', phase),
      lease_seconds: option('--lease <seconds>', 'default: as the task says', lease),
      agentId: asAgent,
    },
    examples: ['signalbox tasks claim --phase 2 --agent-id builder-1', 'signalbox tasks claim task_01jd3f8k2m9x'],
    tool: 'work.task.claim',
    input({ task_id, phase_id, lease_seconds }) {
      if ((task_id === undefined) === (phase_id === undefined))
        throw usage('Give either a task id or --phase.', '--phase takes the next ready task of a phase.');
      return { task_id, phase_id, lease_seconds };
    },
    show(answer, { phase_id, agentId }) {
      const { task } = answer.data;
      if (!task) return say(`No task of phase ${phase_id} is ready.`);
      showTask(task);
      aside(answer);
      const worker = agentId === undefined ? '' : ` --agent-id ${agentId}`;
      note(`Hand it in with \`signalbox tasks complete ${task.id} --token ${task.fencing_token}${worker}\`.`);
    },
    aside: false,
  }),
  'tasks complete': plain({
    help: 'hand in a task\nMarks a claimed task done. Tasks that wait for it become ready.',
    takes: {
      task_id: '<id>',
      fencing_token: option(
        '--token <n>',
        'the fencing token of the claim; whoever claimed must show it',
        number(1, Number.MAX_SAFE_INTEGER),
      ),
      result: option('--result <text>', 'what was achieved'),
      agentId: asAgent,
    },
    examples: ['signalbox tasks complete task_01jd3f8k2m9x --token 3 --result "Merged"'],
    tool: 'work.task.complete',
    show({ data: { task, unblocked_tasks } }) {
      sayStatus(task);
      if (unblocked_tasks.length > 0) say(`Now ready: ${unblocked_tasks.join(', ')}`);
    },
  }),
  'tasks get': plain({
    help: 'everything about a task\nShows a task with its comments.',
    takes: { task_id: '<id>' },
    examples: ['signalbox tasks get task_01jd3f8k2m9x'],
    tool: 'work.task.get',
    show({ data: { task } }) {
      showTask(task);
      const { parts, attachments } = task;
      if (parts.total > 0) say(`${parts.done} of ${parts.total} parts are done.`);
      for (const { name, artifact_sha256 } of attachments) say(`${paint('dim', artifact_sha256.slice(0, 12))}  ${oneLine(name)}`);
      for (const { created_at, author, body } of task.comments) say(`${paint('dim', `${created_at} ${author}`)}  ${oneLine(body)}`);
    },
  }),
  'tasks board': plain({
    help: 'the board by column\nShows how many tasks stand where, and the first of each column.',
    takes: { phase_id: option('--phase <n>', 'only this phase', phase), board: option('--board <name>', 'a saved board') },
    examples: ['signalbox tasks board', 'signalbox tasks board --phase 2'],
    tool: 'work.board.get',
    show({ data: { columns, stats } }) {
      const counts = Object.entries(stats).map(([name, count]) => `${paint('bold', String(count))} ${name.replaceAll('_', ' ')}`);
      say(counts.join(', '));
      for (const [name, held] of Object.entries(columns)) {
        if (held.length === 0) continue;
        say(`\n${paint('bold', name.replaceAll('_', ' '))}`);
        table(held, ['id', 'phase_id as phase', 'priority', 'assigned_agent_id as held by', 'description']);
      }
    },
  }),

  agents: {
    help: 'who the agents are, how they do, and their messages\nWorkers, managed agents and peers: whether they are there, what they can do, and what they say to each other.',
  },
  'agents ls': plain({
    help: 'list them with their health\nLists registered agents with state, health, version, reported cost and latest action.',
    takes: {
      status: choice('--status <status>', ['active', 'paused'], 'active or paused'),
      kind: choice('--kind <kind>', ['managed', 'worker', 'peer']),
      limit: limit(100, 50),
    },
    examples: ['signalbox agents ls', 'signalbox agents ls --status paused --json'],
    tool: 'agent.registry.list',
    list: 'agents',
    columns: [
      'agent_id as id',
      'kind',
      'health',
      'status as state',
      'version',
      { 'cost (30 days)': ({ cost }) => (cost.cost_usd === 0 ? null : `$${cost.cost_usd.toFixed(2)}`) },
      'last_action as last action',
      'name',
    ],
    looks: { health: paintHealth, state: paintHealth },
    none: 'No agents.',
  }),
  'agents get': verb({
    help: 'everything about one\nShows an agent: where it is reached, what it can do, its objectives and how they are met.',
    takes: { id: '<id>' },
    examples: ['signalbox agents get builder-1'],
    async run({ id, json }) {
      const [{ data: watched }, { data: spoken }] = await Promise.all([
        call('agent.registry.list', { agent_id: id }),
        call('agent.peer.list', { agent_id: id, healthy_only: false }),
      ]);
      const [peer] = spoken.agents;
      if (!peer)
        throw new CliError(exits.failed, 'NOT_FOUND', `No agent with id "${id}".`, {
          hint: '`signalbox agents ls` lists the agents.',
        });
      // The platform's own agent has no health to watch.
      const [agent] = watched.agents;
      if (json) return sayJson({ agent: { ...peer, ...agent } });
      const { slos = [], quality, cost } = agent ?? {};
      facts({
        agent: peer.agent_id,
        name: agent?.name,
        kind: `${peer.kind} (${peer.agent_type})`,
        health: peer.health_status,
        state: agent?.status_reason ? `${peer.status}: ${agent.status_reason}` : peer.status,
        endpoint: peer.endpoint_url,
        can: peer.capabilities.map((each) => each.name).join(', '),
        description: agent?.description,
        version: agent?.version,
        objectives: slos
          .map(({ name, actual, target, met }) => `${name} ${share(actual)} of ${share(target)}${met === false ? ' (missed)' : ''}`)
          .join('\n'),
        judged: quality && quality.judged > 0 ? `${quality.judged}, accepted ${share(quality.acceptance_rate)}` : null,
        used: cost && cost.calls > 0 ? `${cost.calls} calls, ${cost.tokens} tokens, $${cost.cost_usd.toFixed(2)}` : null,
        'last action': agent?.last_action,
        ...pick(peer, 'last_heartbeat as last heartbeat', 'registered_at as registered'),
      });
    },
  }),
  'agents register': verb({
    help: 'make an agent known\nRegisters a peer (with --endpoint or --card), a worker or a managed agent. Prints its id.',
    takes: {
      agent_type: needed('--type <type>', 'what sort of agent it is, e.g. researcher'),
      kind: choice('--kind <kind>', ['worker', 'managed'], 'worker or managed; a peer needs none'),
      agent_id: option('--id <id>', 'of a worker or managed agent: the name it works under'),
      endpoint_url: option('--endpoint <url>', 'of a peer: where it takes POST /a2a/tasks'),
      card_url: option('--card <url>', 'of a peer: the card of a standard A2A agent'),
      name: option('--name <name>', 'for people'),
      can: option('--can <list>', 'capabilities by name', list),
      stable_key: option('--stable-key <key>', 'of a peer: registered again under it, it is updated'),
    },
    examples: [
      'signalbox agents register --type researcher --endpoint https://agent.example --can summarize # a peer',
      'signalbox agents register --type assistant --card https://agent.example/.well-known/agent-card.json # a standard A2A agent',
      'signalbox agents register --type builder --id builder-1 # a worker',
    ],
    async run({ agent_type, kind, agent_id, endpoint_url, card_url, name, can, stable_key, json }) {
      const peer = endpoint_url !== undefined || card_url !== undefined;
      if (peer && (kind !== undefined || agent_id !== undefined))
        throw usage('--kind and --id belong to workers and managed agents, --endpoint and --card to peers.');
      if (endpoint_url !== undefined && card_url !== undefined) throw usage('Give either --endpoint or --card.');
      if (!peer && stable_key !== undefined) throw usage('--stable-key belongs to peers: give --endpoint or --card, too.');
      const both = { agent_type, name, capabilities: can?.map((each) => ({ name: each })) };
      const answer = peer
        ? await call('agent.peer.register', { ...both, endpoint_url, card_url, stable_key })
        : await call('agent.registry.register', { ...both, kind, agent_id });
      if (json) return sayJson(answer.data);
      say(`${answer.data.agent_id} is registered.`);
      aside(answer);
    },
  }),
  'agents deactivate': plain({
    help: 'pause one\nPauses an agent: it claims no new tasks and nothing is delegated to it.',
    takes: { agent_id: '<id>', reason: needed('--reason <text>', 'why') },
    examples: ['signalbox agents deactivate builder-1 --reason "Too many errors"'],
    tool: 'agent.registry.deactivate',
    show: ({ data }, { agent_id }) => say(`${agent_id} is ${paintHealth(data.status)}.`),
  }),
  'agents activate': plain({
    help: 'let a paused one go on\nEnds the pause of an agent.',
    takes: { agent_id: '<id>' },
    examples: ['signalbox agents activate builder-1'],
    tool: 'agent.registry.activate',
    show: ({ data }, { agent_id }) => say(`${agent_id} is ${data.status}.`),
  }),
  'agents messages': verb({
    help: 'read an inbox\nShows unread messages, oldest first. People may read the inbox of any agent.',
    takes: {
      agent_id: option('--agent <id>', 'whose; default: your own'),
      include_read: option('--all', 'also those that were read'),
      ack: option('--ack', 'mark what is shown as read'),
      wait_seconds: option('--wait <seconds>', 'wait for one when there is none', number(1, 30)),
      limit: limit(100, 20),
      agentId: asAgent,
    },
    examples: ['signalbox agents messages --agent builder-1', 'signalbox agents messages --agent-id builder-1 --wait 30 --ack'],
    async run({ ack, agentId, json, ...wanted }) {
      const answer = await call('agent.message.list', wanted, { agentId });
      const { messages, unread } = answer.data;
      const ids = messages.filter((each) => each.acknowledged_at === null).map((each) => each.message_id);
      if (ack && ids.length > 0) await call('agent.message.acknowledge', { message_ids: ids }, { agentId });
      if (json) return sayJson(page(answer));
      if (messages.length === 0) return say('No messages.');
      for (const { delivered_at, message_id, from, message } of messages)
        say(`${paint('dim', `${delivered_at} ${message_id} ${oneLine(from)}`)}  ${oneLine(message)}`);
      if (unread > messages.length) note(`\n${messages.length} of ${unread} unread; --limit shows more.`);
    },
  }),
  'agents send': plain({
    help: 'send a message\nPuts a message into the inbox of an agent, where it stays until it is read.',
    takes: {
      agent_id: '<id>',
      message: '<message...>',
      agentId: option('--agent-id <id>', 'the worker in whose name it is sent; default: the key'),
    },
    examples: ['signalbox agents send builder-1 "The schema has changed"'],
    tool: 'agent.message.send',
    input: ({ agent_id, message }) => ({ agent_id, message: message.join(' ') }),
    show: ({ data }, { agent_id }) => say(`${data.message_id} is in the inbox of ${agent_id}.`),
  }),
};
