import { rm, symlink } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { keepPlaces } from '@hedgerow/testing/keep-places'
import { rolldown } from 'rolldown'

/** Under `apps/api`: what a unit, a container or a person starts. */
const PROGRAMS = ['main', 'ops', 'try-copy']
const SOURCES = 'apps/api/src'
const BUNDLED = 'apps/api/dist'

/**
 * Bundles the programs of a shop's folder, because finding and reading two thousand files is most of a start, and a sixth of what
 * an idle shop holds. They are started by the names of their sources, as before, and what lies beside a source (migrations,
 * threads, texts) is found there.
 */
export const bundlePrograms = async (shop: string): Promise<void> => {
  const folder = join(shop, BUNDLED)
  const sourceOf = (program: string) => join(shop, SOURCES, `${program}.ts`)
  const bundle = await rolldown({
    input: Object.fromEntries(PROGRAMS.map((program) => [program, sourceOf(program)])),
    cwd: shop,
    platform: 'node',
    // A program for each architecture; what a reader of settings would take, if it were there; and what Fastify never loads here.
    external: [/^@node-rs\//, 'typescript', /^@fastify\/(ajv|fast-json-stringify)-compiler$/],
    plugins: [
      keepPlaces((file) => `new URL(${JSON.stringify(relative(folder, file))}, import.meta.url).href`),
    ],
    logLevel: 'warn',
  })
  await bundle.write({
    dir: folder,
    entryFileNames: '[name].mjs',
    chunkFileNames: '[name]-[hash].mjs',
    // One letter beyond ASCII doubles what a file's text takes in memory; a library's licence lies in its folder.
    charset: 'ascii',
    comments: false,
  })
  await bundle.close()
  for (const program of PROGRAMS) {
    await rm(sourceOf(program))
    await symlink(join('..', 'dist', `${program}.mjs`), sourceOf(program))
  }
}
