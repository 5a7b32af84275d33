import { createServer, type Socket } from 'node:net'
import { freePort } from '@hedgerow/testing/free-port'
import { mailbox } from '@hedgerow/testing/mailbox'
import { IS_LONG } from '@hedgerow/testing/strength'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type ApiProcess, startApiProcess } from '#testing/api-process.ts'
import { aCustomer, uniqueEmail } from '#testing/customers.ts'
import { bookOf, listBooks, switchFaults } from '#testing/gateway.ts'
import { hurry, postpone } from '#testing/jobs.ts'
import { anOrder } from '#testing/orders.ts'
import {
  bankForm,
  CARDS,
  challengeOf,
  connectionsOf,
  reached,
  sendToChallenge,
  startPayment,
} from '#testing/payments.ts'
import { type Environment, environmentOf, openGround } from '#testing/test-shop.ts'

/** A shop whose API runs in a process that can be killed and started again at the same address. */
const aMortalShop = async (env: Environment = {}) => {
  const { close, ...ground } = await openGround({ env })
  onTestFinished(close)
  const port = await freePort()
  let api: ApiProcess
  const start = async (more: Environment = {}) => {
    api = await startApiProcess({ ...environmentOf(ground, port), ...more })
  }
  /** Until the database has noticed that the process is gone: only then are its jobs free. */
  const gone = () =>
    until(async () => {
      const { rows } = await sql`select from pg_stat_activity
        where datname = current_database() and application_name like 'hedgerow%' and pid <> pg_backend_pid()
          and application_name = 'hedgerow listener'`.execute(ground.db)
      return rows.length === 0
    })
  return {
    ...ground,
    call: ((...args) => api.call(...args)) as ApiProcess['call'],
    start,
    kill: async () => {
      await api.kill()
      await gone()
    },
  }
}

const aBuyer = async (shop: Awaited<ReturnType<typeof aMortalShop>>) => {
  const customer = await aCustomer(shop)
  return { customer, order: await anOrder(shop, customer) }
}

const checkNow = ({ db }: Pick<Awaited<ReturnType<typeof aMortalShop>>, 'db'>) =>
  sql`update payments set next_check_at = now() where next_check_at is not null`.execute(db)

describe('an API that is killed', () => {
  test('right after the gateway’s success, with no callback to come, delivers once after its restart', async () => {
    const shop = await aMortalShop()
    await shop.start()
    await switchFaults(shop, { dropCallbacks: true })
    await postpone(shop, 'check-payments')
    const { customer, order } = await aBuyer(shop)
    const paymentId = await startPayment(shop, customer, order)
    await until(async () => (await bookOf(shop, paymentId))?.status === 'success')
    await shop.kill()
    expect(await connectionsOf(shop, paymentId)).toEqual([])
    await checkNow(shop)
    await shop.start()
    await reached(shop, paymentId, 'Success')
    expect(await connectionsOf(shop, paymentId)).toHaveLength(3)
  })

  test('before a callback that the gateway repeats delivers once after its restart', async () => {
    const shop = await aMortalShop()
    await shop.start()
    await switchFaults(shop, { callbackDelayMs: 300, duplicateCallbacks: 3 })
    const { customer, order } = await aBuyer(shop)
    const paymentId = await startPayment(shop, customer, order)
    await shop.kill()
    await until(async () => (await bookOf(shop, paymentId))?.status === 'success')
    await shop.start()
    await reached(shop, paymentId, 'Success')
    await until(async () => (await bookOf(shop, paymentId)).callbacks.delivered === 4)
    expect(await connectionsOf(shop, paymentId)).toHaveLength(3)
  })

  test('at any moment of a payment neither charges twice nor loses what was charged', async () => {
    const shop = await aMortalShop()
    await shop.start()
    await switchFaults(shop, { callbackDelayMs: 5 })
    for (const waitMs of IS_LONG ? [0, 4, 8, 12, 20] : [8]) {
      const { customer, order } = await aBuyer(shop)
      const sent = startPayment(shop, customer, order).catch(() => undefined)
      await new Promise((later) => setTimeout(later, waitMs))
      await shop.kill()
      await sent
      await sql`update payments set created_at = now() - interval '2 minutes', next_check_at = now()
        where ended_at is null`.execute(shop.db)
      await shop.start()
      const started = () =>
        shop.db.selectFrom('payments').selectAll().where('order_id', '=', order.orderId).execute()
      await until(async () => {
        await checkNow(shop)
        await hurry(shop, 'check-payments')
        return (await started()).every(({ ended_at }) => ended_at !== null)
      })
      const charges = (await listBooks(shop)).filter(({ status }) => status === 'success').map(({ id }) => id)
      for (const { id, status } of await started()) {
        expect(status === 'Success').toBe(charges.includes(id))
        expect(await connectionsOf(shop, id)).toHaveLength(charges.includes(id) ? 3 : 0)
      }
    }
  })

  test('with an answer of the bank in its queue passes it on after its restart', async () => {
    const shop = await aMortalShop()
    await shop.start()
    const { customer, order } = await aBuyer(shop)
    const paymentId = await startPayment(shop, customer, order, { pan: CARDS.challenged })
    const form = bankForm(await challengeOf(shop, paymentId))
    // A gateway that cannot be reached keeps the answer in the queue.
    await shop.kill()
    await shop.start({ GATE_URL: 'http://127.0.0.1:9' })
    await sendToChallenge(shop, paymentId, form)
    await shop.kill()
    await sql`update graphile_worker._private_jobs set run_at = now() where locked_at is null`.execute(
      shop.db,
    )
    await shop.start()
    await reached(shop, paymentId, 'Success')
    expect(await connectionsOf(shop, paymentId)).toHaveLength(3)
  })

  test('while it sends a mail sends it after its restart', async () => {
    const sockets: Socket[] = []
    const silent = createServer((socket) => {
      sockets.push(socket)
      socket.on('error', () => undefined)
    })
    await new Promise<void>((ready) => silent.listen(0, '127.0.0.1', ready))
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy()
      silent.close()
    })
    const { port } = silent.address() as { port: number }
    const shop = await aMortalShop()
    await shop.start({ SMTP_URL: `smtp://127.0.0.1:${port}` })
    const email = uniqueEmail()
    const body = { name: 'Ada', email, signupPassword: 'hedge sparrow 7', acceptTerms: true }
    await shop.call('POST', '/api/v1/user/create', { body })
    await until(() => sockets.length > 0)
    const isLocked = async () => {
      const { rows } = await sql`select from graphile_worker.jobs
        where task_identifier = 'mail-confirmation' and locked_at is not null`.execute(shop.db)
      return rows.length === 1
    }
    expect(await isLocked()).toBe(true)
    await shop.kill()
    expect(await isLocked()).toBe(true)
    await shop.start()
    expect((await mailbox(shop).latest(email, 'Confirm your email')).text).toContain('You opened an account')
    expect(await mailbox(shop).list(email, 'Confirm your email')).toHaveLength(1)
  })
})

test('two API processes that start at once on one database serve alike', async () => {
  const shop = await aMortalShop()
  const other = startApiProcess(environmentOf(shop, await freePort()))
  await shop.start()
  const { call } = await other
  const { customer, order } = await aBuyer(shop)
  const paymentId = await startPayment({ call }, customer, order)
  await Promise.all([reached(shop, paymentId, 'Success'), reached({ call }, paymentId, 'Success')])
  expect(await connectionsOf(shop, paymentId)).toHaveLength(3)
})

test('an API that is asked to stop ends by itself, with success', async () => {
  const { close, ...ground } = await openGround()
  onTestFinished(close)
  const api = await startApiProcess(environmentOf(ground, await freePort()))
  expect((await api.call('GET', '/healthz')).status).toBe(200)
  expect(await api.stop()).toBe(0)
})
