#pragma once
// Every bound of the server in one place: how large a request may be, how long it may take, how many there
// may be at once. A client that goes beyond one of them gets an answer that says so, or a closed connection.
#include <chrono>
#include <cstddef>

namespace slashpost::http {

struct Limits {
    // One request.
    std::size_t header_bytes_max = 64 * 1024;      // request line and headers together; above: 431
    std::size_t header_bytes_read_max = 16 * 1024; // of these, without long values that nobody reads: 431
    static constexpr std::size_t header_count_max = 100; // above: 431
    std::size_t target_bytes_max = 8 * 1024;             // path and query; above: 414
    std::size_t body_bytes_max = 1024 * 1024;            // after chunks were put together; above: 413

    // Time. Kept by one tick per thread, so each may take up to one tick longer.
    std::chrono::milliseconds header_deadline{
        10'000}; // connect (TLS too) or first byte, to the end of the headers: 408
    std::chrono::milliseconds body_deadline{30'000}; // end of the headers to the end of the body: 408
    std::chrono::milliseconds idle_deadline{60'000}; // between two requests: closed
    std::chrono::milliseconds write_deadline{
        30'000}; // a blocked answer until the client took all of it: closed
    std::chrono::milliseconds linger_deadline{
        2'000}; // after a last answer, for the client to read it: closed
    std::chrono::milliseconds tick{1'000};
    std::chrono::milliseconds stop_grace{10'000}; // for requests in flight when the server stops

    // Numbers of things at once, in the whole process.
    std::size_t connections_max = 20'000; // above: one makes way (http/server/room.h), else the new one goes
    // Of one address (IPv6: /64), trusted proxies excepted; above: one of its own makes way. 0: a quarter of
    // all there is room for, at least 64: an office or a carrier behind one address has room, and nobody can
    // push out all others from fewer than four addresses.
    std::size_t connections_per_address = 0;
    std::size_t handshakes_max = 2'048;              // of TLS, unfinished; above: one makes way
    std::size_t bodies_bytes_max = 64 * 1024 * 1024; // of all bodies being received or served; above: 503
    std::size_t keyless_bodies_bytes_max =
        16 * 1024 * 1024; // of those whose head shows no key, beside; above: 503
    std::size_t bodies_bytes_per_holder = 16 * 1024 * 1024; // of one key or, without one, address; above: 503
    // What connections keep in memory: input that is not understood yet, answers that are not taken. Above:
    // one of whoever keeps most makes way, so that only one that is alone has more than this.
    std::size_t waiting_bytes_max = 8 * 1024 * 1024;
    std::size_t workers = 16;        // threads that serve the API; they wait for the disk, so more than cores
    std::size_t queue_max = 1'024;   // API requests waiting for a worker; above: 503
    std::size_t visitor_workers = 2; // threads that make pages and codes for visitors
    std::size_t visitor_queue_max = 256; // of these, waiting; above: 503

    // Work of one turn, so that one busy connection does not starve the others.
    std::chrono::microseconds turn_time{500};    // of one connection; after it, others come first
    std::chrono::microseconds turns_time{1'000}; // of those that go on, before what is new is looked at
    std::size_t turn_bytes_max = 64 * 1024;      // of answers
    std::size_t output_bytes_kept = 128 * 1024; // of a thread's buffer for answers, when a longer one is sent
    std::size_t input_bytes = 32 * 1024;        // read at once; at least twice header_bytes_read_max is taken
    unsigned reads_per_turn = 4;
    unsigned accepts_per_turn = 64;
    std::size_t linger_bytes_max = 256 * 1024; // discarded after a last answer; above: closed
};

} // namespace slashpost::http
