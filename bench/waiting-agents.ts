/** Agents that wait for changes of their nodes: a program of its own, so that what is measured is not slowed by it. */
import { RawConnection, rawRequest } from './raw-client.ts'

type Task = { port: number; secrets: string[]; waitSeconds: number }

/** New peers of one answer, and when it was there, in milliseconds since 1970. */
export type Heard = { ids: string[]; at: number }

/** `onTold` is called once, when the agent has all that there was. */
const follow = async (
  port: number,
  secret: string,
  waitSeconds: number,
  onTold: () => void,
): Promise<void> => {
  const connection = await RawConnection.open(port)
  let since = 0
  let isTold = false
  for (;;) {
    const path = `/api/v1/agent/changes?since=${since}&wait=${isTold ? waitSeconds : 0}`
    const { status, body } = await connection.send(rawRequest('GET', path, secret))
    const at = Date.now()
    if (status !== 200) throw new Error(`an agent was answered ${status}: ${body}`)
    const { revision, hasMore, peers } = JSON.parse(body) as {
      revision: number
      hasMore: boolean
      peers: { id: string }[]
    }
    since = revision
    if (isTold && peers.length > 0) process.send?.({ ids: peers.map(({ id }) => id), at } satisfies Heard)
    if (!isTold && !hasMore) {
      isTold = true
      onTold()
    }
  }
}

process.on('message', async ({ port, secrets, waitSeconds }: Task) => {
  let answered = 0
  const onTold = () => {
    if (++answered === secrets.length) process.send?.({ answered })
  }
  for (const [index, secret] of secrets.entries()) {
    follow(port, secret, waitSeconds, onTold).catch((error) => {
      console.error(error)
      process.exit(1)
    })
    // Not all in the same moment, as they would not come either.
    if (index % 50 === 0) await new Promise((later) => setTimeout(later, 20))
  }
})
process.on('SIGTERM', () => process.exit(0))
process.send?.({ ready: true })
