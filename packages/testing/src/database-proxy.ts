import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export type DatabaseProxy = {
  /** The database's address by way of here. */
  url: string
  /** Cuts what is open, as a server does that ends. */
  cut: () => void
  /** Whether new connections are let through; those that are not are cut at once. */
  letThrough: (isOpen: boolean) => void
  /** How many were cut so. */
  refused: () => number
  /** From now on not a byte passes on what is open, and neither side hears of it: the cable is out. */
  freeze: () => void
  close: () => Promise<void>
}

/** Stands between a shop and its database, as the network does. */
export const startDatabaseProxy = async (databaseUrl: string): Promise<DatabaseProxy> => {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  let isOpen = true
  let refused = 0
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
  }
  const server = createServer((from) => {
    keep(from)
    if (!isOpen) {
      refused++
      return void from.destroy()
    }
    const to = connect(Number(target.port), target.hostname)
    keep(to)
    from.pipe(to).pipe(from)
    from.on('close', () => to.destroy())
    to.on('close', () => from.destroy())
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const url = new URL(databaseUrl)
  // Of a socket in the file system, which would pass this by.
  url.searchParams.delete('host')
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as AddressInfo).port)
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: url.href,
    cut,
    letThrough: (value) => {
      isOpen = value
    },
    refused: () => refused,
    freeze: () => {
      for (const socket of sockets) socket.unpipe().pause()
    },
    close: () =>
      new Promise((closed) => {
        server.close(() => closed())
        cut()
      }),
  }
}
