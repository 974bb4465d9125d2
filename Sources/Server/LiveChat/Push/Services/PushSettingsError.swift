/// Why credentials of a push service cannot be used; never has the credentials.
package enum PushSettingsError: Error, Hashable, Sendable {
    /// The VAPID key is neither 32 bytes in base64url nor a PEM document with a P-256 key.
    case vapidKey
    /// The VAPID subject is neither a `mailto:` nor an `https:` URL.
    case vapidSubject
    /// The signing key of APNs is no PEM document with a P-256 key (`.p8`).
    case apnsKey
    /// The id of the key or of the team is not 10 letters and digits.
    case apnsIdentifier
    /// A field of Google's service account is missing or cannot be used.
    case serviceAccount(field: String)
    /// The secret of the webhook is shorter than 16 bytes.
    case webhookSecret
}
