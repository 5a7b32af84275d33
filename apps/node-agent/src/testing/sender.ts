import { connect, createServer, type Socket } from 'node:net'

/**
 * Fills a link. `serve PORT` sends as fast as it can to every connection; `download` or `upload` ADDRESS PORT
 * SECONDS does so on four connections at once and prints the Mbit/s that passed.
 */
const [what, ...args] = process.argv.slice(2)
const CHUNK = Buffer.alloc(65_536)
const CONNECTIONS = 4
/** What the first moments bring comes out of buffers. */
const WARM_UP_MS = 500

const fill = (socket: Socket) => {
  const write = () => {
    while (socket.write(CHUNK));
  }
  socket.on('drain', write).on('error', () => undefined)
  write()
}

if (what === 'serve') {
  createServer(fill).listen(Number(args[0]), () => process.send?.('ready'))
} else {
  const [address, port, seconds] = args
  const sockets = Array.from({ length: CONNECTIONS }, () => connect(Number(port), address))
  for (const socket of sockets) {
    if (what === 'upload') socket.on('connect', () => fill(socket))
    socket.resume()
  }
  const bytes = () =>
    sockets.reduce(
      (sum, socket) =>
        sum + (what === 'upload' ? socket.bytesWritten - socket.writableLength : socket.bytesRead),
      0,
    )
  setTimeout(() => {
    const before = bytes()
    setTimeout(() => {
      process.stdout.write((((bytes() - before) * 8) / Number(seconds) / 1_000_000).toFixed(1))
      process.exit()
    }, Number(seconds) * 1000)
  }, WARM_UP_MS)
}
