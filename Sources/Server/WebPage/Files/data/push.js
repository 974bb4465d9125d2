const bytes = text => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), c => c.charCodeAt(0))

const KEPT = "nexus-notify"

// The service worker and notifications: "unsupported", "denied", "off", "open" (while the page is open in another window
// or tab), or "subscribed" (while it is closed too).
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
    const isOpen = Notification.permission === "granted" && localStorage.getItem(KEPT)
    this.set(Notification.permission === "denied" ? "denied" : subscription ? "subscribed" : isOpen ? "open" : "off")
  }

  async subscribeToPush() {
    if ((await Notification.requestPermission()) !== "granted") return this.set("denied")
    let key
    try {
      ({key} = await this.host.api.request("GET", "/v1/push/key"))
    } catch (error) {
      if (error.code !== "push_not_configured") throw error
      localStorage.setItem(KEPT, "1")
      return this.set("open")
    }
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

  // Shows a notification of the page, unless the push service does.
  async show({id, conversationId, messageId, title, body}) {
    if (this.state !== "open" || !this.host.tabs.isLeader) return
    const data = {conversationId, messageId}
    await this.worker.showNotification(title, {body, tag: conversationId ?? `nexus ${id}`, renotify: true, data}).catch(() => {})
  }

  // Ends them in this browser.
  async unsubscribeFromPush() {
    localStorage.removeItem(KEPT)
    await this.forget()
    if (this.state === "open") this.set("off")
  }

  async forget() {
    if (this.state !== "subscribed") return
    const {pushDevice} = await this.host.disk.boot()
    if (pushDevice) await this.host.api.request("DELETE", "/v1/devices/" + encodeURIComponent(pushDevice)).catch(() => {})
    await (await this.worker.pushManager.getSubscription())?.unsubscribe()
    this.set("off")
  }
}
