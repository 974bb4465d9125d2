import Glibc

/// The limits that a process gives itself, and every process that it starts, before it reads a document.
package enum ProcessLimits {
    /// Sets the limits: a minute of processor time, 2 GiB of memory, files of 64 MiB, no image of its memory.
    package static func apply() {
        set(RLIMIT_CPU, 60)
        set(RLIMIT_AS, 2 << 30)
        // Pages that are drawn for the reader of pictures.
        set(RLIMIT_FSIZE, 64 << 20)
        set(RLIMIT_CORE, 0)
        // Others go first: people wait for them.
        _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
    }

    private static func set(_ resource: __rlimit_resource, _ value: UInt) {
        var limit = rlimit(rlim_cur: value, rlim_max: value)
        _ = setrlimit(__rlimit_resource_t(resource.rawValue), &limit)
    }
}
