import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type Plugin, rolldown } from 'rolldown'

const OPS = fileURLToPath(new URL('../ops.ts', import.meta.url))

/** What consists of many small files. What looks for files of its own stays where it is. */
const TAKEN_IN = /^(@hedgerow(?!\/(?:embedded-postgres|documents))|kysely|zod|commander|date-fns)(\/|$)/
/** By a path, or by the package's own names. */
const IS_OURS = /^[./#]/

const keepPlaces: Plugin = {
  name: 'keep-places',
  async resolveId(source, importer, options) {
    if (!importer || IS_OURS.test(source) || TAKEN_IN.test(source)) return null
    const found = await this.resolve(source, importer, { ...options, skipSelf: true })
    if (!found || found.external) return null
    return { id: pathToFileURL(found.id).href, external: true }
  },
  transform: (code, id) => code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href)),
}

/**
 * Bundles the operator's tool by command, and returns the path of the file to start. Tests start the tool more than a
 * thousand times, and most of the time that takes is for reading its six hundred files.
 */
export const bundleTool = async (folder: string): Promise<string> => {
  const bundle = await rolldown({ input: OPS, platform: 'node', logLevel: 'warn', plugins: [keepPlaces] })
  await bundle.write({
    dir: folder,
    format: 'esm',
    entryFileNames: 'ops.mjs',
    chunkFileNames: '[name]-[hash].mjs',
  })
  await bundle.close()
  return join(folder, 'ops.mjs')
}
