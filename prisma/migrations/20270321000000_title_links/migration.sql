-- A document is found by its title as other texts mention it: in any case, without brackets at the end, up to a comma.
-- A column, because row-level security keeps a query from using an index by expression.
-- locks: documents have one row each, and the column must be right for the rows that exist.
alter table documents add column title_key text generated always as
  (lower(btrim(split_part(regexp_replace(left(title, 200), '\s*\([^()]{1,80}\)\s*$', ''), ',', 1)))) stored;
