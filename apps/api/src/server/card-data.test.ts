import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { findCards, findCode, findNamedCodes, markedCard } from '@hedgerow/testing/card-search'
import { hasPdfTools, readPdf } from '@hedgerow/testing/documents'
import { freePort } from '@hedgerow/testing/free-port'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { failToStartApi, startApiProcess } from '#testing/api-process.ts'
import { aCustomer, type TestCustomer } from '#testing/customers.ts'
import { listBooks, sendUpdate, switchFaults } from '#testing/gateway.ts'
import { hurry, queueIsEmpty } from '#testing/jobs.ts'
import { anOrder } from '#testing/orders.ts'
import { answerChallenge, cardBody, pay, reached, startPayment } from '#testing/payments.ts'
import { planFor, startSale } from '#testing/plans.ts'
import { environmentOf, startTestShop } from '#testing/test-shop.ts'
import { filesIn, startWatchedShop, type WatchedShop } from '#testing/watched-shop.ts'

/** The gateway's own numbers, which alone lead to these turns. */
const TURNS = {
  declined: '4111111111111111',
  challenged: '4314220000000056',
  challengedTwice: '4000001111000048',
  clarified: '4000001111000014',
  action: '4000001111000022',
  authorised: '4000001111000030',
  redirected: '4000001111000055',
}
const CVV = '7391'

/** A new number for each path, so that what leaks tells where. */
const numbers = () => {
  const used: string[] = []
  const next = () => {
    const pan = markedCard(used.length + 1)
    used.push(pan)
    return pan
  }
  return { next, all: () => [...used, ...Object.values(TURNS)] }
}
type Numbers = ReturnType<typeof numbers>

const dumpOf = async ({ db }: Pick<WatchedShop, 'db'>): Promise<string> => {
  const tables = await sql<{ schema: string; name: string }>`
    select schemaname as schema, tablename as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')`.execute(db)
  const dumps = tables.rows.map(async ({ schema, name }) => {
    const rows = await sql<{
      row: string
    }>`select t::text as row from ${sql.table(`${schema}.${name}`)} as t`.execute(db)
    return rows.rows.map(({ row }) => `${schema}.${name}: ${row}`)
  })
  return (await Promise.all(dumps)).flat().join('\n')
}

/** The gateway's secret in the sandbox. */
const GATE = { settings: { gate: { projectId: 57_123, secret: 'sandbox-secret' } } } as Parameters<
  typeof sendUpdate
>[0]

type Path = (shop: WatchedShop, customer: TestCustomer, cards: Numbers) => Promise<unknown>

const buy = async (shop: WatchedShop, customer: TestCustomer, pan: string, more: object = {}) =>
  startPayment(shop, customer, await anOrder(shop, customer), { pan, cvv: CVV, ...more })

const answer = (shop: WatchedShop, what: string, id: string, body: object) =>
  shop.call('POST', `/api/v1/payment/${what}/${id}`, { body })

const PATHS: Record<string, Path> = {
  paid: async (shop, customer, cards) => reached(shop, await buy(shop, customer, cards.next()), 'Success'),
  declined: async (shop, customer) => {
    await reached(shop, await buy(shop, customer, TURNS.declined), 'Decline')
    await hurry(shop, 'mail-declined')
  },
  'refused by the gateway': async (shop, customer, cards) =>
    reached(shop, await buy(shop, customer, `${cards.next()}${cards.next()}`), 'Error'),
  challenged: async (shop, customer) => {
    const id = await buy(shop, customer, TURNS.challenged)
    await answerChallenge(shop, id)
    await reached(shop, id, 'Success')
  },
  'challenged twice': async (shop, customer) => {
    const id = await buy(shop, customer, TURNS.challengedTwice)
    await answerChallenge(shop, id)
    await answerChallenge(shop, id)
    await reached(shop, id, 'Success')
  },
  'asked for the address, and told the number': async (shop, customer, cards) => {
    const id = await buy(shop, customer, TURNS.clarified)
    await reached(shop, id, 'awaiting clarification')
    const wrong = { answers: { 'avs_data.avs_post_code': cards.next(), [cards.next()]: CVV } }
    await answer(shop, 'clarification', id, wrong)
    const answers = {
      'avs_data.avs_post_code': 'EX1 1EX',
      'avs_data.avs_street_address': `1 ${cards.next()} Street`,
    }
    await answer(shop, 'clarification', id, { answers })
    await reached(shop, id, 'Success')
  },
  'asked for a code': async (shop, customer, cards) => {
    const id = await buy(shop, customer, TURNS.authorised)
    await reached(shop, id, 'awaiting merchant auth')
    await answer(shop, 'authorisation', id, {})
    await answer(shop, 'authorisation', id, { code: cards.next() })
    await until(async () => (await answer(shop, 'authorisation', id, { code: '4711' })).status === 200)
    await reached(shop, id, 'Success')
  },
  'shown what to do': async (shop, customer) =>
    reached(shop, await buy(shop, customer, TURNS.action), 'awaiting customer action'),
  'left for another card': async (shop, customer, cards) => {
    const order = await anOrder(shop, customer)
    const left = await startPayment(shop, customer, order, { pan: TURNS.challenged, cvv: CVV })
    await reached(shop, left, 'awaiting 3ds result')
    const id = await startPayment(shop, customer, order, { pan: cards.next(), cvv: CVV, instead: left })
    await reached(shop, id, 'Success')
  },
  'for a plan': async (shop, customer, cards) =>
    reached(
      shop,
      await startSale(shop, customer, planFor('31 days'), { pan: cards.next(), cvv: CVV }),
      'Success',
    ),
  'the number in the holder’s field': async (shop, customer, cards) => {
    const holder = cards.next().match(/.{4}/g)?.join(' ')
    await reached(
      shop,
      await buy(shop, customer, cards.next(), { card_holder: `${holder} 12-28 ${CVV}` }),
      'Success',
    )
  },
  'refused by the form’s rules': async (shop, customer, cards) => {
    const order = await anOrder(shop, customer)
    const wrong: object[] = [
      { pan: cards.next().slice(0, 14) },
      { pan: `${cards.next()}x` },
      { pan: { number: cards.next() } },
      { month: 'x' },
      { month: cards.next() },
      { total: Number(cards.next()) },
      { currency: cards.next() },
      { instead: cards.next() },
      { browser: { screen_res: cards.next() } },
      { acceptTerms: cards.next() },
      { card_holder: 'a'.repeat(300) },
      { total: 1 },
    ]
    for (const card of wrong) {
      const { status } = await pay(shop, customer, order, { pan: cards.next(), cvv: CVV, ...card })
      expect(status).toBeGreaterThanOrEqual(400)
    }
  },
  unreadable: async (shop, { token }, cards) => {
    const order = await anOrder(shop, { token })
    const url = `/api/v1/orders/${order.orderId}`
    const body = JSON.stringify(cardBody(order, { pan: cards.next(), cvv: CVV }))
    const send = (type: string, text: string, to = url) =>
      shop.call('POST', to, { token, headers: { 'content-type': type }, body: text })
    await send('application/json', body.slice(0, -1))
    await send('application/json', body.replace('{', `{"__proto__":{"pan":"${cards.next()}"},`))
    await send('application/json', body.replace('{', `{"${'x'.repeat(9000)}":1,`))
    await send('text/plain', body)
    await send('application/x-www-form-urlencoded', `pan=${cards.next()}&cvv=${CVV}`)
    await send('multipart/form-data; boundary=x', `--x\r\n\r\n${cards.next()}\r\n--x--`)
    await send('application/json', body, `/api/v1/orders/${cards.next()}`)
    await send('application/json', body, `/api/v1/nowhere/${cards.next()}?pan=${cards.next()}&cvv=${CVV}`)
    await shop.call('GET', `/api/v1/payment/status/${cards.next()}`)
    await shop.call('GET', `/checkout/x?pan=${cards.next()}`)
    await shop.call('POST', url, {
      token: cards.next(),
      body: cardBody(order, { pan: cards.next(), cvv: CVV }),
    })
  },
  'torn on the way': async (shop, { token }, cards) => {
    const order = await anOrder(shop, { token })
    const body = JSON.stringify(cardBody(order, { pan: cards.next(), cvv: CVV }))
    const head = `POST /api/v1/orders/${order.orderId} HTTP/1.1\r\nhost: shop\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\n`
    const send = (rest: string) =>
      new Promise<void>((closed) => {
        const socket = connect(shop.port, '127.0.0.1', () => socket.write(head + rest))
        socket.on('error', () => undefined).on('close', () => closed())
        socket.resume()
        if (rest.startsWith('content-length')) setTimeout(() => socket.destroy(), 200)
      })
    await send(`transfer-encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\nno length\r\n`)
    await send(`pan: ${cards.next()}\r\nno header ${cards.next()}\r\n\r\n`)
    await send(`content-length: ${body.length + 100}\r\n\r\n${body}`)
  },
  'told in full by the gateway': async (shop, customer, cards) => {
    await switchFaults(shop, { dropCallbacks: true })
    const pan = cards.next()
    const order = await anOrder(shop, customer)
    const paymentId = await startPayment(shop, customer, order, { pan, cvv: CVV })
    const account = { number: pan, card_holder: `${pan} ADA`, type: 'visa' }
    const update = {
      paymentId,
      amountMinor: Math.round(order.total * 100),
      currency: 'EUR',
      status: 'success',
    }
    const reply = await sendUpdate({ ...GATE, call: shop.call }, { ...update, more: { account } })
    expect(reply.status).toBe(200)
    await reached(shop, paymentId, 'Success')
    await switchFaults(shop, { dropCallbacks: false })
  },
  'a gateway that answers 500': async (shop, customer, cards) => {
    await switchFaults(shop, { failSales: '500' })
    await buy(shop, customer, cards.next())
    await switchFaults(shop, { failSales: 'none' })
  },
  'a gateway that hangs up': async (shop, customer, cards) => {
    for (const failSales of ['drop-before-accept', 'drop-after-accept'] as const) {
      await switchFaults(shop, { failSales })
      await buy(shop, customer, cards.next())
    }
    await switchFaults(shop, { failSales: 'none' })
  },
  'a gateway that says nothing': async (shop, customer, cards) => {
    const pan = cards.next()
    await switchFaults(shop, { failSales: 'hang' })
    const id = buy(shop, customer, pan)
    await until(() => wasAsked(shop, pan))
    await switchFaults(shop, { failSales: 'none' })
    await reached(shop, await id, 'Success')
  },
  'written to the support': async (shop, { token }, cards) => {
    const body = {
      id: randomUUID(),
      name: `Ada ${cards.next()}`,
      problem: `My card ${cards.next()} 12/28 ${CVV} fails`,
    }
    expect((await shop.call('POST', '/api/v1/support', { token, body })).status).toBe(201)
    expect((await shop.call('POST', '/api/v1/support', { token, body })).status).toBe(201)
  },
  'in every field of the invoice generator': async (shop, _, cards) => {
    const fields = {
      timestamp: '2026-11-21',
      description: 'x',
      authCode: 'x',
      method: 'x',
      pan: 'x',
      cardHolder: 'x',
      total: '€1',
    }
    const grouped = () => cards.next().match(/.{4}/g)?.join(' ')
    const post = (body: object) => shop.call('POST', '/api/v1/invoice', { body })
    for (const field of Object.keys(fields))
      await post({ ...fields, [field]: `${field === 'total' ? '€' : ''}${grouped()}` })
    const texts = {
      description: grouped(),
      authCode: cards.next(),
      method: grouped(),
      pan: grouped(),
      cardHolder: grouped(),
    }
    const { status, bytes } = await post({ ...fields, ...texts })
    expect(status).toBe(200)
    if (hasPdfTools) expect(findCards((await readPdf(bytes)).text, cards.all())).toEqual([])
  },
}

/** That a number came through at all: what is not found otherwise would prove nothing. */
const wasAsked = ({ gateCalls }: WatchedShop, pan: string) =>
  gateCalls.some(({ body }) => body.card?.pan === pan && body.card.cvv === CVV)

/** A sale that hangs at the gateway while the process ends by the signal. */
const endInTheMiddle = async (
  shop: WatchedShop,
  customer: TestCustomer,
  pan: string,
  signal: NodeJS.Signals,
) => {
  await switchFaults(shop, { failSales: 'hang' })
  const cut = buy(shop, customer, pan).catch(() => 'cut')
  await until(() => wasAsked(shop, pan))
  await shop.api().kill(signal)
  expect(await cut).toBe('cut')
  await switchFaults(shop, { failSales: 'none' })
}

describe('a card number and a security code', () => {
  test('stay nowhere: no file, table, log, mail, answer or measure has them after purchases of every kind', {
    timeout: 240_000,
  }, async () => {
    const shop = await startWatchedShop()
    const cards = numbers()
    const customer = await aCustomer(shop)
    for (const [name, path] of Object.entries(PATHS)) {
      await path(shop, customer, cards).catch((error) => {
        throw new Error(`A purchase ${name} did not go as it should`, { cause: error })
      })
    }
    await shop.call('GET', '/api/v1/user/profile', { token: customer.token })
    await shop.call('GET', '/api/v1/payment/history', { token: customer.token })
    await shop.call('GET', '/api/v1/user/data', { token: customer.token })
    await shop.call('GET', '/api/v1/openapi.json')

    await endInTheMiddle(shop, customer, cards.next(), 'SIGKILL')
    await shop.restart({ GATE_3DS_FLOW: 'extended' })
    const extended = await buy(shop, customer, TURNS.challenged)
    await until(async () =>
      (await shop.call('GET', `/api/v1/payment/status/${extended}`)).text.includes('iframe'),
    )
    await answer(shop, '3ds-method', extended, { threeDSMethodData: cards.next() })
    await answer(shop, 'challenge', extended, { PaRes: cards.next(), MD: cards.next() })
    await queueIsEmpty(shop)

    const metrics = await shop.said.metrics()
    const books = JSON.stringify(await listBooks(shop))
    const dump = await dumpOf(shop)
    await endInTheMiddle(shop, customer, cards.next(), 'SIGXCPU')
    await sql`checkpoint`.execute(shop.db)
    await shop.db.destroy()
    await shop.stopDatabase()
    await shop.sandbox.close()

    expect(dump).toContain(`${cards.all()[0]?.slice(0, 6)}******${cards.all()[0]?.slice(-4)}`)
    const texts = {
      metrics,
      books,
      dump,
      answers: shop.said.answers(),
      log: shop.said.log(),
      mails: shop.said.mails(),
    }
    expect(texts.log).toContain('"level":10')
    expect(texts.mails).toContain('Subject:')
    for (const [where, text] of Object.entries(texts)) {
      expect.soft({ where, cards: findCards(text, cards.all()) }).toEqual({ where, cards: [] })
      const codes = where === 'metrics' || where === 'mails' ? findNamedCodes(text) : findCode(text, CVV)
      expect.soft({ where, codes }).toEqual({ where, codes: [] })
    }
    const files = await filesIn(shop.folder)
    const names = files.map(({ name }) => name).join('\n')
    expect(names).not.toMatch(/^cwd\/core/m)
    expect(names).toMatch(/pg_wal\/[0-9A-F]{24}/)
    for (const { name, bytes } of files) {
      expect.soft({ name, cards: findCards(bytes, cards.all()) }).toEqual({ name, cards: [] })
      expect.soft({ name, codes: findNamedCodes(bytes) }).toEqual({ name, codes: [] })
    }
    const databaseLog = files.find(({ name }) => name.endsWith('postgres/log'))?.bytes.toString() ?? ''
    expect(databaseLog).toContain('insert into payments')
    expect(findCode(databaseLog, CVV)).toEqual([])
  })
})

describe('the memory that card numbers pass through', () => {
  const env = async () => {
    const shop = await startTestShop()
    return { ...environmentOf(shop, await freePort()) }
  }

  test('is not part of a core file, and a signal opens it to no debugger', async () => {
    const api = await startApiProcess(await env(), { mayDumpCore: true })
    if (existsSync('/proc/self/coredump_filter')) {
      expect(Number(readFileSync(`/proc/${api.pid}/coredump_filter`, 'utf8'))).toBe(0)
      // One byte: what a collector is not run for either.
      expect(readFileSync(`/proc/${api.pid}/limits`, 'utf8')).toMatch(/core file size +1 +1 /)
    }
    process.kill(api.pid, 'SIGUSR1')
    expect((await api.call('GET', '/healthz')).status).toBe(200)
    await api.stop()
    expect(api.output()).not.toMatch(/debugger/i)
  })

  test.each(['--inspect=0', '--heapsnapshot-signal=SIGUSR2', '--report-on-fatalerror'])(
    'is not shown by %s: a real shop does not start with it',
    async (option) => {
      const { code, output } = await failToStartApi({ NODE_ENV: 'production', NODE_OPTIONS: option })
      expect(code).toBe(1)
      expect(output).toContain(`${option} would expose the card numbers in memory. Start without.`)
    },
  )
})
