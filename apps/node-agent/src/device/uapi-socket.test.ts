import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { converse } from '#device/uapi-socket.ts'

/** A socket that answers in the pieces that it is told. */
const answering = async (answer: (socket: Socket) => Promise<void>) => {
  const folder = mkdtempSync(join(tmpdir(), 'hedgerow-uapi-'))
  const server = createServer((socket) => socket.once('data', () => void answer(socket)))
  onTestFinished(() => {
    server.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const path = join(folder, 'wg.sock')
  await new Promise<void>((ready) => server.listen(path, ready))
  return path
}

test('puts an answer together that comes in many pieces', async () => {
  const path = await answering(async (socket) => {
    for (const piece of ['public_', 'key=a', 'b\nrx_', 'bytes=1\nerrno=0\n', '\n']) {
      socket.write(piece)
      await sleep(5)
    }
  })
  const lines: string[] = []
  await converse(path, 'get=1\n\n', (line) => lines.push(line))
  expect(lines).toEqual(['public_key=ab', 'rx_bytes=1'])
})

test('an answer that breaks off is an error, and so is a refusal', async () => {
  const broken = await answering(async (socket) => void socket.end('public_key=ab\n'))
  await expect(converse(broken, 'get=1\n\n')).rejects.toThrow('ended an answer early')
  const refusing = await answering(async (socket) => void socket.end('errno=-22\n\n'))
  await expect(converse(refusing, 'set=1\n\n')).rejects.toThrow('errno=-22')
})
