import { chmod, chown, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { writeWholeFile } from '#care/backup/write-whole-file.ts'

const NOBODY = 65_534

const aFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hedgerow-file-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

const write = (path: string, text: string, mayReplace = false, meanwhile = async () => {}) =>
  writeWholeFile(path, { mayReplace }, async (sink) => {
    await meanwhile()
    await sink(
      (async function* () {
        yield Buffer.from(text)
      })(),
    )
  })

test('what another left unfinished under the same name, also one with the same number, is in no one’s way', async () => {
  const path = join(await aFolder(), 'shop.backup')
  await write(path, 'the second', true, async () => void (await write(path, 'the first', true)))
  expect(await readFile(path, 'utf8')).toBe('the second')
})

/** In a folder that takes files and cannot be looked into: root may do even that, so another does. */
test('a file that is there is not called unwritten because its folder cannot be synced', async () => {
  const folder = await aFolder()
  const path = join(folder, 'shop.backup')
  const isRoot = process.getuid?.() === 0
  if (isRoot) await chown(folder, NOBODY, NOBODY)
  await chmod(folder, 0o300)
  if (isRoot) process.seteuid?.(NOBODY)
  try {
    expect(await write(path, 'whole')).toMatchObject({ bytes: 5 })
    expect(await write(path, 'another', true)).toMatchObject({ bytes: 7 })
    expect(await readFile(path, 'utf8')).toBe('another')
  } finally {
    if (isRoot) process.seteuid?.(0)
    await chmod(folder, 0o700)
  }
})
