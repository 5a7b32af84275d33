import { randomBytes, randomUUID } from 'node:crypto'
import { hashToken } from '@hedgerow/api/crypto/tokens'
import { freePort } from '@hedgerow/embedded-postgres/ports'
import { Pool } from 'pg'
import { API_FLAGS } from '../scripts/api-process.ts'
import { type Child, startChild } from './child.ts'
import { type RawConnection, rawRequest } from './raw-client.ts'

export type BenchShop = {
  port: number
  /** Where the sandbox's pages are. */
  sandboxUrl: string
  api: Child
  sandbox: Child
  tokens: string[]
  stop: () => Promise<void>
}

/** So many customers who have logged in; returns their sessions' tokens. */
export const openSessions = async (databaseUrl: string, customers: number): Promise<string[]> => {
  const pool = new Pool({ connectionString: databaseUrl })
  const tokens = Array.from({ length: customers }, () => randomBytes(32).toString('base64url'))
  for (const token of tokens) {
    const id = randomUUID()
    await pool.query(
      `insert into customers (id, email, name, promocode, password_hash, confirmed_at) values ($1, $2, 'Bench', $3, '-', now())`,
      [id, `${id}@bench.example`, id],
    )
    await pool.query("insert into sessions values ($1, $2, now(), now() + interval '1 day')", [
      hashToken(token),
      id,
    ])
  }
  await pool.end()
  return tokens
}

/** The shop and the sandbox's gateway as processes of their own, with customers who have logged in. */
export const startBenchShop = async (
  databaseUrl: string,
  dataDir: string,
  customers: number,
  more: NodeJS.ProcessEnv = {},
  /** What runs the shop in the place of Node.js. */
  execPath?: string,
): Promise<BenchShop> => {
  const sandbox = await startChild('../apps/sandbox/src/main.ts', {
    SANDBOX_PORT: String(await freePort()),
    SANDBOX_SMTP_PORT: '0',
    SANDBOX_CALLBACK_DELAY_MS: '0',
  })
  const port = await freePort()
  const api = await startChild(
    '../apps/api/src/main.ts',
    {
      PORT: String(port),
      METRICS_PORT: '0',
      CONSOLE_PORT: 'off',
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataDir,
      GATE_URL: String(sandbox.ready.url),
      SMTP_URL: `smtp://127.0.0.1:${sandbox.ready.smtpPort}`,
      RATE_LIMIT_SCALE: '0',
      ...more,
    },
    API_FLAGS,
    execPath,
  )
  const tokens = await openSessions(databaseUrl, customers)
  return {
    port,
    sandboxUrl: String(sandbox.ready.url),
    api,
    sandbox,
    tokens,
    stop: async () => {
      await api.stop()
      await sandbox.stop()
    },
  }
}

export const ORDER = { days: 30, connections: 3, features: { feature2: true }, currency: 'EUR', total: 30.03 }
export const CARD = {
  total: 30.03,
  currency: 'EUR',
  pan: '4000000000000077',
  card_holder: 'BENCH',
  month: 12,
  year: new Date().getUTCFullYear() + 2,
  cvv: '123',
  acceptTerms: true,
}

const fail = (what: string, reply: { status: number; body: string }): never => {
  throw new Error(`${what}: ${reply.status} ${reply.body}`)
}

type Watch = <T>(name: 'order' | 'pay', call: () => Promise<T>) => Promise<T>

/**
 * Orders and pays, as the customer's page does it; the gateway's callback and the delivery follow. Each of the two calls
 * goes through `watch`. Returns the payment's id.
 */
export const orderAndPay = async (
  connection: RawConnection,
  token: string,
  watch: Watch,
): Promise<string> => {
  const order = await watch('order', () =>
    connection.send(rawRequest('POST', '/api/v1/orders', token, ORDER)),
  )
  if (order.status !== 201) fail('order', order)
  const { orderId } = JSON.parse(order.body)
  const paid = await watch('pay', () =>
    connection.send(rawRequest('POST', `/api/v1/orders/${orderId}`, token, CARD)),
  )
  if (paid.status !== 200) fail('pay', paid)
  return JSON.parse(paid.body).paymentId
}

export const purchase = (connection: RawConnection, token: string): Promise<string> =>
  orderAndPay(connection, token, (_, call) => call())

/** Waits until every payment so far was delivered; returns how many there are. */
export const untilDelivered = async (pool: Pool): Promise<number> => {
  for (;;) {
    const { rows } = await pool.query(
      "select count(*)::int as all, count(delivered_at)::int as delivered from payments where card_holder <> 'BARE'",
    )
    if (rows[0].all === rows[0].delivered) return rows[0].all
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
