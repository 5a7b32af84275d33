/** Has the built console, or the copy of it that is named, say the name of the shop whose settings these are: the build does not know it. */
import { readFile, writeFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { brandFrom } from '@hedgerow/brand/brand'
import { compressAll } from '@hedgerow/io/compress-all'
import { escapeHtml } from '@hedgerow/io/escape-html'

const [, , copy] = process.argv
const dist = copy ? pathToFileURL(`${copy}/`) : new URL('dist/', import.meta.url)
const file = new URL('index.html', dist)
const name = escapeHtml(brandFrom(process.env).name)
const html = await readFile(file, 'utf8')
await writeFile(
  file,
  html.replace(/(<meta name="brand" content=")[^"]*/, (_, before) => before + name),
)
await compressAll(dist)
