// Written by tools/wire-types.mjs from the server's description. Do not edit.

export interface AccountSession {
  assistant?: ConnectedAssistant
  createdAt: string
  id: string
  isCurrent: boolean
  lastUsedAt: string
  userAgent?: string
}

export interface ActionItem {
  allDay: boolean
  assignee: string | null
  assigneeId: string | null
  conversationId: string
  deadline: string | null
  due: string | null
  extractedAt: string
  id: string
  messageId: string
  person: string | null
  personId: string | null
  priority: "high" | "medium" | "low" | (string & {})
  quote: string
  sentAt: string
  status: "open" | "done" | (string & {})
  supersededBy: string | null
  task: string
  text: string
}

export interface ActionItemChange {
  allDay?: boolean
  assignee?: string | null
  assigneeId?: string | null
  deadline?: string | null
  due?: string | null
  person?: string | null
  personId?: string | null
  status?: "open" | "done" | (string & {})
  task?: string
  text?: string
  timeZone?: string
  userId?: string
}

export interface ActionItemExtraction {
  addedCount: number
  changedCount: number
  faults: {[name: string]: number}
  isComplete: boolean
  items: Array<ActionItem>
  messageCount: number
  removedCount: number
}

export interface ActionItemPage {
  items: Array<ActionItem>
  next?: string
}

export interface Answer {
  answer: string
  asOf?: string
  citations: Array<Citation>
  coverage?: ConversationCoverage
  noAnswerReason: "none" | "below_threshold" | "nothing_in_scope" | "search_failed" | (string & {})
  notices: Array<"extractive" | "truncated" | "filtered" | "prompt_cut" | "links_removed" | "model_unavailable" | "not_stored" | "uncited" | "incomplete" | "sentences_removed" | "as_of" | (string & {})>
  queryTime: string
  retrieval: AnswerRetrieval
  sentences?: Array<AnswerSentence>
  sources: Array<Source>
  turnId: string
  usage?: {completionTokens: number; promptTokens: number}
}

export interface AnswerRetrieval {
  configuration?: string
  generation?: number
  mode?: "hybrid" | "lexical_only" | "dense_only" | (string & {})
  notes?: Array<"embedding_failed" | "tokens_failed" | "rerank_failed" | "rewritten" | "rewrite_failed" | "carried_over" | (string & {})>
  promptMessageIds: Array<string>
  promptMessages: Array<{conversationId: string; messageId: string}>
}

export interface AnswerSentence {
  end: number
  needsSource: boolean
  reasons?: Array<"number" | "time" | "date" | "name" | "negation" | "opposite" | "order" | "content" | (string & {})>
  score?: number
  start: number
  support?: "supported" | "partly" | "unsupported" | "contradicted" | (string & {})
}

export interface Attachment {
  byteCount?: number
  caption?: string
  id?: string
  mediaType?: string
  name: string
  reading?: FileReading
  type?: string
}

export interface Citation {
  conversationId: string
  end: number
  messageId: string
  number: number
  score?: number
  start: number
  support?: "supported" | "partly" | "unsupported" | "contradicted" | (string & {})
}

export interface ConnectedAssistant {
  name: string
  scopes: Array<"read" | "ask" | "write" | (string & {})>
}

export interface Conversation {
  createdAt: string
  embedding?: "default" | "included" | "excluded" | (string & {})
  history: "all" | "joined" | (string & {})
  id: string
  isEmbedded?: boolean
  kind: "direct" | "group" | (string & {})
  members?: Array<Member>
  name?: string
  timeZone?: string
  updatedAt: string
  visibility: "members" | "everyone" | (string & {})
}

export interface ConversationCoverage {
  messageCount: number
  summarizedCount: number
  writtenCount: number
}

export interface Deadline {
  allDay: boolean
  conversationId: string
  due: string | null
  extractedAt: string
  id: string
  messageId: string
  person: string | null
  personId: string | null
  quote: string
  sentAt: string
  status: "open" | "done" | (string & {})
  supersededBy: string | null
  text: string
  what: string
  when: string
  whose: string | null
  whoseId: string | null
}

export interface DeadlineChange {
  allDay?: boolean
  due?: string | null
  person?: string | null
  personId?: string | null
  status?: "open" | "done" | (string & {})
  text?: string
  timeZone?: string
  userId?: string
  what?: string
  when?: string
  whose?: string | null
  whoseId?: string | null
}

export interface DeadlineExtraction {
  addedCount: number
  changedCount: number
  faults: {[name: string]: number}
  isComplete: boolean
  items: Array<Deadline>
  messageCount: number
  removedCount: number
}

export interface DeadlinePage {
  items: Array<Deadline>
  next?: string
}

export interface Decision {
  conversationId: string
  decidedAt: string
  decidedBy: string | null
  decidedById: string | null
  decision: string
  extractedAt: string
  id: string
  messageId: string
  person: string | null
  personId: string | null
  quote: string
  sentAt: string
  supersededBy: string | null
  text: string
}

export interface DecisionChange {
  decidedBy?: string | null
  decidedById?: string | null
  decision?: string
  person?: string | null
  personId?: string | null
  text?: string
  userId?: string
}

export interface DecisionExtraction {
  addedCount: number
  changedCount: number
  faults: {[name: string]: number}
  isComplete: boolean
  items: Array<Decision>
  messageCount: number
  removedCount: number
}

export interface DecisionPage {
  items: Array<Decision>
  next?: string
}

export interface DeltaMessage {
  answerId: string
  conversationId?: string
  done?: boolean
  messageId?: string
  start: number
  text: string
  threadId?: string
  turnId?: string
  type: "delta"
}

export interface ErrorMessage {
  code: string
  detail: string
  type: "error"
}

export interface Exchange {
  answer?: string
  content?: string
  question?: string
  role?: "user" | "assistant" | (string & {})
}

export type FeedChange = FeedMessage | FeedDeletion | FeedConversation | FeedDeparture | FeedReceipt | FeedItems | FeedThreads | FeedNotification | FeedNotifications | FeedSettings | FeedDevices | FeedScheduled | FeedOutdated

export interface FeedConversation {
  conversation: OwnConversation
  members?: Array<Member>
  receipts?: Array<Receipt>
  type: "conversation"
}

export interface FeedDeletion {
  conversationId: string
  messageId: string
  seq?: number
  type: "deletion"
}

export interface FeedDeparture {
  conversationId: string
  type: "departure"
}

export interface FeedDevices {
  type: "devices"
}

export interface FeedItems {
  conversationId: string
  type: "items"
}

export interface FeedMessage {
  mentions?: Array<{end: number; start: number; userId: string}>
  message: Message
  type: "message"
}

export interface FeedNotification {
  notification: Notification
  type: "notification"
}

export interface FeedNotifications {
  notifications: Array<Notification>
  type: "notifications"
}

export interface FeedOutdated {
  by: {conversationId: string; messageId: string}
  threadId?: string
  turnId: string
  type: "outdated"
}

export interface FeedReceipt {
  conversationId: string
  receipt: Receipt
  type: "receipt"
}

export interface FeedScheduled {
  type: "scheduled"
}

export interface FeedSettings {
  settings: PersonalSettings
  type: "settings"
}

export interface FeedThreads {
  type: "threads"
}

export interface Feedback {
  givenAt: string
  rating: "up" | "down" | (string & {})
  reason?: string
}

export interface FilePlace {
  fileId: string
  label?: string
  name: string
  number?: number
  unit?: string
}

export interface FileReading {
  isCut?: boolean
  isRecognized?: boolean
  problem?: string
  state: string
}

export interface FileUse {
  byteCount: number
  count: number
  limit: number
  userId?: string
}

export interface Found {
  attachments?: Array<Attachment>
  conversationId: string
  conversationName: string
  duplicates?: Array<{conversationId: string; messageId: string}>
  end?: number
  excerpt: string
  explanation?: Array<Signal>
  file?: FilePlace
  messageId: string
  passage?: {end: number; ordinal: number; start: number}
  score: number
  senderId: string
  senderName: string
  start?: number
  text: string
  timestamp: string
  url?: string
}

export interface FoundPerson {
  name: string
  userId: string
}

export interface LastMessage {
  attachments?: Array<Attachment>
  id: string
  senderId: string
  senderName: string
  text: string
  timestamp: string
}

export interface Member {
  aliases: Array<string>
  joinedAt: string
  leftAt?: string
  name: string
  role?: "admin" | (string & {})
  userId: string
}

export interface MemberPage {
  members: Array<Member>
  next?: string
}

export interface Message {
  attachments: Array<Attachment>
  conversationId: string
  editedAt?: string
  extra?: {[name: string]: unknown}
  id: string
  kind: "text" | "system" | "bot" | "assistant" | (string & {})
  lastReplyAt?: string
  localId?: string
  outdated?: OutdatedMessage
  reactions: Array<{count?: number; emoji: string; userIds: Array<string>}>
  replyCount?: number
  replyTo?: string
  senderId: string
  senderName: string
  seq?: number
  status?: "sent" | "delivered" | "read" | (string & {})
  text: string
  threadRoot?: string
  timestamp: string
  url?: string
}

export interface MessageKey {
  conversationId: string
  messageId: string
}

export interface MessagePage {
  firstId?: string
  firstUnreadId?: string
  hasNewer: boolean
  hasOlder: boolean
  messages: Array<Message>
  next?: string
}

export interface MessageReceipts {
  deliveredCount: number
  deliveredTo: Array<Receiver>
  memberCount: number
  readBy: Array<Receiver>
  readCount: number
}

export interface NewMessage {
  attachments?: Array<string | {caption?: string; mediaType?: string; name: string; type?: string}>
  extra?: {[name: string]: unknown}
  id?: string
  kind?: "text" | "system" | "bot" | "assistant" | (string & {})
  localId?: string
  reactions?: Array<{emoji: string; userIds?: Array<string>}>
  replyTo?: string
  senderId?: string
  senderName?: string
  text?: string
  threadRoot?: string
  timestamp?: Time
  url?: string
  userId?: string
}

export interface NewPushDevice {
  appId?: string
  auth?: string
  endpoint?: string
  kind: "web" | "apns" | "fcm" | "webhook" | (string & {})
  p256dh?: string
  pushkey?: string
  token?: string
  topic?: string
  url?: string
  userId?: string
}

export interface NewQuietHours {
  end: string
  start: string
}

export interface NewScheduledMessage {
  id?: string
  replyTo?: string
  sendAt: string
  text: string
  threadRoot?: string
  userId?: string
}

export interface NewVerdict {
  end?: number
  message: MessageKey
  replacedBy: MessageKey
  start?: number
  userId?: string
  verdict: "replaced" | "holds" | "none" | (string & {})
}

export interface Notification {
  conversationId: string
  createdAt: string
  id: number
  kind: "direct" | "mention" | "reply" | "message" | "item" | "answer" | "reminder" | (string & {})
  messageId: string
  quiet: boolean
  senderId: string
  senderName: string
  seq?: number
  text: string
}

export interface OutdatedMessage {
  by: {conversationId: string; messageId: string}
  notedAt: string
}

export interface OutdatedTurn {
  by: TurnSource
  notedAt: string
}

export interface OwnConversation {
  activeAt: string
  admins?: Array<string>
  createdAt: string
  firstUnreadId?: string
  head: number
  history: "all" | "joined" | (string & {})
  id: string
  kind: "direct" | "group" | (string & {})
  lastMessage?: LastMessage
  members?: Array<Member>
  mentionCount: number
  name: string
  preferences: Preferences
  readSeq: number
  role?: "member" | "admin" | (string & {})
  timeZone?: string
  unreadCount: number
  updatedAt: string
  visibility: "members" | "everyone" | (string & {})
}

export interface OwnConversationPage {
  conversations: Array<OwnConversation>
  next?: string
}

export interface PersonalSettings {
  hideLastSeen: boolean
  hideReadReceipts: boolean
  quietHours?: QuietHours
  timeZone?: string
}

export interface PersonalSettingsChange {
  hideLastSeen?: boolean
  hideReadReceipts?: boolean
  quietHours?: NewQuietHours | null
  timeZone?: string | null
  userId?: string
}

export interface PickedUser {
  name: string
  userId: string
}

export interface Preferences {
  archived: boolean
  muted: boolean
  notifications?: "all" | "mentions" | "nothing" | (string & {})
  pinned: boolean
}

export interface PreferencesChange {
  archived?: boolean
  muted?: boolean
  notifications?: "all" | "mentions" | "nothing" | (string & {}) | null
  pinned?: boolean
  userId?: string
}

export interface PresenceMessage {
  people: Array<WatchedPerson>
  type: "presence"
}

export interface PushDevice {
  id: string
  kind: "web" | "apns" | "fcm" | "webhook" | (string & {})
  registeredAt: string
}

export interface Question {
  asOf?: string
  conversationHistory?: Array<Exchange>
  conversationIds?: Array<string>
  from?: Time
  kinds?: Array<"file" | "image" | "audio" | "video" | "document" | "link" | (string & {})>
  question: string
  senderIds?: Array<string>
  threadId?: string
  timeZone?: string
  to?: Time
  topK?: number
  userId?: string
}

export interface QuietHours {
  end: string
  start: string
}

export interface ReactionList {
  reactions: Array<{count: number; emoji: string; people: Array<{name: string; userId: string}>}>
}

export interface Receipt {
  deliveredSeq: number
  joinedSeq: number
  readAt?: string
  readSeq: number
  userId: string
}

export interface Receiver {
  name: string
  userId: string
}

export interface ReplyPage {
  messages: Array<Message>
  next?: string
}

export interface SavedMessage {
  message: Message
  remindAt?: string
  savedAt: string
}

export interface SavedMessagePage {
  messages: Array<SavedMessage>
  next?: number
}

export interface ScheduledMessage {
  conversationId: string
  createdAt: string
  id: string
  refusedReason?: string
  replyTo?: string
  sendAt: string
  text: string
  threadRoot?: string
}

export interface ScheduledMessageChange {
  sendAt?: string
  text?: string
  userId?: string
}

export interface Search {
  asOf?: string
  conversationIds?: Array<string>
  cursor?: string
  explain?: boolean
  from?: Time
  kinds?: Array<"file" | "image" | "audio" | "video" | "document" | "link" | (string & {})>
  query: string
  senderIds?: Array<string>
  timeZone?: string
  to?: Time
  topK?: number
  userId?: string
}

export interface SearchResults {
  next?: string
  noAnswerReason: "none" | "below_threshold" | "nothing_in_scope" | "search_failed" | (string & {})
  results: Array<Found>
  retrieval: {configuration: string; generation?: number; mode: "hybrid" | "lexical_only" | "dense_only" | (string & {}); notes: Array<"embedding_failed" | "tokens_failed" | "rerank_failed" | "rewritten" | "rewrite_failed" | "carried_over" | (string & {})>}
}

export interface SessionUser {
  hasPassword: boolean
  name: string
  role: "member" | "administrator" | (string & {})
  userId: string
}

export interface SignInMethods {
  authentication: "none" | "required" | (string & {})
  defaultUser: string | null
  hasLanguageModel?: boolean
  isFirstStart: boolean
  oidc: SignInService | null
  password: boolean
  users: Array<PickedUser>
}

export interface SignInService {
  name: string
}

export interface Signal {
  contribution: number
  name: string
  rank?: number
  value: number
}

export interface Source {
  conversationId: string
  conversationName: string
  duplicates?: Array<{conversationId: string; messageId: string}>
  end?: number
  excerpt: string
  file?: FilePlace
  messageId: string
  number?: number
  rank: number
  relevanceScore: number
  replacedBy?: {conversationId: string; messageId: string}
  senderName: string
  start?: number
  timestamp: string
  url?: string
  verdict?: StatementVerdict
}

export interface StatedValue {
  isReplaced?: boolean
  kind: "date" | "time" | "amount" | "place" | "person" | "decision" | (string & {})
  text: string
  value?: string
}

export interface StatementVerdict {
  end?: number
  newer: {conversationId: string; messageId: string}
  saidAt: string
  start?: number
  userId: string
  userName: string
  verdict: "holds" | "replaced" | (string & {})
}

export interface StoredFile {
  byteCount: number
  id: string
  mediaType: "image/png" | "image/jpeg" | "image/gif" | "image/webp" | "video/mp4" | "audio/mp4" | "audio/ogg" | "video/ogg" | "audio/mpeg" | "application/pdf" | "application/zip" | "text/html" | "message/rfc822" | "text/plain" | "application/octet-stream" | (string & {})
  name: string
  sha256: string
}

export interface SummaryRequest {
  after?: string
  language?: string
  senderId?: string
  since?: Time
  threadId?: string
  timeZone?: string
  unread?: boolean
  userId?: string
}

export interface Sync {
  conversations: Array<OwnConversation>
  cursor: string
  notifications: Array<Notification>
  settings: PersonalSettings
}

export type Time = string

export interface Timeline {
  asOf?: string
  entries: Array<TimelineEntry>
  noAnswerReason: "none" | "below_threshold" | "nothing_in_scope" | "search_failed" | (string & {})
}

export interface TimelineEntry {
  conversationId: string
  conversationName: string
  end?: number
  excerpt: string
  file?: FilePlace
  messageId: string
  replacedBy?: {conversationId: string; messageId: string}
  replaces?: Array<{conversationId: string; messageId: string}>
  senderId: string
  senderName: string
  start?: number
  states: Array<StatedValue>
  timestamp: string
  url?: string
  verdict?: StatementVerdict
}

export interface TimelineRequest {
  asOf?: string
  conversationIds?: Array<string>
  from?: Time
  kinds?: Array<"file" | "image" | "audio" | "video" | "document" | "link" | (string & {})>
  senderIds?: Array<string>
  subject: string
  timeZone?: string
  to?: Time
  userId?: string
}

export interface Turn {
  answer: string
  askedAt: string
  citations: Array<Citation>
  feedback?: Feedback
  isRedacted: boolean
  noAnswerReason?: "none" | "below_threshold" | "nothing_in_scope" | "search_failed" | (string & {})
  notices: Array<"extractive" | "truncated" | "filtered" | "prompt_cut" | "links_removed" | "model_unavailable" | "not_stored" | "uncited" | "incomplete" | "sentences_removed" | "as_of" | (string & {})>
  outdated?: OutdatedTurn
  question: string
  redactedReason?: "source_deleted" | "source_edited" | "not_permitted" | (string & {})
  retrieval?: {mode?: "hybrid" | "lexical_only" | "dense_only" | (string & {})}
  sentences?: Array<AnswerSentence>
  sources: Array<TurnSource>
  threadId?: string
  turnId: string
}

export interface TurnPage {
  next?: string
  turns: Array<Turn>
}

export interface TurnSource {
  conversationId: string
  conversationName: string
  end?: number
  excerpt: string
  file?: FilePlace
  messageId: string
  number?: number
  rank?: number
  relevanceScore?: number
  senderName: string
  start?: number
  timestamp: string
  url?: string
}

export interface TypingMessage {
  conversationId: string
  milliseconds: number
  type: "typing"
  userId: string
}

export interface WatchedPerson {
  lastBeat?: string
  lastSeen?: string
  status: "online" | "away" | "offline" | (string & {})
  userId: string
}
