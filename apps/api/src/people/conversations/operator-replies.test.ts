import { randomUUID } from 'node:crypto'
import { mailbox } from '@hedgerow/testing/mailbox'
import { describe, expect, test } from 'vitest'
import {
  closeConversation,
  decideApplication,
  replyToConversation,
} from '#people/conversations/operator-replies.ts'
import { aCustomer } from '#testing/customers.ts'
import { queueIsEmpty } from '#testing/jobs.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()

const begun = async (kind: 'support' | 'application') => {
  const { token, email } = await aCustomer(shop)
  const id = randomUUID()
  const [path, field, subject] =
    kind === 'support'
      ? ['/api/v1/support', 'problem', 'We received your message']
      : ['/api/v1/applications', 'commentary', 'We received your application']
  const body = { id, name: 'Ada', [field as string]: 'A tunnel for sailors, please.' }
  await shop.call('POST', path as string, { token, body })
  const conversation = async () => (await shop.call('GET', '/api/v1/support', { token })).body[0]
  const mails = async () => {
    await queueIsEmpty(shop)
    return mailbox(shop).list(email, `Re: ${subject}`)
  }
  const latest = () => mailbox(shop).latest(email, `Re: ${subject}`)
  const addMessage = (text: string) =>
    shop.call('POST', `/api/v1/support/${id}/messages`, { token, body: { id: randomUUID(), text } })
  return { id, email, subject: subject as string, conversation, mails, latest, addMessage }
}

const reply = (conversationId: string, text: string, more: { isAgain?: boolean; closes?: boolean } = {}) =>
  replyToConversation(shop, { conversationId, text, isAgain: false, closes: false, ...more })

describe('a reply to support', () => {
  test('is mailed once, kept, and marks it answered', async () => {
    const { id, mails, latest, conversation } = await begun('support')
    expect(await reply(id, 'Which device is it?')).toBe('sent')
    await latest()
    expect(await mails()).toHaveLength(1)
    const { state, messages } = await conversation()
    expect(state).toBe('answered')
    expect(messages.at(-1)).toMatchObject({ author: 'operator', text: 'Which device is it?' })
  })

  test('given twice is one answer, unless it is meant again', async () => {
    const { id, mails, conversation } = await begun('support')
    const text = 'Which device is it?'
    expect(await reply(id, text)).toBe('sent')
    expect(await reply(id, text)).toBe('known')
    expect(await reply(id, text, { closes: true })).toBe('known')
    expect((await conversation()).state).toBe('closed')
    expect(await reply(id, text, { isAgain: true })).toBe('sent')
    expect((await conversation()).state).toBe('answered')
    expect(await mails()).toHaveLength(2)
    expect((await conversation()).messages).toHaveLength(3)
  })

  test('is to a conversation that there is', async () => {
    expect(await reply(randomUUID(), 'Hello')).toBe('gone')
  })

  test('closed, mails no one, and the customer opens it again by replying', async () => {
    const { id, mails, conversation, addMessage } = await begun('support')
    expect(await closeConversation(shop, id)).toBe(true)
    expect(await closeConversation(shop, id)).toBe(false)
    expect(await mails()).toEqual([])
    await addMessage('It did so again.')
    expect((await conversation()).state).toBe('new')
  })
})

describe('an application', () => {
  const set = (conversationId: string, state: 'talking' | 'accepted' | 'refused', note?: string) =>
    decideApplication(shop, { conversationId, state, note })

  test('is mailed each change of state once, in the thread, with the note', async () => {
    const { id, email, subject, conversation, mails, latest } = await begun('application')
    const first = await mailbox(shop).latest(email, subject)
    const note = 'Could we speak on Tuesday?\n\nYours, Wren'
    expect(await set(id, 'talking', note)).toEqual({ kind: 'set' })
    const talking = await latest()
    expect(talking).toMatchObject({ inReplyTo: first.messageId, replyTo: shop.settings.operatorEmail })
    expect(talking.text).toContain('would like to talk')
    expect(talking.text).toContain(note)
    expect(await conversation()).toMatchObject({ state: 'talking', messages: [{}, { text: note }] })
    const { lastMessageAt } = await conversation()
    expect(await set(id, 'accepted')).toEqual({ kind: 'set' })
    expect(await mails()).toHaveLength(2)
    expect((await latest()).text).toContain('We have accepted your white label application')
    // A decision without a note is no message.
    const after = await conversation()
    expect([after.messages.length, after.lastMessageAt]).toEqual([2, lastMessageAt])
  })

  test('that stands so already is mailed nothing, and says whether the note was sent', async () => {
    const { id, mails } = await begun('application')
    await set(id, 'talking', 'Hello')
    expect(await set(id, 'talking')).toEqual({ kind: 'same', isNoteKnown: true })
    expect(await set(id, 'talking', 'Hello')).toEqual({ kind: 'same', isNoteKnown: true })
    expect(await set(id, 'talking', 'Something else')).toEqual({ kind: 'same', isNoteKnown: false })
    expect(await mails()).toHaveLength(1)
  })

  test('set by two operators at once is mailed once', async () => {
    const { id, mails } = await begun('application')
    await Promise.all([set(id, 'talking'), set(id, 'talking')])
    expect(await mails()).toHaveLength(1)
  })

  test('takes a decision back by talking only', async () => {
    const { id, mails } = await begun('application')
    await set(id, 'refused')
    expect(await set(id, 'accepted')).toEqual({ kind: 'refused', from: 'refused' })
    expect(await set(id, 'talking')).toEqual({ kind: 'set' })
    expect(await mails()).toHaveLength(2)
  })

  test('is answered like a message; the first answer begins the talking', async () => {
    const { id, conversation, latest } = await begun('application')
    await reply(id, 'Which harbours?')
    expect((await latest()).text).toMatch(/would\s+like\s+to\s+talk.*Which harbours\?/s)
    expect((await conversation()).state).toBe('talking')
    await reply(id, 'And how many?')
    await expect.poll(async () => (await latest()).text).toContain('And how many?')
    expect((await latest()).text).not.toMatch(/would\s+like\s+to\s+talk/)
  })
})
