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
 * Makes one file of the operator's tool, and returns its path. Tests start the tool some hundred times, and most of the
 * time that takes is for reading its six hundred files.
 */
export const bundleTool = async (folder: string): Promise<string> => {
  const bundle = await rolldown({ input: OPS, platform: 'node', logLevel: 'warn', plugins: [keepPlaces] })
  const file = join(folder, 'ops.mjs')
  await bundle.write({ file, format: 'esm', codeSplitting: false })
  await bundle.close()
  return file
}
