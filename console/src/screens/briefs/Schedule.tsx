import { useState } from 'react';
import type { BriefSettings } from '../../../../contracts/feeds/briefs.ts';
import { useAct } from '../../api/act.ts';
import { useRead } from '../../api/call.ts';
import { ActButton, Outcome } from '../../ui/Act.tsx';
import { TextField } from '../../ui/Field.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { Facts } from '../../ui/Page.tsx';
import { Panel } from '../../ui/Panel.tsx';

interface Shown extends Omit<BriefSettings, 'recipients'> {
  recipients: { channel: string; recipient: string }[];
  configured: boolean;
}

/** When briefs are made, from what, and for whom. */
export function Schedule() {
  const query = useRead<Shown>('authoring.brief.get_settings');
  const [time, setTime] = useState<string | null>(null);
  const act = useAct('authoring.brief.configure', () => setTime(null));
  return (
    <Panel title="Schedule" query={query}>
      {(held) => (
        <>
          <Facts
            rows={[
              ['made', held.enabled ? `every day at ${held.time}, ${held.time_zone}` : 'by hand only'],
              [
                'topics',
                <Outside
                  key="t"
                  text={held.topics.map(({ name }) => name).join(', ') || 'none: ranked by freshness and number of sources'}
                  most={300}
                />,
              ],
              [
                'recipients',
                <Outside
                  key="r"
                  text={held.recipients.map(({ channel, recipient }) => `${channel} ${recipient}`).join(', ') || 'nobody'}
                  most={300}
                />,
              ],
              ['sources', held.sources.length === 0 ? 'all enabled feeds' : <Outside key="s" text={held.sources.join(', ')} most={300} />],
              ['window', `the last ${held.lookback_hours} h`],
              ['highlights', `${held.max_highlights} at most, relevance ${held.min_relevance} at least`],
            ]}
          />
          <div className="flex flex-wrap items-end gap-3 px-4 pb-4">
            <TextField label="Time" type="time" value={time ?? held.time} onChange={setTime} />
            <ActButton tool="authoring.brief.configure" act={act} disabled={time === null || time === held.time} args={() => ({ time })}>
              Change the time
            </ActButton>
            <ActButton tool="authoring.brief.configure" act={act} args={() => ({ enabled: !held.enabled })}>
              {held.enabled ? 'Switch off' : 'Schedule it daily'}
            </ActButton>
          </div>
          <div className="px-4 pb-2">
            <Outcome act={act} />
          </div>
        </>
      )}
    </Panel>
  );
}
