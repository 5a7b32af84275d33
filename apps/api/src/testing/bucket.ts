import { once } from 'node:events'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import S3rver from '@20minutes/s3rver'
import { onTestFinished } from 'vitest'
import { aFolder } from '#testing/backups.ts'

/** It knows one account, and refuses whatever that has not signed. */
const ACCOUNT = 'S3RVER'

/** A bucket on a server of S3 that others have written, and the settings for it. */
export const aBucket = async () => {
  const directory = await aFolder()
  const server = new S3rver({
    directory,
    silent: true,
    vhostBuckets: false,
    configureBuckets: [{ name: 'hedge' }],
  })
  await server.configureBuckets()
  const answer = server.callback()
  const uploads = join(directory, 'hedge', '._S3rver_uploads')
  const calls: string[] = []
  let onCall: (request: IncomingMessage) => 'answer' | 'cut' | 'hold' = () => 'answer'
  const http = createServer((request, response) => {
    calls.push(`${request.method} ${request.url}`)
    const what = onCall(request)
    if (what === 'cut') request.socket.destroy()
    if (what !== 'answer') return
    const uploadId = request.method === 'DELETE' && /[?&]uploadId=(\w+)$/.exec(request.url ?? '')?.[1]
    // The one call that it lacks.
    if (uploadId)
      void rm(join(uploads, uploadId), { recursive: true }).then(() => response.writeHead(204).end())
    else answer(request, response)
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  onTestFinished(() => void http.close().closeAllConnections())
  const at = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  const folder = join(directory, 'hedge', 'shop')
  await mkdir(folder, { recursive: true })
  const pathOf = (name: string) => join(folder, `${name}._S3rver_object`)
  return {
    env: { BACKUP_S3: `${at}/hedge/shop`, BACKUP_S3_KEY: ACCOUNT, BACKUP_S3_SECRET: ACCOUNT },
    calls,
    /** What becomes of each call from now on. */
    meet: (how: typeof onCall) => {
      onCall = how
    },
    names: async () =>
      (await readdir(folder)).flatMap((file) => file.match(/^(.*)\._S3rver_object$/)?.[1] ?? []).sort(),
    content: (name: string) => readFile(pathOf(name)),
    /** As whoever has the bucket's keys may. */
    put: async (name: string, content: Uint8Array | string) => {
      await writeFile(pathOf(name), content)
      await writeFile(join(folder, `${name}._S3rver_metadata.json`), '{}')
    },
    take: (name: string) => rm(pathOf(name)),
    /** Of uploads that have not ended. */
    uploads: () => readdir(uploads).catch(() => []),
  }
}
