/** `npm run agent:pack`: all that a bare Debian server needs to become a node, in one archive. */
import { spawnSync } from 'node:child_process'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const root = fileURLToPath(new URL('..', import.meta.url))
const NAME = `hedgerow-agent-${process.platform}-${process.arch}`
const archive = join(root, `${NAME}.tar.gz`)

if (process.platform !== 'linux') {
  console.error('The archive contains this machine’s Node.js, so it can only be made on Linux.')
  process.exit(1)
}

const folder = await mkdtemp(join(tmpdir(), 'hedgerow-pack-'))
try {
  const bundle = await rolldown({
    input: join(root, 'apps/node-agent/src/main.ts'),
    platform: 'node',
    logLevel: 'warn',
  })
  await bundle.write({ file: join(folder, 'agent.mjs'), format: 'esm', codeSplitting: false })
  await copyFile(process.execPath, join(folder, 'node'))
  for (const file of [
    'install-agent.sh',
    'hedgerow-agent.service',
    'hedgerow-agent-lists.service',
    'hedgerow-agent-lists.timer',
  ])
    await copyFile(join(root, 'deploy', file), join(folder, file))
  const { status } = spawnSync(
    'tar',
    ['--owner=0', '--group=0', '--transform', `s,^\\.,${NAME},`, '-czf', archive, '-C', folder, '.'],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  )
  if (status !== 0) throw new Error('tar could not make the archive')
  console.log(archive)
} finally {
  await rm(folder, { recursive: true, force: true })
}
