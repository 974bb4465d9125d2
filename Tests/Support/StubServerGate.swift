import Foundation

/// A door in the middle of a stubbed response: the server waits before it until the test opens it.
package final class StubGate: Sendable {
    /// Becomes readable when the gate opens, and stays so; the server polls it beside its connection.
    let readEnd: Int32
    private let writeEnd: Int32

    /// Makes a closed gate.
    package init() {
        var ends: [Int32] = [-1, -1]
        precondition(pipe(&ends) == 0, "no descriptors left for a gate")
        (readEnd, writeEnd) = (ends[0], ends[1])
    }

    deinit {
        close(readEnd)
        close(writeEnd)
    }

    /// Lets every response through that waits here, now and later.
    package func open() {
        var byte: UInt8 = 1
        _ = write(writeEnd, &byte, 1)
    }
}
