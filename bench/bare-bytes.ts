/** Yardstick: answers everything with the same bytes from memory, by nothing but Node.js's own server. */
import { createServer } from 'node:http'

const body = Buffer.from(process.env.BARE_BODY ?? '')
const headers = { 'content-type': 'application/json', 'content-length': body.length }
const server = createServer((_, response) => void response.writeHead(200, headers).end(body))
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.send?.({ ready: true, port: typeof address === 'object' ? address?.port : 0 })
})
process.on('SIGTERM', () => process.exit(0))
