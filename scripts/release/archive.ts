import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { basename, dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'

/**
 * A folder as a .tar.gz whose bytes follow from the names and contents of its files alone: nothing of who packed it, when, where
 * and with which umask. Node.js packs it, whose version is pinned; a machine's gzip is whatever it is.
 */
export const packFolder = async (folder: string, archive: string, date: Date): Promise<void> => {
  const seconds = Math.floor(date.getTime() / 1000)
  const args = [
    '--create',
    '--format=gnu',
    '--sort=name',
    `--mtime=@${seconds}`,
    '--owner=0',
    '--group=0',
    '--numeric-owner',
    '--mode=u+rw,go+r,go-w,a+X,ug-s,o-t',
    `--directory=${dirname(folder)}`,
    basename(folder),
  ]
  const tar = spawn('tar', args, {
    env: { ...process.env, LC_ALL: 'C' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [[code]] = await Promise.all([
    once(tar, 'exit'),
    pipeline(tar.stdout, createGzip({ level: 6 }), createWriteStream(archive)),
  ])
  if (code !== 0) throw new Error(`tar could not make ${archive}`)
}

export const sha256Of = async (file: string): Promise<string> => {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}
