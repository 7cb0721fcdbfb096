/** The slots of a runner: each takes one task after the other. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { BoardAnswer } from '../../contracts/work/board.ts';
import { tryLock } from '../../platform/embedded/lock.ts';
import { CliError, exits } from '../exit.ts';
import { adopt } from './adopt.ts';
import { Api, isAway } from './api.ts';
import { mergeApproved } from './approved.ts';
import { claim } from './claim.ts';
import { passed } from './environment.ts';
import { tryGit } from './git.ts';
import { endAll } from './process.ts';
import type { Run } from './run.ts';
import type { Settings } from './settings.ts';
import type { Shop } from './shop.ts';
import { spentToday } from './spending.ts';
import { makeFolder } from './state.ts';
import { sweep } from './sweep.ts';
import { Bell } from './wait.ts';
import { join } from 'node:path';

export interface Tally {
  done: number;
  merged: number;
  failed: number;
  waiting: number;
  lost: number;
}

export class Runner {
  readonly tally: Tally = { done: 0, merged: 0, failed: 0, waiting: 0, lost: 0 };
  private readonly shop: Shop;
  private readonly ending = new AbortController();
  private readonly live = new Set<Run>();
  private readonly bell: Bell;
  private merging: Promise<unknown> = Promise.resolve();
  /** The next end of a run. */
  private ended = Promise.withResolvers<void>();

  private constructor(shop: Shop) {
    this.shop = shop;
    this.bell = new Bell(shop, this.ending.signal);
  }

  /** @param env the user's environment */
  static async open(settings: Settings, env: NodeJS.ProcessEnv): Promise<Runner> {
    const name = await tryGit(settings.repo, ['var', 'GIT_COMMITTER_IDENT'], { env: { EMAIL: '' } });
    const nameless = name.code !== 0;
    const known = settings.agent.name in knownAgents ? settings.agent.name : null;
    return new Runner({
      settings,
      api: new Api(settings.target, settings.pace),
      env: passed(env, known, settings.env),
      nameless,
      told: new Set(),
      identity: nameless ? ['-c', 'user.name=Signalbox', '-c', 'user.email=signalbox@localhost'] : [],
    });
  }

  /** Takes tasks until it is told to end, or as `once` and `untilEmpty` say. */
  async run(): Promise<Tally> {
    const { settings } = this.shop;
    makeFolder(settings.data);
    const lock = await lockName(settings);
    try {
      const left = await adopt(this.shop, () => !this.ending.signal.aborted);
      const adopted = new Map(left.map((run) => [run.state.slot, run]));
      await this.tidy();
      await this.approved();
      const slots = [...new Set([...Array.from({ length: settings.max }, (_, n) => n + 1), ...adopted.keys()])];
      const atWork = new AbortController();
      const approving = this.approving(atWork.signal);
      const ends = await Promise.allSettled(
        slots.map(async (slot) => {
          // A defect in one slot must not leave the others without their runner.
          await this.slot(slot, adopted.get(slot) ?? null).catch((error: unknown) => {
            this.stop();
            throw error;
          });
        }),
      );
      atWork.abort();
      await approving;
      if (!this.ending.signal.aborted) await this.approved();
      await this.tidy();
      const failed = ends.find((end) => end.status === 'rejected');
      if (failed) throw failed.reason as Error;
      return this.tally;
    } finally {
      this.ending.abort();
      await lock();
    }
  }

  /** No new tasks; those at work are given back. */
  stop(): void {
    this.ending.abort();
    for (const run of this.live) run.halt('released');
  }

  /** At once: agents are killed, and the next start puts the rest right. */
  async kill(): Promise<void> {
    await Promise.all([...this.live].map(async (run) => await endAll(run.state.run, run.top, 0)));
  }

  private async slot(slot: number, adopted: Run | null): Promise<void> {
    const { settings } = this.shop;
    if (adopted !== null) await this.follow(adopted);
    // Of a former start with more slots.
    if (slot > settings.max) return;
    let taken = adopted !== null;
    while (!this.ending.signal.aborted && !(taken && settings.once)) {
      try {
        await this.bell.ready();
        const run = this.spent() ? null : await claim(this.shop, slot);
        if (run !== null) {
          taken = true;
          settings.say(`${run.state.task}: ${run.state.agent} begins, attempt ${run.state.attempt} (${run.state.run})`);
          if (this.ending.signal.aborted) run.halt('released');
          await this.follow(run);
          continue;
        }
        // From before the look on: the last run of another slot may end during it.
        const ended = this.ended.promise;
        if (settings.once || (settings.untilEmpty && (await this.isEmpty()))) return;
        await Promise.race([this.bell.heard(), ended]);
      } catch (error) {
        if (this.ending.signal.aborted) return;
        if (!isAway(error) && !passing(error)) throw error;
        settings.say(`${(error as Error).message} It is tried again.`);
        await sleep(settings.pace.retryMost / 2, undefined, { signal: this.ending.signal }).catch(() => {});
      }
    }
  }

  private async follow(run: Run): Promise<void> {
    const { settings } = this.shop;
    this.live.add(run);
    try {
      const { outcome, merged, reason } = await run.live();
      settings.say(
        `${run.state.task}: ${outcome}${merged === null ? '' : `, merged as ${merged.slice(0, 10)}`}${reason === null ? '' : `: ${reason.split('\n', 1)[0]}`}`,
      );
      if (merged !== null) this.tally.merged += 1;
      const kind = ({ done: 'done', failed: 'failed', lost: 'lost', blocked: 'waiting', question: 'waiting', released: null } as const)[
        outcome
      ];
      if (kind !== null) this.tally[kind] += 1;
    } finally {
      this.live.delete(run);
      this.ended.resolve();
      this.ended = Promise.withResolvers();
    }
  }

  /** Merges approved work while the slots are at work. */
  private async approving(slots: AbortSignal): Promise<void> {
    const over = AbortSignal.any([slots, this.ending.signal]);
    while (!over.aborted) {
      await Promise.race([this.bell.heard(), once(over)]);
      if (!over.aborted) await this.approved();
    }
  }

  /** One merge after the other: each has its folder. */
  private async approved(): Promise<void> {
    const before = this.merging;
    await (this.merging = before.then(async () => {
      await mergeApproved(this.shop, this.ending.signal).catch((error: unknown) => {
        // It is looked for again.
        if (!this.ending.signal.aborted) this.shop.settings.say(`Approved work: ${(error as Error).message}`);
      });
    }));
  }

  /** Nothing is ready, and nothing at work whose end could make something ready. */
  private async isEmpty(): Promise<boolean> {
    if (this.live.size > 0) return false;
    // One read: between two, a task could go from the state that is read later to the one that was read before.
    const { stats } = await this.shop.api.call<Pick<BoardAnswer, 'stats'>>('work.board.get', {
      phase_id: this.shop.settings.phase,
      limit_per_column: 1,
    });
    return stats.ready === 0 && stats.in_progress === 0;
  }

  private spent(): boolean {
    const { dayUsd, dayTokens, data, say } = this.shop.settings;
    if (dayUsd === null && dayTokens === null) return false;
    const { usd, tokens } = spentToday(data);
    const over = (dayUsd !== null && usd >= dayUsd) || (dayTokens !== null && tokens >= dayTokens);
    const word = `The limit of this day is reached: $${usd.toFixed(2)}, ${tokens} tokens.`;
    if (over && !this.shop.told.has(word)) say(word);
    if (over) this.shop.told.add(word);
    return over;
  }

  private async tidy(): Promise<void> {
    const { settings, api } = this.shop;
    if (settings.keep) return;
    await sweep(api, settings.repo, settings.base, settings.data).catch((error: unknown) => {
      if (!isAway(error)) settings.say(`Not tidied: ${(error as Error).message}`);
    });
  }
}

const once = async (signal: AbortSignal): Promise<void> =>
  await new Promise((done) => (signal.aborted ? done() : signal.addEventListener('abort', () => done(), { once: true })));

const knownAgents: Record<string, true> = { claude: true, codex: true, gemini: true, opencode: true, qwen: true, copilot: true };

/** Refused now, but not for good: another claim was faster, or the worker is paused. */
const passing = (error: unknown): boolean => (error as { code?: string }).code === 'CONFLICT';

async function lockName({ data, name }: Settings): Promise<() => Promise<void>> {
  const taken = await tryLock(join(data, `runner${name === '' ? '' : `-${name}`}.lock`));
  if (typeof taken === 'function') return taken;
  const who = taken === null ? '' : ` (pid ${taken.pid}, since ${taken.since})`;
  throw new CliError(exits.failed, 'CONFLICT', `A runner works here already${who}.`, {
    hint: `Give this one a name of its own, e.g. --name second, or take more tasks at once with --max.`,
  });
}
