import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { packContent, packFolder, sha256Of } from './archive.ts'

const DATE = new Date('2026-11-23T10:00:00Z')

const aFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'hedgerow-archive-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

/** The same files, made in another order, at another time, by another user. */
const pack = async (names: string[], { mode, at }: { mode: number; at: Date }) => {
  const work = aFolder()
  const shop = join(work, 'shop-1.2.0')
  mkdirSync(join(shop, 'bin'), { recursive: true, mode: mode | 0o111 })
  for (const name of names) {
    writeFileSync(join(shop, name), name)
    chmodSync(join(shop, name), mode | (name.startsWith('bin/') ? 0o111 : 0))
    utimesSync(join(shop, name), at, at)
  }
  symlinkSync('bin/run', join(shop, 'start'))
  const archive = join(work, 'shop.tar.gz')
  await packFolder(shop, archive, DATE)
  return archive
}

test('the same files give the same archive, by any user at any time', async () => {
  const one = await pack(['a', 'b', 'bin/run'], { mode: 0o600, at: new Date('2020-01-01') })
  const other = await pack(['bin/run', 'b', 'a'], { mode: 0o664, at: new Date('2026-06-01') })
  expect(await sha256Of(other)).toBe(await sha256Of(one))
})

test('what is in an archive is root’s, readable by all, writable by no one else, of the commit’s date', async () => {
  const archive = await pack(['a', 'bin/run'], { mode: 0o622, at: new Date('2020-01-01') })
  const args = ['--list', '--verbose', '--numeric-owner', '--full-time', '--utc', '--file', archive]
  const lines = execFileSync('tar', args, { encoding: 'utf8' }).trim().split('\n')
  const parts = lines.map((line) => line.split(/\s+/))
  expect(parts.map(([mode, owner, , day, time]) => [mode, owner, day, time])).toEqual(
    ['drwxr-xr-x', '-rw-r--r--', 'drwxr-xr-x', '-rwxr-xr-x', 'lrwxr-xr-x'].map((mode) => [
      mode,
      '0/0',
      '2026-11-23',
      '10:00:00',
    ]),
  )
})

test('an image’s archive has the layout’s files at its top, dated by the commit', async () => {
  const work = aFolder()
  const layout = join(work, 'layout')
  mkdirSync(join(layout, 'blobs'), { recursive: true })
  for (const name of ['oci-layout', 'index.json', 'blobs/one']) writeFileSync(join(layout, name), name)
  const archive = join(work, 'image.tar')
  await packContent(layout, archive, DATE)
  const args = ['--list', '--verbose', '--full-time', '--utc', '--file', archive]
  const lines = execFileSync('tar', args, { encoding: 'utf8' }).trim().split('\n')
  expect(lines.map((line) => line.split(/\s+/).slice(3).join(' '))).toEqual(
    ['blobs/', 'blobs/one', 'index.json', 'oci-layout'].map((name) => `2026-11-23 10:00:00 ${name}`),
  )
})
