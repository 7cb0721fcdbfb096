-- Raised by whoever changes or resumes a subscription: what a delivery in flight finds out afterwards is about the one before.
alter table event_subscriptions add column rev integer not null default 0;
-- The address without what gives access. url and recipient are sealed, as the secret is.
alter table event_subscriptions add column shown text not null default '';

-- An owner that is no superuser is held by the policies, and is to see these rows whole.
alter table event_subscriptions no force row level security;
-- What is older stands there in plain text, which cannot be opened.
update event_subscriptions set shown = coalesce(substring(url from '^https?://[^/?#]+'), case when channel = 'webhook' then '' else recipient end, ''),
  status = 'paused', paused_reason = 'Its address was kept in plain text: save it again.', last_error = null, updated_at = now();
alter table event_subscriptions force row level security;
