import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import type { SetUp, SetUpStepName } from '@hedgerow/contract/console/set-up'
import { mailbox } from '@hedgerow/testing/mailbox'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  type LookUpTexts,
  lookAtDkim,
  lookAtDmarc,
  lookAtSpf,
  senderRecords,
} from '#care/doctor/sender-checks.ts'
import { watchShop } from '#care/doctor/watch-shop.ts'
import { readSetUp } from '#desk/set-up/set-up.ts'
import { recordIntent } from '#people/operators/operator-actions.ts'
import { anOperator, consoleOfFile } from '#testing/console.ts'
import { aNode } from '#testing/nodes.ts'
import { opsSettings, runOps } from '#testing/ops.ts'
import { aPurchase } from '#testing/payments.ts'

const { shop, ask } = await consoleOfFile({ env: { NODE_REACH_CHECK: 'on' } })

const read = async (): Promise<SetUp> => (await ask(await anOperator(shop.db), 'GET', '/api/v1/set-up')).body
const step = async (name: SetUpStepName) => (await read()).steps.find((one) => one.name === name)
const post = async (path: string) => ask(await anOperator(shop.db), 'POST', `/api/v1/set-up/${path}`)

describe('what a new shop still needs', () => {
  test('is found out from what there is, and no secret is shown', async () => {
    const { gate } = shop.settings
    const answer = await read()
    expect(answer.isOver).toBe(false)
    expect(Object.fromEntries(answer.steps.map(({ name, state }) => [name, state]))).toMatchObject({
      address: 'open',
      backup: 'open',
    })
    expect(JSON.stringify(answer)).not.toContain(gate?.secret)
    await watchShop(shop)
    expect((await step('address'))?.state).toBe('done')
    expect((await step('gateway'))?.state).toMatch(/done|warning/)
    expect((await read()).checkedAt).not.toBeNull()
  })

  test('a mail is tried at the operator’s own address, and no more than five an hour', async () => {
    expect((await post('mail')).status).toBe(200)
    await mailbox(shop).latest(shop.settings.operatorEmail, 'a mail to try the mail server')
    expect((await read()).mail.sentAt).not.toBeNull()
    for (let n = 1; n < 5; n++) await post('mail')
    const { status, body } = await post('mail')
    expect(status).toBe(409)
    expect(body.detail).toContain('5 mails were tried')
  })

  test('the prices are right once an operator says so', async () => {
    expect((await step('prices'))?.state).toBe('open')
    expect((await read()).prices.examples[0]?.minor).toBeGreaterThan(0)
    await post('prices')
    expect((await step('prices'))?.state).toBe('done')
  })

  test('a node counts once it is up, and a purchase once its money went back', async () => {
    const { node } = await aNode(shop)
    const set = (values: string) =>
      sql`update nodes set ${sql.raw(values)} where id = ${node.id}`.execute(shop.db)
    await set("faults = 'The tunnel’s interface is not set up.', faults_since = now()")
    expect(await step('node')).toMatchObject({ state: 'open', says: expect.stringContaining('gets ready') })
    await set("faults_since = now() - interval '3 minutes'")
    expect((await step('node'))?.state).toBe('problem')
    await set("shop_key = 'k', faults = '', faults_since = null")
    expect(await step('node')).toMatchObject({
      state: 'open',
      says: expect.stringContaining('tried from outside'),
    })
    const untried = { db: shop.db, settings: { ...shop.settings, nodeReachCheck: 'off' as const } }
    expect((await readSetUp(untried)).steps).toContainEqual(
      expect.objectContaining({
        name: 'node',
        state: 'done',
        says: expect.stringContaining('does not try it'),
      }),
    )
    await set(`answered_addresses = '["192.0.2.1"]'`)
    expect(await step('node')).toMatchObject({ state: 'done', says: expect.stringContaining('a probe') })
    const { paymentId } = await aPurchase(shop)
    expect(await step('purchase')).toMatchObject({
      state: 'open',
      act: expect.stringContaining('give it back'),
    })
    await sql`insert into refunds (id, payment_id, amount_minor, reason, status, ended_at)
      select gen_random_uuid(), id, charged_minor, 'cancelled', 'Success', now() from payments where id = ${paymentId}`.execute(
      shop.db,
    )
    expect((await step('purchase'))?.state).toBe('done')
  })

  test('nobody waits for a bucket that does not answer', async () => {
    let calls = 0
    const server = createServer(() => calls++).listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/bucket`
    const settings = { ...shop.settings, bucket: { url, key: 'k', secret: 's', region: 'r' } }
    await sql`insert into backups (name, place, machine, began_at, ended_at, bytes)
      values ('one', ${url}, '', now(), now(), 1)`.execute(shop.db)
    await readSetUp({ db: shop.db, settings })
    expect(calls).toBe(0)
  })

  test('the tool says the same', async () => {
    const { out } = await runOps({ ...opsSettings(shop), ...shop.env }, 'set-up')
    expect(out).toMatch(/node .*\n/)
  })
})

describe('the doctor in the console', () => {
  test('looks at everything, for an owner alone, and one at a time', async () => {
    expect((await ask(await anOperator(shop.db, 'manager'), 'POST', '/api/v1/set-up/doctor')).status).toBe(
      403,
    )
    const other = { who: 'another', command: 'doctor', arguments: {}, subject: undefined }
    const end = await recordIntent(shop, other)
    expect((await post('doctor')).status).toBe(409)
    await end('done')
    const { status, body } = await post('doctor')
    expect(status).toBe(200)
    expect(body.found).toContainEqual(expect.objectContaining({ check: 'migrations', state: 'ok' }))
  })
})

describe('what a domain says of mails from it', () => {
  const zone =
    (texts: Readonly<Record<string, string[]>>, code = 'ENOTFOUND'): LookUpTexts =>
    async (name) => {
      const found = new Map(Object.entries(texts)).get(name)
      if (!found?.length) throw Object.assign(new Error(name), { code: found ? 'ENODATA' : code })
      return found
    }

  test.each([
    ['one SPF record', lookAtSpf, { 'a.org': ['x', 'v=spf1 mx -all'] }, 'ok'],
    ['two SPF records', lookAtSpf, { 'a.org': ['v=spf1 mx', 'v=spf1 a'] }, 'warning'],
    ['no SPF record', lookAtSpf, { 'a.org': ['x'] }, 'warning'],
    ['a name below _domainkey', lookAtDkim, { '_domainkey.a.org': [] }, 'ok'],
    ['no name below _domainkey', lookAtDkim, {}, 'warning'],
    ['a DMARC record', lookAtDmarc, { '_dmarc.a.org': ['v=DMARC1; p=none'] }, 'ok'],
    ['no DMARC record', lookAtDmarc, {}, 'warning'],
  ])('%s', async (_, look, texts, state) => {
    expect((await look('a.org', zone(texts as Record<string, string[]>))).state).toBe(state)
  })

  test('a subdomain goes by the DMARC record above it', async () => {
    expect((await lookAtDmarc('shop.a.org', zone({ '_dmarc.a.org': ['v=DMARC1; p=reject'] }))).state).toBe(
      'ok',
    )
  })

  test.each([lookAtSpf, lookAtDkim, lookAtDmarc])(
    'what cannot be looked up is not called missing',
    async (look) => {
      expect(await look('a.org', zone({}, 'ETIMEOUT'))).toMatchObject({
        says: expect.stringContaining('could not be looked up'),
      })
    },
  )

  test.each([
    ['smtp://127.0.0.1:25', 'v=spf1 a mx ~all'],
    // Which servers these send from is theirs to say.
    ['smtps://me:word@mx.b.net', null],
    ['postmark://word@api.postmarkapp.com', null],
  ])('the records to publish are what is known of the mail server: %s', (smtpUrl, spf) => {
    const records = senderRecords({ mailFrom: 'Shop <shop@a.org>', smtpUrl, operatorEmail: 'me@a.org' })
    expect(records.map(({ name, value }) => [name, value])).toEqual([
      ['a.org', spf],
      ['_domainkey.a.org', null],
      ['_dmarc.a.org', 'v=DMARC1; p=none; rua=mailto:me@a.org'],
    ])
  })
})
