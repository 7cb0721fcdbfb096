/** The `signalbox` command. The code of a subcommand is loaded only when it runs. */
import { CommanderError } from 'commander';
import { AppError } from '../contracts/errors.ts';
import { asCliError, exits, type CliError } from './exit.ts';
import { clean, note, paint, sayJson } from './output.ts';
import { buildProgram } from './program.ts';

const wantsJson = process.argv.includes('--json');

/** Prints code and hint on stderr; with `--json` also one document on stdout. */
function complain(error: CliError): void {
  if (wantsJson)
    sayJson(error.document ?? { error: { code: error.code, message: error.message, ...(error.hint ? { suggestion: error.hint } : {}) } });
  const code = error.exit === exits.usage || error.exit === exits.unreachable ? 'signalbox' : error.code;
  note(`${paint('red', code, process.stderr)}: ${clean(error.message)}`);
  if (error.hint) note(`  ${clean(error.hint)}`);
}

try {
  await buildProgram().parseAsync();
} catch (error) {
  const known = asCliError(error);
  if (known) {
    complain(known);
    process.exitCode = known.exit;
  } else if (error instanceof CommanderError) {
    // Commander has already printed the problem. Help and version also end here, with exit code 0.
    process.exitCode = error.exitCode === 0 ? exits.ok : exits.usage;
    if (error.exitCode !== 0 && wantsJson) sayJson({ error: { code: 'USAGE', message: error.message.replace(/^error: /, '') } });
  } else {
    const defect = new AppError('INTERNAL', error instanceof Error ? error.message : String(error));
    complain(asCliError(defect)!);
    note(error instanceof Error ? (error.stack ?? '') : '');
    process.exitCode = exits.failed;
  }
}
