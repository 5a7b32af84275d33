import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { aSigner, makeArchive } from '@hedgerow/agent-release/testing/make-archive'
import { afterAll, beforeAll } from 'vitest'
import { bundle } from '#testing/bundled.ts'

/** Stands in the program where its version does. */
const PLACEHOLDER = '987.654.321'

/** An installed agent of version 1.0.0, as install-agent.sh leaves it, and signed archives of further ones. */
export const releasesOfFile = () => {
  const signer = aSigner()
  let folder = ''
  let program = ''
  const programOf = (version: string) => program.replaceAll(PLACEHOLDER, version)
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hedgerow-releases-'))
    await mkdir(join(folder, 'opt'))
    const agent = join(folder, 'agent.mjs')
    await bundle('./run-variant.ts', agent, PLACEHOLDER)
    program = await readFile(agent, 'utf8')
    await bundle('../launcher.ts', join(folder, 'opt/launcher.mjs'), PLACEHOLDER)
    await bundle('../trial-guard.ts', join(folder, 'opt/trial-guard.mjs'), PLACEHOLDER)
    await writeFile(join(folder, 'opt/agent.mjs'), programOf('1.0.0'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))
  return {
    releaseKey: signer.releaseKey,
    /** Starts what the unit starts, and again whenever it ends, as systemd does. */
    command: () =>
      [
        'sh',
        '-c',
        `while :; do '${process.execPath}' '${folder}/opt/launcher.mjs'; sleep 0.2; done`,
      ] as const,
    /** Writes an archive with its signature beside it. The program may be another one. */
    write: async (
      version: string,
      {
        agent = (own: string) => own,
        by = signer,
      }: { agent?: (own: string) => string; by?: typeof signer } = {},
    ): Promise<string> => {
      const archive = await makeArchive({ version, agent: agent(programOf(version)) })
      const file = join(folder, `${version}.tar.gz`)
      await writeFile(file, archive)
      await writeFile(`${file}.sig`, `${by.sign(archive)}\n`)
      return file
    },
  }
}
