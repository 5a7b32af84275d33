import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { createMailer } from '#platform/mail/mailer.ts'
import { encryptedMailUrl } from '#platform/settings/encryption.ts'

/** A mail server that knows no mailbox, and says so as real ones do. */
const aServerThatRefuses = async () => {
  const server = createServer((socket) => {
    socket.write('220 refusing\r\n')
    socket.on('error', () => {})
    socket.on('data', (data) => {
      const [, address] = String(data).match(/^RCPT TO:(<.*>)/) ?? []
      socket.write(address ? `550 5.1.1 ${address}: Recipient address rejected\r\n` : '250 ok\r\n')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() }
}

test('a refused mail says why, and not whom it was for: errors are written to the log and the queue', async () => {
  const server = await aServerThatRefuses()
  const publicUrl = 'http://shop.example'
  const mailer = createMailer({ smtpUrl: server.url, mailFrom: 'shop@shop.example', publicUrl })
  const mail = { to: 'ada@example.org', subject: 'Hello Ada', text: 'Hello', html: 'Hello', key: '1' }
  const error: unknown = await mailer.send(mail).catch((refused: unknown) => refused)
  mailer.close()
  server.close()
  expect(error).toBeInstanceOf(Error)
  expect(inspect(error, { depth: 9, showHidden: true })).toMatch(/EENVELOPE.*550/)
  expect(inspect(error, { depth: 9, showHidden: true })).not.toMatch(/ada/i)
})

test('a mail is not sent where it would leave this machine without TLS', async () => {
  const heard: string[] = []
  const server = createServer((socket) => {
    socket.write('220 plain\r\n')
    socket.on('error', () => {})
    socket.on('data', (data) => {
      heard.push(String(data))
      socket.write(String(data).startsWith('EHLO') ? '250 plain\r\n' : '502 no\r\n')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  // A name for this machine that the settings cannot know for one.
  const smtpUrl = encryptedMailUrl(`smtp://user:hidden@0.0.0.0:${port}`, false)
  const mailer = createMailer({ smtpUrl, mailFrom: 'shop@shop.example', publicUrl: 'http://shop.example' })
  const mail = { to: 'ada@example.org', subject: 'Hello Ada', text: 'Hello', html: 'Hello', key: '1' }
  const error: unknown = await mailer.send(mail).catch((refused: unknown) => refused)
  mailer.close()
  server.close()
  expect(error).toMatchObject({ message: expect.stringContaining('ETLS'), isRefused: false })
  expect(heard.join('')).toMatch(/^EHLO .*\r\nSTARTTLS\r\n/)
  expect(heard.join('')).not.toMatch(/AUTH|MAIL FROM|Hello/)
})
