import { versionLine } from '@hedgerow/settings/running-version'
import { runAgent } from '#run-agent.ts'

if (process.argv[2] === '--version') console.log(versionLine())
else await runAgent()
