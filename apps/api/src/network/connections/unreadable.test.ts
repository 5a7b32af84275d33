import { mailbox } from '@hedgerow/testing/mailbox'
import { until } from '@hedgerow/testing/until'
import { expect, test } from 'vitest'
import { createKeyCipher } from '#platform/crypto/key-cipher.ts'
import { scrape } from '#testing/metrics.ts'
import { opsSettings, runOps } from '#testing/ops.ts'
import { aPurchase, connectionsOf } from '#testing/payments.ts'
import { newKey, shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()

/** Three connections, the first of which holds a key that was sealed by another. */
const aSpoiltConnection = async () => {
  const { customer, paymentId } = await aPurchase(shop)
  const [row] = await connectionsOf(shop, paymentId)
  if (!row) throw new Error('Nothing was delivered')
  const sealed = createKeyCipher(Buffer.from(newKey(), 'base64')).encrypt(newKey(), row.peer_id)
  await shop.db
    .updateTable('peers')
    .set({ private_key_encrypted: sealed })
    .where('id', '=', row.peer_id)
    .execute()
  const profile = async () =>
    (await shop.call('GET', '/api/v1/user/profile', { token: customer.token })).body.connections
  return { customer, row, profile }
}

const ops = (...args: string[]) => runOps({ ...opsSettings(shop), ...shop.env }, ...args)

const waiting = async () =>
  (await scrape(shop)).find(
    ({ name, labels }) => name === 'hedgerow_waiting_for_operator' && labels.what === 'unreadable_secrets',
  )?.value

test('a connection whose key does not open is shown as such, beside the others, until it has new keys', {
  timeout: 120_000,
}, async () => {
  const { customer, row, profile } = await aSpoiltConnection()
  const seen = await profile()
  expect(seen).toHaveLength(3)
  const spoilt = seen.find(({ _id }: { _id: string }) => _id === row.id)
  expect(spoilt).toMatchObject({ isUnreadable: true, clientPrivateKey: '', presharedKey: '', name: row.name })
  const others = seen.filter(({ _id }: { _id: string }) => _id !== row.id)
  for (const one of others) expect(one).toMatchObject({ clientPrivateKey: expect.stringMatching(/^.{43}=$/) })
  const mailed = await shop.call('POST', `/api/v1/user/mail/connection/${row.id}`, { token: customer.token })
  expect(mailed.status).toBe(409)
  const alert = await until(async () => {
    const { json } = await ops('overview', '--json')
    return json.alerts.find(({ name }: { name: string }) => name === 'SecretUnreadable')
  })
  expect(alert).toMatchObject({ what: '1 sealed row cannot be opened', list: 'sealed-rows' })
  expect(await waiting()).toBe(1)

  const rekeyed = await ops('connection', 'rekey', row.id, '--yes')
  expect(rekeyed).toMatchObject({ code: 0, out: expect.stringContaining('New keys made') })
  const again = await profile()
  expect(again.some((one: { isUnreadable?: true }) => one.isUnreadable)).toBe(false)
  expect(await waiting()).toBe(0)
  const mail = await mailbox(shop).latest(customer.email, 'has new keys')
  expect(mail.text).toContain(`We have given ${row.name} new keys`)
  expect(mail.text).not.toContain('choose a new password')
})

test('a connection that has ended, or belongs to no one, gets no new keys', {
  timeout: 120_000,
}, async () => {
  const { row } = await aSpoiltConnection()
  await ops('connection', 'expire', row.id, '--yes')
  expect(await ops('connection', 'rekey', row.id, '--yes')).toMatchObject({
    code: 1,
    err: expect.stringContaining('has ended'),
  })
  const none = await ops('connection', 'rekey', '00000000-0000-4000-8000-000000000000', '--yes')
  expect(none.err).toBe('We could not find this connection.\n')
})
