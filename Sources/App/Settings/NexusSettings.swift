import Foundation
import Logging
import ModelClients

/// All settings, checked; see ``SettingKey`` for what each means.
package struct NexusSettings: Sendable {
    /// A model service and how to reach it.
    package struct Service: Sendable {
        /// `openai` or `compatible`.
        package var provider: String
        /// Where its API begins; `/embeddings` and `/chat/completions` follow.
        package var baseURL: String
        /// Its key; nil for a service that wants none.
        package var key: SecretText?
        /// The model's name there.
        package var model: String
    }

    /// What embeds.
    package struct Embedding: Sendable {
        /// The service; nil for the built-in encoder.
        package var service: Service?
        /// Wanted dimensions; nil for the model's own.
        package var dimensions: Int?
        package var queryPrefix: String
        package var passagePrefix: String
        package var usesBase64: Bool
        package var batchItemCount: Int
    }

    /// What answers.
    package struct Chat: Sendable {
        package var service: Service
        package var contextTokenCount: Int
        package var answerTokenCount: Int
        /// Nil for the service's own.
        package var temperature: Double?
    }

    package var dataFolder: URL
    package var logLevel: Logger.Level
    package var host: String
    package var port: Int
    package var isInsecure: Bool
    package var defaultUser: String?
    package var timestamps: String
    package var embedding: Embedding
    /// Nil for extractive answers.
    package var chat: Chat?
    package var promptsFolder: URL?
    package var modelFolder: URL?
    package var encoderThreadCount: Int
    /// The key that may be used with OpenAI's own address only.
    package var openAIKey: SecretText?
}
