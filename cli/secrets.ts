import { secretBox } from '../adapters/secrets/box.ts';
import { reseal } from '../services/governance/reseal.ts';
import type { Resealing } from './commands/temporal.ts';
import { databaseHere } from './database.ts';
import { exits } from './exit.ts';
import { note, say, sayJson } from './output.ts';
import { cliConfig } from './target.ts';

export async function resealCommand({ check = false, json }: Resealing): Promise<void> {
  const config = cliConfig();
  const secrets = secretBox(config.SIGNALBOX_SECRET_KEY, config.SIGNALBOX_DATA_DIR, config.SIGNALBOX_SECRET_KEY_PREVIOUS);
  const db = await databaseHere(config, 1);
  try {
    const done = await reseal(db, secrets, {
      look: check,
      onTenant: (tenant, { resealed }) => {
        if (!json) note(`${tenant}: ${resealed} so far`);
      },
    });
    if (done.unreadable.length > 0 || (check && done.resealed > 0)) process.exitCode = exits.failed;
    if (json) return sayJson({ checked_only: check, ...done });
    say(`${done.current} were sealed under the current key; ${done.resealed} ${check ? 'are not' : 'have been sealed anew'}.`);
    for (const { tenant, table, column, count } of done.unreadable)
      say(
        `No known key opens ${count} of ${table}.${column} of ${tenant}: add the former key to SIGNALBOX_SECRET_KEY_PREVIOUS, or enter them again.`,
      );
  } finally {
    await db.close();
  }
}
