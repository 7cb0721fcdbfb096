import { Link } from '@tanstack/react-router';

export const NotFound = () => (
  <div className="max-w-xl">
    <h1 className="mb-2 text-2xl">Screen not found</h1>
    <p>
      The address <code className="font-mono">{location.pathname}</code> is not a screen of this version.
    </p>
    <p className="mt-4">
      <Link to="/" className="hit">
        Go to the overview
      </Link>
    </p>
  </div>
);
