import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isoDay } from '@hedgerow/domain/dates'
import type { Json } from '@hedgerow/testing/call'
import { onTestFinished } from 'vitest'
import { type OpsOutcome, opsSettings, runOps } from '#testing/ops.ts'
import type { Environment, TestShop } from '#testing/test-shop.ts'

type Shop = Pick<TestShop, 'databaseUrl' | 'sandbox'>

/** All days on which a test may run: yesterday, today and tomorrow, so that midnight ends none. */
export const DAYS = [
  '--from',
  isoDay(new Date(Date.now() - 86_400_000)),
  '--to',
  isoDay(new Date(Date.now() + 86_400_000)),
]

export const settlement = (shop: Shop, ...args: string[]): Promise<OpsOutcome> =>
  runOps(opsSettings(shop), 'settlement', ...args)

export const settlementOn = (shop: Shop, env: Environment, ...args: string[]): Promise<OpsOutcome> =>
  runOps({ ...opsSettings(shop), ...env }, 'settlement', ...args)

const post = async ({ sandbox }: Pick<TestShop, 'sandbox'>, path: string, body: object): Promise<Json> => {
  const response = await fetch(sandbox.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`The sandbox did not take it: ${await response.text()}`)
  return response.json()
}

/** Something that only the gateway knows. */
export const bookAtGateway = (shop: Pick<TestShop, 'sandbox'>, booking: object): Promise<Json> =>
  post(shop, '/gate/bookings', booking)

/** Sends all balances to the bank. */
export const payOut = (shop: Pick<TestShop, 'sandbox'>): Promise<Json> => post(shop, '/gate/payouts', {})

export const reportCsv = async ({ sandbox }: Pick<TestShop, 'sandbox'>): Promise<string> =>
  (await fetch(`${sandbox.url}/gate/operations.csv`)).text()

/** A file that is gone when the test is. */
export const aFile = (contents: string | Buffer, name = 'report.csv'): string => {
  const dir = mkdtempSync(join(tmpdir(), 'settlement-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  const path = join(dir, name)
  writeFileSync(path, contents)
  return path
}

export type DataApiAnswer = (question: Json, path: string) => { status?: number; body: object }

/** A Data API that answers as the test says. Returns the settings that lead to it. */
export const aDataApi = async (answer: DataApiAnswer): Promise<Environment> => {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { status = 200, body } = answer(JSON.parse(Buffer.concat(chunks).toString()), request.url ?? '')
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { DATA_API_URL: url, DATA_API_TOKEN: 'token', DATA_API_SECRET: 'secret' }
}

/** An operation as the Data API tells it. */
export const dataOperation = (id: number, more: Json = {}): Json => ({
  operation_id: id,
  project_id: 57123,
  payment_id: `p${id}`,
  operation_type: 'sale',
  operation_status: 'success',
  account_number: '400000******0077',
  operation_completed_at: new Date(Date.now() - 60_000).toISOString().slice(0, 19).replace('T', ' '),
  sum_initial: { amount: 3000, currency: 'EUR' },
  fee: { amount: 62, currency: 'EUR' },
  ...more,
})
