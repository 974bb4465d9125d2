// The person's links with other chats, in the settings: a code joins the account with the person who writes it there.
import {h} from "../lib/dom.js"
import {addTexts, ago, dateTime, t} from "../lib/text.js"
import {attempt, confirm, copyText, toast} from "../lib/dialog.js"
import {button} from "../lib/ui.js"
import {store} from "../data/store.js"
import texts from "../text/links.js"

addTexts(texts)
const NAMES = {matrix: "Matrix", mattermost: "Mattermost", slack: "Slack"}
const nameOf = source => NAMES[source] ?? source
// How often the page looks whether a code was used.
const PAUSE = 3_000

// update() is called when the list looks different. render() returns null where there is no other chat.
export const ownLinks = update => {
  let found = {links: [], sources: []}, code = null, timer
  const load = async () => {
    const before = found.links.map(({source}) => source)
    found = await store.api.request("GET", "/v1/links")
    const added = found.links.find(({source}) => !before.includes(source))
    if (code && added) {
      code = null
      toast(t("links.joined", {name: nameOf(added.source)}))
    }
    if (code && Date.parse(code.expiresAt) <= Date.now()) code = null
    update()
  }
  const watch = () => {
    clearTimeout(timer)
    // A failure now says nothing about the next try.
    if (code) timer = setTimeout(() => load().catch(() => {}).then(watch), PAUSE)
  }
  load().catch(() => {})
  const ask = () => attempt(async () => {
    code = await store.api.request("POST", "/v1/links/code")
    update()
    watch()
  })
  const end = async source => {
    const name = nameOf(source)
    if (!await confirm({title: t("links.endTitle", {name}), text: t("links.endText", {name}), action: t("links.end"), isDangerous: true})) return
    attempt(async () => {
      await store.api.request("DELETE", `/v1/links/${encodeURIComponent(source)}`)
      await load()
    })
  }
  const link = ({source, name, authorId, way, linkedAt}) => h("li", {key: source, class: "person"},
    h("div", {class: "grow"}, h("p", {class: "cut"}, nameOf(source), " · ", h("bdi", null, name ?? authorId)),
      h("p", {class: "hint", title: dateTime(linkedAt)}, t(way === "email" ? "links.byEmail" : "links.byCode", {name: nameOf(source)}),
        " · ", t("links.since", {when: ago(linkedAt)}))),
    button(t("links.end"), () => end(source), "", {"aria-label": t("links.endOf", {name: nameOf(source)})}))
  const open = () => found.sources.filter(source => !found.links.some(one => one.source === source))
  const shown = () => {
    const command = `@nexus link ${code.code}`
    return h("div", {class: "stack", role: "status"},
      h("p", null, t("links.code", {sources: open().map(nameOf).join(` ${t("links.or")} `)})),
      h("div", {class: "row"}, h("input", {readonly: true, class: "grow", value: command, dir: "ltr", "aria-label": t("links.code", {sources: open().map(nameOf).join(", ")}),
        on: {focus: event => event.target.select()}}), button(t("links.copy"), () => copyText(command, t("links.copied")))),
      h("p", {class: "hint"}, t("links.codeHint", {time: dateTime(code.expiresAt)})))
  }
  const render = () => {
    if (!found.links.length && !found.sources.length) return null
    return [
      found.links.length > 0 ? h("ul", {class: "people"}, found.links.map(link)) : h("p", {class: "hint"}, t("links.none")),
      code && open().length > 0 && shown(),
      open().length > 0 && h("div", {class: "row"}, button(t(code ? "links.askAgain" : "links.ask"), ask)),
    ]
  }
  return {render, close: () => clearTimeout(timer)}
}
