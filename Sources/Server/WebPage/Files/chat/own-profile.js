// The person's own profile in the settings: picture, title, and the time zone that others see.
import {h} from "../lib/dom.js"
import {t} from "../lib/text.js"
import {attempt, toast} from "../lib/dialog.js"
import {avatar, button, choice, field, newId} from "../lib/ui.js"
import {profiles} from "../data/profiles.js"
import {store} from "../data/store.js"
import {pictureEditor} from "./picture.js"

// update() is called when the form looks different.
export const ownProfile = update => {
  const ids = {title: newId(), zone: newId()}
  let profile = null, title = ""
  const take = changed => {
    profile = changed
    title = changed.title ?? ""
    profiles.take(changed.userId, changed)
    update()
  }
  const picture = pictureEditor({path: "/v1/profile/picture", update, taken: changed => take({...changed, title: changed.title ?? title})})
  store.api.request("GET", "/v1/profile").then(take, () => {})
  const save = change => attempt(async () => {
    take(await store.api.request("PUT", "/v1/profile", {body: change}))
    toast(t("settings.saved"))
  })
  const zones = [...new Set(["UTC", ...Intl.supportedValuesOf("timeZone")])]

  return () => {
    const {user} = store.session
    return [
      h("div", {class: "row wrap"}, avatar(user.id, user.name, {size: "large"}), h("div", {class: "stack grow"}, picture(Boolean(profile?.pictureId)))),
      h("form", {class: "stack", on: {submit: event => {
        event.preventDefault()
        save({title: title.trim() || null})
      }}},
      field({id: ids.title, label: t("profile.title"), hint: t("profile.titleHint"), value: title, maxlength: 100, dir: "auto", autocomplete: "organization-title",
        on: {input: event => {
          title = event.target.value
        }}}),
      h("div", {class: "row"}, button(t("profile.save"), null, "", {type: "submit"}))),
      field({id: ids.zone, label: t("profile.zone"), hint: t("profile.visible"),
        control: props => choice("shownZone", profile?.timeZone ?? "", [["", t("profile.noZone")], ...zones.map(zone => [zone, zone.replaceAll("_", " ")])],
          zone => save({timeZone: zone || null}), props)}),
    ]
  }
}
