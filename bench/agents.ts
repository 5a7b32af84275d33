import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { Pool } from 'pg'
import { hashToken } from '../apps/api/src/crypto/tokens.ts'
import { startChild } from './child.ts'
import { median, round } from './measure.ts'
import { RawConnection } from './raw-client.ts'
import { type BenchShop, purchase } from './shop.ts'

const AGENTS = Number(process.env.BENCH_AGENTS ?? 1000)
const IDLE_SECONDS = Number(process.env.BENCH_SECONDS ?? 30)
const PURCHASES = 100
const TICKS_PER_SECOND = 100

/** Processor time that a process has used, in seconds. */
const cpuSeconds = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}

const shareOfCore = async (pid: number, seconds: number): Promise<number> => {
  const before = cpuSeconds(pid)
  await new Promise((later) => setTimeout(later, seconds * 1000))
  return (100 * (cpuSeconds(pid) - before)) / seconds
}

const addNodes = async (pool: Pool, count: number): Promise<string[]> => {
  const secrets = Array.from({ length: count }, () => randomBytes(32).toString('base64url'))
  for (const [i, secret] of secrets.entries()) {
    await pool.query(
      `insert into nodes (id, name, endpoint, public_key, ipv4, ipv6, agent_hash, seen_at)
      values ($1, $2, '192.0.2.9:51820', $3, '10.0.0.0/16', 'fd00::/64', $4, now())`,
      [randomUUID(), `bench ${i}`, randomBytes(32).toString('base64'), hashToken(secret)],
    )
  }
  return secrets
}

/** So many agents wait at one API process: what that costs while nothing happens, and how soon a purchase is told. */
export const measureAgents = async (shop: BenchShop, databaseUrl: string) => {
  const pid = shop.api.process.pid as number
  const pool = new Pool({ connectionString: databaseUrl, max: 2 })
  const without = { cpu: await shareOfCore(pid, IDLE_SECONDS / 3), rss: shop.api.rssMiB() }
  const crowd = await startChild('./waiting-agents.ts', {})
  crowd.process.send({ port: shop.port, secrets: await addNodes(pool, AGENTS), waitSeconds: 25 })
  await once(crowd.process, 'message')
  await new Promise((later) => setTimeout(later, 2000))
  const waiting = { cpu: await shareOfCore(pid, IDLE_SECONDS), rss: shop.api.rssMiB() }

  const buyer = await RawConnection.open(shop.port)
  const times: number[] = []
  for (let i = 0; i < PURCHASES; i++) {
    const told = once(crowd.process, 'message').then(([{ at }]) => at as number)
    const paymentId = await purchase(buyer, shop.tokens[i % shop.tokens.length] as string)
    const at = await told
    const { rows } = await pool.query('select delivered_at from payments where id = $1', [paymentId])
    times.push(at - rows[0].delivered_at.getTime())
  }
  buyer.close()
  await crowd.stop()
  await pool.end()
  times.sort((a, b) => a - b)
  return {
    rows: [
      { what: 'no agent', '% of a core': round(without.cpu, 1), 'MiB resident': round(without.rss) },
      {
        what: `${AGENTS} agents waiting`,
        '% of a core': round(waiting.cpu, 1),
        'MiB resident': round(waiting.rss),
      },
    ],
    toldMs: { p50: median(times), p99: times[Math.floor(times.length * 0.99)] ?? Number.NaN },
  }
}
