import type { Command } from 'commander';
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
}

export function addKeyCommands(program: Command): void {
  const keys = program
    .command('keys')
    .summary('make, list and revoke API keys')
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
    .addHelpText(
      'after',
      examples(
        ['signalbox keys create --tenant acme --role agent --name builder-1', 'an agent'],
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
