import { Link } from '@tanstack/react-router';
import { Page } from '../ui/Page.tsx';

export const NotFound = () => (
  <Page title="Screen not found">
    <p>
      The address <code className="font-mono">{location.pathname}</code> is not a screen of this version.
    </p>
    <p className="mt-4">
      <Link to="/" className="hit">
        Go to the overview
      </Link>
    </p>
  </Page>
);
