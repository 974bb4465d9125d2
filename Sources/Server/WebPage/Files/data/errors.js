import {addTexts, t} from "../lib/text.js"
import texts from "../text/errors.js"

addTexts(texts)

// As ErrorSentence.swift: a code says more than its status.
const codes = {
  unreadable: "unreadable", device_store: "device_store", message_deleted: "deleted", extraction_under_way: "conflict",
  idempotency_key_in_work: "conflict", daily_tokens_used_up: "tokens_used_up", too_many_questions: "too_many_questions",
  overloaded: "too_many_questions", storage_full: "storage_full", storage_read_only: "storage_full",
  storage_damaged: "server", files_full: "storage_full", deadline_exceeded: "timed_out", model_slow: "timed_out", model_busy: "model_unavailable",
  model_failed: "model_unavailable", model_incomplete_reply: "model_unavailable",
  model_invalid_reply: "model_unavailable", model_unreachable: "model_unavailable", model_misconfigured: "model_missing",
  model_not_configured: "model_missing",
  model_quota_exhausted: "model_missing", model_rejected: "model_missing", model_unauthorized: "model_missing",
  model_too_long: "too_large", cursor_expired: "busy", sign_in_failed: "sign_in_failed",
  account_disabled: "account_disabled", password_too_short: "password_too_short", files_unattached: "files_unattached",
  invitation_unknown: "link_unknown", user_unknown: "user_unknown", account_exists: "account_exists",
  sign_in_off: "sign_in_off", session_ended: "session_ended", password_wrong: "password_wrong",
  password_too_long: "password_too_long", conversation_forbidden: "conversation_forbidden", not_own: "not_own",
  foreign_user: "foreign_user", role_required: "role_required", sender_forbidden: "sender_forbidden",
  field_forbidden: "field_forbidden", id_forbidden: "id_forbidden", adding_forbidden: "adding_forbidden", scope_required: "scope_required",
  command_forbidden: "command_forbidden", host_forbidden: "address_forbidden", origin_forbidden: "address_forbidden",
  files_share_full: "files_share_full",
}
const statuses = {
  0: "offline", 401: "signed_out", 403: "forbidden", 404: "missing", 408: "timed_out", 409: "conflict", 410: "missing",
  413: "too_large", 429: "too_many", 502: "busy", 503: "busy", 504: "timed_out", 507: "storage_full",
}

export const sentenceKey = ({status, code} = {}) =>
  "errors." + (codes[code] ?? statuses[status] ?? (status >= 400 && status < 500 ? "invalid" : "server"))

// A sentence for people; the server's detail is for developers and is not part of it.
export const sentence = error => t(sentenceKey(error ?? {}))
