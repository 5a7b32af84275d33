import { versionLine } from '@hedgerow/settings/running-version'
import { runListsCommand } from '#lists-command.ts'
import { reportFailure, runAgent } from '#run-agent.ts'
import { readStateDir } from '#settings.ts'
import { runTakeKeyCommand } from '#take-key-command.ts'

const [command, ...words] = process.argv.slice(2)
if (command === '--version') console.log(versionLine())
else if (command === 'lists') {
  await runListsCommand(words).then((code) => {
    process.exitCode = code
  }, reportFailure)
} else if (command === 'take-key') {
  await runTakeKeyCommand(readStateDir(process.env), process.stdin).then((code) => {
    process.exitCode = code
  }, reportFailure)
} else await runAgent()
