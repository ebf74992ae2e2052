// The tables in PostgreSQL, step by step, and the functions that append to them in one round trip. A step is never changed
// once it was released: a change of shape is a new step at the end. Steps only add, so that programs of two versions can
// use one database side by side.

/** What the tables, functions and the channel of notices lie in. */
export const schemaName = 'sightline';

const tables = `
CREATE TABLE sightline.session (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text COLLATE "C" NOT NULL UNIQUE,
  made text NOT NULL,                       -- who made it: made again after a lost reply, it is the same
  parent bigint REFERENCES sightline.session, -- the session it was forked from,
  fork bigint NOT NULL DEFAULT 0,           -- and the last entry it shares with it
  created bigint NOT NULL,
  updated bigint NOT NULL,
  minute bigint GENERATED ALWAYS AS (updated / 60000) STORED, -- the index of the list changes once a minute
  title text,
  model text,
  messages bigint NOT NULL DEFAULT 0,
  input bigint NOT NULL DEFAULT 0,
  output bigint NOT NULL DEFAULT 0,
  cost double precision,
  removed boolean NOT NULL DEFAULT false,   -- only its forks still need it
  seq bigint NOT NULL DEFAULT 0,            -- rows that were handed over
  epoch bigint NOT NULL DEFAULT 0,          -- every taking raises it
  holder text,                              -- who writes; nobody when null
  held_until timestamptz NOT NULL DEFAULT '-infinity',
  watched_until timestamptz NOT NULL DEFAULT '-infinity'
) WITH (fillfactor = 70);
CREATE INDEX session_by_minute ON sightline.session (minute) WHERE NOT removed;
CREATE INDEX session_by_parent ON sightline.session (parent) WHERE parent IS NOT NULL;
CREATE TABLE sightline.entry (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  session bigint NOT NULL REFERENCES sightline.session,
  parent bigint,
  time bigint NOT NULL,
  version integer NOT NULL,
  type text NOT NULL,
  body text NOT NULL,                       -- letter by letter; jsonb would change it
  key text,                                 -- appended once per session
  checksum bigint NOT NULL,
  words tsvector
);
CREATE INDEX entry_of_session ON sightline.entry (session, id);
CREATE INDEX ledger_of_session ON sightline.entry (session, id) WHERE type = 'ledger';
CREATE UNIQUE INDEX entry_by_key ON sightline.entry (session, key) WHERE key IS NOT NULL;
CREATE INDEX entry_by_words ON sightline.entry USING gin (words) WHERE words IS NOT NULL;
-- An asset that was put; its time is that of the last put, by the clock of the database, and so a lease against collection.
CREATE TABLE sightline.asset (
  hash bytea PRIMARY KEY, size bigint NOT NULL, time timestamptz NOT NULL, stored boolean NOT NULL DEFAULT false
);
CREATE INDEX asset_by_time ON sightline.asset (time);
-- Who refers to it: 0 put by the session and named nowhere yet, 1 named by a ledger, 2 named by a message.
CREATE TABLE sightline.reference (
  session bigint NOT NULL REFERENCES sightline.session ON DELETE CASCADE,
  hash bytea NOT NULL, kind smallint NOT NULL, entry bigint NOT NULL, PRIMARY KEY (session, hash, kind)
);
CREATE INDEX reference_of_asset ON sightline.reference (hash);
CREATE TABLE sightline.once (key text PRIMARY KEY, asker text NOT NULL, time timestamptz NOT NULL DEFAULT now());
`;

/** Rows at the end of a session: once each, in order, under the newest lease. */
const append = `
CREATE FUNCTION sightline.append(the_session bigint, the_epoch bigint, the_seq bigint, given json, lease interval)
RETURNS TABLE (state text, ids bigint[], gone text[], seq_now bigint, holder_now text) LANGUAGE plpgsql AS $$
DECLARE
  row_ record; refer record; at_ integer := 0; count_ integer := json_array_length(given); entry_ bigint; parent_ bigint;
  known bigint[] := '{}'; title_ text; first_ text; model_ text; updated_ bigint; messages_ bigint := 0;
  input_ bigint := 0; output_ bigint := 0; cost_ double precision; watched_ boolean; id_ text; fork_ bigint;
  plain bigint[]; same boolean; hash_ bytea;
BEGIN
  ids := '{}'; gone := '{}';
  FOR row_ IN SELECT value FROM json_array_elements(given) LOOP
    at_ := at_ + 1;
    known[at_] := CASE WHEN row_.value ->> 'key' IS NULL THEN NULL ELSE
      (SELECT e.id FROM sightline.entry e WHERE e.session = the_session AND e.key = row_.value ->> 'key') END;
    CONTINUE WHEN known[at_] IS NOT NULL;
    updated_ := (row_.value ->> 'time')::bigint;
    messages_ := messages_ + (row_.value ->> 'type' = 'message')::integer;
    title_ := coalesce(row_.value ->> 'title', title_);
    first_ := coalesce(first_, row_.value ->> 'first');
    model_ := coalesce(row_.value ->> 'model', model_);
    input_ := input_ + coalesce((row_.value ->> 'input')::bigint, 0);
    output_ := output_ + coalesce((row_.value ->> 'output')::bigint, 0);
    IF row_.value ->> 'cost' IS NOT NULL THEN
      cost_ := coalesce(cost_, 0) + (row_.value ->> 'cost')::double precision;
    END IF;
  END LOOP;
  UPDATE sightline.session s SET seq = s.seq + count_, updated = coalesce(updated_, s.updated),
    title = coalesce(title_, s.title, first_), model = coalesce(model_, s.model), messages = s.messages + messages_,
    input = s.input + input_, output = s.output + output_,
    cost = CASE WHEN cost_ IS NULL THEN s.cost ELSE coalesce(s.cost, 0) + cost_ END,
    held_until = greatest(s.held_until, clock_timestamp() + lease)
    WHERE s.number = the_session AND s.epoch = the_epoch AND s.seq = the_seq AND s.holder IS NOT NULL AND NOT s.removed
    RETURNING s.watched_until > clock_timestamp(), s.id, nullif(s.fork, 0) INTO watched_, id_, fork_;
  IF NOT FOUND THEN
    RETURN QUERY SELECT * FROM sightline.appended(the_session, the_epoch, the_seq, given);
    RETURN;
  END IF;
  at_ := 0;
  FOR row_ IN SELECT value FROM json_array_elements(given) LOOP
    at_ := at_ + 1;
    IF known[at_] IS NOT NULL THEN
      ids := ids || known[at_];
      CONTINUE;
    END IF;
    IF parent_ IS NULL THEN
      SELECT max(e.id) INTO parent_ FROM sightline.entry e WHERE e.session = the_session;
    END IF;
    INSERT INTO sightline.entry (session, parent, time, version, type, body, key, checksum, words)
      VALUES (the_session, coalesce(parent_, fork_), (row_.value ->> 'time')::bigint, (row_.value ->> 'version')::integer,
        row_.value ->> 'type', row_.value ->> 'body', row_.value ->> 'key', (row_.value ->> 'checksum')::bigint,
        CASE WHEN row_.value -> 'words' IS NULL THEN NULL ELSE
          array_to_tsvector(ARRAY(SELECT json_array_elements_text(row_.value -> 'words'))) END)
      RETURNING id INTO entry_;
    parent_ := entry_;
    ids := ids || entry_;
    CONTINUE WHEN row_.value -> 'refers' IS NULL;
    FOR refer IN SELECT * FROM json_to_recordset(row_.value -> 'refers') AS r (hash text, size bigint, kind smallint) LOOP
      hash_ := decode(refer.hash, 'hex');
      INSERT INTO sightline.reference VALUES (the_session, hash_, refer.kind, entry_) ON CONFLICT DO NOTHING;
      CONTINUE WHEN refer.kind < 2;
      -- Waits for whoever collects it just now.
      PERFORM 1 FROM sightline.asset a WHERE a.hash = hash_ FOR KEY SHARE;
      CONTINUE WHEN FOUND;
      INSERT INTO sightline.asset (hash, size, time) VALUES (hash_, refer.size, clock_timestamp()) ON CONFLICT DO NOTHING;
      IF FOUND THEN gone := gone || refer.hash; END IF;
    END LOOP;
  END LOOP;
  IF watched_ THEN PERFORM pg_notify('sightline', id_); END IF;
  state := 'stored';
  RETURN NEXT;
END $$;

-- Why nothing was appended; or what was, when the reply was lost.
CREATE FUNCTION sightline.appended(the_session bigint, the_epoch bigint, the_seq bigint, given json)
RETURNS TABLE (state text, ids bigint[], gone text[], seq_now bigint, holder_now text) LANGUAGE plpgsql AS $$
DECLARE
  s sightline.session; row_ record; entry_ sightline.entry; plain bigint[]; taken_ integer := 0; count_ integer;
BEGIN
  SELECT * INTO s FROM sightline.session x WHERE x.number = the_session AND NOT x.removed;
  ids := '{}'; gone := '{}'; seq_now := s.seq; holder_now := s.holder;
  IF s.number IS NULL THEN state := 'gone'; RETURN NEXT; RETURN; END IF;
  IF s.epoch <> the_epoch OR s.holder IS NULL THEN state := 'fenced'; RETURN NEXT; RETURN; END IF;
  state := 'step';
  IF s.seq <> the_seq + json_array_length(given) THEN RETURN NEXT; RETURN; END IF;
  SELECT count(*) INTO count_ FROM json_array_elements(given) WHERE value ->> 'key' IS NULL;
  plain := ARRAY(SELECT l.id FROM (SELECT e.id FROM sightline.entry e WHERE e.session = the_session AND e.key IS NULL
    ORDER BY e.id DESC LIMIT count_) l ORDER BY l.id);
  FOR row_ IN SELECT value FROM json_array_elements(given) LOOP
    IF row_.value ->> 'key' IS NULL THEN
      taken_ := taken_ + 1;
      SELECT * INTO entry_ FROM sightline.entry e WHERE e.id = plain[taken_];
      IF entry_.type IS DISTINCT FROM row_.value ->> 'type' OR entry_.body IS DISTINCT FROM row_.value ->> 'body'
        OR entry_.time IS DISTINCT FROM (row_.value ->> 'time')::bigint THEN RETURN NEXT; RETURN; END IF;
    ELSE
      SELECT * INTO entry_ FROM sightline.entry e WHERE e.session = the_session AND e.key = row_.value ->> 'key';
      IF entry_.id IS NULL THEN RETURN NEXT; RETURN; END IF;
    END IF;
    ids := ids || entry_.id;
  END LOOP;
  state := 'stored';
  RETURN NEXT;
END $$;
`;

/** How sessions begin and go. */
const lives = `
-- Where a session reads from: itself, and the sessions it was forked from, each up to an entry.
CREATE FUNCTION sightline.line(the_session bigint) RETURNS TABLE (session bigint, up_to bigint) LANGUAGE sql STABLE AS $$
  WITH RECURSIVE back (session, up_to) AS (
    SELECT the_session, 9223372036854775807
    UNION ALL SELECT s.parent, least(b.up_to, s.fork) FROM back b JOIN sightline.session s ON s.number = b.session
      WHERE s.parent IS NOT NULL)
  SELECT * FROM back
$$;

CREATE FUNCTION sightline.begin_session(the_id text, the_time bigint, the_made text, from_id text, from_entry bigint)
RETURNS text LANGUAGE plpgsql AS $$
DECLARE p sightline.session; number_ bigint; made_ text;
BEGIN
  SELECT s.made INTO made_ FROM sightline.session s WHERE s.id = the_id;
  IF FOUND THEN RETURN CASE WHEN made_ = the_made THEN 'made' ELSE 'taken' END; END IF;
  IF from_id IS NULL THEN
    INSERT INTO sightline.session (id, made, created, updated) VALUES (the_id, the_made, the_time, the_time);
    RETURN 'made';
  END IF;
  SELECT * INTO p FROM sightline.session s WHERE s.id = from_id AND NOT s.removed FOR SHARE;
  IF NOT FOUND THEN RETURN 'gone'; END IF;
  INSERT INTO sightline.session (id, made, parent, fork, created, updated, title, model, messages)
    VALUES (the_id, the_made, p.number, from_entry, the_time, the_time, p.title, p.model,
      (SELECT count(*) FROM sightline.line(p.number) l JOIN sightline.entry e ON e.session = l.session
        WHERE e.id <= least(l.up_to, from_entry) AND e.type = 'message')) RETURNING number INTO number_;
  INSERT INTO sightline.reference SELECT number_, r.hash, r.kind, r.entry FROM sightline.reference r
    WHERE r.session = p.number AND r.kind > 0 AND r.entry <= from_entry;
  RETURN 'made';
END $$;

-- Takes away what no session reads any more: all of it, or all after the last entry that a fork shares.
CREATE FUNCTION sightline.trim_session(the_session bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE shared bigint; up bigint;
BEGIN
  SELECT max(s.fork) INTO shared FROM sightline.session s WHERE s.parent = the_session;
  DELETE FROM sightline.entry e WHERE e.session = the_session AND e.id > coalesce(shared, 0);
  DELETE FROM sightline.reference r WHERE r.session = the_session; -- forks have their own
  IF shared IS NOT NULL THEN
    UPDATE sightline.session SET removed = true, title = NULL, holder = NULL WHERE number = the_session;
    RETURN;
  END IF;
  SELECT s.parent INTO up FROM sightline.session s JOIN sightline.session p ON p.number = s.parent AND p.removed
    WHERE s.number = the_session;
  DELETE FROM sightline.session WHERE number = the_session;
  IF up IS NOT NULL THEN PERFORM sightline.trim_session(up); END IF;
END $$;

CREATE FUNCTION sightline.remove_session(the_id text, the_epoch bigint) RETURNS text LANGUAGE plpgsql AS $$
DECLARE s sightline.session;
BEGIN
  SELECT * INTO s FROM sightline.session x WHERE x.id = the_id AND NOT x.removed FOR UPDATE;
  IF NOT FOUND THEN RETURN 'gone'; END IF;
  IF s.epoch <> the_epoch OR s.holder IS NULL THEN RETURN 'fenced'; END IF;
  PERFORM sightline.trim_session(s.number);
  DELETE FROM sightline.request_asset a USING sightline.request r WHERE r.number = a.number AND r.conversation = the_id;
  DELETE FROM sightline.request WHERE conversation = the_id;
  RETURN 'removed';
END $$;
`;

const requests = `
-- What was asked of providers: each request a delta to one before it, with a life of its own.
CREATE TABLE sightline.request (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text NOT NULL UNIQUE,
  conversation text NOT NULL,  -- the id of a session, or how a conversation begins that has none
  lane text NOT NULL,
  purpose text,
  before text,                 -- the request it is a delta to
  depth integer NOT NULL,
  time bigint NOT NULL,
  row text NOT NULL,           -- what lists need
  body text NOT NULL,          -- what changed: the body, and the receipts
  state text,                  -- null: it is under way, or its process died
  ended text,
  answer text,                 -- where no session holds it
  bytes bigint NOT NULL
);
CREATE INDEX request_of_conversation ON sightline.request (conversation);
CREATE INDEX request_by_time ON sightline.request (time);
CREATE TABLE sightline.request_asset (
  number bigint NOT NULL REFERENCES sightline.request ON DELETE CASCADE, hash bytea NOT NULL, PRIMARY KEY (number, hash)
);
CREATE INDEX request_by_asset ON sightline.request_asset (hash);
-- Who wants to hear of requests, and until when.
CREATE TABLE sightline.watched (name text PRIMARY KEY, until timestamptz NOT NULL);
CREATE SEQUENCE sightline.request_change;
CREATE FUNCTION sightline.request_changed() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM nextval('sightline.request_change');
  IF EXISTS (SELECT 1 FROM sightline.watched WHERE name = 'requests' AND until > clock_timestamp()) THEN
    PERFORM pg_notify('sightline', ' requests');
  END IF;
END $$;
`;

const contents = `
-- Bytes of assets, where no other store holds them; not compressed: pictures are, and parts are read.
CREATE TABLE sightline.content (
  hash bytea PRIMARY KEY, bytes bytea NOT NULL, damaged boolean NOT NULL DEFAULT false, time timestamptz NOT NULL DEFAULT now()
);
ALTER TABLE sightline.content ALTER COLUMN bytes SET STORAGE EXTERNAL;
`;

const gateways = `
-- What gateways keep of conversations: answers with their seals, and what was decided on the way to them.
CREATE TABLE sightline.kept (
  kind text NOT NULL, digest text COLLATE "C" NOT NULL, text text NOT NULL, at timestamptz NOT NULL DEFAULT now(),
  request text NOT NULL, PRIMARY KEY (kind, digest)
);
CREATE INDEX kept_by_time ON sightline.kept (at);
CREATE INDEX kept_of_request ON sightline.kept (request);
-- What comes of a request goes with its record.
CREATE FUNCTION sightline.forget_kept() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM sightline.kept WHERE request = OLD.id;
  RETURN NULL;
END $$;
CREATE TRIGGER forget_kept AFTER DELETE ON sightline.request FOR EACH ROW EXECUTE FUNCTION sightline.forget_kept();
-- What models that see have said of pictures; no text yet: somebody is looking since then.
CREATE TABLE sightline.description (key text PRIMARY KEY, text text, at timestamptz NOT NULL, asset bytea);
CREATE INDEX description_of_asset ON sightline.description (asset);
CREATE FUNCTION sightline.forget_descriptions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM sightline.description WHERE asset = OLD.hash;
  RETURN NULL;
END $$;
CREATE TRIGGER forget_descriptions AFTER DELETE ON sightline.asset FOR EACH ROW
  EXECUTE FUNCTION sightline.forget_descriptions();
-- What keys have spent in a period, in millionths of a dollar, and what is put aside for requests under way.
CREATE TABLE sightline.purse (
  place text PRIMARY KEY, spent bigint NOT NULL DEFAULT 0, reserved bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);
CREATE TABLE sightline.reserved (
  id text PRIMARY KEY, place text NOT NULL, amount bigint NOT NULL, until timestamptz NOT NULL,
  freed boolean NOT NULL DEFAULT false -- its time was over, and others may have what was put aside
);
CREATE INDEX reserved_of_place ON sightline.reserved (place, until);

-- Whether so much is left; asked again after a lost reply, it is the same.
CREATE FUNCTION sightline.put_aside(the_id text, the_place text, the_amount bigint, the_ceiling bigint, lasts interval)
RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE p sightline.purse; over_ bigint;
BEGIN
  INSERT INTO sightline.purse (place) VALUES (the_place) ON CONFLICT DO NOTHING;
  SELECT * INTO p FROM sightline.purse x WHERE x.place = the_place FOR UPDATE;
  IF EXISTS (SELECT 1 FROM sightline.reserved r WHERE r.id = the_id) THEN RETURN true; END IF;
  WITH over AS (
    UPDATE sightline.reserved r SET freed = true WHERE r.place = the_place AND r.until < clock_timestamp() AND NOT r.freed
      RETURNING r.amount)
  SELECT coalesce(sum(amount), 0) INTO over_ FROM over;
  IF p.spent + p.reserved - over_ + the_amount > the_ceiling THEN
    UPDATE sightline.purse SET reserved = reserved - over_ WHERE place = the_place AND over_ > 0;
    RETURN false;
  END IF;
  INSERT INTO sightline.reserved (id, place, amount, until) VALUES (the_id, the_place, the_amount, clock_timestamp() + lasts);
  UPDATE sightline.purse SET reserved = reserved - over_ + the_amount WHERE place = the_place;
  RETURN true;
END $$;

-- What it cost in the end; a second time, nothing.
CREATE FUNCTION sightline.settle(the_id text, the_cost bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE r sightline.reserved; place_ text;
BEGIN
  SELECT x.place INTO place_ FROM sightline.reserved x WHERE x.id = the_id;
  PERFORM 1 FROM sightline.purse WHERE place = place_ FOR UPDATE;
  DELETE FROM sightline.reserved x WHERE x.id = the_id RETURNING x.* INTO r;
  IF NOT FOUND THEN RETURN; END IF;
  UPDATE sightline.purse SET spent = spent + the_cost,
    reserved = reserved - CASE WHEN r.freed THEN 0 ELSE r.amount END WHERE place = r.place;
END $$;

-- When keys have asked in the last minute; gives how many milliseconds are to be waited.
CREATE TABLE sightline.pace (name text PRIMARY KEY, times timestamptz[] NOT NULL DEFAULT '{}') WITH (fillfactor = 50);
CREATE FUNCTION sightline.ask_at(the_name text, per_minute integer) RETURNS double precision LANGUAGE plpgsql AS $$
DECLARE now_ timestamptz; kept_ timestamptz[];
BEGIN
  INSERT INTO sightline.pace (name) VALUES (the_name) ON CONFLICT DO NOTHING;
  PERFORM 1 FROM sightline.pace WHERE name = the_name FOR UPDATE;
  now_ := clock_timestamp();
  SELECT ARRAY(SELECT t FROM unnest(times) t WHERE t > now_ - interval '1 minute' ORDER BY t) INTO kept_
    FROM sightline.pace WHERE name = the_name;
  IF cardinality(kept_) >= per_minute THEN
    RETURN coalesce(extract(epoch FROM kept_[1] + interval '1 minute' - now_) * 1000, 60000);
  END IF;
  UPDATE sightline.pace SET times = kept_ || now_ WHERE name = the_name;
  RETURN 0;
END $$;
`;

const uploads = `
-- Media among somebody's files at a provider; no file yet: its upload began then, and nobody knows what came of it.
CREATE TABLE sightline.upload (
  account text NOT NULL, hash text NOT NULL, endpoint text NOT NULL, file text NOT NULL, size bigint NOT NULL,
  created timestamptz NOT NULL, expires timestamptz NOT NULL, PRIMARY KEY (account, hash)
);
`;

const goneWith = `
-- What was said of a picture goes with the last that names it: a session, or a request.
CREATE FUNCTION sightline.forget_unnamed(hashes bytea[]) RETURNS void LANGUAGE sql AS $$
  DELETE FROM sightline.description d WHERE d.asset = ANY(hashes)
    AND NOT EXISTS (SELECT 1 FROM sightline.reference r WHERE r.hash = d.asset)
    AND NOT EXISTS (SELECT 1 FROM sightline.request_asset a WHERE a.hash = d.asset)
$$;
CREATE FUNCTION sightline.forget_of_references() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM sightline.forget_unnamed(ARRAY(SELECT DISTINCT g.hash FROM gone g));
  RETURN NULL;
END $$;
CREATE TRIGGER forget_of_references AFTER DELETE ON sightline.reference REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION sightline.forget_of_references();
CREATE FUNCTION sightline.forget_of_requests() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM sightline.forget_unnamed(ARRAY(
    SELECT DISTINCT decode(m[1], 'hex') FROM gone g, regexp_matches(g.body, '"sha256:([0-9a-f]{64})"', 'g') m));
  RETURN NULL;
END $$;
CREATE TRIGGER forget_of_requests AFTER DELETE ON sightline.request REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION sightline.forget_of_requests();
-- What was claimed in a session goes with it.
CREATE INDEX once_of_session ON sightline.once (split_part(key, ' ', 1));
CREATE FUNCTION sightline.forget_once() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM sightline.once WHERE split_part(key, ' ', 1) = OLD.id AND key LIKE '% %';
  RETURN NULL;
END $$;
CREATE TRIGGER forget_once AFTER DELETE OR UPDATE OF removed ON sightline.session FOR EACH ROW
  EXECUTE FUNCTION sightline.forget_once();
DELETE FROM sightline.once o WHERE o.key LIKE '% %'
  AND NOT EXISTS (SELECT 1 FROM sightline.session s WHERE s.id = split_part(o.key, ' ', 1) AND NOT s.removed);
`;

const lent = `
-- What was put for no session, and when last: a lease against collection. What a session puts is held by the session.
CREATE TABLE sightline.lent (
  hash bytea PRIMARY KEY REFERENCES sightline.asset ON DELETE CASCADE, time timestamptz NOT NULL
);
INSERT INTO sightline.lent SELECT hash, time FROM sightline.asset;
`;

/** The steps; how many are done stands in the table `step`. */
export const postgresSteps: readonly string[] = [
  `${tables}${append}${lives}${requests}`,
  contents,
  gateways,
  uploads,
  goneWith,
  lent,
];

/** Makes the table that says which steps are done. */
export const stepTable = `CREATE TABLE sightline.step (number integer PRIMARY KEY, time timestamptz NOT NULL DEFAULT now())`;
