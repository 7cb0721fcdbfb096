import type { Database, Row } from '../../../adapters/postgres/database.ts';
import type { SecretBox } from '../../../adapters/secrets/box.ts';
import { defaultSettings, type BriefSettings, type GivenSettings } from '../../../contracts/feeds/briefs.ts';
import { AppError } from '../../../contracts/errors.ts';
import { zoneOf } from '../../kernel/schedules.ts';
import { lock } from '../../kernel/locks.ts';

interface SettingsRow extends Omit<BriefSettings, 'recipients'>, Row {
  recipients: string;
}

interface Deps {
  db: Database;
  secrets: SecretBox;
}

const columns =
  'enabled, time, time_zone, topics, recipients, sources, lookback_hours, max_highlights, min_relevance::float as min_relevance';

/** @returns `saved` false: not configured */
export async function settingsOf({ db, secrets }: Deps, tenant: string): Promise<{ settings: BriefSettings; saved: boolean }> {
  const [row] = await db.query<SettingsRow>(`select ${columns} from brief_settings where tenant_id = $1`, [tenant]);
  return row ? { settings: opened(secrets, row), saved: true } : { settings: defaultSettings, saved: false };
}

/**
 * Changes the given settings; the others stay.
 * @throws AppError VALIDATION_ERROR for an unknown time zone
 */
export async function saveSettings({ db, secrets }: Deps, tenant: string, given: GivenSettings, by: string): Promise<BriefSettings> {
  const changed = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Partial<BriefSettings>;
  if (changed.time_zone !== undefined) changed.time_zone = checkedZone(changed.time_zone);
  return await db.transaction(async (query) => {
    await lock(query, `brief settings ${tenant}`);
    const [known] = await query<SettingsRow>(`select ${columns} from brief_settings where tenant_id = $1`, [tenant]);
    const { enabled, time, time_zone: zone, ...more } = { ...(known ? opened(secrets, known) : defaultSettings), ...changed };
    const [row] = await query<SettingsRow>(
      `insert into brief_settings as s (tenant_id, enabled, time, time_zone, topics, recipients, sources, lookback_hours, max_highlights,
         min_relevance, updated_by)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
       on conflict (tenant_id) do update set enabled = excluded.enabled, time = excluded.time, time_zone = excluded.time_zone,
         topics = excluded.topics, recipients = excluded.recipients, sources = excluded.sources, lookback_hours = excluded.lookback_hours,
         max_highlights = excluded.max_highlights, min_relevance = excluded.min_relevance, updated_by = excluded.updated_by, updated_at = now()
       returning ${columns}`,
      [
        tenant,
        enabled,
        time,
        zone,
        JSON.stringify(more.topics),
        secrets.seal(JSON.stringify(more.recipients)),
        more.sources,
        more.lookback_hours,
        more.max_highlights,
        more.min_relevance,
        by,
      ],
    );
    return opened(secrets, row!);
  });
}

const opened = (secrets: SecretBox, { recipients, ...row }: SettingsRow): BriefSettings => ({
  ...row,
  recipients: JSON.parse(secrets.open(recipients)) as BriefSettings['recipients'],
});

function checkedZone(name: string): string {
  const zone = zoneOf(name);
  if (zone !== null) return zone;
  throw new AppError('VALIDATION_ERROR', `There is no time zone "${name}".`, {
    hint: 'Use a name like Europe/Berlin or UTC.',
    details: { field: 'time_zone' },
  });
}

/** The day of a time, YYYY-MM-DD. */
export const dayIn = (timeZone: string, at: Date): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(at);

/** The last moment of a day in a time zone, found by search, because days with a clock change are longer or shorter. */
export function endOfDay(timeZone: string, date: string): Date {
  let [low, high] = [Date.parse(`${date}T00:00:00Z`) - 15 * 3_600_000, Date.parse(`${date}T00:00:00Z`) + 48 * 3_600_000];
  while (high - low > 1_000) {
    const middle = Math.floor((low + high) / 2_000) * 1_000;
    if (middle <= low) break;
    if (dayIn(timeZone, new Date(middle)) <= date) low = middle;
    else high = middle;
  }
  return new Date(high - 1);
}
