import { Menu } from '@base-ui/react/menu';
import { useNavigate } from '@tanstack/react-router';
import { connection } from '../api/live.ts';
import { mayAny, signOut, type Facts } from '../api/session.ts';
import { densities, setDensity, setSingleKeys, setTheme, settings, setUtc, useStore, type Density, type Theme } from '../settings.ts';
import { Aspect } from '../ui/Aspect.tsx';
import { Logo } from '../ui/Logo.tsx';
import { span, useNow } from '../ui/Time.tsx';

export function TopBar({ facts, openPalette, openHelp }: { facts: Facts; openPalette: () => void; openHelp: () => void }) {
  return (
    <header className="sticky top-0 z-10 flex min-h-13 items-center gap-3 border-b border-line bg-paper px-6 py-1 max-sm:px-4">
      <span className="lg:hidden">
        <Logo />
      </span>
      <button type="button" className="control min-w-0 justify-between text-soft sm:w-72" onClick={openPalette}>
        <span className="truncate">Go to, do…</span>
        <kbd className="font-mono text-xs max-sm:hidden">Ctrl K</kbd>
      </button>
      <div className="ml-auto flex items-center gap-3">
        <Live facts={facts} />
        <Account facts={facts} openHelp={openHelp} />
      </div>
    </header>
  );
}

/** Whether the screen follows the server, and when it was heard last. */
function Live({ facts }: { facts: Facts }) {
  const { status, heard, since } = useStore(connection);
  const now = useNow(1);
  if (!mayAny(facts, ['event.stream.subscribe'])) return <span className="text-soft">Not live</span>;
  if (status === 'live') {
    return (
      <span className="inline-flex" title={`Last update ${span(now - heard)} ago`}>
        <Aspect is="clear">Live</Aspect>
      </span>
    );
  }
  if (status === 'lost') return <Aspect is="stop">Away {span(now - since)}</Aspect>;
  return <Aspect is="caution">{status === 'off' ? 'Not live' : 'Connecting'}</Aspect>;
}

const item = 'hit flex w-full cursor-default justify-between gap-6 px-3 outline-none select-none data-[highlighted]:bg-sunk';

function Choices({
  label,
  options,
  value,
  onChange,
}: {
  label: string;
  options: readonly string[];
  value: string;
  onChange: (value: string) => void;
}) {
  return (
    <Menu.Group>
      <Menu.GroupLabel className="px-3 pt-2 text-xs text-soft">{label}</Menu.GroupLabel>
      <Menu.RadioGroup value={value} onValueChange={onChange}>
        {options.map((one) => (
          <Menu.RadioItem key={one} value={one} className={item} closeOnClick={false}>
            <span className="capitalize">{one}</span>
            <span aria-hidden="true">{one === value ? '✓' : ''}</span>
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
    </Menu.Group>
  );
}

function Account({ facts, openHelp }: { facts: Facts; openHelp: () => void }) {
  const theme = useStore(settings.theme);
  const utc = useStore(settings.utc);
  const keys = useStore(settings.singleKeys);
  const density = useStore(settings.density);
  const navigate = useNavigate();
  return (
    <Menu.Root>
      <Menu.Trigger className="control max-w-48">
        <span className="truncate">{facts.principal}</span>
        <span className="sr-only">, account and settings</span>
        <span aria-hidden="true">▾</span>
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner align="end" sideOffset={6} className="z-30">
          <Menu.Popup className="card w-72 border-edge py-1 shadow-xl outline-none">
            <p className="px-3 py-2 text-soft">
              {facts.role} of <span className="text-ink">{facts.tenant}</span>, key {facts.key.name}
            </p>
            <hr className="border-line" />
            <Choices label="Theme" options={['system', 'light', 'dark']} value={theme} onChange={(value) => setTheme(value as Theme)} />
            <Choices label="Rows" options={densities} value={density} onChange={(value) => setDensity(value as Density)} />
            <hr className="border-line" />
            <Menu.CheckboxItem checked={utc} onCheckedChange={setUtc} className={item}>
              Times in UTC <span aria-hidden="true">{utc ? '✓' : ''}</span>
            </Menu.CheckboxItem>
            <Menu.CheckboxItem checked={keys} onCheckedChange={setSingleKeys} className={item}>
              Single-key shortcuts <span aria-hidden="true">{keys ? '✓' : ''}</span>
            </Menu.CheckboxItem>
            <Menu.Item className={item} onClick={openHelp}>
              Keyboard shortcuts <kbd className="font-mono text-xs text-soft">?</kbd>
            </Menu.Item>
            {facts.sign_in && (
              <>
                <hr className="border-line" />
                <Menu.Item className={item} onClick={() => void navigate({ to: '/console/sessions' })}>
                  Sign-ins
                </Menu.Item>
                <Menu.Item className={item} onClick={() => void signOut()}>
                  Sign out
                </Menu.Item>
              </>
            )}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
