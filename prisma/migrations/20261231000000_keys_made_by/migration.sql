-- Who made a key with a tool: the name to show, and the line of the maker's key, which may collect its secret. Null: the
-- command line, whose user owns the database.
alter table api_keys add column made_by text, add column made_by_line text;
