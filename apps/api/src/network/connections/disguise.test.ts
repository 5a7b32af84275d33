import { LONG_UNUSED_MS } from '@hedgerow/domain/connections'
import { DISGUISES, USUAL_DISGUISE } from '@hedgerow/domain/disguise'
import { inForm } from '@hedgerow/domain/file-form'
import type { Json } from '@hedgerow/testing/call'
import { mailbox } from '@hedgerow/testing/mailbox'
import { until } from '@hedgerow/testing/until'
import { configText } from '@hedgerow/wireguard/config-text'
import { sql } from 'kysely'
import { afterEach, describe, expect, test } from 'vitest'
import { opsSettings, runOps } from '#testing/ops.ts'
import { aPurchase } from '#testing/payments.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()

const setDisguise = (value: string) =>
  runOps(opsSettings(shop), 'setting', 'set', 'disguise', '--value', value, '--yes')

const anOwner = async () => {
  const { customer } = await aPurchase(shop)
  const shown = async (): Promise<Json> =>
    (await shop.call('GET', '/api/v1/connections', { token: customer.token })).body[0]
  return { ...customer, shown, path: `/api/v1/connections/${(await shown())._id}` }
}
type Owner = Awaited<ReturnType<typeof anOwner>>

const choose = ({ path, token }: Owner, ...fileForm: string[]) =>
  shop.call('PUT', path, { token, body: { fileForm } })

afterEach(async () => {
  await sql`delete from running_settings`.execute(shop.db)
})

describe('a file for networks that block WireGuard', () => {
  test('is the same bytes in the page, the mail, at its address and by its link', async () => {
    const owner = await anOwner()
    // What another test has set ends in the shop a moment later.
    await expect.poll(async () => (await owner.shown()).disguiseForApps).toEqual(DISGUISES[USUAL_DISGUISE])
    const { body } = await choose(owner, 'amneziawg', 'small-packets')
    expect(body.disguiseForApps).toEqual(DISGUISES[USUAL_DISGUISE])
    const text = configText(inForm(body, body.fileForm), 15)
    expect(text).toMatch(/^MTU = 1280\nJc = 4\n.*^I1 = <b 0x0001.*\n\n\[Peer\]/ms)

    await shop.call('POST', `/api/v1/user/mail/connection/${body._id}`, { token: owner.token })
    const mail = await mailbox(shop).latest(owner.email, body.name)
    const [file] = mail.attachments
    expect(await (await fetch(file?.url ?? '')).text()).toBe(text)
    expect(mail.text).toContain('install the AmneziaWG app there')
    expect(mail.text).toContain('As you chose: For networks that block WireGuard.')

    const { body: address } = await shop.call('POST', `${owner.path}/file-address`, { token: owner.token })
    expect(await (await fetch(address.url)).text()).toBe(text)

    const { body: link } = await shop.call('POST', `${owner.path}/link`, { token: owner.token })
    const { body: shared } = await shop.call('POST', '/api/v1/shared', {
      body: { token: link.url.split('#')[1] },
    })
    const { configuration } = shared
    expect(configText(inForm(configuration, configuration.fileForm), 15)).toBe(text)
  })

  test('follows what operators set, and is the plain one while they offer none', async () => {
    const owner = await anOwner()
    await choose(owner, 'amneziawg')
    expect((await setDisguise('Jc = 3, Jmin = 10, Jmax = 20')).code).toBe(0)
    await until(async () => (await owner.shown()).disguiseForApps.jc === 3)
    expect((await owner.shown()).disguiseForApps).toEqual({ jc: 3, jmin: 10, jmax: 20 })
    expect((await setDisguise('off')).code).toBe(0)
    await until(async () => (await owner.shown()).disguiseForApps === undefined)
    const plain = await owner.shown()
    expect(plain.fileForm).toBeUndefined()
    // A key may have these letters.
    expect(configText(inForm(plain, []), 15)).not.toContain('Jc =')
  })
})

test('a connection is long unused once its keys were there for a while and nothing has connected with them', async () => {
  const owner = await anOwner()
  expect((await owner.shown()).isLongUnused).toBeUndefined()
  const long = new Date(Date.now() - LONG_UNUSED_MS - 60_000)
  await sql`update peers set created_at = ${long}`.execute(shop.db)
  expect((await owner.shown()).isLongUnused).toBe(true)
  await sql`update peers set connected_on = (now() at time zone 'utc')::date`.execute(shop.db)
  expect((await owner.shown()).isLongUnused).toBeUndefined()
})
