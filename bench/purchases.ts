import { setTimeout as pause } from 'node:timers/promises'
import { Client, Pool } from 'pg'
import { ratePerSecond } from './measure.ts'
import { RawConnection, rawRequest } from './raw-client.ts'
import { type BenchShop, orderAndPay, purchase, untilDelivered } from './shop.ts'

/** How often the page that waits for a payment asks in these figures; customers' own pages ask less often. */
const ASK_EVERY_MS = 10

const NOT_RECEIVED = `select
  (select count(*) from payments where delivered_at is not null and not is_invoiced)
  + (select count(*) from graphile_worker.jobs where task_identifier = 'mail-receipt') as waiting`

export type WholePurchases = {
  /** Until the last receipt was sent. */
  perSecond: number
  /** From the order to the page that says Success. */
  p99: number
  /** Receipts that were yet to be sent when nobody bought any more. */
  left: number
}

/** Customers who buy at once, on a connection each; on a new one in each run, because the shop cuts who says nothing for long. */
export const startBuyers = (shop: BenchShop, databaseUrl: string) => {
  const books = new Pool({ connectionString: databaseUrl, max: 1 })
  // Of a bench that fails: its own error is the one to be read.
  books.on('error', () => undefined)
  const lanes = shop.tokens.length

  const buy = async (
    seconds: number,
    once: (connection: RawConnection, token: string) => Promise<void>,
  ): Promise<void> => {
    const connections = await Promise.all(shop.tokens.map(() => RawConnection.open(shop.port)))
    await ratePerSecond(lanes, seconds, (lane) =>
      once(connections[lane] as RawConnection, shop.tokens[lane] as string),
    )
    for (const connection of connections) connection.close()
  }

  const untilSuccess = async (connection: RawConnection, paymentId: string) => {
    const ask = rawRequest('GET', `/api/v1/payment/status/${paymentId}`)
    while (!(await connection.send(ask)).body.includes('"Success"')) await pause(ASK_EVERY_MS)
  }
  const receiptsLeft = async () => Number((await books.query(NOT_RECEIVED)).rows[0].waiting)
  const untilReceived = async () => {
    while ((await receiptsLeft()) > 0) await pause(100)
  }

  /** How many were delivered in a second; receipts follow when they can. */
  const perSecond = async (seconds: number): Promise<number> => {
    const before = await untilDelivered(books)
    const start = performance.now()
    await buy(seconds, async (connection, token) => void (await purchase(connection, token)))
    const delivered = (await untilDelivered(books)) - before
    return delivered / ((performance.now() - start) / 1000)
  }

  /** The same, while no invoice is issued: jobs wait for the counters, which stay locked. */
  const perSecondWithoutReceipts = async (seconds: number): Promise<number> => {
    const holder = new Client({ connectionString: databaseUrl })
    await holder.connect()
    await holder.query('begin; lock table invoice_counters in exclusive mode')
    try {
      return await perSecond(seconds)
    } finally {
      await holder.end()
    }
  }

  /** With all that belongs to one: the status asked until it says Success, the invoice, the receipt. */
  const whole = async (seconds: number): Promise<WholePurchases> => {
    await untilReceived()
    const times: number[] = []
    const start = performance.now()
    await buy(seconds, async (connection, token) => {
      const began = performance.now()
      await untilSuccess(connection, await orderAndPay(connection, token, (_, call) => call()))
      times.push(performance.now() - began)
    })
    const left = await receiptsLeft()
    await untilReceived()
    times.sort((a, b) => a - b)
    return {
      perSecond: times.length / ((performance.now() - start) / 1000),
      p99: times[Math.floor(times.length * 0.99)] ?? Number.NaN,
      left,
    }
  }

  return {
    perSecond,
    perSecondWithoutReceipts,
    whole,
    untilReceived,
    one: async (): Promise<string> => {
      const connection = await RawConnection.open(shop.port)
      const paymentId = await purchase(connection, shop.tokens[0] as string)
      connection.close()
      return paymentId
    },
    delivered: () => untilDelivered(books),
    /** What PostgreSQL does by itself within a minute: until then plans are made for tables that have no rows. */
    analyse: () => books.query('vacuum analyze'),
    stop: () => books.end(),
  }
}
