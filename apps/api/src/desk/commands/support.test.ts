import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mailbox } from '@hedgerow/testing/mailbox'
import { describe, expect, onTestFinished, test } from 'vitest'
import { aCustomer } from '#testing/customers.ts'
import { queueIsEmpty } from '#testing/jobs.ts'
import { opsSettings, runOps, runOpsOn } from '#testing/ops.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()

const TEXT = 'The tunnel drops every night\nat about eleven.'
const ops = (...args: string[]) => runOps(opsSettings(shop), 'support', ...args)
const mailsTo = (email: string) => mailbox(shop).list(email, 'Re: We received your message')

const aMessage = async (name = `Ada ${randomUUID().slice(0, 8)}`) => {
  const customer = await aCustomer(shop)
  const { token, email } = customer
  const id = randomUUID()
  await shop.call('POST', '/api/v1/support', { token, body: { id, name, problem: TEXT } })
  const conversation = async () => (await shop.call('GET', '/api/v1/support', { token })).body[0]
  const addMessage = (text: string) =>
    shop.call('POST', `/api/v1/support/${id}/messages`, { token, body: { id: randomUUID(), text } })
  return { id, name, email, conversation, addMessage }
}

describe('ops support list', () => {
  test('shows whose turn it is, the one last written in first, by state too', async () => {
    const [first, second] = [await aMessage(), await aMessage()]
    await ops('reply', first.id, '--text', 'Which device is it?')
    const { out, code } = await ops('list')
    expect(code).toBe(0)
    const lines = out.split('\n')
    expect(lines[0]).toMatch(/^ID +STATE +LAST MESSAGE +BY +NAME +CUSTOMER$/)
    const line = (email: string) => lines.findIndex((one) => one.endsWith(email))
    expect(lines[line(first.email)]).toMatch(
      new RegExp(
        `^${first.id.slice(0, 8)} +answered +\\d\\d/\\d\\d/\\d{4} \\d\\d:\\d\\d +operator +${first.name}`,
      ),
    )
    expect(lines[line(second.email)]).toMatch(/ new .* customer /)
    expect(line(first.email)).toBeLessThan(line(second.email))
    const { json } = await ops('list', '--state', 'answered', '--json')
    expect(json.conversations.map(({ id }: { id: string }) => id)).toContain(first.id)
    expect(json.conversations.map(({ id }: { id: string }) => id)).not.toContain(second.id)
    expect(json.conversations[0]).toMatchObject({
      kind: 'support',
      state: 'answered',
      lastAuthor: 'operator',
    })
  })

  test('is bounded, and knows its states', async () => {
    await Promise.all([aMessage(), aMessage()])
    expect((await ops('list', '--limit', '1')).out).toContain('There are more than these 1.')
    const wrong = await ops('list', '--state', 'talking')
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('new, answered, closed')])
  })
})

describe('ops support show', () => {
  test('tells the whole of it, by the first characters of its number', async () => {
    const { id, name, email } = await aMessage()
    await ops('reply', id, '--text', 'Which device is it?')
    const { out, code } = await ops('show', id.slice(0, 8))
    expect(code).toBe(0)
    expect(out).toContain(`From    ${name} <${email}>`)
    expect(out).toMatch(/\d\d:\d\d, Ada [^\n]*:\n {2}The tunnel drops every night\n {2}at about eleven\.\n/)
    expect(out).toMatch(/\d\d:\d\d, you:\n {2}Which device is it\?\n/)
    const { json } = await ops('show', id.toUpperCase(), '--json')
    expect(json.messages.map(({ author }: { author: string }) => author)).toEqual(['customer', 'operator'])
  })

  test('knows none that is not there, nor an application', async () => {
    const { token } = await aCustomer(shop)
    const id = randomUUID()
    const body = { id, name: 'Ada', commentary: TEXT }
    await shop.call('POST', '/api/v1/applications', { token, body })
    const [missing, application] = [await ops('show', randomUUID()), await ops('show', id)]
    expect([missing.code, missing.err]).toEqual([1, expect.stringContaining('There is no support message')])
    expect([application.code, application.err]).toEqual([1, `There is no support message ${id}.\n`])
  })

  test.each(['1234567', 'nonsense', "' or 1=1 --"])('refuses %j as a number', async (id) => {
    const { code, err } = await ops('show', id)
    expect([code, err]).toEqual([1, expect.stringContaining('at least its first 8 characters')])
  })

  test('asks for more of a number that two begin with', async () => {
    const start = randomUUID().slice(0, 8)
    const { token } = await aCustomer(shop)
    for (let times = 0; times < 2; times++) {
      const body = { id: start + randomUUID().slice(8), name: 'Ada', problem: TEXT }
      await shop.call('POST', '/api/v1/support', { token, body })
    }
    const { code, err } = await ops('show', start)
    expect([code, err]).toEqual([1, expect.stringContaining('Several numbers begin with')])
  })

  test('lets no text write to the terminal as it likes', async () => {
    const { id, addMessage } = await aMessage()
    await addMessage('\u001b[2Jgone')
    const { out } = await ops('show', id)
    expect(out).not.toContain('\u001b')
    expect(out).toContain('gone')
  })
})

describe('ops support reply', () => {
  test('is mailed once, seen in the profile, and marks it answered', async () => {
    const { id, email, conversation } = await aMessage()
    const { code, out } = await ops('reply', id.slice(0, 8), '--text', 'Which device is it?')
    expect(out).toBe(`Recorded: the running shop mails it to ${email}. The state is now answered.\n`)
    expect(code).toBe(0)
    await mailbox(shop).latest(email, 'Re: We received your message')
    await queueIsEmpty(shop)
    expect(await mailsTo(email)).toHaveLength(1)
    // The beginning of the number was typed; the whole is what one looks for later.
    const audit = await runOps(opsSettings(shop), 'audit', 'list', '--subject', id, '--json')
    expect(audit.json.rows).toMatchObject([{ command: 'support reply', subject: id, outcome: 'done' }])
    const { state, messages } = await conversation()
    expect(state).toBe('answered')
    expect(messages.at(-1)).toMatchObject({ author: 'operator', text: 'Which device is it?' })
  })

  test('run twice is one answer, unless it is meant again', async () => {
    const { id, email, conversation } = await aMessage()
    const args = ['reply', id, '--text', 'Which device is it?'] as const
    await ops(...args)
    const second = await ops(...args)
    expect([second.code, second.out]).toEqual([
      0,
      expect.stringContaining('was not sent again. To send it once more, add --again.'),
    ])
    const closed = await ops(...args, '--close', '--json')
    expect(closed.json).toMatchObject({ outcome: 'known', state: 'closed' })
    expect((await ops(...args, '--again', '--json')).json).toMatchObject({
      outcome: 'sent',
      state: 'answered',
    })
    await queueIsEmpty(shop)
    expect(await mailsTo(email)).toHaveLength(2)
    expect((await conversation()).messages).toHaveLength(3)
  })

  test('takes its words from a file, or from the standard input, and closes', async () => {
    const { id, conversation } = await aMessage()
    const folder = await mkdtemp(join(tmpdir(), 'ops-reply-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const file = join(folder, 'answer.txt')
    await writeFile(file, 'From a file.\r\nIn two lines.\n\n')
    expect((await ops('reply', id, '--file', file)).code).toBe(0)
    const piped = await runOpsOn(opsSettings(shop), 'From a pipe.\n', 'support', 'reply', id, '--close')
    expect(piped.out).toContain('The state is now closed.')
    const { state, messages } = await conversation()
    expect(state).toBe('closed')
    expect(messages.slice(1).map(({ text }: { text: string }) => text)).toEqual([
      'From a file.\nIn two lines.',
      'From a pipe.',
    ])
  })

  test('sends nothing that is empty, too long or cannot be read', async () => {
    const { id, email, conversation } = await aMessage()
    const tries = [
      await ops('reply', id),
      await ops('reply', id, '--text', ' \n '),
      await ops('reply', id, '--text', 'a'.repeat(5001)),
      await ops('reply', id, '--file', '/nowhere/answer.txt'),
    ]
    for (const { code, err } of tries)
      expect([code, err]).toEqual([1, expect.stringContaining('Nothing was sent.')])
    const both = await ops('reply', id, '--text', 'One', '--file', 'two.txt')
    expect(both.code).toBe(2)
    expect((await conversation()).messages).toHaveLength(1)
    expect(await mailsTo(email)).toEqual([])
  })

  test('lets no header, HTML or direction mark into the mail', async () => {
    const { id, email, conversation } = await aMessage()
    const text = 'Hello\r\nBcc: everyone@example.org\r\n\r\n<script>alert(1)</script>\u202e\u0007'
    await ops('reply', id, '--text', text)
    const mail = await mailbox(shop).latest(email, 'Re: We received your message')
    expect(mail.html).not.toContain('<script')
    expect(mail.text).toContain('Bcc: everyone@example.org')
    expect(await mailbox(shop).list('everyone@example.org', '')).toEqual([])
    const { messages } = await conversation()
    expect(messages.at(-1).text).toBe('Hello\nBcc: everyone@example.org\n\n<script>alert(1)</script>')
  })
})

describe('ops support close', () => {
  test('tells nobody, and the customer opens it again by writing on', async () => {
    const { id, email, conversation, addMessage } = await aMessage()
    expect((await ops('close', id)).out).toContain('Closed.')
    const again = await ops('close', id)
    expect([again.code, again.out]).toEqual([0, 'It was already closed.\n'])
    await queueIsEmpty(shop)
    expect(await mailsTo(email)).toEqual([])
    await addMessage('It did so again.')
    expect((await conversation()).state).toBe('new')
  })
})
