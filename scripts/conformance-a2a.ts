/** `npm run conformance -- a2a`: each kit in A2A_TCK_DIR, against the whole product on its own stack. */
import { startStack } from '../bench/stack.ts';
import { fallsShort, kitsIn, knownDefects, runKit, type Kit } from './a2a-kit.ts';

/** @returns whether all scored checks passed */
export async function a2aConformance(): Promise<boolean> {
  let kits: Kit[];
  try {
    kits = kitsIn(process.env['A2A_TCK_DIR']);
  } catch (error) {
    console.error((error as Error).message);
    return false;
  }
  const short: string[] = [];
  for (const kit of kits) {
    // The kits send no key, and call back to this machine. The one for 1.0 allows no other field in a card.
    const env = {
      SIGNALBOX_CONFORMANCE: 'true',
      AUTH_MODE: 'local',
      ALLOW_PRIVATE_NETWORK: 'true',
      A2A_CARD: kit.version === '1.0' ? '1.0' : 'both',
    };
    const stack = await startStack({ env, onProgress: (line) => console.error(`  ${line}`) });
    try {
      const checks = await runKit(kit, stack.runtime.api);
      for (const scored of [true, false]) {
        const part = checks.filter((check) => check.scored === scored);
        if (part.length === 0) continue;
        const count = (outcome: string) => part.filter((check) => check.outcome === outcome).length;
        console.log(
          `A2A ${kit.version}  ${(scored ? 'scored' : 'not scored').padEnd(10)} ${part.length} checks: ${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped`,
        );
        for (const { name, message } of part.filter(({ outcome }) => outcome === 'failed')) console.log(`  failed     ${name}: ${message}`);
      }
      for (const [name, reason] of knownDefects(kit.version)) console.log(`  the kit's  ${name}: ${reason}`);
      short.push(...fallsShort(kit.version, checks));
    } finally {
      await stack.remove();
    }
  }
  console.log(short.length === 0 ? "No check failed but by the kit's own defects." : `Falls short:\n  ${short.join('\n  ')}`);
  return short.length === 0;
}
