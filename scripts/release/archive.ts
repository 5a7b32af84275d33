import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import type { Duplex } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'

const inOrder = (date: Date) => [
  '--create',
  '--format=gnu',
  '--sort=name',
  `--mtime=@${Math.floor(date.getTime() / 1000)}`,
  '--owner=0',
  '--group=0',
  '--numeric-owner',
  '--mode=u+rw,go+r,go-w,a+X,ug-s,o-t',
]

/** Writes a tar whose bytes follow from names and contents alone: nothing of who packed it, when, where and with which umask. */
const pack = async (args: string[], date: Date, archive: string, ...through: Duplex[]): Promise<void> => {
  const tar = spawn('tar', [...inOrder(date), ...args], {
    env: { ...process.env, LC_ALL: 'C' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [[code]] = await Promise.all([
    once(tar, 'exit'),
    pipeline([tar.stdout, ...through, createWriteStream(archive)]),
  ])
  if (code !== 0) throw new Error(`tar could not make ${archive}`)
}

/** A folder as a .tar.gz. Node.js packs it, whose version is pinned; a machine's gzip is whatever it is. */
export const packFolder = (folder: string, archive: string, date: Date): Promise<void> =>
  pack([`--directory=${dirname(folder)}`, basename(folder)], date, archive, createGzip({ level: 6 }))

/** What is in a folder as a .tar, as engines load an image: buildah would date each entry by the clock. */
export const packContent = async (folder: string, archive: string, date: Date): Promise<void> =>
  pack([`--directory=${folder}`, ...(await readdir(folder)).sort()], date, archive)

export const sha256Of = async (file: string): Promise<string> => {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}
