import App

await NexusCommand.start()
