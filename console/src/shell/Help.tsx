import { shortcuts } from '../keys.ts';
import { settings, useStore } from '../settings.ts';
import { Dialog } from '../ui/Dialog.tsx';

const more = [
  { keys: 'Esc', label: 'Close, and back to where you were' },
  { keys: 'Tab', label: 'To the next control' },
];

export function Help({ open, onClose }: { open: boolean; onClose: () => void }) {
  const list = useStore(shortcuts);
  const on = useStore(settings.singleKeys);
  const effective = new Map(list.map((one) => [one.keys, one]));
  return (
    <Dialog open={open} onClose={onClose} title="Keyboard shortcuts">
      {!on && <p className="text-soft">Single-key shortcuts are switched off in the account menu.</p>}
      <table className="w-full">
        <thead className="sr-only">
          <tr>
            <th scope="col">Keys</th>
            <th scope="col">What they do</th>
          </tr>
        </thead>
        <tbody>
          {[...effective.values(), ...more].map(({ keys, label }) => (
            <tr key={keys} className="border-b border-line">
              <td className="w-28 py-1.5">
                <kbd className="font-mono">
                  {keys
                    .replace(/^ $/, 'Space')
                    .replace('mod+', 'Ctrl ')
                    .replace(/ (\w)$/, (_, letter: string) => ` ${keys.startsWith('mod') ? letter.toUpperCase() : letter}`)}
                </kbd>
              </td>
              <td>{label}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <button type="button" className="control justify-self-end" onClick={onClose}>
        Close
      </button>
    </Dialog>
  );
}
