import { connect, createServer } from 'node:net'

/**
 * Fills a link: `serve PORT` sends as fast as it can to whoever connects; `fetch ADDRESS PORT SECONDS` takes from
 * there, four connections at once, and prints the Mbit/s that came.
 */
const [what, ...args] = process.argv.slice(2)
const CHUNK = Buffer.alloc(65_536)
const CONNECTIONS = 4

if (what === 'serve') {
  createServer((socket) => {
    const fill = () => {
      while (socket.write(CHUNK));
    }
    socket.on('drain', fill).on('error', () => undefined)
    fill()
  }).listen(Number(args[0]), () => process.send?.('ready'))
} else {
  const [address, port, seconds] = args
  let bytes = 0
  for (let i = 0; i < CONNECTIONS; i++) {
    connect(Number(port), address).on('data', (data) => {
      bytes += data.length
    })
  }
  // What the first moments bring comes out of buffers.
  setTimeout(() => {
    bytes = 0
  }, 500)
  setTimeout(
    () => {
      process.stdout.write(((bytes * 8) / Number(seconds) / 1_000_000).toFixed(1))
      process.exit()
    },
    500 + Number(seconds) * 1000,
  )
}
