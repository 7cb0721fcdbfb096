import { queryOptions, useQuery } from '@tanstack/react-query';
import { CallError } from '../../api/errors.ts';
import { Aspect } from '../../ui/Aspect.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { Facts, Tabs } from '../../ui/Page.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { Json } from '../../ui/Text.tsx';
import { checksOf, versions, type Card, type Skill, type Version } from './model.ts';

/** The public card, as a peer of this version gets it. */
const cardQuery = (version: Version) =>
  queryOptions({
    queryKey: ['agent-card', version] as const,
    queryFn: async ({ signal }): Promise<Card> => {
      const answer = await fetch('/.well-known/agent-card.json', { headers: { 'a2a-version': version }, signal });
      if (!answer.ok) throw new CallError(answer.status, null);
      return (await answer.json()) as Card;
    },
  });

export function CardView({
  version,
  onVersion,
  onTry,
}: {
  version: Version;
  onVersion: (version: Version) => void;
  onTry: ((skill: string) => void) | undefined;
}) {
  const card = useQuery(cardQuery(version));
  return (
    <div className="grid items-start gap-4 xl:grid-cols-2">
      <div className="grid min-w-0 gap-4">
        <Panel title="Agent card" query={card}>
          {(data) => (
            <>
              <div className="px-4 pt-2">
                <Tabs label="Protocol version" tabs={versions.map((one) => [one, one] as const)} at={version} onChange={onVersion} />
              </div>
              <Rendered card={data} version={version} />
            </>
          )}
        </Panel>
        <Panel title="Checks" query={card}>
          {(data) => (
            <ul className="grid gap-2 p-4">
              {checksOf(data, version, location.origin).map(({ good, text }) => (
                <li key={text}>
                  <Aspect is={good ? 'clear' : 'caution'}>
                    {good ? '' : 'Check: '}
                    {text}
                  </Aspect>
                </li>
              ))}
            </ul>
          )}
        </Panel>
        <Panel title="As JSON" query={card}>
          {(data) => (
            <div className="p-4">
              <Json value={data} label="agent card" />
            </div>
          )}
        </Panel>
      </div>
      <Panel title="Skills" query={card}>
        {({ skills = [] }) => (
          <ul>
            {skills.map((skill) => (
              <SkillRow key={skill.id} skill={skill} onTry={onTry} />
            ))}
          </ul>
        )}
      </Panel>
    </div>
  );
}

function Rendered({ card, version }: { card: Card; version: Version }) {
  const places =
    version === '1.0'
      ? (card.supportedInterfaces ?? []).map(({ url, protocolBinding, protocolVersion }) => `${protocolBinding} ${protocolVersion}: ${url}`)
      : [
          card.url === undefined ? [] : [`${card.preferredTransport ?? ''} ${card.url}`],
          (card.additionalInterfaces ?? []).map(({ url, transport }) => `${transport} ${url}`),
        ].flat();
  const capabilities = Object.entries(card.capabilities ?? {})
    .filter(([, on]) => on === true)
    .map(([name]) => name);
  return (
    <Facts
      rows={[
        ['Name', card.name && <Outside text={card.name} />],
        ['Description', card.description && <Outside text={card.description} most={1_000} />],
        ['Version', card.version],
        ['Protocol', card.protocolVersion ?? version],
        [
          'Addresses',
          <ul>
            {[...new Set(places)].map((place) => (
              <li key={place} className="font-mono text-xs">
                {place}
              </li>
            ))}
          </ul>,
        ],
        ['Can', capabilities.join(', ')],
        ['Keys', Object.keys(card.securitySchemes ?? {}).join(', ') || 'none needed'],
        ['Input', card.defaultInputModes?.join(', ')],
        ['Output', card.defaultOutputModes?.join(', ')],
      ]}
    />
  );
}

const SkillRow = ({ skill, onTry }: { skill: Skill; onTry: ((skill: string) => void) | undefined }) => (
  <li className="grid gap-1 border-b border-line p-4 last:border-0">
    <div className="flex items-start justify-between gap-3">
      <div className="min-w-0">
        <h3>
          <Outside text={skill.name} />
        </h3>
        <p>
          <code className="font-mono text-xs">{skill.id}</code> <span className="text-soft">{skill.tags?.join(', ')}</span>
        </p>
      </div>
      {onTry && (
        <button type="button" className="control shrink-0" aria-label={`Try ${skill.name}`} onClick={() => onTry(skill.id)}>
          Try
        </button>
      )}
    </div>
    <p>
      <Outside text={skill.description} most={1_000} />
    </p>
    {(skill.examples?.length ?? 0) > 0 && (
      <p className="text-soft">
        e.g. <Outside text={skill.examples!.join(' · ')} most={400} />
      </p>
    )}
  </li>
);
