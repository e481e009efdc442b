#!/bin/sh
# Runs once, when the volume is new: creates the site's account, which owns its database and has no other rights.
set -eu
psql --set=ON_ERROR_STOP=1 --set=password="$SITE_PASSWORD" --username=postgres <<'SQL'
CREATE ROLE parlando LOGIN PASSWORD :'password';
CREATE DATABASE parlando OWNER parlando;
SQL
