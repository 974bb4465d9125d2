const bytes = text => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), c => c.charCodeAt(0))

// Notifications while the page is closed. States: "unsupported", "blocked", "off", "on".
export class Push {
  constructor(host) { Object.assign(this, {host, state: "unsupported"}) }

  set(state) {
    this.state = state
    this.host.announce("notifications")
  }

  get container() { return globalThis.navigator?.serviceWorker }

  // Finds out how it is, and renews the registration: the server forgets devices that its push service refuses.
  async renew() {
    if (!globalThis.PushManager || !globalThis.Notification || !(await this.container?.getRegistration())) return
    const subscription = await this.subscription()
    if (subscription) await this.register(subscription).catch(() => {})
    this.set(Notification.permission === "denied" ? "blocked" : subscription ? "on" : "off")
  }

  async subscription() { return (await this.container.ready).pushManager.getSubscription() }

  async subscribe() {
    const {api} = this.host
    if ((await Notification.requestPermission()) !== "granted") return this.set("blocked")
    const {key} = await api.request("GET", "/v1/push/key")
    const manager = (await this.container.ready).pushManager
    const options = {userVisibleOnly: true, applicationServerKey: bytes(key)}
    await this.register((await manager.getSubscription()) ?? (await manager.subscribe(options)))
    this.set("on")
  }

  async register(subscription) {
    const {endpoint, keys} = subscription.toJSON()
    const device = await this.host.api.request("POST", "/v1/devices", {body: {kind: "web", endpoint, ...keys}})
    await this.host.disk.put({pushDevice: device.id})
  }

  // Ends it in this browser.
  async forget() {
    if (this.state !== "on") return
    const subscription = await this.subscription()
    const {pushDevice} = await this.host.disk.boot()
    if (pushDevice) await this.host.api.request("DELETE", "/v1/devices/" + encodeURIComponent(pushDevice)).catch(() => {})
    await subscription?.unsubscribe()
    this.set("off")
  }
}
