-- The database and its three roles, made once by a superuser (psql 14 or later):
--
--   export OWNER_PASSWORD=... APP_PASSWORD=... ERASER_PASSWORD=...
--   psql --set=ON_ERROR_STOP=1 --file=deploy/roles.sql "$SUPERUSER_URL"
--
-- warlog_owner owns the schema (WARLOG_MIGRATE_URL), warlog_app serves and can only add to the log
-- (WARLOG_DATABASE_URL), warlog_eraser erases players' text (WARLOG_ERASE_URL). What each may do to
-- which table is granted by 'warlog migrate'; 'warlog doctor' says whether it holds.

\set ON_ERROR_STOP on
\getenv owner_password OWNER_PASSWORD
\getenv app_password APP_PASSWORD
\getenv eraser_password ERASER_PASSWORD

CREATE ROLE warlog_owner LOGIN PASSWORD :'owner_password';
CREATE ROLE warlog_app LOGIN PASSWORD :'app_password';
CREATE ROLE warlog_eraser LOGIN PASSWORD :'eraser_password';

CREATE DATABASE warlog OWNER warlog_owner
    TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C';
REVOKE ALL ON DATABASE warlog FROM PUBLIC;
GRANT CONNECT ON DATABASE warlog TO warlog_app, warlog_eraser;
