import { inForm } from '@hedgerow/domain/file-form'
import type { Json } from '@hedgerow/testing/call'
import { mailbox } from '@hedgerow/testing/mailbox'
import { configText } from '@hedgerow/wireguard/config-text'
import { expect, test } from 'vitest'
import { moveConnection } from '#network/nodes/remove-node.ts'
import { createKeyCipher } from '#platform/crypto/key-cipher.ts'
import { queueIsEmpty } from '#testing/jobs.ts'
import { aLocation, OBFUSCATION } from '#testing/locations.ts'
import { aPurchase } from '#testing/payments.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()
const { s1, h4 } = OBFUSCATION
const NEEDS = 'is for networks that block WireGuard. Needs the AmneziaWG app, 2.0.0 or newer.'

const anOwner = async () => {
  const { customer } = await aPurchase(shop)
  const shown = async (): Promise<Json> =>
    (await shop.call('GET', '/api/v1/connections', { token: customer.token })).body[0]
  const { _id, name } = await shown()
  const path = `/api/v1/connections/${_id}`
  return {
    ...customer,
    name: name as string,
    path,
    shown,
    moveTo: (location: string) =>
      shop.call('POST', `${path}/location`, { token: customer.token, body: { location } }),
  }
}

test('a connection that is moved to an obfuscated location gets its file in page, mail, address and link, and the app is named; back again WireGuard’s', async () => {
  const [oslo, london] = await Promise.all([
    aLocation(shop, { name: 'Oslo', isObfuscated: true }),
    aLocation(shop, { name: 'London' }),
  ])
  const owner = await anOwner()
  const { token } = owner
  await shop.call('PUT', owner.path, { token, body: { fileForm: ['routeros', 'ipv4-only'] } })
  const { body: places } = await shop.call('GET', `${owner.path}/locations`, { token })
  const kindOf = (id: string) => places.find((one: Json) => one._id === id)?.isObfuscated
  expect([kindOf(oslo), kindOf(london)]).toEqual([true, undefined])

  const { body: moved } = await owner.moveTo(oslo)
  expect(moved).toMatchObject({ obfuscation: OBFUSCATION, fileForm: ['ipv4-only'] })
  const text = configText(inForm(moved, moved.fileForm), 15)
  expect(text).toMatch(new RegExp(`^MTU = 1280\nJc = .*^S1 = ${s1}\n.*^H4 = ${h4}\n`, 'ms'))
  await queueIsEmpty(shop)
  expect((await mailbox(shop).latest(owner.email, 'has new keys')).text).toContain(`Oslo ${NEEDS}`)

  await shop.call('POST', `/api/v1/user/mail/connection/${moved._id}`, { token })
  await queueIsEmpty(shop)
  const mail = await mailbox(shop).latest(owner.email, `Your connection ${owner.name}`)
  expect(await (await fetch(mail.attachments[0]?.url ?? '')).text()).toBe(text)
  expect(mail.text).toContain('install the AmneziaWG app there')
  expect(mail.text).toContain(`Oslo ${NEEDS}`)
  const { body: address } = await shop.call('POST', `${owner.path}/file-address`, { token })
  expect(await (await fetch(address.url)).text()).toBe(text)
  const { body: link } = await shop.call('POST', `${owner.path}/link`, { token })
  const { body: shared } = await shop.call('POST', '/api/v1/shared', {
    body: { token: link.url.split('#')[1] },
  })
  expect(shared.configuration.obfuscation).toEqual(OBFUSCATION)

  const { body: back } = await owner.moveTo(london)
  expect(back).not.toHaveProperty('obfuscation')
  expect(configText(inForm(back, []), 15)).not.toMatch(/^(?:MTU|Jc|S1|H4)/m)
})

test('whom an operator moves from an obfuscated node to a plain one, or the other way, reads which app is needed', async () => {
  const [bergen, leeds] = await Promise.all([
    aLocation(shop, { name: 'Bergen', isObfuscated: true }),
    aLocation(shop, { name: 'Leeds' }),
  ])
  const owner = await anOwner()
  const keyCipher = createKeyCipher(shop.settings.keyEncryptionKey)
  const { _id: id } = await owner.shown()
  const moved = { id, customer_id: owner.id }
  const told = async (to: string): Promise<string> => {
    await moveConnection({ db: shop.db, keyCipher }, moved, { to })
    await queueIsEmpty(shop)
    return (await mailbox(shop).latest(owner.email, 'A new configuration is waiting')).text
  }
  expect(await told(bergen)).toContain(`${owner.name}, now at Bergen, for the AmneziaWG app, 2.0.0 or newer`)
  expect(await told(leeds)).toContain(`${owner.name}, now at Leeds, for the WireGuard app`)
})
