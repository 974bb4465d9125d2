import Accounts
import ArgumentParser
import Foundation
import Glibc
import Logging
import MessageStore
import SentenceEncoder
import Telemetry
import Tracing

/// `nexus serve`.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Serves the HTTP API and embeds new messages, until Ctrl-C.")

    @OptionGroup var common: CommonOptions
    @Option(help: "The address to listen on (http.host).") var host: String?
    @Option(help: "The port to listen on, 0 for any (http.port).") var port: Int?
    @Option(help: "The user of requests that name none (http.default-user).") var defaultUser: String?
    @Option(help: "The messages that answers to @ai may use: audience, this-conversation or off (mentions.scope).")
    var mentions: String?

    @Option(help: "The page's files are read from this folder at each request (http.page-folder).")
    var pageFolder: String?

    func run() async throws {
        try await Failures.reported {
            var settings = try await common.settings(
                [
                    Settings.host.name: host, Settings.port.name: port.map(String.init),
                    Settings.defaultUser.name: defaultUser, Settings.mentionScope.name: mentions,
                    Settings.pageFolder.name: pageFolder,
                ], warns: false)
            settings.encoderGivesWay = true
            // The same program, even if its file is replaced meanwhile.
            settings.documentProgram = "/proc/self/exe"
            settings.embedding.questionAttemptLimit = 1
            if settings.embedding.service == nil {
                try settings.embedding.builtInModel.verify(folder: settings.encoderFolder)
            }
            let logger = CommandLogging.logger(settings)
            InstrumentationSystem.bootstrap(try settings.tracer(logger: logger))
            if let warning = settings.unknownVariablesWarning { logger.warning("\(warning)") }
            let node = try await Node.open(settings, logger: logger, patience: .seconds(2))
            do {
                let first = try await node.accountAdministration.firstAdministratorLink()
                try await node.serve { [settings] port in
                    Console.print("listening on \(settings.address(port: port))")
                    guard let first else { return }
                    let address = settings.publicURL ?? settings.address(port: port)
                    Console.print("the first administrator signs in once with \(address)\(first.path)")
                }
                await node.close()
            } catch {
                await node.close()
                throw error
            }
        }
    }
}

extension NexusSettings {
    /// Makes the tracer, which passes traces on and writes spans if that is configured.
    fileprivate func tracer(logger: Logger) throws -> LineTracer {
        guard let traceFile else { return LineTracer(write: nil) }
        do throws(LineFileError) {
            let spans = try LineFile(path: traceFile.path)
            return LineTracer { spans.write($0) }
        } catch {
            guard [ENOSPC, EDQUOT, EROFS].contains(error.code) else {
                throw SettingsError.unusableFile(
                    key: Settings.traceFile.name, path: traceFile.path, reason: FileTrouble.words(for: error.code))
            }
            // The server continues, because answers matter more than spans.
            logger.error("No spans are written", metadata: ["error": "\(error.description)"])
            return LineTracer(write: nil)
        }
    }

    /// The address of the server as a client writes it.
    func address(port: Int) -> String {
        let scheme = tls == nil ? "http" : "https"
        return host.contains(":") ? "\(scheme)://[\(host)]:\(port)" : "\(scheme)://\(host):\(port)"
    }
}
