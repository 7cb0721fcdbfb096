"""Qdrant's REST interface, as far as adapters/vectors/qdrant.ts uses it, over Qdrant's own engine in this process.

For tests only: python3 scripts/qdrant-shim.py MODULES DATA PORT [API_KEY]
MODULES is a folder with the package qdrant_edge. Prints its port when it listens, and ends when its input does.
"""

import json
import os
import re
import shutil
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlparse

MODULES, DATA, PORT = sys.argv[1], sys.argv[2], int(sys.argv[3])
API_KEY = sys.argv[4] if len(sys.argv) > 4 else None
sys.path.insert(0, MODULES)

import qdrant_edge as engine  # noqa: E402


class Refused(Exception):
    def __init__(self, status, message):
        super().__init__(message)
        self.status = status


class Collection:
    """One shard in one folder. The engine is asked by one thread at a time."""

    def __init__(self, folder, params=None):
        self.folder = folder
        self.lock = threading.Lock()
        described = os.path.join(folder, "params.json")
        shard = os.path.join(folder, "shard")
        if params is None:
            with open(described) as file:
                self.params = json.load(file)
            self.shard = engine.EdgeShard.load(shard)
        else:
            os.makedirs(shard)
            self.params = params
            self.shard = engine.EdgeShard.create(shard, config_of(params))
            with open(described, "w") as file:
                json.dump(params, file)

    def info(self):
        found = self.shard.info()
        return {
            "status": "green",
            "optimizer_status": "ok",
            "points_count": found.points_count,
            "segments_count": found.segments_count,
            "config": {"params": {key: self.params[key] for key in ("vectors", "sparse_vectors")}},
            "payload_schema": {
                name: {"data_type": str(index.data_type).rpartition(".")[2].lower(), "points": index.points}
                for name, index in found.payload_schema.items()
            },
        }

    def update(self, operation):
        self.shard.update(operation)
        self.shard.flush()


def config_of(params):
    dense = {
        name: engine.EdgeVectorParams(
            size=vector["size"],
            distance=getattr(engine.Distance, vector["distance"]),
            datatype=getattr(engine.VectorStorageDatatype, vector.get("datatype", "float32").capitalize()),
        )
        for name, vector in params["vectors"].items()
    }
    sparse = {
        name: engine.EdgeSparseVectorParams(modifier=engine.Modifier.Idf if vector.get("modifier") == "idf" else None)
        for name, vector in params.get("sparse_vectors", {}).items()
    }
    hnsw = params.get("hnsw_config", {})
    return engine.EdgeConfig(
        vectors=dense,
        sparse_vectors=sparse,
        hnsw_config=engine.HnswIndexConfig(
            m=hnsw.get("m", 16),
            ef_construct=hnsw.get("ef_construct", 100),
            full_scan_threshold=hnsw.get("full_scan_threshold", 10_000),
            payload_m=hnsw.get("payload_m"),
        ),
    )


def filter_of(asked):
    if asked is None:
        return None
    return engine.Filter(**{kind: [condition_of(one) for one in asked[kind]] for kind in ("must", "should", "must_not") if kind in asked})


def plain(value):
    """The engine's Python binding takes a boolean to be matched for a number, so here they are words on both sides."""
    return str(value).lower() if isinstance(value, bool) else value


def condition_of(asked):
    match = asked["match"]
    if "value" in match:
        return engine.FieldCondition(asked["key"], match=engine.MatchValue(plain(match["value"])))
    if "any" in match:
        return engine.FieldCondition(asked["key"], match=engine.MatchAny(match["any"]))
    raise Refused(400, f"this shim knows no match like {match}")


def vector_of(given):
    if isinstance(given, dict):
        return engine.SparseVector(given["indices"], given["values"])
    return given


def params_of(asked):
    if not asked:
        return None
    idf = asked.get("idf")
    return engine.SearchParams(
        hnsw_ef=asked.get("hnsw_ef"),
        exact=asked.get("exact", False),
        idf=engine.IdfParams(corpus=filter_of(idf.get("corpus"))) if idf else None,
    )


def index_of(schema):
    kind, rest = schema["type"], {key: value for key, value in schema.items() if key != "type"}
    makers = {"keyword": engine.KeywordIndexParams, "integer": engine.IntegerIndexParams, "bool": engine.KeywordIndexParams}
    return makers[kind](**rest)


collections = {}
making = threading.Lock()


def collection(name):
    with making:
        if name not in collections:
            folder = os.path.join(DATA, name)
            if not os.path.isdir(folder):
                raise Refused(404, f"Not found: Collection `{name}` doesn't exist!")
            collections[name] = Collection(folder)
        return collections[name]


def exists(name, _body):
    return {"exists": os.path.isdir(os.path.join(DATA, name))}


def create(name, body):
    with making:
        if os.path.isdir(os.path.join(DATA, name)):
            raise Refused(409, f"Wrong input: Collection `{name}` already exists!")
        collections[name] = Collection(os.path.join(DATA, name), body)
    return True


def drop(name, _body):
    found = collection(name)
    with making, found.lock:
        found.shard.close()
        del collections[name]
        shutil.rmtree(found.folder)
    return True


def with_shard(work):
    def handle(name, body):
        found = collection(name)
        with found.lock:
            return work(found, body)

    return handle


def upsert(found, body):
    points = [
        engine.Point(
            point["id"],
            {name: vector_of(vector) for name, vector in point["vector"].items()},
            {key: plain(value) for key, value in point.get("payload", {}).items()},
        )
        for point in body["points"]
    ]
    found.update(engine.UpdateOperation.upsert_points(points))
    return {"status": "completed"}


def delete(found, body):
    found.update(engine.UpdateOperation.delete_points_by_filter(filter_of(body["filter"])))
    return {"status": "completed"}


def add_index(found, body):
    found.update(engine.UpdateOperation.create_field_index(body["field_name"], index_of(body["field_schema"])))
    return {"status": "completed"}


def query(found, body):
    points = found.shard.query(
        engine.QueryRequest(
            limit=body.get("limit", 10),
            query=engine.Query.Nearest(vector_of(body["query"]), using=body.get("using")),
            filter=filter_of(body.get("filter")),
            params=params_of(body.get("params")),
            with_payload=body.get("with_payload", False),
        )
    )
    return {"points": [{"id": point.id, "version": point.version, "score": point.score, "payload": point.payload} for point in points]}


def scroll(found, body):
    points, after = found.shard.scroll(
        engine.ScrollRequest(
            limit=body.get("limit", 10),
            offset=body.get("offset"),
            filter=filter_of(body.get("filter")),
            with_payload=body.get("with_payload", True),
        )
    )
    return {"points": [{"id": point.id, "payload": point.payload} for point in points], "next_page_offset": after}


def count(found, body):
    return {"count": found.shard.count(engine.CountRequest(exact=body.get("exact", True), filter=filter_of(body.get("filter"))))}


ROUTES = {
    ("GET", ""): with_shard(lambda found, _body: found.info()),
    ("GET", "/exists"): exists,
    ("PUT", ""): create,
    ("DELETE", ""): drop,
    ("PUT", "/index"): with_shard(add_index),
    ("PUT", "/points"): with_shard(upsert),
    ("POST", "/points/delete"): with_shard(delete),
    ("POST", "/points/query"): with_shard(query),
    ("POST", "/points/scroll"): with_shard(scroll),
    ("POST", "/points/count"): with_shard(count),
}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Without it each answer waits 40 ms for the client's acknowledgement.
    disable_nagle_algorithm = True

    def handle_request(self):
        length = int(self.headers.get("content-length") or 0)
        raw = self.rfile.read(length)
        try:
            if API_KEY is not None and self.headers.get("api-key") != API_KEY:
                raise Refused(401, "Must provide an API key or an Authorization bearer token")
            path = re.fullmatch(r"/collections/([\w.-]+)((?:/\w+)*)", urlparse(self.path).path)
            route = ROUTES.get((self.command, path[2])) if path else None
            if route is None:
                raise Refused(404, "")
            body = {"result": route(path[1], json.loads(raw) if raw else None), "status": "ok", "time": 0.0}
            status = 200
        except Refused as refused:
            status, body = refused.status, {"status": {"error": str(refused)}, "time": 0.0}
        except Exception as error:  # The engine's own errors have no other class.
            status, body = 400, {"status": {"error": f"Wrong input: {error}"}, "time": 0.0}
        answer = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    do_GET = do_PUT = do_POST = do_DELETE = handle_request

    def log_message(self, *_args):
        pass


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128


def end_with_parent():
    while sys.stdin.buffer.read(1):
        pass
    os._exit(0)


server = Server(("127.0.0.1", PORT), Handler)
threading.Thread(target=end_with_parent, daemon=True).start()
print(server.server_port, flush=True)
server.serve_forever()
