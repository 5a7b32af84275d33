import { readdir, readFile, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

/** Puts a .br and a .gz beside every file that shrinks, so that the server compresses nothing while it serves. */
export const compressAll = async (directory: URL) => {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && /\.(?:html|js|css|svg|xml|txt)$/.test(entry.name))
  await Promise.all(
    files.map(async ({ parentPath, name }) => {
      const file = `${parentPath}/${name}`
      const content = await readFile(file)
      const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
      await writeFile(`${file}.br`, await brotli(content, { params }))
      await writeFile(`${file}.gz`, await zip(content, { level: 9 }))
    }),
  )
}
