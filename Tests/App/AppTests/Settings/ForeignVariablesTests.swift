import Foundation
import Testing

/// Variables of the environment that look like settings.
@Suite struct ForeignVariablesTests {
    @Test func variablesOfOthersAreNamedAndIgnored() async throws {
        let binary = try NexusBinary()
        let run = try await binary.run(
            ["config"],
            environment: [
                "NEXUS_PORT": "tcp://10.0.0.1:8080", "NEXUS_SERVICE_HOST": "10.0.0.1", "NEXUS_HTTP_PORT": "9",
            ])
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.errors == "nexus: unknown settings in the environment, ignored: NEXUS_PORT, NEXUS_SERVICE_HOST\n")
        #expect(run.output.contains("http.port = 9\n"))
    }

    @Test(arguments: [
        (["NEXUS_HTTP_PORT": "tcp://10.0.0.1:80"], "", "NEXUS_HTTP_PORT in the environment is an address"),
        (["NEXUS_HTTP_PORT": "many"], "", "setting \"http.port\": expected integer"),
        ([:], "NEXUS_PORT=1\n", "unknown setting \"NEXUS_PORT\" in .env"),
    ])
    func whatIsMeantForUsIsAnError(environment: [String: String], dotEnv: String, text: String) async throws {
        let binary = try NexusBinary()
        if !dotEnv.isEmpty { try binary.write(".env", dotEnv) }
        let run = try await binary.run(["config"], environment: environment)
        #expect(run.status == 64)
        #expect(run.errors.contains(text), "\(run.errors)")
    }

    @Test func aFlagGoesBeforeAKubernetesVariable() async throws {
        let run = try await NexusBinary().run(
            ["config", "--set", "http.port=7"], environment: ["NEXUS_HTTP_PORT": "tcp://10.0.0.1:80"])
        #expect(run.output.contains("http.port = 7\n"), "\(run.errors)")
    }

    @Test(arguments: ["chat.temperature=9", "rerank.shape=round", "embedding.dimensions=0"])
    func aValueThatNothingReadsIsCheckedAsWell(setting: String) async throws {
        for command in [["config"], ["doctor"], ["serve", "--port", "0"]] {
            let run = try await NexusBinary().run(command + ["--set", setting])
            #expect(run.status == 64, "\(command) \(run.errors)")
            #expect(run.errors.contains("expected"), "\(run.errors)")
        }
    }
}
