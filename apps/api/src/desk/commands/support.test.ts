import { randomUUID } from 'node:crypto'
import { mailbox } from '@hedgerow/testing/mailbox'
import { expect, test } from 'vitest'
import { aCustomer } from '#testing/customers.ts'
import { opsSettings, runOps, runOpsOn } from '#testing/ops.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()

const ops = (...args: string[]) => runOps(opsSettings(shop), ...args)

const aMessage = async (id: string = randomUUID(), path = 'support', field = 'problem') => {
  const { token, email } = await aCustomer(shop)
  const body = {
    id,
    name: 'Ada Lovelace',
    [field]: 'The tunnel drops every night\nat about eleven.\u001b[2J',
  }
  await shop.call('POST', `/api/v1/${path}`, { token, body })
  return { id, email }
}

const reply = (text: string, id: string, ...args: string[]) =>
  runOpsOn(opsSettings(shop), text, 'support', 'reply', id, '--text', '-', ...args)

test('support is listed, shown and answered by the first characters of a number', async () => {
  const { id, email } = await aMessage()
  const application = await aMessage(randomUUID(), 'applications', 'commentary')
  const sent = await reply('Hello {name}', id.slice(0, 8))
  expect([sent.err, sent.out]).toEqual(['', 'Recorded.\n'])
  await mailbox(shop).latest(email, 'Re: We received your message')
  const shown = await ops('support', 'show', id.slice(0, 8))
  expect(shown.out).toContain(`From    Ada Lovelace <${email}>\n`)
  expect(shown.out).toMatch(
    /\d\d:\d\d, Ada Lovelace:\n {2}The tunnel drops every night\n {2}at about eleven\./,
  )
  expect(shown.out).toMatch(/\d\d:\d\d, \S+@\S+:\n {2}Hello Ada Lovelace\n/)
  const again = await ops('support', 'reply', id, '--text', 'Hello {name}', '--closes')
  expect(again.out).toBe('Already recorded: nothing was changed.\n')
  const { json } = await ops('support', 'list', '--state', 'closed', '--json')
  expect(json.rows).toMatchObject([{ id, kind: 'support', state: 'closed', lastAuthor: 'operator' }])
  const audit = await ops('audit', 'list', '--subject', id, '--json')
  expect(audit.json.rows.map(({ command }: { command: string }) => command)).toContain('support reply')
  expect((await ops('application', 'list', '--json')).json.rows).toMatchObject([{ id: application.id }])
  expect((await ops('support', 'show', application.id)).err).toBe(
    `There is no support conversation ${application.id}.\n`,
  )
  expect((await ops('support', 'reply', id, '--text', 'Yours, {operator}')).err).toContain('a shell has none')
})

test('a text puts no header, HTML or direction mark into the mail, and nothing on the terminal but itself', async () => {
  const { id, email } = await aMessage()
  await reply('Hello\r\nBcc: everyone@example.org\r\n\r\n<script>alert(1)</script>\u202e\u0007', id)
  const mail = await mailbox(shop).latest(email, 'Re: We received your message')
  expect(mail.html).not.toContain('<script')
  expect(mail.text).toContain('Bcc: everyone@example.org')
  expect(mail.text).not.toContain('\u202e')
  expect(await mailbox(shop).list('everyone@example.org', '')).toEqual([])
  const { out } = await ops('support', 'show', id)
  expect(out).toMatch(/, \S+@\S+:\n {2}Hello\n {2}Bcc: everyone@example\.org\n/)
  for (const mark of ['\u001b', '\u202e', '\u0007']) expect(out).not.toContain(mark)
})

test('of a number that two begin with more is wanted, and of what is none all of it', async () => {
  const start = randomUUID().slice(0, 8)
  for (let times = 0; times < 2; times++) await aMessage(start + randomUUID().slice(8))
  expect((await ops('support', 'show', start)).err).toContain('Several numbers begin with')
  for (const id of ['1234567', "' or 1=1 --"])
    expect((await ops('support', 'show', id)).err).toContain('at least its first 8 characters')
})
