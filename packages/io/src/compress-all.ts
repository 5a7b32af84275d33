import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

/** For a trial on one's own machine (scripts/build-pages.ts): a tenth larger, and three seconds of a processor less. */
const quality = process.env.COMPRESS_QUICKLY ? 5 : constants.BROTLI_MAX_QUALITY

/**
 * Puts a .br and a .gz beside every file that shrinks, so that the server compresses nothing while it serves. One that has not
 * been written since is left.
 */
export const compressAll = async (directory: URL) => {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && /\.(?:html|js|css|svg|xml|txt)$/.test(entry.name))
  await Promise.all(
    files.map(async ({ parentPath, name }) => {
      const file = `${parentPath}/${name}`
      const packed = await stat(`${file}.br`).catch(() => undefined)
      if (packed && packed.mtimeMs >= (await stat(file)).mtimeMs) return
      const content = await readFile(file)
      const params = { [constants.BROTLI_PARAM_QUALITY]: quality }
      await writeFile(`${file}.br`, await brotli(content, { params }))
      await writeFile(`${file}.gz`, await zip(content, { level: 9 }))
    }),
  )
}
