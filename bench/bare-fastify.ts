/** Yardstick: a Fastify route that answers a status from memory, with a response schema and nothing else. */
import fastify from 'fastify'

const app = fastify()
const properties = { status: { type: 'string' }, metadata: { type: 'string' } }
app.get('/status/:id', { schema: { response: { 200: { type: 'object', properties } } } }, async () => ({
  status: 'Success',
  metadata: '{}',
}))
await app.listen({ port: 0, host: '127.0.0.1' })
const address = app.server.address()
process.send?.({ ready: true, port: typeof address === 'object' ? address?.port : 0 })
process.on('SIGTERM', () => void app.close().then(() => process.exit(0)))
