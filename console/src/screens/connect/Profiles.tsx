import { Panel } from '../../ui/Panel.tsx';
import type { Described } from './model.ts';

/** What each profile costs a client in tokens. */
export const Profiles = ({
  profiles,
  at,
  onChoose,
}: {
  profiles: Described['profiles'];
  at: string;
  onChoose: (profile: string) => void;
}) => (
  <Panel title="Profiles">
    {() => (
      <div className="overflow-x-auto" tabIndex={0} role="region" aria-label="Profiles as a table">
        <table className="w-full border-collapse text-left">
          <thead>
            <tr className="border-b border-edge text-soft">
              <th scope="col" className="px-3 py-2 font-normal">
                Profile
              </th>
              <th scope="col" className="px-3 py-2 text-right font-normal">
                Tools
              </th>
              <th scope="col" className="px-3 py-2 text-right font-normal">
                Tokens, about
              </th>
            </tr>
          </thead>
          <tbody>
            {profiles.map(({ name, tools, tokens }) => (
              <tr key={name} className={`border-b border-line ${name === at ? 'bg-sunk' : ''}`}>
                <td className="cell">
                  <button
                    type="button"
                    aria-pressed={name === at}
                    className={`hit rounded text-route ${name === at ? 'font-semibold' : ''}`}
                    onClick={() => onChoose(name === at ? '' : name)}
                  >
                    {name}
                  </button>
                </td>
                <td className="cell text-right">{tools.toLocaleString('en')}</td>
                <td className="cell text-right">{tokens.toLocaleString('en')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    )}
  </Panel>
);
