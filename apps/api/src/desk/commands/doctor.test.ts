import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isoDay } from '@hedgerow/domain/dates'
import { addMonths, monthOf } from '@hedgerow/domain/periods'
import { runningVersion } from '@hedgerow/settings/running-version'
import { mailbox } from '@hedgerow/testing/mailbox'
import { sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import { whatOfNames } from '#care/doctor/name-checks.ts'
import { pageChecks } from '#care/doctor/page-checks.ts'
import { whatOfCertificate } from '#care/doctor/proxy-checks.ts'
import { runChecks } from '#care/doctor/run-checks.ts'
import { placeholdersIn, settingChecks } from '#care/doctor/setting-checks.ts'
import { workChecks } from '#care/doctor/work-checks.ts'
import { stripeCheck } from '#money/gateway/stripe/stripe-check.ts'
import { readSettings } from '#platform/settings.ts'
import { aNode } from '#testing/nodes.ts'
import { runOps } from '#testing/ops.ts'
import { aPurchase } from '#testing/payments.ts'
import { environmentOf, newKey, shopOfFile, startTestShop, type TestShop } from '#testing/test-shop.ts'

const shop = shopOfFile()

const doctor = async (of: TestShop, env: Record<string, string>, ...args: string[]) => {
  const base = environmentOf(of, Number(new URL(of.url).port))
  const { code, json, out } = await runOps({ ...base, ...env }, 'doctor', '--json', ...args)
  const found = json.found as { check: string; state: string; says: string; act?: string }[]
  return { code, out, of: (check: string) => found.filter((one) => one.check === check) }
}

test('a shop that works is told to be well in what it can be, and a mail is sent where one is asked for', {
  timeout: 120_000,
}, async () => {
  await aNode(shop)
  await aPurchase(shop)
  const { of } = await doctor(shop, {}, '--mail-to', 'ops@example.org')
  for (const check of ['key', 'migrations', 'proxy', 'certificate', 'gateway', 'mail', 'nodes'])
    expect(of(check), check).toContainEqual(expect.objectContaining({ state: 'ok' }))
  expect(of('gateway')).toEqual([
    expect.objectContaining({ says: expect.stringContaining('takes the signature') }),
  ])
  expect(of('stripe')).toEqual([
    expect.objectContaining({ says: expect.stringContaining('takes the key') }),
    expect.objectContaining({ state: 'warning', says: expect.stringContaining('no webhook') }),
    expect.objectContaining({ state: 'ok', says: expect.stringContaining('balance and payouts') }),
  ])
  expect(of('backup')).toEqual([
    expect.objectContaining({ state: 'warning', act: expect.stringContaining('BACKUP_DIR') }),
  ])
  expect(of('placeholders')).toEqual([
    expect.objectContaining({ says: expect.stringContaining('BRAND_PHONE') }),
  ])
  await mailbox(shop).latest('ops@example.org', 'a mail to try the mail server')
})

test('a file of another authority that cannot be read is told, which Node.js only prints', async () => {
  vi.stubEnv('NODE_EXTRA_CA_CERTS', '/nowhere/ca.pem')
  onTestFinished(() => void vi.unstubAllEnvs())
  const found = await runChecks(
    { db: shop.db, settings: shop.settings, storefrontDir: '' },
    { checks: settingChecks },
  )
  expect(found).toContainEqual(
    expect.objectContaining({ state: 'problem', says: expect.stringContaining('/nowhere/ca.pem') }),
  )
})

test('a key of Stripe’s that may not read what it books is said', async () => {
  const server = createServer(({ url = '' }, response) => {
    const isKept = url.startsWith('/v1/payouts')
    response.writeHead(isKept ? 403 : 200).end(JSON.stringify(isKept ? { error: {} } : { data: [] }))
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  onTestFinished(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const settings = { ...shop.settings, stripe: { url, key: 'rk_test_1', webhookSecrets: [] } }
  expect(await stripeCheck.look(settings, AbortSignal.timeout(10_000))).toContainEqual(
    expect.objectContaining({ state: 'warning', says: expect.stringContaining('may not read the balance') }),
  )
})

test('each thing that is wrong is said beside the others, and no secret', { timeout: 120_000 }, async () => {
  const wrongKey = newKey()
  await aPurchase(shop)
  const { code, out, of } = await doctor(shop, {
    KEY_ENCRYPTION_KEY: wrongKey,
    GATE_SECRET: 'another-secret-altogether',
    SMTP_URL: 'smtp://me:hidden-word@127.0.0.1:9',
    PUBLIC_URL: 'http://127.0.0.1:9',
  })
  expect(code).toBe(1)
  expect(of('key')).toEqual([expect.objectContaining({ state: 'problem' })])
  expect(of('gateway')).toEqual([
    expect.objectContaining({ state: 'problem', says: expect.stringContaining('refuses a signed call') }),
  ])
  expect(of('mail')).toEqual([expect.objectContaining({ state: 'problem' })])
  expect(of('proxy')).toEqual([
    expect.objectContaining({ state: 'problem', says: expect.stringContaining('does not answer') }),
  ])
  expect(of('migrations')).toEqual([expect.objectContaining({ state: 'ok' })])
  for (const secret of [wrongKey, 'another-secret', 'hidden-word']) expect(out).not.toContain(secret)
})

test('a proxy that lets callers say who they are is found', { timeout: 120_000 }, async () => {
  expect((await doctor(shop, {})).of('proxy')[0]).toMatchObject({
    state: 'ok',
    says: expect.stringContaining('by their own address'),
  })
  const trusting = await startTestShop({ env: { TRUSTED_PROXIES: '127.0.0.1' } })
  expect((await doctor(trusting, {})).of('proxy')[0]).toMatchObject({
    state: 'problem',
    act: expect.stringContaining('X-Forwarded-For'),
  })
})

test('block lists that are empty or old, agents of other versions, and silence outside, are named with their nodes', {
  timeout: 120_000,
}, async () => {
  const own = await startTestShop()
  const [bare, late] = [await aNode(own, { name: 'Bare' }), await aNode(own, { name: 'Late' })]
  const old = Math.round(Date.now() / 1000) - 20 * 86_400
  const ask = ({ secret }: typeof bare, said: string) =>
    own.call('GET', `/api/v1/agent/changes?since=0&wait=0&${said}`, { token: secret })
  await ask(bare, 'lists=ads:0,malicious:5,family:5&version=0.0.1')
  await ask(late, `lists=ads:7,malicious:5,family:5&listTimes=ads:${old}&version=${runningVersion().version}`)
  await sql`update nodes set unreached = 'Nothing answers at X.' where name = 'Late'`.execute(own.db)
  const unsold = await doctor(own, {})
  expect(unsold.of('lists')).toEqual([
    expect.objectContaining({ says: expect.stringMatching(/: Late ads$/) }),
  ])
  await aPurchase(own)
  await sql`update connections set options = 2`.execute(own.db)
  await sql`update peers set node_id = ${bare.node.id}, position = position + 90`.execute(own.db)
  const mixed = await doctor(own, {})
  expect(mixed.of('nodes')).toContainEqual(
    expect.objectContaining({ state: 'warning', says: 'Late: Nothing answers at X.' }),
  )
  expect(mixed.of('lists')).toEqual([
    expect.objectContaining({ state: 'warning', says: expect.stringMatching(/without names.*: Bare ads$/) }),
    expect.objectContaining({ state: 'warning', says: expect.stringMatching(/14 days: Late ads$/) }),
  ])
  expect(mixed.of('agents')).toEqual([
    expect.objectContaining({ state: 'warning', says: expect.stringContaining('0.0.1 on Bare;') }),
  ])
  await ask(late, `lists=ads:0,malicious:5,family:5&version=${runningVersion().version}`)
  await ask(bare, `lists=ads:0,malicious:5,family:5&version=${runningVersion().version}`)
  const nowhere = await doctor(own, {})
  expect(nowhere.of('lists')[0]).toMatchObject({
    state: 'problem',
    says: 'no open node has names for: advertisement filter. It cannot be bought',
  })
  expect(nowhere.of('agents')).toEqual([expect.objectContaining({ state: 'ok' })])
})

test('pages that were built from another version than runs are found', async () => {
  const storefrontDir = await mkdtemp(join(tmpdir(), 'hedgerow-pages-'))
  onTestFinished(() => rm(storefrontDir, { recursive: true }))
  const settings = readSettings(environmentOf(shop, 1), false)
  await writeFile(join(storefrontDir, 'index.html'), '')
  await writeFile(join(storefrontDir, 'robots.txt'), '')
  const { version, commit } = runningVersion()
  const seen = async (built?: string) => {
    if (built) await writeFile(join(storefrontDir, 'built-from.json'), built)
    const found = await runChecks({ settings, db: shop.db, storefrontDir }, { checks: pageChecks })
    return found.slice(1)
  }
  expect(await seen()).toMatchObject([{ state: 'warning', says: expect.stringContaining('do not say') }])
  expect(await seen(JSON.stringify({ version: '0.0.1', commit }))).toMatchObject([
    {
      state: 'problem',
      says: expect.stringMatching(/built from 0\.0\.1 .*and .* runs$/),
      act: expect.stringContaining('install-shop.sh'),
    },
  ])
  expect(await seen(JSON.stringify({ version, commit: 'f'.repeat(40) }))).toMatchObject([
    { state: 'warning' },
  ])
  expect(await seen(JSON.stringify({ version, commit }))).toEqual([])
})

test('a resolver that does not answer is told apart from a name that is not there', () => {
  const mail = { setting: 'SMTP_URL', host: 'mail.example' }
  const page = { setting: 'PUBLIC_URL', host: 'shop.example' }
  expect(whatOfNames([mail, page])).toMatchObject([
    { state: 'ok', says: 'found: mail.example, shop.example' },
  ])
  expect(
    whatOfNames([
      { ...mail, code: 'EAI_AGAIN' },
      { ...page, code: 'EAI_AGAIN' },
    ]),
  ).toMatchObject([
    {
      state: 'problem',
      says: expect.stringContaining('its resolver does not answer'),
      act: expect.stringContaining('/etc/resolv.conf'),
    },
  ])
  expect(whatOfNames([{ ...mail, code: 'ENOTFOUND' }, page])).toMatchObject([
    { says: 'mail.example has no address (ENOTFOUND)', act: expect.stringContaining('SMTP_URL') },
  ])
})

test('books of the last month that cannot be closed are told with their month', async () => {
  const { paymentId } = await aPurchase(shop)
  const settings = readSettings(environmentOf(shop, 1), false)
  const look = async () =>
    (await runChecks({ settings, db: shop.db, storefrontDir: '' }, { checks: workChecks })).filter(
      ({ check }) => check === 'month',
    )
  expect(await look()).toMatchObject([{ state: 'ok' }])
  const last = addMonths(monthOf(isoDay(new Date())), -1)
  await sql`update payments set ended_at = ${`${last}-15`}::date where id = ${paymentId}`.execute(shop.db)
  await sql`delete from invoices`.execute(shop.db)
  expect(await look()).toMatchObject([
    {
      state: 'warning',
      says: expect.stringContaining(`the books of ${last}`),
      act: `month check --month ${last}`,
    },
  ])
})

test('a check that hangs or fails stops no other', async () => {
  const settings = readSettings(environmentOf(shop, 1), false)
  const hangs = { name: 'hangs', look: () => new Promise<never>(() => undefined) }
  const fails = {
    name: 'fails',
    look: async () => {
      throw Object.assign(new Error('password in here'), { code: 'ECONNREFUSED' })
    },
  }
  const works = { name: 'works', look: async () => ({ state: 'ok' as const, says: 'well' }) }
  const found = await runChecks(
    { settings, db: shop.db, storefrontDir: '' },
    { checks: [hangs, fails, works], withinMs: 50 },
  )
  expect(found.map(({ check, state }) => [check, state])).toEqual([
    ['hangs', 'problem'],
    ['fails', 'problem'],
    ['works', 'ok'],
  ])
  expect(JSON.stringify(found)).not.toContain('password')
})

test('examples of a company are found in what customers read', () => {
  const own = {
    BRAND_COMPANY: 'Quickset Limited',
    BRAND_COMPANY_NUMBER: '09214117',
    BRAND_REGISTERED_OFFICE: '7 Lane End, York, England',
    BRAND_VAT_NUMBER: 'GB294118235',
    BRAND_EMAIL: 'hello@quickset.co.uk',
    MAIL_FROM: 'Quickset <hello@quickset.co.uk>',
    OPERATOR_EMAIL: 'ops@quickset.co.uk',
    PUBLIC_URL: 'https://quickset.co.uk',
  }
  const of = (env: Record<string, string>) =>
    placeholdersIn(readSettings({ ...environmentOf(shop, 1), ...own, ...env })).filter(
      (one) => !one.startsWith('the link'),
    )
  expect(of({ BRAND_PHONE: '+44 1904 551 208' })).toEqual([])
  // No telephone is shown where none is set.
  expect(of({})).toEqual([])
  expect(of({ BRAND_PHONE: '020 7946 0123' })).toEqual([expect.stringContaining('BRAND_PHONE')])
})

test('a certificate that has ended is told as such, and one that is not trusted by the word of TLS', () => {
  const lasting = (days: number, of: number) => {
    const end = Date.now() + (days + 0.5) * 86_400_000
    return { from: new Date(end - of * 86_400_000), to: new Date(end) }
  }
  const told = [
    lasting(60, 90),
    lasting(20, 90),
    lasting(6, 90),
    // Renewed each other day.
    lasting(4, 6),
    'CERT_HAS_EXPIRED',
    'DEPTH_ZERO_SELF_SIGNED_CERT',
  ].map((shown) => whatOfCertificate('shop.example', shown))
  expect(told.map(({ state, says }) => [state, says])).toEqual([
    ['ok', 'shop.example: its certificate is good for 60 more days'],
    ['warning', 'shop.example: its certificate is good for 20 more days'],
    ['problem', 'shop.example: its certificate is good for 6 more days'],
    ['ok', 'shop.example: its certificate is good for 4 more days'],
    ['problem', 'shop.example: its certificate has expired'],
    [
      'problem',
      'shop.example: its certificate could not be looked at, or is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT)',
    ],
  ])
})
