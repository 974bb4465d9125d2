// The page that asks a person whether a program may act for them: #/connect?… with the query of GET /authorize.
import {h, View} from "../lib/dom.js"
import {addTexts, t} from "../lib/text.js"
import {route} from "../lib/router.js"
import {button} from "../lib/ui.js"
import {store} from "../data/store.js"
import {sentence} from "../data/errors.js"
import entryTexts from "../text/entry.js"

addTexts(entryTexts)

export const mount = container => {
  const state = {wish: null, failure: null, isBusy: false, isDone: false, query: null}
  let view
  const set = change => {
    Object.assign(state, change)
    view?.update()
  }
  const send = consent => store.api.request("POST", "/authorize", {body: {request: state.query, ...(consent ? {consent} : {})}})
  const load = () => {
    const query = location.hash.split("?").slice(1).join("?")
    if (route.name !== "connect" || query === state.query) return
    set({query, wish: null, failure: null, isDone: false, isBusy: false})
    send().then(wish => set({wish}), failure => set({failure}))
  }
  const decide = consent => async () => {
    set({isBusy: true, failure: null})
    try {
      const {redirectTo} = await send(consent)
      location.assign(redirectTo)
      // An address of a program leaves this page open.
      if (!/^https?:/.test(redirectTo)) set({isDone: true})
    } catch (failure) {
      set({failure, isBusy: false})
    }
  }
  const question = ({name, returnsTo, isLocal, scopes}) => [
    h("h1", null, t("connect.title", {name})),
    h("p", {class: "quiet"}, t("connect.who", {name: store.session.user.name})),
    h("p", null, t("connect.allows")),
    h("ul", null, scopes.map(scope => h("li", {key: scope}, t(`connect.${scope}`)))),
    h("p", {class: "alert calm"}, t(isLocal ? "connect.local" : "connect.elsewhere", {host: returnsTo})),
    h("p", {class: "hint"}, t("connect.end")),
    state.failure && h("p", {class: "alert", role: "alert"}, sentence(state.failure)),
    h("div", {class: "row wrap"},
      button(t("connect.allow"), decide("allow"), "primary", {disabled: state.isBusy}),
      button(t("connect.deny"), decide("deny"), "", {disabled: state.isBusy})),
  ]
  const content = () => {
    if (state.isDone) return h("p", {role: "status"}, t("connect.done"))
    if (state.wish) return question(state.wish)
    if (state.failure) return [h("h1", null, t("connect.failed")), h("p", {class: "alert", role: "alert"}, sentence(state.failure)), h("a", {href: "#/"}, t("connect.toChats"))]
    return h("p", {class: "quiet", role: "status"}, t("shell.connecting"))
  }
  load()
  view = new View(container, () => h("main", {class: "entry"},
    h("div", {class: "card stack"},
      h("p", {class: "brand"}, h("img", {src: new URL("../icon.svg", import.meta.url).href, alt: "", width: 32, height: 32}), "Nexus"),
      content())), ["session"], store)
  return {
    close: () => view.close(),
    update: () => {
      load()
      view.update()
    },
  }
}
