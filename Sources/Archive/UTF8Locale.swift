import Glibc

/// The locale in which libarchive takes names: it converts names that are known to be UTF-8 to the calling thread's
/// character set, and the process, which sets no locale, would have ASCII.
enum UTF8Locale {
    nonisolated(unsafe) private static let locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", nil)

    /// Calls the library with that locale on this thread.
    static func run<Value>(_ body: () -> Value) -> Value {
        guard let locale else { return body() }
        let before = uselocale(locale)
        defer { uselocale(before) }
        return body()
    }
}
