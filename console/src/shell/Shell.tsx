import { Outlet, useNavigate, useRouterState } from '@tanstack/react-router';
import { useEffect, useLayoutEffect, useMemo, useState } from 'react';
import { followJobsOf } from '../api/jobs.ts';
import { follow } from '../api/live.ts';
import { ended, mayAny, signIn, useSession, type Facts } from '../api/session.ts';
import { useWaiting } from '../api/waiting.ts';
import { onKey, useShortcuts } from '../keys.ts';
import { places } from '../screens.ts';
import { useStore } from '../settings.ts';
import { showWaiting } from '../title.ts';
import { Failure } from '../ui/Panel.tsx';
import { Toasts } from '../ui/toasts.tsx';
import { Banner } from './Banner.tsx';
import { Help } from './Help.tsx';
import { BottomBar, Rail } from './Rail.tsx';
import { Palette } from './Palette.tsx';
import { SignInForm, SignInPage } from './SignIn.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { TopBar } from './TopBar.tsx';
import { Tray } from './Tray.tsx';

/** Around every screen: who is signed in, navigation, live state. Signed out, it shows the sign-in in place of the screen. */
export function Shell() {
  const session = useSession();
  const code = useCode();
  if (code.pending) return <p className="p-8 text-soft">Signing in…</p>;
  if (session.data) return <Frame facts={session.data} />;
  if (session.isError) {
    return (
      <main className="mx-auto max-w-xl p-8">
        <h1 className="mb-4 text-2xl">Signalbox</h1>
        <Failure error={session.error} retry={() => void session.refetch()} />
      </main>
    );
  }
  return session.data === null ? <SignInPage failure={code.failure} /> : <p className="sr-only">Loading…</p>;
}

function Frame({ facts }: { facts: Facts }) {
  const over = useStore(ended);
  const [palette, setPalette] = useState(false);
  const [help, setHelp] = useState(false);
  const navigate = useNavigate();
  const path = useRouterState({ select: ({ location }) => location.pathname });

  // The stream ends with the session, and begins again with the next.
  useEffect(
    () =>
      over || !mayAny(facts, ['event.stream.subscribe']) ? undefined : follow(`${facts.tenant} ${facts.key.id}`, facts.session.events),
    [over, facts],
  );
  const waits = useWaiting(facts);
  useEffect(() => showWaiting(waits), [waits]);
  useEffect(() => followJobsOf(`${facts.tenant} ${facts.key.id}`), [facts.tenant, facts.key.id]);
  useLayoutEffect(() => {
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  useShortcuts(
    useMemo(
      () => [
        { keys: 'mod+k', label: 'Search screens and actions', run: () => setPalette(true) },
        { keys: '?', label: 'Keyboard shortcuts', run: () => setHelp(true) },
        ...places.map(({ letter, title, path: to }) => ({
          keys: `g ${letter}`,
          label: `Go to ${title}`,
          run: () => void navigate({ to }),
        })),
      ],
      [navigate],
    ),
  );

  return (
    <div className="flex min-h-screen">
      <a href="#main" className="control absolute top-2 left-2 z-50 -translate-y-20 focus:translate-y-0">
        Skip to content
      </a>
      <Rail facts={facts} path={path} waits={waits} />
      <div className="flex min-w-0 flex-1 flex-col max-lg:pb-16">
        <TopBar facts={facts} openPalette={() => setPalette(true)} openHelp={() => setHelp(true)} />
        <Banner />
        <main id="main" tabIndex={-1} className="w-full max-w-[105rem] flex-1 p-6 outline-none max-sm:p-4">
          <Outlet />
        </main>
      </div>
      <BottomBar facts={facts} path={path} openMore={() => setPalette(true)} />
      <Palette facts={facts} open={palette} onClose={() => setPalette(false)} openHelp={() => setHelp(true)} />
      <Help open={help} onClose={() => setHelp(false)} />
      <Dialog open={over} onClose={() => {}} must title="Your session has ended">
        <p className="text-soft">Sign in again as {facts.principal} and go on where you are: nothing that you typed is lost.</p>
        <SignInForm />
      </Dialog>
      <Tray facts={facts} />
      <Toasts />
    </div>
  );
}

/** Takes the one-time code of `signalbox console` out of the address and signs in with it. */
function useCode(): { pending: boolean; failure: Error | null } {
  const [code] = useState(() =>
    location.pathname === '/console/sign-in' ? new URLSearchParams(location.hash.slice(1)).get('code') : null,
  );
  const [pending, setPending] = useState(code !== null);
  const [failure, setFailure] = useState<Error | null>(null);
  const navigate = useNavigate();
  useEffect(() => {
    if (location.pathname !== '/console/sign-in') return;
    if (code === null) return void navigate({ to: '/', replace: true });
    if (used.has(code)) return;
    used.add(code);
    // Neither history nor a copied address keeps it.
    history.replaceState(null, '', '/');
    signIn({ code })
      .catch(setFailure)
      .finally(() => {
        setPending(false);
        void navigate({ to: '/', replace: true });
      });
  }, [code, navigate]);
  return { pending, failure };
}
const used = new Set<string>();
