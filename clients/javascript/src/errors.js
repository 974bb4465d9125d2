/** A request that failed. `status` is 0 if the server was not reached. */
export class NexusError extends Error {
  constructor(status, {code = "", detail = "", field, retryAfter = 0} = {}, options) {
    super(detail || code || `status ${status}`, options)
    Object.assign(this, {name: "NexusError", status, code, detail, field, retryAfter})
  }

  /** Whether the same request can succeed later. */
  get isTransient() {
    if (/^(model|storage|files)_/.test(this.code)) return false
    return [0, 408, 425, 429, 500, 502, 503, 504].includes(this.status) || this.code === "idempotency_key_in_work"
  }
}

/** The session is over: the person has to sign in again. */
export class SignedOutError extends NexusError {
  constructor(reason, {status = 401, code = "signed_out", detail = `signed out: ${reason}`} = {}) {
    super(status, {code, detail})
    Object.assign(this, {name: "SignedOutError", reason})
  }
}

/** The error of a reply, which is a problem of RFC 9457, or of a stream's event `error`. */
export const failure = (status, text, header) => {
  let body = {}
  try { body = JSON.parse(text) ?? {} } catch {}
  return new NexusError(body.status ?? status, {...body, retryAfter: Math.max(0, Number(header) || 0)})
}
