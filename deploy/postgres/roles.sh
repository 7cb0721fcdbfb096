#!/bin/sh
# Runs once, when the volume is empty: the role that api and workers use. It owns nothing and row-level
# security holds it; the migrations grant it what it needs.
set -eu
psql --set=ON_ERROR_STOP=1 --set=password="$APP_PASSWORD" --username="$POSTGRES_USER" --dbname="$POSTGRES_DB" <<'SQL'
create role signalbox_app login nosuperuser nobypassrls nocreatedb nocreaterole noreplication password :'password';
SQL
