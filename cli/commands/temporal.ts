import { number, option, typed } from '../fields.ts';
import { type Given, type Rows, verb } from '../table.ts';

const setup = {
  retention: option('--retention <days>', 'how long ended processes are kept; default: as it is, 7 for a new namespace', number(1, 3650)),
  wait: option('--wait <seconds>', 'how long to wait for a server that is still starting', number(0, 3600), 10),
} as const;
export type Setup = Given<typeof setup>;

const promotion = {
  build: '[build]',
  wait: option('--wait <seconds>', 'how long to wait for its workers', number(0, 3600), 60),
} as const;
export type Promotion = Given<typeof promotion>;

const resealing = { check: option('--check', 'only count, change nothing') } as const;
export type Resealing = Given<typeof resealing>;

const drained = {
  build: option('--drained <build>', 'exit code 1 until the workers of this build may be stopped', typed<string>),
} as const;
export type Versions = Given<typeof drained>;

/** Commands for a Temporal of one's own, and for the installation's secret key. */
export const temporalRows: Rows = {
  temporal: {
    help: 'prepare Temporal, and show the versions of its workers\nFor a Temporal of your own; the embedded one needs none of this.',
  },
  'temporal setup': verb({
    help: 'create namespace, search attributes and schedule\nChecks the namespace of TEMPORAL_NAMESPACE, its retention, the search attributes and the schedule of the sweep, and creates what is missing. Running it again changes nothing. Temporal Cloud permits only some of it: the rest is printed as commands.',
    takes: setup,
    examples: [
      'signalbox temporal setup # exit code 1 when something is left to do by hand',
      'signalbox temporal setup --retention 30 --wait 120 --json',
    ],
    run: async (given) => (await import('../temporal.ts')).setupCommand(given),
  }),
  'temporal versions': verb({
    help: 'versions of the workers\nLists the builds of TEMPORAL_DEPLOYMENT_NAME: which is current, which still has processes, and whose workers may be stopped.',
    takes: drained,
    examples: ['signalbox temporal versions', 'signalbox temporal versions --drained 2.6.0-1f2e3d4c # may its workers be stopped?'],
    run: async (given) => (await import('../temporal.ts')).versionsCommand(given),
  }),
  'temporal promote': verb({
    help: 'make a version of the workers current\nNew processes start on it, and running processes that may move continue on it. Waits until its workers poll every queue. Default: the newest.',
    takes: promotion,
    examples: ['signalbox temporal promote # the newest', 'signalbox temporal promote 2.6.0-1f2e3d4c # back to a former one'],
    run: async (given) => (await import('../temporal.ts')).promoteCommand(given),
  }),
  secrets: { help: 'the key that seals stored credentials\nSIGNALBOX_SECRET_KEY, and what is sealed under it.' },
  'secrets reseal': verb({
    help: 'seal stored credentials under the current key\nRun it after a change of SIGNALBOX_SECRET_KEY, with the former key in SIGNALBOX_SECRET_KEY_PREVIOUS. It can be interrupted and repeated.',
    takes: resealing,
    examples: ['signalbox secrets reseal --check # how many are left', 'signalbox secrets reseal'],
    run: async (given) => (await import('../secrets.ts')).resealCommand(given),
  }),
};
