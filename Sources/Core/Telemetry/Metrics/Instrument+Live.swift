extension Instrument {
    private static let carrier = Label("kind", ["socket", "stream"])

    /// Sockets and streams of the feed.
    static let live = [
        Instrument("nexus_live_connections", .gauge, "Open sockets and streams of the feed.", [carrier]),
        Instrument("nexus_live_frames_total", .counter, "Messages to clients of the feed.", [carrier]),
        Instrument("nexus_live_bytes_total", .counter, "Bytes of messages to clients of the feed.", [carrier]),
        Instrument("nexus_live_slow_total", .counter, "Frames that waited for a slow client."),
        Instrument(
            "nexus_live_dropped_total", .counter, "Events that a slow client did not get.",
            [Label("event", ["presence", "typing", "delta"])]),
        Instrument(
            "nexus_live_refused_total", .counter, "Sockets, streams and tickets that were refused, by code.",
            [Label("code", nil)]),
    ]
}
