export const Logo = () => (
  <svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" className="shrink-0">
    <path
      d="M17 22V2M17 4H4v5h13M14 22h6"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinejoin="round"
      strokeLinecap="round"
    />
    <path d="M7 4v5" className="stroke-stop" strokeWidth="2.4" />
  </svg>
);
