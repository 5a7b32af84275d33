import { chmod, mkdir, mkdtemp, readdir, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { copyWithinReach, linkLibraries } from './binaries.ts'

const SIZE = 7
const NAME = `hedgerow-postgres-${SIZE}`

/** The programs as npm has installed them, and a folder that others write to as well. */
const open = async () => {
  const root = await mkdtemp(join(tmpdir(), 'hedgerow-binaries-'))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  const [native, shared, foreign] = [join(root, 'native'), join(root, 'shared'), join(root, 'foreign')]
  for (const folder of [native, shared, foreign]) await mkdir(join(folder, 'bin'), { recursive: true })
  await rm(join(shared, 'bin'), { recursive: true })
  await writeFile(join(native, 'bin', 'initdb'), 'ours')
  await writeFile(join(foreign, 'bin', 'initdb'), 'theirs')
  return { shared, foreign, taken: join(shared, NAME), copy: () => copyWithinReach(native, SIZE, shared) }
}

test('the programs are copied once, and the copy is used again', async () => {
  const { shared, taken, copy } = await open()
  expect(await Promise.all([copy(), copy()])).toEqual([taken, taken])
  await writeFile(join(taken, 'bin', 'initdb'), 'as it was')
  expect(await copy()).toBe(taken)
  expect(await readFile(join(taken, 'bin', 'initdb'), 'utf8')).toBe('as it was')
  expect(await readdir(shared)).toEqual([NAME])
})

test.each<[string, (taken: string, foreign: string) => Promise<unknown>]>([
  ['a link to a folder of the same user', (taken, foreign) => symlink(foreign, taken)],
  ['a link to nothing', (taken) => symlink('/nowhere', taken)],
  ['a file', (taken) => writeFile(taken, '')],
  [
    'a folder that others may write to',
    async (taken) => {
      await mkdir(join(taken, 'bin'), { recursive: true })
      await chmod(taken, 0o777)
    },
  ],
])('%s that has the name of the copy is refused, and nothing of it is run', async (_, plant) => {
  const { shared, foreign, taken, copy } = await open()
  await plant(taken, foreign)
  await expect(copy()).rejects.toThrow(
    `${taken} is not a folder that this user alone may write to. Remove it`,
  )
  expect(await readdir(shared)).toEqual([NAME])
})

test('links among the libraries are made where they are missing', async () => {
  const root = await mkdtemp(join(tmpdir(), 'hedgerow-binaries-'))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  await mkdir(join(root, 'native', 'lib'), { recursive: true })
  const links = ['libpq.so', 'libpq.so.5'].map((name) => ({
    source: 'native/lib/libpq.so.5.18',
    target: `native/lib/${name}`,
  }))
  await writeFile(join(root, 'native', 'pg-symlinks.json'), JSON.stringify(links))
  await symlink('libpq.so.5.18', join(root, 'native', 'lib', 'libpq.so'))
  await Promise.all([linkLibraries(root), linkLibraries(root)])
  expect(await readlink(join(root, 'native', 'lib', 'libpq.so.5'))).toBe('libpq.so.5.18')
})
