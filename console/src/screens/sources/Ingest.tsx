import { useRef, useState } from 'react';
import type { Envelope } from '../../../../contracts/envelope.ts';
import { act } from '../../api/act.ts';
import { ActButton, Outcome, Refusal, useMay } from '../../ui/Act.tsx';
import { useAct } from '../../api/act.ts';
import { TextField, useTyped } from '../../ui/Field.tsx';
import { Outside } from '../../ui/Outside.tsx';
import { Command, Panel } from '../../ui/Panel.tsx';
import { RefLink } from '../../ui/Text.tsx';
import { base64, isText, mostBytes, typeOf } from './files.ts';

/** A file, a web page or a folder becomes searchable. */
export function Ingest() {
  const may = useMay();
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const [busy, setBusy] = useState('');
  const [done, setDone] = useState<{ name: string; answer: Envelope }[]>([]);
  const [error, setError] = useState<Error | null>(null);
  const [address, setAddress] = useTyped('ingest-url');
  const page = useAct('ingest.url.submit', () => setAddress(''));
  if (may('ingest.document.submit') === 'deny') return null;

  async function take(files: Iterable<File>): Promise<void> {
    setError(null);
    for (const file of files) {
      setBusy(file.name);
      try {
        if (file.size > mostBytes)
          throw new Error(
            `${file.name} has more than ${mostBytes / 1024 / 1024} MB. Put the file into a folder on the server and ingest that folder.`,
          );
        const answer = await submit(file);
        setDone((before) => [{ name: file.name, answer }, ...before]);
      } catch (failure) {
        setError(failure as Error);
        break;
      }
    }
    setBusy('');
  }

  return (
    <Panel title="Ingest">
      {() => (
        <div className="grid gap-4 p-4">
          <div
            className={`grid justify-items-start gap-2 rounded-card border-2 border-dashed p-4 ${over ? 'border-route bg-sunk' : 'border-line'}`}
            onDragOver={(event) => {
              event.preventDefault();
              setOver(true);
            }}
            onDragLeave={() => setOver(false)}
            onDrop={(event) => {
              event.preventDefault();
              setOver(false);
              void take([...event.dataTransfer.files]);
            }}
          >
            <p>
              Drop files here: PDF, Word, PowerPoint, Excel, HTML, CSV, e-mail, transcripts or text, at most {mostBytes / 1024 / 1024} MB
              each.
            </p>
            <input ref={input} type="file" multiple hidden onChange={({ target }) => void take([...(target.files ?? [])])} />
            <button type="button" className="control" disabled={busy !== ''} onClick={() => input.current?.click()}>
              {busy ? (
                <>
                  Ingesting <Outside text={busy} most={40} />…
                </>
              ) : (
                'Choose files'
              )}
            </button>
            {error && <Refusal error={error} onClose={() => setError(null)} />}
            <ul aria-live="polite">
              {done.map(({ name, answer }, i) => (
                <li key={done.length - i} className="flex flex-wrap gap-x-3">
                  <Outside text={name} most={60} />{' '}
                  {answer.status === 'accepted'
                    ? 'is being read'
                    : answer.status === 'pending_approval'
                      ? 'waits for a person'
                      : 'ingested'}
                  {answer.refs
                    .filter(({ type }) => type === 'document' || type === 'source' || type === 'job')
                    .map((one) => (
                      <RefLink key={one.id} one={one} />
                    ))}
                </li>
              ))}
            </ul>
          </div>
          {may('ingest.url.submit') !== 'deny' && (
            <form
              className="flex flex-wrap items-end gap-3"
              onSubmit={(event) => {
                event.preventDefault();
                void page.run({ url: address, depth: 0 });
              }}
            >
              <TextField
                className="flex-1 basis-60"
                label="Or a web page"
                type="url"
                required
                value={address}
                onChange={setAddress}
                placeholder="https://"
              />
              <ActButton tool="ingest.url.submit" act={page} args={() => ({ url: address, depth: 0 })} disabled={!URL.canParse(address)}>
                Ingest the page
              </ActButton>
            </form>
          )}
          <Outcome act={page}>The page was ingested.</Outcome>
          <div>
            <p className="text-soft">A whole folder, from the server's machine:</p>
            <Command text="signalbox ingest ./folder" />
          </div>
        </div>
      )}
    </Panel>
  );
}

/** Text goes as it is, so that it is read as text; other files by way of the store of contents. */
async function submit(file: File): Promise<Envelope> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (isText(file.name, bytes)) return await act('ingest.document.submit', { title: file.name, content: new TextDecoder().decode(bytes) });
  const stored = await act('substrate.artifact.upload', { content_base64: base64(bytes), media_type: typeOf(file), filename: file.name });
  const { sha256 } = stored.data as { sha256: string };
  return await act('ingest.document.submit', { title: file.name, artifact_sha256: sha256 });
}
