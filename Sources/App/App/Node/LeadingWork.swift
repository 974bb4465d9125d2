import Assistant
import ChatCore
import Connectors
import Documents
import HTTPAPI
import LiveChat
import MessageStore
import ServiceLifecycle

/// The work of the leading node: it answers in conversations, notes answers that became wrong, pushes
/// notifications, and tidies up.
struct LeadingWork: Sendable {
    let node: Node
    let push: PushParts

    /// Makes the services; called each time that this node begins to lead.
    func make() -> Leadership.Work {
        let (settings, store, logger) = (node.workspace.settings, node.workspace.store, node.workspace.logger)
        var work = mentionWork
        let outdated = OutdatedAnswerService(store: store, now: node.workspace.now, logger: logger)
        work.listeners.append { changes, _ in outdated.follow(changes) }
        work.services += [
            outdated, FileCleaner(store: store, logger: logger),
            LogRetention(
                store: store, age: settings.feedRetention, auditAge: settings.auditRetention,
                followsMentions: settings.mentions != nil,
                now: node.workspace.now, logger: logger),
        ]
        if let program = settings.documentProgram, !settings.files.readTypes.isEmpty {
            let documents = DocumentService(
                store: store, program: program, types: settings.files.readTypes, logger: logger)
            work.services.append(documents)
            work.listeners.append { changes, _ in documents.follow(changes) }
        }
        if settings.schedules.limit > 0 { work.services.append(schedules) }
        let timed = TimedMessageService(
            store: store, lateLimit: settings.schedules.lateLimit, metrics: node.metrics, now: node.workspace.now,
            logger: logger)
        work.services.append(timed)
        work.listeners.append { changes, _ in timed.follow(changes) }
        for connector in node.connectors {
            let files = ConnectorFileService(
                connector: connector, store: store, limits: settings.files, makeID: randomID, now: node.workspace.now,
                logger: logger)
            let connection = ConnectionService(connector: connector, files: files, store: store, logger: logger)
            work.services.append(connection)
            work.listeners.append { changes, _ in connection.follow(changes) }
        }
        if let delivery = push.delivery(node) {
            work.services.append(PushDeliveryService(delivery: delivery))
            work.listeners.append { delivery.follow($0, $1) }
        }
        return work
    }

    /// The service that asks what people saved with times.
    private var schedules: ScheduleService {
        let (workspace, answers) = (node.workspace, node.assistant.answers)
        return ScheduleService(
            store: workspace.store, answering: MeasuredAnswering(base: answers, factory: node.metrics),
            settings: workspace.settings.schedules, supportNote: answers.supportNote(of:), metrics: node.metrics,
            now: workspace.now, logger: workspace.logger)
    }

    /// The services that answer in conversations and notify other systems; none if this is off.
    private var mentionWork: Leadership.Work {
        let (workspace, answers) = (node.workspace, node.assistant.answers)
        guard let mentions = workspace.settings.mentions else { return Leadership.Work() }
        let service = MentionService(
            store: workspace.store, answering: MeasuredAnswering(base: answers, factory: node.metrics),
            settings: mentions, failureText: answers.mentionFailedText(_:),
            linkText: answers.linkOutcomeText(_:account:),
            supportNote: answers.supportNote(of:),
            watch: { [people = node.live.people] question in
                let answer = people.beginAnswer(
                    randomID(), in: .message(question.key), for: question.senderID)
                return { answer.take($0) }
            }, metrics: node.metrics, now: workspace.now, logger: workspace.logger)
        var work = Leadership.Work(services: [service], listeners: [{ changes, _ in service.follow(changes) }])
        if mentions.isDelivered {
            let webhook = MentionWebhook(
                store: workspace.store, transport: node.transport, target: workspace.settings.webhook,
                connectors: node.connectors, links: workspace.settings.messageLinks, now: workspace.now,
                logger: workspace.logger)
            work.services.append(webhook)
            work.listeners.append { changes, _ in webhook.follow(changes) }
        }
        return work
    }
}
