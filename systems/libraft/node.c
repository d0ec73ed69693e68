// A server of libraft as Debian has it: Raft over raft_uv, on sockets and files. Its state machine is a list of numbers.
//
//     node ID ADDRESS:PORT PREVOTE THRESHOLD TRAILING
//
// IDs are 1 to 3, and server N listens at port 9000 + N of 127.0.0.1. The port for the stage is that of the server plus
// 1000: a line `status` is answered with what the server knows, as JSON; `put N` asks a leader for the number N, and
// `barrier` for a barrier, and they are answered at once.

#include <inttypes.h>
#include <raft.h>
#include <raft/uv.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

// Clocks of the stage move when it says so: a tick is a heartbeat, and elections are due after three to six of them. Whoever
// was refused dials again before the next tick.
enum { HEARTBEAT_MS = 100, ELECTION_MS = 300, RETRY_MS = 33, INSTALL_MS = 1000000000, SERVERS = 3 };
enum { FIRST_PORT = 9000, STAGE_PORT_OFFSET = 1000, ENTRIES_MAX = 256, TEXT_MAX = 65536 };

struct server {
    struct uv_loop_s loop;
    struct raft_uv_transport transport;
    struct raft_io io;
    struct raft_fsm fsm;
    struct raft raft;
    struct uv_tcp_s stage;
    uint64_t values[ENTRIES_MAX];
    unsigned n_values;
};

static void fail(const char *what, const char *why) {
    fprintf(stderr, "ERROR %s: %s\n", what, why);
    exit(1);
}

// The state machine.

static int apply(struct raft_fsm *fsm, const struct raft_buffer *entry, void **result) {
    struct server *s = fsm->data;
    if (entry->len != sizeof(uint64_t) || s->n_values == ENTRIES_MAX) return RAFT_MALFORMED;
    memcpy(&s->values[s->n_values++], entry->base, sizeof(uint64_t));
    *result = NULL;
    return 0;
}

static int snapshot(struct raft_fsm *fsm, struct raft_buffer *bufs[], unsigned *n_bufs) {
    struct server *s = fsm->data;
    *n_bufs = 1;
    *bufs = raft_malloc(sizeof **bufs);
    if (*bufs == NULL) return RAFT_NOMEM;
    // A length and the values, so that there is something to send when there are none.
    (*bufs)[0].len = (s->n_values + 1) * sizeof(uint64_t);
    uint64_t *words = (*bufs)[0].base = raft_malloc((*bufs)[0].len);
    if (words == NULL) return RAFT_NOMEM;
    words[0] = s->n_values;
    memcpy(words + 1, s->values, s->n_values * sizeof(uint64_t));
    return 0;
}

static int restore(struct raft_fsm *fsm, struct raft_buffer *buf) {
    struct server *s = fsm->data;
    uint64_t *words = buf->base;
    if (buf->len < sizeof(uint64_t) || words[0] > ENTRIES_MAX || buf->len != (words[0] + 1) * sizeof(uint64_t))
        return RAFT_MALFORMED;
    s->n_values = (unsigned)words[0];
    memcpy(s->values, words + 1, s->n_values * sizeof(uint64_t));
    raft_free(words);
    return 0;
}

// The port for the stage.

struct text {
    char bytes[TEXT_MAX];
    size_t len;
};

static void add(struct text *text, const char *format, ...) {
    va_list args;
    va_start(args, format);
    int n = vsnprintf(text->bytes + text->len, TEXT_MAX - text->len, format, args);
    va_end(args);
    if (n < 0 || text->len + (size_t)n >= TEXT_MAX) fail("status", "it is too long");
    text->len += (size_t)n;
}

// What libraft keeps of its log, an entry after the other: see `struct raft_log` in its headers.
static void add_log(struct text *text, struct raft_log *log) {
    add(text, "\"offset\":%llu,\"snapshot\":{\"index\":%llu,\"term\":%llu},\"log\":[", log->offset,
        log->snapshot.last_index, log->snapshot.last_term);
    for (size_t i = log->front, n = 0; i != log->back; i = (i + 1) % log->size, n++) {
        struct raft_entry *entry = &log->entries[i];
        uint64_t value = 0;
        if (entry->type == RAFT_COMMAND && entry->buf.len == sizeof value) memcpy(&value, entry->buf.base, sizeof value);
        const char *kind = entry->type == RAFT_COMMAND ? "command" : entry->type == RAFT_BARRIER ? "barrier" : "change";
        add(text, "%s{\"term\":%llu,\"kind\":\"%s\",\"value\":%" PRIu64 "}", n > 0 ? "," : "", entry->term, kind, value);
    }
    add(text, "],");
}

static void add_progress(struct text *text, struct raft *r) {
    static const char *const states[] = {"probe", "pipeline", "snapshot"};
    add(text, "\"progress\":{");
    const char *comma = "";
    for (unsigned i = 0; r->state == RAFT_LEADER && i < r->configuration.n; i++) {
        struct raft_progress *p = &r->leader_state.progress[i];
        if (r->configuration.servers[i].id == r->id) continue;
        add(text, "%s\"n%llu\":{\"state\":\"%s\",\"next\":%llu,\"match\":%llu,\"snapshot\":%llu,\"heard\":%s,\"sent\":%s}",
            comma, r->configuration.servers[i].id, states[p->state], p->next_index, p->match_index, p->snapshot_index,
            p->recent_recv ? "true" : "false", p->last_send == r->io->time(r->io) ? "true" : "false");
        comma = ",";
    }
    add(text, "},");
}

static void add_votes(struct text *text, struct raft *r) {
    add(text, "\"votes\":[");
    const char *comma = "";
    for (unsigned i = 0; r->state == RAFT_CANDIDATE && i < r->configuration.n; i++) {
        if (!r->candidate_state.votes[i]) continue;
        add(text, "%s\"n%llu\"", comma, r->configuration.servers[i].id);
        comma = ",";
    }
    add(text, "],");
}

static void add_status(struct text *text, struct server *s) {
    struct raft *r = &s->raft;
    static const char *const roles[] = {"unavailable", "follower", "candidate", "leader"};
    bool is_asking = r->state == RAFT_CANDIDATE && r->candidate_state.in_pre_vote;
    raft_id leader = 0;
    const char *address = NULL;
    raft_leader(r, &leader, &address);
    add(text, "{\"term\":%llu,\"vote\":\"n%llu\",\"role\":\"%s\",\"leader\":\"n%llu\",", r->current_term, r->voted_for,
        is_asking ? "precandidate" : roles[r->state], r->state == RAFT_FOLLOWER ? leader : 0);
    add_log(text, &r->log);
    add_progress(text, r);
    add_votes(text, r);
    add(text, "\"since\":%llu,\"stored\":%llu,\"commit\":%llu,\"applied\":%llu,\"values\":[",
        r->io->time(r->io) - r->election_timer_start, r->last_stored, r->commit_index, r->last_applied);
    for (unsigned i = 0; i < s->n_values; i++) add(text, "%s%" PRIu64, i > 0 ? "," : "", s->values[i]);
    add(text, "]}\n");
}

static void free_request(struct raft_apply *request, int status, void *result) {
    (void)status, (void)result;
    free(request);
}

static void free_barrier(struct raft_barrier *request, int status) {
    (void)status;
    free(request);
}

static const char *put(struct server *s, uint64_t value) {
    struct raft_apply *request = calloc(1, sizeof *request);
    struct raft_buffer buf = {.base = raft_malloc(sizeof value), .len = sizeof value};
    if (request == NULL || buf.base == NULL) fail("put", "no memory");
    memcpy(buf.base, &value, sizeof value);
    int rv = raft_apply(&s->raft, request, &buf, 1, free_request);
    if (rv == 0) return "asked\n";
    raft_free(buf.base);
    free(request);
    return rv == RAFT_NOTLEADER ? "no leader\n" : "refused\n";
}

static const char *barrier(struct server *s) {
    struct raft_barrier *request = calloc(1, sizeof *request);
    if (request == NULL) fail("barrier", "no memory");
    int rv = raft_barrier(&s->raft, request, free_barrier);
    if (rv == 0) return "asked\n";
    free(request);
    return rv == RAFT_NOTLEADER ? "no leader\n" : "refused\n";
}

struct question {
    struct uv_tcp_s stream;
    struct server *server;
    struct text asked, answer;
    uv_write_t write;
};

static void close_question(uv_handle_t *handle) { free(handle->data); }

static void answered(uv_write_t *write, int status) { (void)write, (void)status; }

static void answer(struct question *q) {
    char *line = q->asked.bytes;
    uint64_t value;
    q->answer.len = 0;
    if (strcmp(line, "status") == 0) add_status(&q->answer, q->server);
    else if (sscanf(line, "put %" SCNu64, &value) == 1) add(&q->answer, "%s", put(q->server, value));
    else if (strcmp(line, "barrier") == 0) add(&q->answer, "%s", barrier(q->server));
    else add(&q->answer, "what?\n");
    uv_buf_t buf = uv_buf_init(q->answer.bytes, (unsigned)q->answer.len);
    uv_write(&q->write, (uv_stream_t *)&q->stream, &buf, 1, answered);
}

static void make_room(uv_handle_t *handle, size_t wanted, uv_buf_t *buf) {
    (void)wanted;
    struct question *q = handle->data;
    *buf = uv_buf_init(q->asked.bytes + q->asked.len, (unsigned)(TEXT_MAX - 1 - q->asked.len));
}

static void read_question(uv_stream_t *stream, ssize_t n, const uv_buf_t *buf) {
    (void)buf;
    struct question *q = stream->data;
    if (n < 0) {
        uv_close((uv_handle_t *)stream, close_question);
        return;
    }
    q->asked.len += (size_t)n;
    q->asked.bytes[q->asked.len] = 0;
    char *end = strchr(q->asked.bytes, '\n');
    if (end == NULL) return;
    *end = 0;
    answer(q);
    q->asked.len = 0;
}

static void accept_stage(uv_stream_t *listener, int status) {
    if (status != 0) return;
    struct question *q = calloc(1, sizeof *q);
    if (q == NULL) fail("accept", "no memory");
    q->server = listener->data;
    uv_tcp_init(listener->loop, &q->stream);
    q->stream.data = q;
    if (uv_accept(listener, (uv_stream_t *)&q->stream) == 0)
        uv_read_start((uv_stream_t *)&q->stream, make_room, read_question);
    else
        uv_close((uv_handle_t *)&q->stream, close_question);
}

static void listen_to_stage(struct server *s, int port) {
    struct sockaddr_in address;
    uv_ip4_addr("127.0.0.1", port, &address);
    uv_tcp_init(&s->loop, &s->stage);
    s->stage.data = s;
    int rv = uv_tcp_bind(&s->stage, (struct sockaddr *)&address, 0);
    if (rv == 0) rv = uv_listen((uv_stream_t *)&s->stage, 8, accept_stage);
    if (rv != 0) fail("the port for the stage", uv_strerror(rv));
}

// The first start in an empty folder writes the configuration, which all servers have as their first entry.
static void bootstrap(struct server *s) {
    struct raft_configuration configuration;
    raft_configuration_init(&configuration);
    for (raft_id id = 1; id <= SERVERS; id++) {
        char address[64];
        snprintf(address, sizeof address, "127.0.0.1:%llu", FIRST_PORT + id);
        if (raft_configuration_add(&configuration, id, address, RAFT_VOTER) != 0) fail("configuration", address);
    }
    int rv = raft_bootstrap(&s->raft, &configuration);
    if (rv != 0 && rv != RAFT_CANTBOOTSTRAP) fail("raft_bootstrap", raft_errmsg(&s->raft));
    raft_configuration_close(&configuration);
}

int main(int n_args, char **args) {
    static struct server s;
    if (n_args < 6) fail("usage", "node ID ADDRESS PREVOTE THRESHOLD TRAILING");
    raft_id id = strtoull(args[1], NULL, 10);
    signal(SIGPIPE, SIG_IGN);
    s.fsm = (struct raft_fsm){.version = 1, .data = &s, .apply = apply, .snapshot = snapshot, .restore = restore};
    int rv = uv_loop_init(&s.loop);
    if (rv != 0) fail("uv_loop_init", uv_strerror(rv));
    if ((rv = raft_uv_tcp_init(&s.transport, &s.loop)) != 0) fail("raft_uv_tcp_init", raft_strerror(rv));
    if ((rv = raft_uv_init(&s.io, &s.loop, ".", &s.transport)) != 0) fail("raft_uv_init", s.io.errmsg);
    raft_uv_set_segment_size(&s.io, 65536);
    raft_uv_set_connect_retry_delay(&s.io, RETRY_MS);
    if ((rv = raft_init(&s.raft, &s.io, &s.fsm, id, args[2])) != 0) fail("raft_init", raft_errmsg(&s.raft));
    raft_set_election_timeout(&s.raft, ELECTION_MS);
    raft_set_heartbeat_timeout(&s.raft, HEARTBEAT_MS);
    raft_set_install_snapshot_timeout(&s.raft, INSTALL_MS);
    raft_set_pre_vote(&s.raft, strcmp(args[3], "1") == 0);
    raft_set_snapshot_threshold(&s.raft, (unsigned)strtoul(args[4], NULL, 10));
    raft_set_snapshot_trailing(&s.raft, (unsigned)strtoul(args[5], NULL, 10));
    bootstrap(&s);
    // The stage asks at the first port on which a node listens.
    listen_to_stage(&s, FIRST_PORT + STAGE_PORT_OFFSET + (int)id);
    if ((rv = raft_start(&s.raft)) != 0) fail("raft_start", raft_errmsg(&s.raft));
    return uv_run(&s.loop, UV_RUN_DEFAULT);
}
