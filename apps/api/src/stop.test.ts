import { Agent, request } from 'node:http'
import { openGround, startFront } from '@hedgerow/testing/test-shop'
import { expect, onTestFinished, test } from 'vitest'

test('a shop that stops finishes the answers that are under way, and then waits for nobody', async () => {
  const { close, ...ground } = await openGround()
  onTestFinished(close)
  const front = await startFront(ground)
  const agent = new Agent({ keepAlive: true })
  onTestFinished(() => agent.destroy())
  const body = JSON.stringify({ username: 'ada@example.org', password: 'not the password' })
  const headers = { 'content-type': 'application/json' }
  // Hashing takes a while, so most of these are under way when the first is answered.
  const answers = Array.from(
    { length: 12 },
    () =>
      new Promise<number>((answered, failed) => {
        const call = request(
          `${front.url}/api/v1/user/login`,
          { method: 'POST', agent, headers },
          (reply) => {
            reply.resume()
            reply.on('end', () => answered(reply.statusCode ?? 0))
          },
        )
        call.on('error', failed)
        call.end(body)
      }),
  )
  await Promise.race(answers)
  await front.stop()
  expect(await Promise.all(answers)).toEqual(Array(12).fill(401))
})
