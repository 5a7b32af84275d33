/** Agents that wait for changes of their nodes: a program of its own, so that what is measured is not slowed by it. */
import { RawConnection, rawRequest } from './raw-client.ts'

type Task = { port: number; secrets: string[]; waitSeconds: number }

const follow = async (port: number, secret: string, waitSeconds: number, index: number): Promise<void> => {
  const connection = await RawConnection.open(port)
  let since = 0
  for (;;) {
    const path = `/api/v1/agent/changes?since=${since}&wait=${waitSeconds}`
    const { status, body } = await connection.send(rawRequest('GET', path, secret))
    if (status !== 200) throw new Error(`an agent was answered ${status}: ${body}`)
    const { revision, peers } = JSON.parse(body)
    since = revision
    if (peers.length > 0) process.send?.({ told: index, peers: peers.length, at: Date.now() })
  }
}

process.on('message', async ({ port, secrets, waitSeconds }: Task) => {
  for (const [index, secret] of secrets.entries()) {
    follow(port, secret, waitSeconds, index).catch((error) => {
      console.error(error)
      process.exit(1)
    })
    // Not all in the same moment, as they would not come either.
    if (index % 50 === 0) await new Promise((later) => setTimeout(later, 20))
  }
  process.send?.({ waiting: secrets.length })
})
process.on('SIGTERM', () => process.exit(0))
process.send?.({ ready: true })
