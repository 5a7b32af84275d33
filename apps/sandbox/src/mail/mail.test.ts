import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import nodemailer, { type SendMailOptions } from 'nodemailer'
import { expect, onTestFinished, test } from 'vitest'
import { type Sandbox, startSandbox } from '#app.ts'
import { type Json, startTestSandbox } from '#testing/merchant.ts'

const post = async (sandbox: Sandbox, mail: SendMailOptions): Promise<void> => {
  const transport = nodemailer.createTransport({ host: '127.0.0.1', port: sandbox.smtpPort })
  await transport.sendMail({
    from: 'Hedgerow <hello@hedgerow.example>',
    subject: 'Hello',
    text: 'Hello',
    ...mail,
  })
  transport.close()
}

const list = async (sandbox: Sandbox, query = ''): Promise<Json> =>
  (await fetch(`${sandbox.url}/mail/messages${query}`)).json()

const onlyMail = async (sandbox: Sandbox): Promise<Json> => {
  const [{ id }] = await list(sandbox)
  return (await fetch(`${sandbox.url}/mail/messages/${id}`)).json()
}

test('a mail arrives with its text, its HTML and its attachments', async () => {
  const sandbox = await startTestSandbox()
  const picture = Buffer.from([137, 80, 78, 71, 0, 255])
  await post(sandbox, {
    to: 'ada@example.org',
    subject: 'Your connection – ready',
    text: 'Welcome',
    html: '<p>Welcome</p>',
    attachments: [
      { filename: 'connection.conf', content: '[Interface]\n', contentType: 'text/plain' },
      { filename: 'qr.png', content: picture },
    ],
  })
  const mail = await onlyMail(sandbox)
  expect(mail).toMatchObject({ from: 'hello@hedgerow.example', to: 'ada@example.org' })
  expect(mail.subject).toBe('Your connection – ready')
  expect([mail.text.trim(), mail.html.trim()]).toEqual(['Welcome', '<p>Welcome</p>'])
  expect(new Date(mail.date).toISOString()).toBe(mail.date)
  expect(mail.attachments).toMatchObject([
    { filename: 'connection.conf', contentType: 'text/plain', size: 12 },
    { filename: 'qr.png', contentType: 'image/png', size: 6 },
  ])
  const reply = await fetch(mail.attachments[1].url)
  expect(reply.headers.get('content-type')).toBe('image/png')
  expect(Buffer.from(await reply.arrayBuffer())).toEqual(picture)
})

test('lists the newest mail first, and those of one recipient', async () => {
  const sandbox = await startTestSandbox()
  await post(sandbox, { to: 'ada@example.org', subject: 'First' })
  await post(sandbox, { to: 'grace@example.org', bcc: 'Ada@example.org', subject: 'Second' })
  await post(sandbox, { to: 'grace@example.org', subject: 'Third' })
  const subjects = (mails: Json[]) => mails.map((mail) => mail.subject)
  expect(subjects(await list(sandbox))).toEqual(['Third', 'Second', 'First'])
  expect(subjects(await list(sandbox, '?to=ada@example.org'))).toEqual(['Second', 'First'])
})

test('refuses a mail of more than 5 MB', async () => {
  const sandbox = await startTestSandbox()
  const attachments = [{ filename: 'large.bin', content: Buffer.alloc(5 * 1_024 * 1_024) }]
  await expect(post(sandbox, { to: 'ada@example.org', attachments })).rejects.toMatchObject({
    responseCode: 552,
  })
  expect(await list(sandbox)).toEqual([])
})

test('shows a mail without letting its HTML do anything but open links', async () => {
  const sandbox = await startTestSandbox()
  const html =
    '<head><title>x</title></head><a href="https://shop.example/confirm">Confirm</a><img src="cid:code">'
  const attachments = [{ filename: 'qr.png', cid: 'code', content: Buffer.from('x') }]
  await post(sandbox, { to: 'ada@example.org', subject: '<b>Bold</b>', html, attachments })
  const { id } = await onlyMail(sandbox)

  const page = await (await fetch(`${sandbox.url}/mail/${id}`)).text()
  expect(page).toContain('<h1>&lt;b&gt;Bold&lt;/b&gt;</h1>')
  expect(page).toMatch(/<iframe [^>]*sandbox="allow-popups [^"]*"/)

  const frame = await fetch(`${sandbox.url}/mail/messages/${id}/html`)
  expect(frame.headers.get('content-security-policy')).toMatch(/^sandbox (?!.*allow-scripts)/)
  const shown = await frame.text()
  expect(shown).toContain('<head><base target="_blank">')
  expect(shown).toContain(`<img src="/mail/messages/${id}/attachments/0">`)
})

test('makes the addresses in a plain text mail clickable', async () => {
  const sandbox = await startTestSandbox()
  await post(sandbox, { to: 'ada@example.org', text: 'Confirm: https://shop.example/confirm?token=a&b=c.' })
  const { id } = await onlyMail(sandbox)
  const page = await (await fetch(`${sandbox.url}/mail/${id}`)).text()
  expect(page).toContain(
    '<a href="https://shop.example/confirm?token=a&amp;b=c" target="_blank" rel="noopener">',
  )
})

test('keeps mails over a restart, looked at or not', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'sandbox-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true }))
  const picture = Buffer.from([137, 80, 78, 71, 0, 255])
  const first = await startSandbox({ port: 0, smtpPort: 0, dataDir })
  await post(first, {
    to: 'ada@example.org',
    subject: 'Looked at – café',
    attachments: [{ content: picture }],
  })
  const before = await list(first)
  await post(first, { to: 'ada@example.org', subject: 'Unread – café', attachments: [{ content: picture }] })
  await first.close()

  const second = await startTestSandbox({ dataDir })
  const [unread, lookedAt] = await list(second)
  expect(unread.subject).toBe('Unread – café')
  expect([lookedAt]).toEqual(before)
  const { attachments } = await onlyMail(second)
  const path = new URL(attachments[0].url).pathname
  expect(Buffer.from(await (await fetch(second.url + path)).arrayBuffer())).toEqual(picture)
})

test('shows a mail that cannot be read as it came', async () => {
  const sandbox = await startTestSandbox()
  await post(sandbox, { to: 'ada@example.org', subject: 'Before' })
  const raw = `Subject: Deep\r\n${'X-Long: x\r\n'.repeat(250_000)}\r\nHello`
  await post(sandbox, { envelope: { from: 'a@example.org', to: 'ada@example.org' }, raw })
  expect((await list(sandbox)).map((mail: Json) => mail.subject)).toEqual(['', 'Before'])
  expect((await onlyMail(sandbox)).text).toMatch(/^This mail cannot be read: .*\s+Subject: Deep/)
})

test('answers 404 for a mail that is not there', async () => {
  const { url } = await startTestSandbox()
  expect((await fetch(`${url}/mail/messages/none`)).status).toBe(404)
  expect((await fetch(`${url}/mail/none`)).status).toBe(404)
})
