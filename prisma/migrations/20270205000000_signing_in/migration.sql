-- Sessions of people who signed in at an issuer: their tokens, sealed, and when the issuer is asked again about them.
alter table console_sessions
  -- What the session was made from.
  add column means text not null default 'key' check (means in ('key', 'code', 'issuer')),
  -- The browser, as it calls itself.
  add column browser text,
  -- No use makes the session longer than this.
  add column latest_at timestamptz,
  -- Sealed: refresh token and ID token.
  add column tokens text,
  -- The last answer of the issuer; null: it is not asked about this session.
  add column checked_at timestamptz,
  add column check_at timestamptz,
  -- One process asks at a time: a refresh token works once.
  add column checking_until timestamptz;
update console_sessions set latest_at = created_at + interval '7 days';
