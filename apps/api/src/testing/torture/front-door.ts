import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export type FrontDoor = { url: string; close: () => Promise<void> }

/** Leads each connection to one of the ports in turn, or to the next where none listens; all else is cut, as it comes. */
export const openFrontDoor = async (ports: readonly number[]): Promise<FrontDoor> => {
  const sockets = new Set<Socket>()
  let turn = 0

  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
  }

  const lead = (from: Socket, first: number, tried = 0): void => {
    const port = ports[(first + tried) % ports.length]
    if (port === undefined || tried === ports.length) return void from.destroy()
    const to = connect(port, '127.0.0.1')
    keep(to)
    let isThrough = false
    to.on('connect', () => {
      isThrough = true
      from.pipe(to).pipe(from)
    })
    to.on('close', () => (isThrough || from.destroyed ? from.destroy() : lead(from, first, tried + 1)))
    from.on('close', () => to.destroy())
  }

  const server = createServer((socket) => {
    keep(socket)
    lead(socket, turn++)
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed())
        for (const socket of sockets) socket.destroy()
      }),
  }
}
