import Foundation
import Glibc
import Synchronization

/// Standard input and output of `nexus chat`: what a person types stays below the messages; from a pipe, plain lines.
final class ChatTerminal: Sendable {
    /// What a person enters.
    enum Input: Sendable { case line(String), typing, end }

    private struct State {
        var line: [UInt8] = []
        var isInKey = false
        var saved: termios?

        var text: String { String(decoding: line, as: UTF8.self) }
    }

    let isInteractive = isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
    let input: AsyncStream<Input>
    private let entered: AsyncStream<Input>.Continuation
    private let state = Mutex(State())

    init() { (input, entered) = AsyncStream.makeStream(of: Input.self) }

    deinit { close() }

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
        Thread.detachNewThread { [weak self] in
            var bytes = [UInt8](repeating: 0, count: 4_096)
            while true {
                let count = read(STDIN_FILENO, &bytes, bytes.count)
                if count < 0, errno == EINTR { continue }
                guard let self, count > 0 else { break }
                for byte in bytes[..<count] { if let input = take(byte) { entered.yield(input) } }
                state.withLock { Self.draw($0) }
            }
            guard let self else { return }
            let rest = state.withLock { $0.text }
            if !rest.isEmpty { entered.yield(.line(rest)) }
            entered.yield(.end)
        }
    }

    private func take(_ byte: UInt8) -> Input? {
        state.withLock { state in
            let isKey = state.saved != nil
            // An arrow or another key that is not a character: ESC, [ or O, numbers, a letter.
            if state.isInKey { state.isInKey = byte == 0x5B || byte == 0x4F || byte < 0x40 }
            else if isKey, byte == 0x1B { state.isInKey = true }
            else if byte == 0x0A {
                defer { state.line = [] }
                return .line(state.text)
            } else if isKey, byte == 0x04 { return state.line.isEmpty ? .end : nil }
            else if isKey, byte == 0x7F { state.line = Array(state.text.dropLast().utf8) }
            else if isKey, byte == 0x15 { state.line = [] }
            else if !isKey || byte >= 0x20 {
                state.line.append(byte)
                return isKey && state.line[0] != 0x2F ? .typing : nil
            }
            return nil
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

    /// Shows a line of a conversation.
    func print(_ line: String) { show(line, to: STDOUT_FILENO) }

    /// Shows something about the program.
    func note(_ line: String) {
        show(isInteractive ? "\u{1B}[2m\(line)\u{1B}[0m" : line, to: isInteractive ? STDOUT_FILENO : STDERR_FILENO)
    }

    private func show(_ line: String, to descriptor: Int32) {
        state.withLock { state in
            Console.write((state.saved == nil ? "" : "\r\u{1B}[K") + line + "\n", to: descriptor)
            Self.draw(state)
        }
    }

    /// Draws the end of what is typed.
    private static func draw(_ state: State) {
        guard state.saved != nil else { return }
        var size = winsize()
        let isKnown = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 8
        Console.write("\r\u{1B}[K> \(state.text.suffix((isKnown ? Int(size.ws_col) : 80) - 3))", to: STDOUT_FILENO)
    }
}
