import { createConnection } from 'node:net'
import type { Dialect } from '#device/dialect.ts'

const WITHIN_MS = 20_000

export const socketOf = ({ sockets }: Dialect, interfaceName: string): string =>
  `${sockets}/${interfaceName}.sock`

/** Sends one request and hands on each line of the answer, which comes in many pieces and ends with an empty line. */
export const converse = (
  path: string,
  request: string,
  onLine: (line: string) => void = () => undefined,
): Promise<void> =>
  new Promise((done, failed) => {
    const socket = createConnection(path)
    let rest = ''
    let isOver = false
    const end = (error?: Error) => {
      if (isOver) return
      isOver = true
      socket.destroy()
      if (error) failed(error)
      else done()
    }
    const take = (line: string) => {
      if (line === '') end()
      else if (!line.startsWith('errno=')) onLine(line)
      else if (line !== 'errno=0') end(new Error(`WireGuard refused a change (${line})`))
    }
    socket.setEncoding('latin1')
    socket.setTimeout(WITHIN_MS, () => end(new Error('WireGuard does not answer')))
    socket.on('error', (error) => end(error))
    socket.on('close', () => end(new Error('WireGuard ended an answer early')))
    socket.on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) if (!isOver) take(line)
    })
    socket.write(request, 'latin1')
  })

/** Whether a WireGuard program listens there. */
export const isListening = (path: string): Promise<boolean> =>
  new Promise((done) => {
    const socket = createConnection(path)
    socket.on('connect', () => done(true))
    socket.on('error', () => done(false))
    socket.on('connect', () => socket.destroy())
  })
