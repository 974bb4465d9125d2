// A service of OpenID Connect for tests, which signs in one person without a question.
import assert from "node:assert/strict"
import {createHash, generateKeyPairSync, randomUUID, sign} from "node:crypto"
import {createServer} from "node:http"

const encoded = value => Buffer.from(JSON.stringify(value)).toString("base64url")

export class Provider {
  static async make(claims) {
    const provider = Object.assign(new Provider(), {claims, codes: new Map(), refuses: false})
    provider.keys = generateKeyPairSync("rsa", {modulusLength: 2048})
    provider.server = createServer((request, reply) => provider.reply(request, reply))
    await new Promise(resolve => provider.server.listen(0, "127.0.0.1", resolve))
    provider.url = `http://127.0.0.1:${provider.server.address().port}`
    provider.settings = {"auth.oidc-issuer": provider.url, "auth.oidc-client-id": "walk", "auth.oidc-name": "Harbour Office"}
    return provider
  }

  close() {
    this.server.close()
    this.server.closeAllConnections?.()
  }

  async reply(request, reply) {
    let body = ""
    for await (const part of request) body += part
    const {pathname} = new URL(request.url, this.url)
    const found = pathname === "/token" ? this.exchange(Object.fromEntries(new URLSearchParams(body)))
      : pathname === "/keys" ? {keys: [{...this.keys.publicKey.export({format: "jwk"}), kid: "one", alg: "RS256", use: "sig"}]}
        : {issuer: this.url, authorization_endpoint: `${this.url}/authorize`, token_endpoint: `${this.url}/token`, jwks_uri: `${this.url}/keys`}
    reply.writeHead(200, {"Content-Type": "application/json"}).end(JSON.stringify(found))
  }

  /** What a browser at this address is sent to. */
  visit(address) {
    const query = Object.fromEntries(new URL(address).searchParams)
    assert.equal(new URL(address).origin, this.url)
    assert.deepEqual([query.response_type, query.code_challenge_method], ["code", "S256"])
    const back = new URL(query.redirect_uri)
    back.searchParams.set("state", query.state)
    if (this.refuses) back.searchParams.set("error", "access_denied")
    else {
      const code = randomUUID()
      this.codes.set(code, query)
      back.searchParams.set("code", code)
    }
    return back.href
  }

  exchange({code, code_verifier: verifier, redirect_uri: address}) {
    const query = this.codes.get(code)
    this.codes.delete(code)
    assert.equal(createHash("sha256").update(verifier).digest("base64url"), query.code_challenge)
    assert.equal(address, query.redirect_uri)
    const now = Math.floor(Date.now() / 1000)
    const claims = {...this.claims, iss: this.url, aud: "walk", iat: now, exp: now + 300, nonce: query.nonce}
    const text = `${encoded({alg: "RS256", kid: "one"})}.${encoded(claims)}`
    return {access_token: "unused", token_type: "Bearer", id_token: `${text}.${sign("RSA-SHA256", Buffer.from(text), this.keys.privateKey).toString("base64url")}`}
  }
}
