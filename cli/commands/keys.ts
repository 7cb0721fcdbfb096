import { InvalidArgumentError, type Command } from 'commander';
import { principalKinds, roles, type PrincipalKind, type Role } from '../../contracts/caller.ts';
import { examples, isJson, list, number, oneOf } from './help.ts';

export interface CreateKeyOptions {
  tenant: string;
  role: Role;
  kind?: PrincipalKind;
  name?: string;
  scopes?: string[];
  profile?: string;
  rpm?: number;
  burst?: number;
  /** Milliseconds from now. */
  expires?: number;
  capability?: string[];
  team?: string;
}

export interface RotateKeyOptions {
  tenant?: string;
  /** Milliseconds. */
  grace: number;
  expires?: number;
}

const units = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const longest = 3_650 * units.d;

/** `90d`, `24h`, `30m`, `0s`: as milliseconds. */
function duration(text: string): number {
  const [, amount, unit] = /^(\d{1,7})(s|m|h|d)$/.exec(text) ?? [];
  const ms = Number(amount) * units[unit as keyof typeof units];
  if (!(ms <= longest)) throw new InvalidArgumentError('A time such as 90d, 24h, 30m or 0s is needed, at most 3650d.');
  return ms;
}

/** A time that passes before something ends. */
function lifetime(text: string): number {
  const ms = duration(text);
  if (ms === 0) throw new InvalidArgumentError('A key that ends at once is of no use.');
  return ms;
}

export function addKeyCommands(program: Command): void {
  const keys = program
    .command('keys')
    .summary('make, list, rotate and revoke API keys')
    .description("API keys, straight in the database: for this machine's owner.");

  keys
    .command('create')
    .summary('make a key; its secret is shown once')
    .description('Makes a key, and its tenant when it is new. Only a hash is kept, so the secret is shown once.')
    .requiredOption('--tenant <name>', 'whose data it sees')
    .requiredOption('--role <role>', roles.join(', '), oneOf(...roles))
    .option('--kind <kind>', `${principalKinds.join(' or ')}; default: agent for the role agent`, oneOf(...principalKinds))
    .option('--name <name>', 'what its calls are attributed to')
    .option('--scopes <list>', 'only these, e.g. work:read,work:write', list)
    .option('--profile <name>', 'tools listed by default')
    .option('--rpm <n>', 'calls per minute', number(1, 1_000_000))
    .option('--burst <n>', 'calls tolerated above that', number(0, 1_000_000))
    .option('--expires <time>', 'when it ends, e.g. 90d; default: never', lifetime)
    .option('--capability <list>', 'what its agent declares, e.g. cap:index; default: what role and scopes allow', list)
    .option('--team <name>', 'stakeholder team whose scope holds for its reads')
    .addHelpText(
      'after',
      examples(
        ['signalbox keys create --tenant acme --role agent --name builder-1', 'an agent'],
        ['signalbox keys create --tenant acme --role agent --expires 90d --capability cap:index', 'for a time, for some tools'],
        ['signalbox keys create --tenant acme --role stakeholder --team sales', 'sees what its team may see'],
        ['signalbox keys create --tenant acme --role readonly --json', 'for scripts: {"api_key": …}'],
      ),
    )
    .action(async (options: CreateKeyOptions, command: Command) => {
      const { createKey } = await import('../keys.ts');
      await createKey(options, isJson(command));
    });

  keys
    .command('ls')
    .summary('list the keys of a tenant')
    .description('Lists the keys of a tenant, without secrets.')
    .option('--tenant <name>', "default: the local key's tenant")
    .addHelpText('after', examples(['signalbox keys ls --tenant acme', '']))
    .action(async (options: { tenant?: string }, command: Command) => {
      const { listKeys } = await import('../keys.ts');
      await listKeys(options, isJson(command));
    });

  keys
    .command('rotate <id>')
    .summary('replace a key; its new secret is shown once')
    .description('Makes a new secret with the same name, rights and limits. The old one works until the grace is over.')
    .option('--tenant <name>', "default: the local key's tenant")
    .option('--grace <time>', 'how long the old one still works', duration, 24 * units.h)
    .option('--expires <time>', 'when the new one ends; default: it lives as long as the old one was meant to', lifetime)
    .addHelpText('after', examples(['signalbox keys rotate key_01jd3f8k2m9x --tenant acme --grace 24h', '']))
    .action(async (id: string, options: RotateKeyOptions, command: Command) => {
      const { rotateKey } = await import('../keys.ts');
      await rotateKey(id, options, isJson(command));
    });

  keys
    .command('revoke <id>')
    .summary('end a key')
    .description('Ends a key. Calls with it are refused within two seconds.')
    .option('--tenant <name>', "default: the local key's tenant")
    .addHelpText('after', examples(['signalbox keys revoke key_01jd3f8k2m9x --tenant acme', '']))
    .action(async (id: string, options: { tenant?: string }, command: Command) => {
      const { revokeKey } = await import('../keys.ts');
      await revokeKey(id, options, isJson(command));
    });
}
