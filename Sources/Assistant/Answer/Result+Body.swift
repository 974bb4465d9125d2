extension Result where Failure == any Error {
    /// Keeps what a function returns or throws, so that what follows either way need not stand in a `catch`.
    init(_ body: () async throws -> Success) async {
        do {
            self = .success(try await body())
        } catch {
            self = .failure(error)
        }
    }
}
