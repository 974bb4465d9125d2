extension Result where Failure == any Error {
    /// Captures the result or error of a function, so that code for both cases need not be in a `catch`.
    init(_ body: () async throws -> Success) async {
        do {
            self = .success(try await body())
        } catch {
            self = .failure(error)
        }
    }
}
