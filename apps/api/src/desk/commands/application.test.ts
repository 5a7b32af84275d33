import { randomUUID } from 'node:crypto'
import { mailbox } from '@hedgerow/testing/mailbox'
import { describe, expect, test } from 'vitest'
import { aCustomer } from '#testing/customers.ts'
import { queueIsEmpty } from '#testing/jobs.ts'
import { opsSettings, runOps, runOpsAtTerminal } from '#testing/ops.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()

const ops = (...args: string[]) => runOps(opsSettings(shop), 'application', ...args)

const anApplication = async () => {
  const { token, email } = await aCustomer(shop)
  const id = randomUUID()
  const body = { id, name: 'Ada', commentary: 'A shop for sailors.' }
  await shop.call('POST', '/api/v1/applications', { token, body })
  const conversation = async () => (await shop.call('GET', '/api/v1/support', { token })).body[0]
  const mails = async () => {
    await queueIsEmpty(shop)
    return mailbox(shop).list(email, 'Re: We received your application')
  }
  const latest = () => mailbox(shop).latest(email, 'Re: We received your application')
  return { id, email, conversation, mails, latest }
}

describe('ops application', () => {
  test('lists applications and no support messages, and shows one', async () => {
    const { token } = await aCustomer(shop)
    const other = { id: randomUUID(), name: 'Eve', problem: 'Nothing works here.' }
    await shop.call('POST', '/api/v1/support', { token, body: other })
    const { id, email } = await anApplication()
    const { out } = await ops('list', '--state', 'new')
    expect(out).toContain(id.slice(0, 8))
    expect(out).not.toContain(other.id.slice(0, 8))
    expect((await ops('show', id)).out).toContain(`From    Ada <${email}>`)
    expect((await ops('show', other.id)).err).toContain('There is no application')
  })

  test('mails each change of state once, in the thread, with the note', async () => {
    const { id, email, conversation, mails, latest } = await anApplication()
    const first = await mailbox(shop).latest(email, 'We received your application')
    const note = 'Could we speak on Tuesday?\n\nYours, Wren'
    expect((await ops('set', id, 'talking', '--note', note)).out).toBe(
      `The application of Ada is talking: the running shop mails it to ${email}.\n`,
    )
    const told = await latest()
    expect(told).toMatchObject({ inReplyTo: first.messageId, replyTo: shop.settings.operatorEmail })
    expect(told.text).toContain('would like to talk')
    expect(told.text).toContain('Could we speak on Tuesday?\n\nYours, Wren')
    expect(await conversation()).toMatchObject({ state: 'talking', messages: [{}, { text: note }] })
    const { lastMessageAt } = await conversation()
    expect((await ops('set', id, 'accepted', '--yes', '--json')).json).toMatchObject({
      isChanged: true,
      state: 'accepted',
    })
    expect(await mails()).toHaveLength(2)
    expect((await latest()).text).toContain('We have accepted your white label application')
    // A decision without a note is no message.
    const after = await conversation()
    expect([after.messages.length, after.lastMessageAt]).toEqual([2, lastMessageAt])
  })

  test('does nothing when it stands so, and says if a note was not sent', async () => {
    const { id, mails } = await anApplication()
    await ops('set', id, 'talking', '--note', 'Hello')
    const again = await ops('set', id, 'talking')
    expect([again.code, again.out]).toEqual([0, 'It was already talking. Nobody gets a mail.\n'])
    expect((await ops('set', id, 'talking', '--note', 'Hello')).code).toBe(0)
    const other = await ops('set', id, 'talking', '--note', 'Something else')
    expect([other.code, other.err]).toEqual([1, expect.stringContaining('the note was not sent')])
    expect(await mails()).toHaveLength(1)
  })

  test('set at once by two operators is mailed once', async () => {
    const { id, mails } = await anApplication()
    const outcomes = await Promise.all([ops('set', id, 'talking'), ops('set', id, 'talking')])
    expect(outcomes.map(({ code }) => code)).toEqual([0, 0])
    expect(await mails()).toHaveLength(1)
  })

  test('asks before what is decided, and takes a decision back by talking only', async () => {
    const { id, conversation, mails } = await anApplication()
    const unasked = await ops('set', id, 'refused')
    expect([unasked.code, unasked.err]).toEqual([1, expect.stringContaining('To go ahead, add --yes.')])
    const no = await runOpsAtTerminal(opsSettings(shop), 'n\n', 'application', 'set', id, 'refused')
    expect(no.out).toContain('Nothing was done.')
    expect((await conversation()).state).toBe('new')
    expect((await ops('set', id, 'refused', '--yes')).code).toBe(0)
    const turned = await ops('set', id, 'accepted', '--yes')
    expect([turned.code, turned.err]).toEqual([
      1,
      'The application is refused. To change that, set it to talking first.\n',
    ])
    expect((await ops('set', id, 'talking')).code).toBe(0)
    expect(await mails()).toHaveLength(2)
    const wrong = await ops('set', id, 'new')
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('talking, accepted, refused')])
  })

  test('is answered like a message; the first answer begins the talking', async () => {
    const { id, conversation, latest } = await anApplication()
    expect((await ops('reply', id, '--text', 'Which harbours?')).out).toContain('The state is now talking.')
    const first = (await latest()).text
    expect(first).toMatch(/would\s+like\s+to\s+talk.*Which harbours\?/s)
    expect((await conversation()).state).toBe('talking')
    await ops('reply', id, '--text', 'And how many?')
    await expect.poll(async () => (await latest()).text).toContain('And how many?')
    expect((await latest()).text).not.toMatch(/would\s+like\s+to\s+talk/)
    expect((await ops('reply', id, '--text', 'Bye', '--close')).code).toBe(2)
  })
})
