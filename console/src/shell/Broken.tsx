import { queries } from '../api/queries.ts';
import { Page } from '../ui/Page.tsx';
import { Failure } from '../ui/Panel.tsx';

/** In place of a screen that threw. The shell around it stays: navigation, palette, shortcuts and jobs. */
export const Broken = ({ error, reset }: { error: unknown; reset: () => void }) => (
  <Page title="This screen failed">
    <Failure
      error={error instanceof Error ? error : new Error(String(error))}
      retry={() => {
        // The data that made it fail would do so again.
        queries.removeQueries({ type: 'inactive' });
        reset();
      }}
    />
    <p className="mt-4">This is a defect of the console. The other screens work; “Retry” reads the data of this one again.</p>
  </Page>
);
