import { randomUUID } from 'node:crypto'
import { CONVERSATION_TEXT, MOST_UNANSWERED } from '@hedgerow/domain/conversations'
import { mailbox } from '@hedgerow/testing/mailbox'
import { expectProblem, messageFor } from '@hedgerow/testing/problems'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import {
  closeConversation,
  decideApplication,
  replyToConversation,
} from '#people/conversations/operator-replies.ts'
import { aCustomer, type TestCustomer } from '#testing/customers.ts'
import { hurry, queueIsEmpty } from '#testing/jobs.ts'
import { shopOfFile, startTestShop } from '#testing/test-shop.ts'

const shop = shopOfFile()

const TEXT = 'The tunnel drops every night.'
const CARD = '4000 0000 0000 0077'

/** A conversation that a customer has begun, in either way. */
const begin = async (customer: TestCustomer, kind: 'support' | 'application' = 'support', name = 'Ada') => {
  const id = randomUUID()
  const [path, words] =
    kind === 'support' ? ['support', { problem: TEXT }] : ['applications', { commentary: TEXT }]
  const body = { id, name, ...words }
  expect((await shop.call('POST', `/api/v1/${path}`, { token: customer.token, body })).status).toBe(201)
  return id
}
const aConversation = async (kind?: 'support' | 'application') => {
  const customer = await aCustomer(shop)
  return { customer, id: await begin(customer, kind) }
}

const list = (token?: string) => shop.call('GET', '/api/v1/support', { token })
const addMessage = (token: string | undefined, id: string, body: object) =>
  shop.call('POST', `/api/v1/support/${id}/messages`, { token, body })
const aMessage = (text = 'It did so again.') => ({ id: randomUUID(), text })
const reply = (conversationId: string, text: string, more: object = {}) =>
  replyToConversation(shop, { conversationId, text, isAgain: false, closes: false, ...more })
const textsOf = async ({ token }: TestCustomer) =>
  (await list(token)).body.flatMap((one: { messages: { text: string }[] }) =>
    one.messages.map(({ text }) => text),
  )
const stateOf = async ({ token }: TestCustomer) => (await list(token)).body[0].state

describe('GET /api/v1/support', () => {
  test('answers with every conversation of the account, the one last written in first', async () => {
    const customer = await aCustomer(shop)
    const first = await begin(customer)
    const second = await begin(customer, 'application')
    const ids = async () => (await list(customer.token)).body.map(({ _id }: { _id: string }) => _id)
    expect(await ids()).toEqual([second, first])
    await reply(first, 'Which device is it?')
    expect(await ids()).toEqual([first, second])
    const [conversation] = (await list(customer.token)).body
    expect(conversation).toMatchObject({ kind: 'support', name: 'Ada', state: 'answered', hasEarlier: false })
    expect(conversation.messages).toMatchObject([
      { author: 'customer', text: TEXT },
      { author: 'operator', text: 'Which device is it?' },
    ])
  })

  test('shows no one else’s, and nothing without a session', async () => {
    const { id } = await aConversation()
    const { body, text } = await list((await aCustomer(shop)).token)
    expect(body).toEqual([])
    expect(text).not.toContain(id)
    expectProblem(await list(), 401)
  })

  test('is bounded, and says that there was more', async () => {
    const { customer, id } = await aConversation()
    await sql`insert into conversation_messages (id, conversation_id, author, text, created_at)
      select gen_random_uuid(), ${id}, 'customer', 'No. ' || n, now() + n * interval '1 second'
      from generate_series(1, 120) as n`.execute(shop.db)
    await sql`insert into conversations (id, kind, customer_id, name, last_message_at)
      select gen_random_uuid(), 'support', ${customer.id}, 'Ada', now() - n * interval '1 hour'
      from generate_series(1, 60) as n`.execute(shop.db)
    const { body } = await list(customer.token)
    expect(body).toHaveLength(50)
    expect(body[0].hasEarlier).toBe(true)
    expect(body[0].messages).toHaveLength(100)
    expect([body[0].messages[0].text, body[0].messages.at(-1).text]).toEqual(['No. 21', 'No. 120'])
    const data = (await shop.call('GET', '/api/v1/user/data', { token: customer.token })).body
    expect(data.conversations).toHaveLength(61)
    expect(data.conversations[0].messages).toHaveLength(121)
  })

  test('is bounded in bytes, and has the newest message of each', async () => {
    const { customer, id } = await aConversation()
    const long = { id: randomUUID(), name: 'Ada', problem: '€'.repeat(CONVERSATION_TEXT.max) }
    await shop.call('POST', '/api/v1/support', { token: customer.token, body: long })
    await sql`insert into conversation_messages (id, conversation_id, author, text)
      select gen_random_uuid(), ${long.id}, 'operator', ${long.problem} from generate_series(1, 20)`.execute(
      shop.db,
    )
    await sql`insert into conversation_messages (id, conversation_id, author, text)
      values (gen_random_uuid(), ${id}, 'operator', 'Hello')`.execute(shop.db)
    const [first, second] = (await list(customer.token)).body
    expect([first._id, first.hasEarlier, first.messages.length]).toEqual([long.id, true, 13])
    expect([second._id, second.hasEarlier, second.messages.length]).toEqual([id, true, 1])
  })

  test('takes so many messages of an account before there is an answer, also of those that are sent at once', async () => {
    const customer = await aCustomer(shop)
    const write = async () => {
      const body = { id: randomUUID(), name: 'Ada', problem: TEXT }
      return shop.call('POST', '/api/v1/support', { token: customer.token, body })
    }
    await sql`
      with written as (
        insert into conversations (id, kind, customer_id, name)
        select gen_random_uuid(), 'support', ${customer.id}, 'Ada' from generate_series(2, ${MOST_UNANSWERED.ofAccount}::int)
        returning id)
      insert into conversation_messages (id, conversation_id, author, text)
      select gen_random_uuid(), id, 'customer', 'Hello' from written`.execute(shop.db)
    const replies = await Promise.all(Array.from({ length: 10 }, write))
    const [last] = replies.filter(({ status }) => status === 201)
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, ...Array(9).fill(409)])
    await replyToConversation(shop, {
      conversationId: last?.body._id,
      text: TEXT,
      isAgain: false,
      closes: false,
    })
    expect((await write()).status).toBe(201)
  })
})

describe('POST /api/v1/support/:id/messages', () => {
  test('adds to the conversation, and answers with the whole of it', async () => {
    const { customer, id } = await aConversation()
    await reply(id, 'Which device is it?')
    const message = aMessage('A\r\nphone\u202e')
    const answer = await addMessage(customer.token, id, message)
    expect(answer.status).toBe(201)
    expect(answer.body).toMatchObject({ _id: id, state: 'new' })
    expect(answer.body.messages.at(-1)).toMatchObject({
      _id: message.id,
      author: 'customer',
      text: 'A\nphone',
    })
    expect(answer.body).toEqual((await list(customer.token)).body[0])
  })

  test('mails the operator, in the thread of the first mail', async () => {
    const customer = await aCustomer(shop)
    const name = `Ada ${randomUUID().slice(0, 8)}`
    const id = await begin(customer, 'support', name)
    const to = shop.settings.operatorEmail
    const first = await mailbox(shop).latest(to, `Support message from ${name}`)
    await addMessage(customer.token, id, aMessage('y'))
    const second = await mailbox(shop).latest(to, `Re: Support message from ${name}`)
    expect(second).toMatchObject({
      replyTo: customer.email,
      inReplyTo: first.messageId,
      references: first.messageId,
    })
    expect(second.messageId).not.toBe(first.messageId)
    expect(second.text).toContain('> y')
    expect(second.text).toContain(`support reply ${id}`)
  })

  test('sent twice, and many times at once, is one message and one mail', async () => {
    const customer = await aCustomer(shop)
    const name = `Ada ${randomUUID().slice(0, 8)}`
    const id = await begin(customer, 'support', name)
    const message = aMessage()
    await addMessage(customer.token, id, message)
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => addMessage(customer.token, id, message)),
    )
    expect(replies.map(({ status }) => status)).toEqual(Array(8).fill(201))
    await queueIsEmpty(shop)
    expect(await textsOf(customer)).toEqual([TEXT, message.text])
    expect(
      await mailbox(shop).list(shop.settings.operatorEmail, `Re: Support message from ${name}`),
    ).toHaveLength(1)
  })

  test('a repeat that comes late does not open again what was closed since', async () => {
    const { customer, id } = await aConversation()
    const message = aMessage()
    await addMessage(customer.token, id, message)
    await closeConversation(shop, id)
    expect((await addMessage(customer.token, id, message)).body.state).toBe('closed')
  })

  test('refuses the id of other words, of another conversation and of its first words', async () => {
    const { customer, id } = await aConversation()
    const other = await begin(customer)
    const message = aMessage()
    await addMessage(customer.token, id, message)
    expectProblem(await addMessage(customer.token, id, { ...message, text: 'Something else' }), 409)
    expectProblem(await addMessage(customer.token, other, message), 409)
    expectProblem(await addMessage(customer.token, id, { id, text: 'Something else' }), 409)
    const form = { id: message.id, name: 'Ada', problem: TEXT }
    expectProblem(await shop.call('POST', '/api/v1/support', { token: customer.token, body: form }), 409)
    expect((await textsOf(customer)).sort()).toEqual([message.text, TEXT, TEXT].sort())
  })

  test("does not know another customer's conversation, nor one that is not there", async () => {
    const { customer, id } = await aConversation()
    const eve = await aCustomer(shop)
    expectProblem(await addMessage(eve.token, id, aMessage()), 404)
    expectProblem(await addMessage(eve.token, randomUUID(), aMessage()), 404)
    expectProblem(await addMessage(undefined, id, aMessage()), 401)
    expect(await textsOf(customer)).toEqual([TEXT])
  })

  test.each([
    ['nothing', undefined, 'Write your message'],
    ['an empty one', '', 'Write your message'],
    ['what nobody sees', ' \n\u200b', 'Write your message'],
    ['a number', 7, 'Write your message'],
    ['too long a one', 'a'.repeat(5001), 'The text cannot be longer than 5,000 characters'],
  ])('refuses %s as a text', async (_, text, message) => {
    const { customer, id } = await aConversation()
    const refused = expectProblem(await addMessage(customer.token, id, { id: randomUUID(), text }), 422)
    expect(messageFor(refused, 'text')).toBe(message)
    expectProblem(await addMessage(customer.token, id, { text: 'No number' }), 422)
    expectProblem(await addMessage(customer.token, 'nonsense', aMessage()), 404)
    expectProblem(await addMessage(customer.token, id, aMessage('a'.repeat(70_000))), 413)
    expect(await textsOf(customer)).toEqual([TEXT])
  })

  test('keeps and mails no card number', async () => {
    const customer = await aCustomer(shop)
    const name = `Ada ${randomUUID().slice(0, 8)}`
    const id = await begin(customer, 'support', name)
    await addMessage(customer.token, id, aMessage(`My card is ${CARD}`))
    const [, kept] = await textsOf(customer)
    expect(kept).toMatch(/^My card is 4000/)
    expect(kept).not.toContain(CARD)
    const to = shop.settings.operatorEmail
    const mail = await mailbox(shop).latest(to, `Re: Support message from ${name}`)
    expect(mail.text).toContain('> My card is 4000')
    expect(mail.text).not.toContain(CARD)
  })

  test('closed conversations open again; what was decided about an application stays decided', async () => {
    const { customer, id } = await aConversation()
    await reply(id, 'It is mended.', { closes: true })
    expect(await stateOf(customer)).toBe('closed')
    await addMessage(customer.token, id, aMessage())
    expect(await stateOf(customer)).toBe('new')
    const applicant = await aConversation('application')
    for (const state of ['refused', 'talking', 'accepted'] as const) {
      await decideApplication(shop, { conversationId: applicant.id, state, note: undefined })
      await addMessage(applicant.customer.token, applicant.id, aMessage())
      expect(await stateOf(applicant.customer)).toBe(state)
    }
  })

  test('a customer and the operator who write at once are both heard', async () => {
    const { customer, id } = await aConversation()
    const writes = Array.from({ length: 5 }, (_, n) => [
      addMessage(customer.token, id, aMessage(`customer ${n}`)),
      reply(id, `operator ${n}`),
    ]).flat()
    await Promise.all(writes)
    expect(await textsOf(customer)).toHaveLength(11)
    const [{ state, messages }] = (await list(customer.token)).body
    // The last message has set the state.
    expect(state).toBe(messages.at(-1).author === 'operator' ? 'answered' : 'new')
  })

  test('is limited as the forms are', async () => {
    const limited = await startTestShop({ env: { RATE_LIMIT_SCALE: '1' } })
    const { token } = await aCustomer(limited)
    const id = randomUUID()
    await limited.call('POST', '/api/v1/support', { token, body: { id, name: 'Ada', problem: TEXT } })
    const statuses: number[] = []
    for (let times = 0; times < 11; times++) {
      const path = `/api/v1/support/${id}/messages`
      statuses.push((await limited.call('POST', path, { token, body: aMessage() })).status)
    }
    expect(statuses).toEqual([...Array(10).fill(201), 429])
  })
})

describe('an answer', () => {
  test('is mailed in the thread of the first mail, and an answer to it goes to the operator', async () => {
    const { customer, id } = await aConversation()
    const first = await mailbox(shop).latest(customer.email, 'We received your message')
    await reply(id, 'Which device is it?\nAnd since when?\n\nYours, Wren')
    const mail = await mailbox(shop).latest(customer.email, 'Re: We received your message')
    expect(mail).toMatchObject({
      replyTo: shop.settings.operatorEmail,
      inReplyTo: first.messageId,
      references: first.messageId,
    })
    expect(mail.text).toContain(
      'Hello Ada,\n\nWhich device is it?\nAnd since when?\n\nYours, Wren\n\nYou wrote on',
    )
    expect(mail.text).toContain(`> ${TEXT}`)
    expect(mail.text).toContain(`${shop.url}/profile?tab=profile&conversation=${id}`)
    expect(mail.html).toContain('Which device is it?<br>And since when?</p>')
  })

  test('lets no HTML through, from either side', async () => {
    const customer = await aCustomer(shop)
    const id = await begin(customer, 'support', '<i>Ada</i>')
    await addMessage(customer.token, id, aMessage('<script>alert(1)</script>'))
    await reply(id, '<b>bold</b> & <a href="https://example.org">here</a>')
    const mail = await mailbox(shop).latest(customer.email, 'Re: We received')
    expect(mail.html).not.toMatch(/<script|<b>|<i>|<a href="https:\/\/example.org/)
    expect(mail.html).toContain(
      '&lt;b&gt;bold&lt;/b&gt; &amp; &lt;a href=&quot;https://example.org&quot;&gt;',
    )
  })

  test('whose mail goes out twice is one to mail programs', async () => {
    const { customer, id } = await aConversation()
    await reply(id, 'Which device is it?')
    const { messageId } = await mailbox(shop).latest(customer.email, 'Re: We received')
    await queueIsEmpty(shop)
    const { rows } = await sql<{ id: string }>`
      select id from conversation_messages where conversation_id = ${id} and author = 'operator'`.execute(
      shop.db,
    )
    const payload = { conversationId: id, messageId: rows[0]?.id }
    await sql`select graphile_worker.add_job('mail-reply', ${JSON.stringify(payload)}::json)`.execute(shop.db)
    await queueIsEmpty(shop)
    expect(await mailbox(shop).list(customer.email, 'Re: We received')).toHaveLength(2)
    expect((await mailbox(shop).latest(customer.email, 'Re: We received')).messageId).toBe(messageId)
  })

  test('run twice with the same words, at once too, is mailed once', async () => {
    const { customer, id } = await aConversation()
    const outcomes = await Promise.all([1, 2, 3].map(() => reply(id, 'Which device is it?')))
    expect(outcomes.sort()).toEqual(['known', 'known', 'sent'])
    expect(await reply(id, 'Which device is it?', { isAgain: true })).toBe('sent')
    await queueIsEmpty(shop)
    expect(await mailbox(shop).list(customer.email, 'Re: We received')).toHaveLength(2)
  })

  test('in the same words is another one after a while', async () => {
    const { id } = await aConversation()
    await reply(id, 'Which device is it?')
    await sql`update conversation_messages set created_at = created_at - interval '11 minutes'
      where conversation_id = ${id}`.execute(shop.db)
    expect(await reply(id, 'Which device is it?')).toBe('sent')
  })

  test('to an account that is gone is not mailed', async () => {
    const { customer, id } = await aConversation()
    await queueIsEmpty(shop)
    await shop.db.deleteFrom('customers').where('id', '=', customer.id).execute()
    expect(await reply(id, 'Which device is it?')).toBe('gone')
    const payload = { conversationId: id, messageId: randomUUID(), changeId: randomUUID(), state: 'talking' }
    for (const job of ['mail-reply', 'mail-new-message', 'mail-application-state'])
      await sql`select graphile_worker.add_job(${job}, ${JSON.stringify(payload)}::json)`.execute(shop.db)
    await queueIsEmpty(shop)
    expect(await mailbox(shop).list(customer.email, 'Re:')).toEqual([])
  })
})

describe('a conversation', () => {
  const age = (id: string, months: number, days: number) =>
    sql`update conversations set last_message_at = now() - make_interval(months => ${months}, days => ${days})
      where id = ${id}`.execute(shop.db)
  const isThere = async (id: string) =>
    (
      await shop.db
        .selectFrom('conversation_messages')
        .select('id')
        .where('conversation_id', '=', id)
        .execute()
    ).length > 0

  test('is deleted twelve months after its last message; an accepted application is not', async () => {
    const [old, answeredOld, young] = [await aConversation(), await aConversation(), await aConversation()]
    const [accepted, refused] = [await aConversation('application'), await aConversation('application')]
    await reply(answeredOld.id, 'It is mended.', { closes: true })
    await decideApplication(shop, { conversationId: accepted.id, state: 'accepted', note: undefined })
    await decideApplication(shop, { conversationId: refused.id, state: 'refused', note: undefined })
    for (const { id } of [old, answeredOld, accepted, refused]) await age(id, 12, 1)
    await age(young.id, 12, -1)
    await hurry(shop, 'tidy-up')
    await until(async () => !(await isThere(old.id)))
    expect(await Promise.all([answeredOld, refused, young, accepted].map(({ id }) => isThere(id)))).toEqual([
      false,
      false,
      true,
      true,
    ])
    expect((await list(old.customer.token)).body).toEqual([])
  })

  test('lives on from each message', async () => {
    const { customer, id } = await aConversation()
    await age(id, 12, 1)
    await addMessage(customer.token, id, aMessage())
    const { last_message_at } = await shop.db
      .selectFrom('conversations')
      .select('last_message_at')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(Date.now() - last_message_at.getTime()).toBeLessThan(60_000)
  })
})
