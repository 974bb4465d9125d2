import App

await NexusCommand.main()
