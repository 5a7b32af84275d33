/** `npm run bench:peers`: what peers cost on a node, from the shop's database to the tunnel. Needs root. */
import { randomBytes, randomUUID } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createKeyCipher } from '@hedgerow/api/crypto/key-cipher'
import { hashToken } from '@hedgerow/api/crypto/tokens'
import { startPostgres } from '@hedgerow/embedded-postgres/start'
import { Pool } from 'pg'
import { type BenchNode, openBenchNode } from './bench-node.ts'
import { median, round } from './measure.ts'
import { RawConnection } from './raw-client.ts'
import { purchase, startBenchShop } from './shop.ts'

const SIZES = (process.env.BENCH_SIZES ?? '100,1000,10000,50000').split(',').map(Number)
const CHANGES = Number(process.env.BENCH_CHANGES ?? 50)
const PURCHASES = 50
const LOOK_EVERY_MS = 1

const folder = await mkdtemp(join(tmpdir(), 'hedgerow-peers-'))
const postgres = await startPostgres({ dataDir: join(folder, 'database') })
const pool = new Pool({ connectionString: postgres.url, max: 2 })
const [nodeId, token] = [randomUUID(), randomBytes(32).toString('base64url')]
const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** The node has applied all that was changed; answers when it was seen. */
const untilApplied = async (): Promise<number> => {
  for (;;) {
    const { rows } = await pool.query(
      `select revision = applied_revision and not exists (
        select from peers where node_id = $1 and revision is null) as is_done from nodes where id = $1`,
      [nodeId],
    )
    if (rows[0].is_done) return performance.now()
    await later(LOOK_EVERY_MS)
  }
}

/** Peers of one customer's connections that never end, sealed as the shop seals them. */
const addPeers = async (from: number, to: number, key: Buffer): Promise<void> => {
  const cipher = createKeyCipher(key)
  const { rows } = await pool.query(
    'select id, customer_id from payments where delivered_at is not null limit 1',
  )
  const [payment] = rows
  for (let at = from; at < to; at += 5000) {
    const ids = Array.from({ length: Math.min(5000, to - at) }, () => randomUUID())
    const secret = () => randomBytes(32).toString('base64')
    await pool.query(
      `insert into connections (id, customer_id, payment_id, ordinal, name, options, filters_on, expires_at)
      select id, $2, $3, $4 + n, 'Bench', 14 + (n % 2 = 0)::integer,
        2 * (n % 3 = 0)::integer + 4 * (n % 5 = 0)::integer + 8 * (n % 7 = 0)::integer, now() + interval '30 days'
      from unnest($1::uuid[]) with ordinality as key (id, n)`,
      [ids, payment.customer_id, payment.id, at + 100],
    )
    await pool.query(
      `insert into peers (id, connection_id, node_id, position, public_key, preshared_key_encrypted)
      select id, id, $2, $3 + n, public_key, sealed
      from unnest($1::uuid[], $4::text[], $5::bytea[]) with ordinality as key (id, public_key, sealed, n)`,
      [ids, nodeId, at + 1000, ids.map(secret), ids.map((id) => cipher.encrypt(secret(), id))],
    )
  }
  await pool.query("select pg_notify('changed', 'node:' || $1)", [nodeId])
}

/** One customer switches a filter: from the commit to the node that has applied it. */
const oneChange = async (): Promise<number> => {
  const { rows } = await pool.query(
    `select id from connections tablesample system (5) where name = 'Bench' limit 1`,
  )
  const one = rows[0] ?? (await pool.query("select id from connections where name = 'Bench' limit 1")).rows[0]
  await pool.query(
    `with set as (update connections set filters_on = filters_on # 2 where id = $1),
      touched as (update peers set revision = null where connection_id = $1 returning node_id)
    select pg_notify('changed', 'node:' || node_id) from touched`,
    [one.id],
  )
  const start = performance.now()
  return (await untilApplied()) - start
}

const timesOf = async (count: number, work: () => Promise<number>): Promise<number[]> => {
  const times: number[] = []
  for (let i = 0; i < count; i++) times.push(await work())
  return times.sort((a, b) => a - b)
}

const seconds = async (work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now()
  await work()
  return round((performance.now() - start) / 1000, 1)
}

/** What some rivals do at each change: the whole list, read and compared. */
const syncConf = (node: BenchNode): number => {
  const file = join(folder, 'all.conf')
  writeFileSync(file, node.inside('wg', 'showconf', node.device), { mode: 0o600 })
  const start = performance.now()
  node.inside('wg', 'syncconf', node.device, file)
  return performance.now() - start
}

/** What others do: one process for one peer. */
const wgSet = (node: BenchNode): number => {
  const start = performance.now()
  node.inside(
    'wg',
    'set',
    node.device,
    'peer',
    randomBytes(32).toString('base64'),
    'persistent-keepalive',
    'off',
  )
  return performance.now() - start
}

/** What programs of that name on the node hold: Node.js calls itself after its thread. */
const memoryMiB = (node: BenchNode, name: string): number => {
  const lines = node.inside('ps', '-o', 'rss=,comm=', '-p', node.pids().join(',')).split('\n')
  const own = lines.filter((line) => line.endsWith(` ${name}`))
  return round(own.reduce((sum, line) => sum + Number.parseInt(line, 10), 0) / 1024)
}

let node: BenchNode | undefined
try {
  const dataDir = join(folder, 'shop')
  const shop = await startBenchShop(postgres.url, dataDir, 10)
  await pool.query(
    `insert into nodes (id, name, endpoint, ipv4, ipv6, enrolment_hash, enrolment_expires_at)
    values ($1, 'bench', '192.0.2.7:51820', '10.80.0.0/15', 'fd80::/64', $2, now() + interval '1 hour')`,
    [nodeId, hashToken(token)],
  )
  node = await openBenchNode(folder, shop.port, token)
  node.start()
  while ((await pool.query('select seen_at from nodes where id = $1', [nodeId])).rows[0].seen_at === null)
    await later(50)
  await untilApplied()

  const buyer = await RawConnection.open(shop.port)
  const bought = await timesOf(PURCHASES, async () => {
    const paymentId = await purchase(buyer, shop.tokens[0] as string)
    for (;;) {
      const { rows } = await pool.query(
        'select extract(epoch from delivered_at) * 1000 as at from payments where id = $1 and delivered_at is not null',
        [paymentId],
      )
      if (rows[0]) {
        await untilApplied()
        return Date.now() - Number(rows[0].at)
      }
      await later(LOOK_EVERY_MS)
    }
  })
  buyer.close()
  console.log(`machine: ${process.arch}, Node.js ${process.versions.node}; wireguard-go, all in one machine`)
  console.log('From the success of a payment to its three peers on the node, ms:', {
    p50: round(median(bought)),
    p99: round(bought.at(-1) ?? Number.NaN),
    purchases: PURCHASES,
  })

  const key = Buffer.from(readFileSync(join(dataDir, 'key-encryption-key'), 'utf8').trim(), 'base64')
  const table: Record<string, number>[] = []
  let have = 0
  for (const size of SIZES) {
    const fill = await seconds(async () => {
      await addPeers(have, size, key)
      await untilApplied()
    })
    have = size
    const times = await timesOf(CHANGES, oneChange)
    const first = table[0]?.['one change, ms'] ?? median(times)
    table.push({
      peers: size,
      'filled in, s': fill,
      'one change, ms': round(median(times), 1),
      'ratio to the first': round(median(times) / first, 2),
      'p90, ms': round(times[Math.floor(times.length * 0.9)] ?? Number.NaN, 1),
      'yardstick: wg set, ms': round(median(Array.from({ length: 5 }, () => wgSet(node as BenchNode))), 1),
      'yardstick: wg syncconf, ms': round(syncConf(node)),
      'agent, MiB': memoryMiB(node, 'MainThread'),
      'wireguard-go, MiB': memoryMiB(node, 'wireguard-go'),
    })
  }
  console.table(table)

  const known = await seconds(async () => {
    await node?.crash()
    await pool.query('update nodes set applied_revision = 0 where id = $1', [nodeId])
    node?.start()
    await untilApplied()
  })
  const fresh = await seconds(async () => {
    await node?.crash()
    rmSync(join(node?.stateDir ?? '', 'peers.journal'))
    await pool.query('update nodes set applied_revision = 0 where id = $1', [nodeId])
    node?.start()
    await untilApplied()
  })
  console.log(`Cold start with ${have} peers: ${known} s from its own state, ${fresh} s from the shop`)
  await shop.stop()
} finally {
  await node?.close()
  await pool.end()
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}
