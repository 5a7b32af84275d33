import { connect, type Socket } from 'node:net'

/** HTTP/1.1 over one kept-alive socket, as little of it as our own servers need: the client must not be what is measured. */
export class RawConnection {
  readonly #socket: Socket
  #buffered: Buffer = Buffer.alloc(0)
  #waiting: ((reply: { status: number; body: string }) => void) | undefined
  /** The answer where the server has hung up. */
  #failed: ((error: Error) => void) | undefined
  #isCut = false

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.setNoDelay(true)
    socket.on('data', (chunk) => this.#take(chunk))
    socket.on('error', () => undefined)
    socket.once('close', () => {
      this.#isCut = true
      this.#failed?.(new Error('the server has cut a connection'))
    })
  }

  static open(port: number): Promise<RawConnection> {
    return new Promise((opened, failed) => {
      const socket = connect(port, '127.0.0.1', () => opened(new RawConnection(socket)))
      socket.once('error', failed)
    })
  }

  send(request: string | Buffer): Promise<{ status: number; body: string }> {
    return new Promise((answered, failed) => {
      if (this.#isCut) return failed(new Error('the server has cut a connection'))
      this.#waiting = answered
      this.#failed = failed
      this.#socket.write(request)
    })
  }

  close(): void {
    this.#failed = undefined
    this.#socket.destroy()
  }

  #take(chunk: Buffer): void {
    this.#buffered = this.#buffered.length === 0 ? chunk : Buffer.concat([this.#buffered, chunk])
    const headEnd = this.#buffered.indexOf('\r\n\r\n')
    if (headEnd < 0) return
    const head = this.#buffered.toString('latin1', 0, headEnd)
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
    const end = headEnd + 4 + length
    if (this.#buffered.length < end) return
    const reply = {
      status: Number(head.slice(9, 12)),
      body: this.#buffered.toString('utf8', headEnd + 4, end),
    }
    this.#buffered = this.#buffered.subarray(end)
    this.#waiting?.(reply)
  }
}

/** The bytes of a request with an optional JSON body. */
export const rawRequest = (method: string, path: string, token?: string, body?: unknown): string => {
  const text = body === undefined ? '' : JSON.stringify(body)
  return [
    `${method} ${path} HTTP/1.1`,
    'host: 127.0.0.1',
    ...(token ? [`authorization: Bearer ${token}`] : []),
    ...(text ? ['content-type: application/json', `content-length: ${Buffer.byteLength(text)}`] : []),
    '',
    text,
  ].join('\r\n')
}
