import { existsSync } from 'node:fs'
import { mkdtemp, rename } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

/** Writes a program of the agent, with all that it imports, into one file, as of a released version. */
export const bundle = async (source: string, file: string, version = '0.0.0'): Promise<void> => {
  const made = await rolldown({
    input: fileURLToPath(new URL(source, import.meta.url)),
    platform: 'node',
    logLevel: 'warn',
    transform: { define: { BUILT_IN_VERSION: JSON.stringify({ version, commit: null }) } },
  })
  await made.write({ file, format: 'esm', codeSplitting: false })
  await made.close()
}

const make = async (source: string): Promise<string> => {
  // Of this run of tests, with what Node.js makes of the program beside it.
  const folder = process.env.NODE_COMPILE_CACHE ?? tmpdir()
  const file = join(folder, `${basename(source, '.ts')}.mjs`)
  if (!existsSync(file)) {
    const unfinished = join(await mkdtemp(join(folder, 'unfinished-')), 'program.mjs')
    await bundle(source, unfinished)
    await rename(unfinished, file)
  }
  return file
}

const programs = new Map<string, Promise<string>>()

/** A program of this folder in one file, as the agent is shipped: it starts with a fifth of the work. Made once per run of tests. */
export const bundled = (source: string): Promise<string> => {
  const program = programs.get(source) ?? make(source)
  programs.set(source, program)
  return program
}
