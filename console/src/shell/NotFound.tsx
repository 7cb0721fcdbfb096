import { Link } from '@tanstack/react-router';

export const NotFound = () => (
  <div className="max-w-xl">
    <h1 className="mb-2 text-2xl">There is no such screen</h1>
    <p>
      The address <code className="font-mono">{location.pathname}</code> belongs to no screen of this version.
    </p>
    <p className="mt-4">
      <Link to="/" className="hit">
        Go to the overview
      </Link>
    </p>
  </div>
);
