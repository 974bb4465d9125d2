import Foundation
import Glibc
import Synchronization

/// Standard input and output of a conversation: what a person types stays below what is shown; from a pipe, plain lines.
final class LineTerminal: Sendable {
    private struct State {
        var line: [UInt8] = []
        var isInKey = false
        var saved: termios?

        var text: String { String(decoding: line, as: UTF8.self) }
    }

    let isInteractive = isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
    /// The lines that the person enters; nil while one is being typed that is no command.
    let input: AsyncStream<String?>
    private let entered: AsyncStream<String?>.Continuation
    private let state = Mutex(State())

    init() { (input, entered) = AsyncStream.makeStream(of: String?.self) }

    /// Begins to read; in a terminal, key by key and without echo.
    func open() {
        state.withLock { state in
            var mode = termios()
            guard isInteractive, tcgetattr(STDIN_FILENO, &mode) == 0 else { return }
            state.saved = mode
            mode.c_lflag &= ~tcflag_t(ICANON | ECHO | IEXTEN)
            withUnsafeMutableBytes(of: &mode.c_cc) { $0[Int(VSUSP)] = 0 }
            tcsetattr(STDIN_FILENO, TCSADRAIN, &mode)
            Self.draw(state)
        }
        Thread.detachNewThread { [self] in
            var bytes = [UInt8](repeating: 0, count: 4_096)
            while true {
                let count = read(STDIN_FILENO, &bytes, bytes.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { break }
                state.withLock { state in
                    for byte in bytes[..<count] { take(byte, &state) }
                    Self.draw(state)
                }
            }
            let rest = state.withLock { $0.text }
            if !rest.isEmpty { entered.yield(rest) }
            entered.finish()
        }
    }

    private func take(_ byte: UInt8, _ state: inout State) {
        switch (state.saved != nil, byte) {
        // An arrow or another key that is not a character: ESC, [ or O, numbers, a letter.
        case _ where state.isInKey: state.isInKey = byte == 0x5B || byte == 0x4F || byte < 0x40
        case (true, 0x1B): state.isInKey = true
        case (_, 0x0A):
            entered.yield(state.text)
            state.line = []
        case (true, 0x04): if state.line.isEmpty { entered.finish() }
        case (true, 0x7F): state.line = Array(state.text.dropLast().utf8)
        case (true, 0x15): state.line = []
        case (true, ..<0x20): break
        case (let isTyped, _):
            state.line.append(byte)
            if isTyped, state.line[0] != 0x2F { entered.yield(nil) }
        }
    }

    /// Restores the terminal; may be called several times.
    func close() {
        state.withLock { state in
            guard var saved = state.saved.take() else { return }
            Console.write("\r\u{1B}[K", to: STDOUT_FILENO)
            tcsetattr(STDIN_FILENO, TCSADRAIN, &saved)
        }
    }

    /// Shows a line, or a note about the program.
    func print(_ line: String, isNote: Bool = false) {
        let line = isNote && isInteractive ? "\u{1B}[2m\(line)\u{1B}[0m" : line
        state.withLock { state in
            let start = state.saved == nil ? "" : "\r\u{1B}[K"
            Console.write("\(start)\(line)\n", to: isNote && !isInteractive ? STDERR_FILENO : STDOUT_FILENO)
            Self.draw(state)
        }
    }

    func note(_ line: String) { print(line, isNote: true) }

    /// Draws the end of what is typed.
    private static func draw(_ state: State) {
        guard state.saved != nil else { return }
        var size = winsize()
        let isKnown = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 8
        Console.write("\r\u{1B}[K> \(state.text.suffix((isKnown ? Int(size.ws_col) : 80) - 3))", to: STDOUT_FILENO)
    }
}
