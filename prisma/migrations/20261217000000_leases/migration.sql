-- A lease belongs to a key and a worker, and its token to the MCP session that claimed. Leases that are held now have none of
-- these; they go by the worker's name until they end.
alter table work_tasks
  add column created_line text,
  add column lease_line text,
  add column lease_principal text,
  add column lease_session text,
  add column ended_by text,
  add column ended_as text;

-- A call that was approved is made for the worker and in the session that asked.
alter table approvals
  add column worker text,
  add column mcp_session text;
