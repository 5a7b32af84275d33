import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import { runFolder } from './compiled.ts'
import { keepPlaces } from './keep-places.ts'
import { oncePerRun } from './once-per-run.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))

const PROGRAMS = [
  'apps/api/src/demo/main.ts',
  'apps/api/src/main.ts',
  'apps/api/src/ops.ts',
  'apps/api/src/testing/fuzz/shop-program.ts',
  'apps/api/src/testing/index-build.ts',
  'apps/api/src/try-copy.ts',
  'apps/node-agent/src/testing/servers-program.ts',
  'apps/sandbox/src/main.ts',
] as const

export type ProgramPath = (typeof PROGRAMS)[number]

const nameOf = (program: ProgramPath): string => program.slice(0, -'.ts'.length)

const make = async (folder: string): Promise<void> => {
  const bundle = await rolldown({
    input: Object.fromEntries(PROGRAMS.map((program) => [nameOf(program), join(root, program)])),
    platform: 'node',
    external: /^@node-rs\//,
    plugins: [keepPlaces((file) => JSON.stringify(pathToFileURL(file).href))],
    logLevel: 'warn',
  })
  await bundle.write({ dir: folder, entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' })
  await bundle.close()
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
}

/**
 * A program of ours, to be started by a test. In a run of tests all are bundled once: to find, read and translate two thousand
 * files is most of what a start takes.
 */
export const programFile = async (program: ProgramPath): Promise<string> => {
  if (!runFolder()) return join(root, program)
  return join(await oncePerRun('programs', make), `${nameOf(program)}.mjs`)
}
