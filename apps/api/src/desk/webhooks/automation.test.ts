import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '@hedgerow/testing/free-port'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { anOperator, consoleOfFile } from '#testing/console.ts'
import { aPurchase } from '#testing/payments.ts'
import { aReceiver, sentUntil } from '#testing/webhooks.ts'

const { shop, ask, consoleUrl } = await consoleOfFile()

const root = new URL('../../../../../', import.meta.url).pathname
let folder: string
let examples: readonly string[]

beforeAll(async () => {
  const page = await readFile(join(root, 'docs/automation.md'), 'utf8')
  examples = [...page.matchAll(/```(?:js|sh)\n([\s\S]*?)```/g)].map(([, code = '']) => code)
  // Where the library of the examples is found.
  const cache = join(root, 'node_modules/.cache')
  await mkdir(cache, { recursive: true })
  folder = await mkdtemp(join(cache, 'automation-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** One of the page's programs, told of some events; returns what it has printed. */
const running = async (code: string, events: readonly string[], env: Record<string, string> = {}) => {
  const port = await freePort()
  const made = await ask(await anOperator(shop.db), 'POST', '/api/v1/webhooks', {
    body: { url: `http://127.0.0.1:${port}/`, events },
  })
  const file = join(folder, `${port}.mjs`)
  await writeFile(file, code)
  const program: ChildProcess = spawn(process.execPath, [file], {
    env: { PATH: process.env.PATH, PORT: String(port), WEBHOOK_SECRET: made.body.secret, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void program.kill())
  let printed = ''
  program.stdout?.on('data', (piece: Buffer) => {
    printed += piece.toString()
  })
  const url = `http://127.0.0.1:${port}/`
  await until(async () => (await fetch(url, { method: 'POST', body: '{}' })).status === 400)
  return { url, printed: () => printed }
}

test('the page has three examples', () => expect(examples).toHaveLength(3))

test('the first handles a paid order once, and refuses what is not signed', async () => {
  const program = await running(examples[0] ?? '', ['order.paid'])
  const { order } = await aPurchase(shop)
  const line = `Order ${order.orderId}: 30 EUR\n`
  await sentUntil(shop, () => program.printed() === line)
  await sql`update webhook_deliveries set next_try_at = now(), delivered_at = null where event = 'order.paid'`.execute(
    shop.db,
  )
  await sentUntil(shop, async () => {
    const { rows } = await sql`select from webhook_deliveries
      where event = 'order.paid' and delivered_at is null`.execute(shop.db)
    return rows.length === 0
  })
  expect(program.printed()).toBe(line)
})

test('the second saves yesterday’s payments as CSV, by a token with one right', async () => {
  const { paymentId } = await aPurchase(shop)
  const today = (await aPurchase(shop)).paymentId
  await sql`update payments set created_at = now() - interval '1 day' where id = ${paymentId}`.execute(
    shop.db,
  )
  const { body } = await ask(await anOperator(shop.db), 'POST', '/api/v1/account/tokens', {
    body: { name: 'nightly', permissions: ['revenue.see'], days: 30 },
  })
  await promisify(execFile)('sh', ['-ec', examples[1] ?? ''], {
    cwd: folder,
    env: { PATH: process.env.PATH, TOKEN: body.token, CONSOLE: consoleUrl },
  })
  const saved = await readFile(join(folder, 'payments.csv'), 'utf8')
  expect(saved).toContain(paymentId)
  expect(saved).not.toContain(today)
})

test('the third tells a chat of a refund', async () => {
  const chat = await aReceiver({ status: 200 })
  await running(examples[2] ?? '', ['payment.refunded'], { CHAT_URL: chat.url })
  const { paymentId } = await aPurchase(shop)
  await sql`insert into refunds (id, payment_id, amount_minor, reason, status, ended_at)
    values (gen_random_uuid(), ${paymentId}, 350, 'operator', 'Success', now())`.execute(shop.db)
  await sentUntil(shop, () => chat.messages.length === 1)
  expect(JSON.parse(chat.messages[0]?.body ?? '')).toEqual({
    text: `Refunded: 3.50 EUR, operator, payment ${paymentId}`,
  })
})
