import { Argument, type Command } from 'commander';
import { clients, type ClientName } from '../clients.ts';
import { examples, isJson } from './help.ts';

export interface ConnectOptions {
  write?: boolean;
  user?: boolean;
  profile?: string;
  agentId?: string;
}

export function addConnectCommands(program: Command): void {
  program
    .command('connect')
    .summary("print or write a client's configuration")
    .description(
      'Prints what a client needs to use Signalbox, or writes it into its configuration file: other entries stay, a backup is made.',
    )
    .addArgument(new Argument('<client>', 'whose configuration').choices(clients))
    .option('--write', "write it into the client's file")
    .option('--user', "the user's file instead of this project's, where a client has both")
    .option('--profile <name>', 'which tools the client is shown: core, devflow, unified, all, …')
    .option('--agent-id <id>', 'the name under which it works; default: of client, host and folder')
    .addHelpText(
      'after',
      examples(
        ['signalbox connect claude-code', 'shows it'],
        ['signalbox connect cursor --write', 'into .cursor/mcp.json of this folder'],
        ['signalbox connect vscode --write --profile devflow', ''],
      ),
    )
    .action(async (client: ClientName, options: ConnectOptions, command: Command) => {
      const { connectCommand } = await import('../connect.ts');
      connectCommand(client, options, isJson(command));
    });

  program
    .command('completion')
    .summary('completion for your shell')
    .description('Prints a completion script.')
    .addArgument(new Argument('<shell>', 'for which shell').choices(['bash', 'zsh', 'fish']))
    .addHelpText(
      'after',
      examples(
        ['signalbox completion bash >> ~/.bashrc', ''],
        ['signalbox completion zsh > ~/.zfunc/_signalbox', 'a folder of $fpath'],
        ['signalbox completion fish > ~/.config/fish/completions/signalbox.fish', ''],
      ),
    )
    .action(async (shell: 'bash' | 'zsh' | 'fish') => {
      const { completionScript } = await import('../completion.ts');
      process.stdout.write(completionScript(program, shell));
    });
}
