import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RunningVersion } from '@hedgerow/settings/running-version'
import { rolldown } from 'rolldown'
import { ReleaseFault } from './source.ts'

export const ARCHITECTURES = ['x64', 'arm64'] as const
export type Architecture = (typeof ARCHITECTURES)[number]

export const architectureOf = (name: string): Architecture | undefined =>
  ARCHITECTURES.find((architecture) => architecture === name)

/** What an ELF file says it is for, in its bytes 18 and 19. */
const MACHINES: Readonly<Record<Architecture, number>> = { x64: 62, arm64: 183 }

/** Each Node.js knows where its own headers are, whichever machine looks at it. */
const HEADERS_OF = /nodejs\.org\/download\/release\/v(\d+)\.[\d.]+\//
const OLDEST_NODE = 24

/** Throws where a file is no Node.js for Linux on that architecture, or an older one: an agent with it would not start. */
export const checkProgram = async (file: string, architecture: Architecture): Promise<void> => {
  const program = await readFile(file).catch((error: Error) => {
    throw new ReleaseFault(`The Node.js for ${architecture} cannot be read: ${error.message}`)
  })
  const isElf = program.length > 20 && program.toString('latin1', 1, 4) === 'ELF'
  if (!isElf || program.readUInt16LE(18) !== MACHINES[architecture])
    throw new ReleaseFault(`${file} is no program for Linux on ${architecture}.`)
  const [, major] = HEADERS_OF.exec(program.toString('latin1')) ?? []
  if (!major || Number(major) < OLDEST_NODE)
    throw new ReleaseFault(`${file} is no Node.js ${OLDEST_NODE} or newer.`)
}

/** The agent, what starts it, and what watches a new version of it: each in one file. */
const PROGRAMS = [
  ['main.ts', 'agent.mjs'],
  ['launcher.ts', 'launcher.mjs'],
  ['trial-guard.ts', 'trial-guard.mjs'],
] as const

type Agent = {
  /** The sources. */
  root: string
  /** What goes into the archive; made here. */
  folder: string
  /** The Node.js that the agent brings along. */
  node: string
  architecture: Architecture
  running: RunningVersion
}

/** Puts all that a bare Debian server needs to become a node into a folder. */
export const makeAgentFolder = async ({
  root,
  folder,
  node,
  architecture,
  running,
}: Agent): Promise<void> => {
  await mkdir(folder, { recursive: true })
  for (const [source, program] of PROGRAMS) {
    const bundle = await rolldown({
      input: join(root, 'apps/node-agent/src', source),
      cwd: root,
      platform: 'node',
      logLevel: 'warn',
      transform: { define: { BUILT_IN_VERSION: JSON.stringify(running) } },
    })
    await bundle.write({
      file: join(folder, program),
      format: 'esm',
      codeSplitting: false,
      // Less text in memory, as in programs.ts.
      charset: 'ascii',
      comments: { legal: true, annotation: false, jsdoc: false },
    })
  }
  await copyFile(node, join(folder, 'node'))
  for (const file of [
    'install-agent.sh',
    'hedgerow-agent.service',
    'hedgerow-agent-lists.service',
    'hedgerow-agent-lists.timer',
  ])
    await copyFile(join(root, 'deploy', file), join(folder, file))
  const release = { name: 'hedgerow-agent', ...running, platform: 'linux', arch: architecture }
  await writeFile(join(folder, 'release.json'), `${JSON.stringify(release, null, 2)}\n`)
}
