// What is typed or pasted to connect another chat; a test compares it with the pages of the documentation.
const REGISTRATION = `id: nexus
url: http://127.0.0.1:8080
as_token: "the first secret"
hs_token: "the second secret"
sender_localpart: nexus
rate_limited: false
namespaces:
  users:
    - exclusive: true
      regex: '@nexus:example\\.org'
  rooms: []
  aliases: []`
const HOMESERVER = `app_service_config_files:
  - /etc/matrix-synapse/nexus-registration.yaml`
const MANIFEST = `display_information:
  name: Nexus
features:
  app_home:
    messages_tab_enabled: true
    messages_tab_read_only_enabled: false
  bot_user:
    display_name: nexus
    always_online: true
oauth_config:
  scopes:
    bot: [app_mentions:read, channels:history, channels:read, chat:write, files:read, groups:history, groups:read, im:history,
      im:read, mpim:history, mpim:read, reactions:read, users:read]
settings:
  socket_mode_enabled: true
  event_subscriptions:
    bot_events: [app_mention, channel_archive, channel_deleted, channel_id_changed, channel_left, channel_rename, channel_shared,
      channel_unarchive, channel_unshared, group_archive, group_deleted, group_left, group_rename, group_unarchive,
      member_joined_channel, member_left_channel, message.channels, message.groups, message.im, message.mpim, reaction_added,
      reaction_removed, team_join, user_change]`

export const STEPS = {
  matrix: [
    {key: "secrets", code: "openssl rand -hex 32"},
    {key: "registration", code: REGISTRATION},
    {key: "homeserver", code: HOMESERVER},
    {key: "start", code: "nexus serve --set matrix.homeserver-url=https://matrix.example.org --set matrix.user=@nexus:example.org \\\n    --set matrix.as-token-file=as_token --set matrix.hs-token-file=hs_token"},
    {key: "invite"},
  ],
  mattermost: [
    {key: "account"},
    {key: "start", code: "nexus serve --set mattermost.url=https://chat.example.org --set mattermost.token-file=mattermost-token"},
    {key: "type", code: "/invite @nexus"},
  ],
  slack: [
    {key: "app", code: MANIFEST},
    {key: "tokens"},
    {key: "start", code: "nexus serve --set slack.bot-token-file=slack-bot-token --set slack.app-token-file=slack-app-token"},
    {key: "type", code: "/invite @nexus"},
  ],
}
