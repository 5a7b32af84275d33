import { mkdir, rename, writeFile } from 'node:fs/promises'

/** Whole, in the place of what was there: a shop may serve it meanwhile. */
export const writeInto = async (directory: URL, path: string, content: string | Buffer) => {
  const file = new URL(path, directory)
  await mkdir(new URL('.', file), { recursive: true })
  const unfinished = new URL(`${file.href}.next`)
  await writeFile(unfinished, content)
  await rename(unfinished, file)
}
