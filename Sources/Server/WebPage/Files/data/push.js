const bytes = text => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), c => c.charCodeAt(0))

// The service worker, and notifications while the page is closed: "unsupported", "denied", "off" or "subscribed".
export class Push {
  constructor(host) { Object.assign(this, {host, state: "unsupported"}) }

  async start() {
    const {navigator, trustedTypes} = globalThis
    const serviceWorker = navigator?.serviceWorker
    if (!serviceWorker) return
    // The address of a worker is a sink of Trusted Types: the server's policy allows this one name.
    const policy = trustedTypes?.createPolicy("nexus-worker", {createScriptURL: () => "/service-worker.js"})
    this.worker = await serviceWorker.register(policy?.createScriptURL("") ?? "/service-worker.js", {scope: "/"})
    serviceWorker.addEventListener("message", ({data}) => data.type === "open" && (location.hash = data.hash))
    await this.renew()
  }

  set(state) {
    this.state = state
    this.host.announce("settings")
  }

  // Registers again what is subscribed: the server forgets devices that their push service refuses.
  async renew() {
    if (!this.worker?.pushManager || !globalThis.Notification) return
    const subscription = await this.worker.pushManager.getSubscription()
    if (subscription && this.host.account.user) await this.register(subscription).catch(() => {})
    this.set(Notification.permission === "denied" ? "denied" : subscription ? "subscribed" : "off")
  }

  async subscribeToPush() {
    if ((await Notification.requestPermission()) !== "granted") return this.set("denied")
    const {key} = await this.host.api.request("GET", "/v1/push/key")
    const manager = (await navigator.serviceWorker.ready).pushManager
    const options = {userVisibleOnly: true, applicationServerKey: bytes(key)}
    await this.register((await manager.getSubscription()) ?? (await manager.subscribe(options)))
    this.set("subscribed")
  }

  async register(subscription) {
    const {endpoint, keys} = subscription.toJSON()
    const {id} = await this.host.api.request("POST", "/v1/devices", {body: {kind: "web", endpoint, ...keys}})
    await this.host.disk.put({pushDevice: id})
  }

  // Ends it in this browser.
  async forget() {
    if (this.state !== "subscribed") return
    const {pushDevice} = await this.host.disk.boot()
    if (pushDevice) await this.host.api.request("DELETE", "/v1/devices/" + encodeURIComponent(pushDevice)).catch(() => {})
    await (await this.worker.pushManager.getSubscription())?.unsubscribe()
    this.set("off")
  }
}
