import { Link } from '@tanstack/react-router';
import { mayAny, type Facts } from '../api/session.ts';
import { groups, isAt, places } from '../screens.ts';
import { Logo } from '../ui/Logo.tsx';
import { capped } from '../ui/words.ts';

/** Pages of this server beside the console. */
export const otherPages = (facts: Facts): { href: string; title: string }[] => [
  { href: '/docs', title: 'All tools' },
  { href: '/docs/api', title: 'HTTP API' },
  { href: '/about', title: 'About' },
  ...(facts.temporal?.url ? [{ href: facts.temporal.url, title: 'Temporal' }] : []),
];

export const offered = (facts: Facts) => places.filter(({ tools }) => mayAny(facts, tools));

/** @param waits items of the inbox */
export function Rail({ facts, path, waits }: { facts: Facts; path: string; waits: number }) {
  return (
    <nav aria-label="Screens" className="sticky top-0 flex h-screen w-52 shrink-0 flex-col gap-2 border-r border-line p-3 max-lg:hidden">
      <p className="flex items-center gap-2 px-2 py-1 text-lg font-semibold">
        <Logo />
        Signalbox
      </p>
      <div className="-mx-1 grid min-h-0 flex-1 content-start gap-1.5 overflow-y-auto px-1 py-1">
        {groups.map((group) => {
          const members = offered(facts).filter((screen) => screen.group === group);
          return (
            members.length > 0 && (
              <section key={group} aria-label={group}>
                {group !== 'Now' && <h2 className="px-2 text-xs font-normal text-soft">{group}</h2>}
                <ul className="grid">
                  {members.map((screen) => (
                    <li key={screen.path}>
                      <Link
                        to={screen.path}
                        aria-current={isAt(screen, path) ? 'page' : undefined}
                        className={`hit min-h-6.5 w-full justify-between rounded-card px-2 text-ink no-underline hover:bg-sunk ${isAt(screen, path) ? 'bg-sunk font-semibold' : ''}`}
                      >
                        {screen.title}
                        {screen.path === '/console/inbox' && waits > 0 && (
                          <span className="mr-auto ml-2 rounded bg-caution px-1 text-xs text-on" data-waits={waits}>
                            {capped(waits)}
                            <span className="sr-only"> waiting</span>
                          </span>
                        )}
                        <kbd className="font-mono text-xs text-soft">g {screen.letter}</kbd>
                      </Link>
                    </li>
                  ))}
                </ul>
              </section>
            )
          );
        })}
      </div>
      <ul className="flex flex-wrap gap-x-3 border-t border-line px-2 pt-2 text-xs">
        {otherPages(facts).map(({ href, title }) => (
          <li key={href}>
            <a href={href} className="hit text-soft no-underline hover:text-ink">
              {title}
            </a>
          </li>
        ))}
        <li className="hit text-soft">Version {facts.version}</li>
      </ul>
    </nav>
  );
}

/** Where the rail has no room: these, and the palette with all. */
const bar = ['/', '/console/inbox', '/console/work', '/console/search'];

export function BottomBar({ facts, path, openMore }: { facts: Facts; path: string; openMore: () => void }) {
  return (
    <nav aria-label="Screens" className="fixed inset-x-0 bottom-0 z-10 flex justify-around border-t border-line bg-panel py-1 lg:hidden">
      {offered(facts)
        .filter(({ path: own }) => bar.includes(own))
        .map((screen) => (
          <Link
            key={screen.path}
            to={screen.path}
            aria-current={isAt(screen, path) ? 'page' : undefined}
            className="hit justify-center px-3 text-ink"
          >
            {screen.title}
          </Link>
        ))}
      <button type="button" className="hit justify-center px-4" onClick={openMore}>
        More
      </button>
    </nav>
  );
}
