import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { CallError } from '../api/errors.ts';
import { signIn, signInQuery } from '../api/session.ts';
import { Command } from '../ui/Panel.tsx';
import { Logo } from '../ui/Logo.tsx';

/** @param failure of the one-time code with which the page was opened */
export function SignInPage({ failure }: { failure: Error | null }) {
  return (
    <main className="mx-auto flex min-h-screen max-w-md flex-col justify-center gap-6 p-6">
      <h1 className="flex items-center gap-3 text-2xl">
        <Logo />
        Signalbox
      </h1>
      <div className="card grid gap-4 p-6">
        <SignInForm given={failure} />
      </div>
      <div className="text-soft">
        <p>On the machine where Signalbox runs, this command opens the console signed in:</p>
        <Command text="npx signalbox console" />
        <p className="mt-4">
          <a href="/about" className="hit">
            About this server, and how agents connect
          </a>
        </p>
      </div>
    </main>
  );
}

/** The key goes to the server once and is kept nowhere; the cookie that comes back is read by no script. */
export function SignInForm({ given = null }: { given?: Error | null }) {
  const [key, setKey] = useState('');
  const [failure, setFailure] = useState<Error | null>(given);
  const [busy, setBusy] = useState(false);
  const { data: offered } = useQuery(signInQuery);
  const submit = async (): Promise<void> => {
    setBusy(true);
    setFailure(null);
    try {
      await signIn({ key });
      setKey('');
    } catch (error) {
      setFailure(error as Error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <form
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (key.trim() !== '' && !busy) void submit();
      }}
    >
      <label className="grid gap-1">
        <span className="font-semibold">Key</span>
        <input
          type="password"
          name="key"
          autoComplete="current-password"
          spellCheck={false}
          value={key}
          onChange={({ target }) => setKey(target.value)}
          aria-describedby="key-hint"
          aria-invalid={failure !== null}
          className="hit w-full rounded-card border border-edge bg-paper px-3 py-1.5 font-mono"
        />
        <span id="key-hint" className="text-soft">
          Keys begin with sb_. The key of the local user is in .signalbox/runtime.json;{' '}
          <code className="font-mono">signalbox keys create</code> makes more.
        </span>
      </label>
      <div role="alert">
        {failure && (
          <p className="text-stop">
            {failure.message} {failure instanceof CallError ? failure.suggestion : ''}
          </p>
        )}
      </div>
      <button type="submit" className="control bg-route font-semibold text-on" disabled={busy}>
        {busy ? 'Signing in…' : 'Sign in'}
      </button>
      {offered?.issuer && (
        <div className="grid gap-3 border-t border-line pt-3">
          {offered.failure && (
            <p className="text-stop" role="alert">
              {offered.failure.message} {offered.failure.hint}
            </p>
          )}
          <a
            className="control justify-center font-semibold"
            href={`${offered.issuer.path}?to=${encodeURIComponent(location.pathname + location.search + location.hash)}`}
          >
            Sign in with {offered.issuer.name}
          </a>
        </div>
      )}
    </form>
  );
}
