import { mkdir, writeFile } from 'node:fs/promises'

export const writeInto = async (directory: URL, path: string, content: string | Buffer) => {
  const file = new URL(path, directory)
  await mkdir(new URL('.', file), { recursive: true })
  await writeFile(file, content)
}
