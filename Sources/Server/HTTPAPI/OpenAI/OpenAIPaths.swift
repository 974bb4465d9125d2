/// The paths that clients of OpenAI's services call and this server does not have: they get an error that they can read.
enum OpenAIPaths {
    /// What is below `/v1/` there and not here.
    private static let topics: Set<Substring> = [
        "assistants", "audio", "batches", "chat", "chatkit", "completions", "containers", "edits", "embeddings",
        "engines",
        "evals", "fine-tunes", "fine_tuning", "images", "models", "moderations", "organization", "organizations",
        "projects",
        "realtime", "rerank", "responses", "skills", "uploads", "vector_stores", "videos",
    ]
    /// What is below a topic that is here, too: `/v1/threads/…/runs`, `/v1/files/…/content`, `/v1/conversations/…/items`.
    private static let parts: [Substring: Set<Substring>] = [
        "threads": ["runs", "messages"], "files": ["content"], "conversations": ["items"],
    ]

    /// Returns the failure of a request to such a path; nil for other paths.
    static func failure(of path: String) -> Failure? {
        let segments = path.prefix { $0 != "?" }.split(separator: "/", omittingEmptySubsequences: true)
        guard segments.count > 1, segments[0] == "v1" else { return nil }
        let topic = segments[1]
        if topic == "completions" { return completions }
        if topics.contains(topic) { return notOffered }
        let known = parts[topic] ?? []
        return segments.dropFirst(2).contains { known.contains($0) } ? notOffered : nil
    }

    /// Whether a client of OpenAI's API may have asked for a path or method that is not here.
    static func mayBe(_ path: String) -> Bool { path.split(separator: "/").first == "v1" }

    private static let completions = Failure(
        404, "not_found",
        "text completions are not offered: use POST /v1/chat/completions or POST /v1/responses", .notFound)
    private static let notOffered = Failure(
        404, "not_found",
        "this server offers of OpenAI's API only /v1/models, /v1/chat/completions, /v1/responses and /v1/embeddings",
        .notFound)
}
