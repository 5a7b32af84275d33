import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { formatUkTime } from '@hedgerow/domain/dates'
import { FILE_FORMS, inForm } from '@hedgerow/domain/file-form'
import { mailbox, type ReceivedMail } from '@hedgerow/testing/mailbox'
import { expectAlike, expectProblem } from '@hedgerow/testing/problems'
import { readQrCode } from '@hedgerow/testing/qr-code'
import { configText } from '@hedgerow/wireguard/config-text'
import { routerOsCommands } from '@hedgerow/wireguard/routeros'
import { describe, expect, onTestFinished, test } from 'vitest'
import { aCustomer } from '#testing/customers.ts'
import { queueIsEmpty } from '#testing/jobs.ts'
import { aPurchase } from '#testing/payments.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()

const mailTo = (token: string | undefined, id: string) =>
  shop.call('POST', `/api/v1/user/mail/connection/${id}`, { token })
const choose = (token: string | undefined, id: string, fileForm: string[]) =>
  shop.call('PUT', `/api/v1/connections/${id}`, { token, body: { fileForm } })

/** A customer with their first connection, as the profile shows it. */
const anOwner = async () => {
  const { customer } = await aPurchase(shop)
  const { body } = await shop.call('GET', '/api/v1/user/profile', { token: customer.token })
  return { ...customer, connection: body.connections[0] }
}

const bytesOf = async ({ attachments }: ReceivedMail, ending: string): Promise<Buffer> => {
  const url = attachments.find(({ filename }) => filename.endsWith(ending))?.url ?? ''
  return Buffer.from(await (await fetch(url)).arrayBuffer())
}

const readQr = async (image: Buffer): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'hedgerow-qr-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const file = join(folder, 'qr.png')
  await writeFile(file, image)
  return readQrCode(file)
}

describe('POST /api/v1/user/mail/connection/:connectionId', () => {
  test('mails the configuration as a file and as a QR code of the very same bytes', async () => {
    const { token, email, connection } = await anOwner()
    expect((await mailTo(token, connection._id)).status).toBe(200)
    const mail = await mailbox(shop).latest(email, connection.name)
    const config = configText(connection, 15)
    expect(mail.attachments.map(({ filename }) => filename)).toEqual(['hedgerow-1.conf', 'hedgerow-1.png'])
    expect((await bytesOf(mail, '.conf')).toString()).toBe(config)
    expect(await readQr(await bytesOf(mail, '.png'))).toBe(config)
    expect(config).toContain('PersistentKeepalive = 15')
    expect(mail.text).toContain(`It works until ${formatUkTime(new Date(connection.expirationDate))}.`)
    expect(mail.text).toContain('1. Open this email on the device you want to connect')
    expect(mail.text).toContain('open the attachment hedgerow-1.conf')
    expect(mail.html).toContain(`href="${shop.url}/manual/android"`)
  })

  test('mails the same keys in the form that was chosen for the file, and says what it is for', async () => {
    const { token, email, connection } = await anOwner()
    const forms = ['small-packets', 'ipv4-only', 'second-port']
    expect((await choose(token, connection._id, forms)).body.fileForm).toEqual([
      'ipv4-only',
      'second-port',
      'small-packets',
    ])
    await shop.db.updateTable('nodes').set({ second_port: 443, second_port_answers: true }).execute()
    expect((await mailTo(token, connection._id)).status).toBe(200)
    const mail = await mailbox(shop).latest(email, connection.name)
    const config = configText(
      inForm({ ...connection, secondPort: 443 }, ['ipv4-only', 'small-packets', 'second-port']),
      15,
    )
    expect(config).toMatch(/MTU = 1280.*:443$/ms)
    expect((await bytesOf(mail, '.conf')).toString()).toBe(config)
    expect(await readQr(await bytesOf(mail, '.png'))).toBe(config)
    expect(mail.text).toContain('As you chose: IPv4 only. For a device without IPv6')
    expectProblem(await choose(token, connection._id, ['ipv5-only']), 422)
    expectProblem(await choose(token, connection._id, Array(FILE_FORMS.length + 1).fill('ipv4-only')), 422)
    expect((await choose(token, connection._id, [])).body.fileForm).toBeUndefined()
  })

  test('mails a file that is too long for a code by itself', async () => {
    const { token, email, connection } = await anOwner()
    await choose(token, connection._id, ['without-home'])
    await mailTo(token, connection._id)
    const mail = await mailbox(shop).latest(email, connection.name)
    expect(mail.attachments.map(({ filename }) => filename)).toEqual(['hedgerow-1.conf'])
    expect(mail.text).not.toContain('attached code')
  })

  test('mails commands for a router where these were chosen, without a code, and how to import them', async () => {
    const { token, email, connection } = await anOwner()
    await choose(token, connection._id, ['routeros', 'small-packets'])
    await mailTo(token, connection._id)
    const mail = await mailbox(shop).latest(email, connection.name)
    expect(mail.attachments.map(({ filename }) => filename)).toEqual(['hedgerow-1.rsc'])
    const commands = routerOsCommands({ ...connection, mtu: 1280 }, 15, 'hedgerow-1')
    expect((await bytesOf(mail, '.rsc')).toString()).toBe(commands)
    expect(mail.text).toContain('/import file-name=hedgerow-1.rsc')
    expect(mail.text).toContain(`${shop.url}/manual/mikrotik`)
    expect(mail.text).not.toContain('WireGuard app there')
  })

  test('never writes the private key into the words of the mail', async () => {
    const { token, email, connection } = await anOwner()
    await mailTo(token, connection._id)
    const { text, html } = await mailbox(shop).latest(email, connection.name)
    expect(text + html).not.toContain(connection.clientPrivateKey)
    expect(text).toContain(`${shop.url}/profile`)
  })

  test('hides connections from every other customer, and mails nothing', async () => {
    const [owner, eve] = await Promise.all([anOwner(), aCustomer(shop)])
    const hidden = expectProblem(await mailTo(eve.token, owner.connection._id), 404)
    const unknown = expectProblem(await mailTo(eve.token, randomUUID()), 404)
    expectAlike(hidden, unknown)
    await queueIsEmpty(shop)
    expect(await mailbox(shop).list(eve.email, '')).toEqual([])
    expect(await mailbox(shop).list(owner.email, owner.connection.name)).toEqual([])
  })

  test('refuses a connection that has expired', async () => {
    const { token, email, connection } = await anOwner()
    await shop.db
      .updateTable('connections')
      .set({ expires_at: new Date(Date.now() - 1000) })
      .where('id', '=', connection._id)
      .execute()
    expect(expectProblem(await mailTo(token, connection._id), 409).body.detail).toMatch(/expired/)
    await queueIsEmpty(shop)
    expect(await mailbox(shop).list(email, connection.name)).toEqual([])
  })

  test('mails a connection that never expires', async () => {
    const { token, email, connection } = await anOwner()
    await shop.db
      .updateTable('connections')
      .set({ expires_at: null })
      .where('id', '=', connection._id)
      .execute()
    await mailTo(token, connection._id)
    expect((await mailbox(shop).latest(email, connection.name)).text).toContain('It does not expire.')
  })

  test('is for customers', async () => {
    expectProblem(await mailTo(undefined, randomUUID()), 401)
  })

  test('knows no connection by an id that is none', async () => {
    expectProblem(await mailTo((await aCustomer(shop)).token, 'nonsense'), 404)
  })
})
