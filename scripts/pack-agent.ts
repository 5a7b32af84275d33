/** `npm run agent:pack`: all that a bare Debian server needs to become a node, in one archive. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runningVersion } from '@hedgerow/settings/running-version'
import { architectureOf, makeAgentFolder } from './release/agent.ts'
import { packFolder } from './release/archive.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const NAME = `hedgerow-agent-${process.platform}-${process.arch}`
const archive = join(root, `${NAME}.tar.gz`)

const architecture = architectureOf(process.arch)
if (process.platform !== 'linux' || !architecture) {
  console.error('The archive contains this machine’s Node.js, so it can only be made on Linux (x64, arm64).')
  process.exit(1)
}

const work = await mkdtemp(join(tmpdir(), 'hedgerow-pack-'))
try {
  const folder = join(work, NAME)
  await makeAgentFolder({ root, folder, node: process.execPath, architecture, running: runningVersion() })
  await packFolder(folder, archive, new Date())
  console.log(archive)
} finally {
  await rm(work, { recursive: true, force: true })
}
