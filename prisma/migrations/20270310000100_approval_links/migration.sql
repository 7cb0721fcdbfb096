-- Links in alerts with which one person decides about a waiting call.
alter table event_subscriptions
  -- Whether alerts about waiting calls carry such a link, and the key of the person who allowed it: the link decides with its rights.
  add column approve_links boolean not null default false,
  add column links_key text;
-- Whether the policy of the call lets one person decide it outside the console.
alter table approvals add column by_link boolean not null default false;
-- The link is made when the message is sent: it is stored nowhere.
alter table notifications
  add column approval_id text,
  add column subscription_id text;
