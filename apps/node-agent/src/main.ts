import { runListsCommand } from '#lists-command.ts'
import { reportFailure, runAgent } from '#run-agent.ts'

const [command, ...words] = process.argv.slice(2)
if (command === 'lists') {
  await runListsCommand(words).then((code) => {
    process.exitCode = code
  }, reportFailure)
} else await runAgent()
