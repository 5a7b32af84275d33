import { randomUUID } from 'node:crypto'
import {
  HELD_QUESTIONS_AN_HOUR,
  MOST_UNANSWERED,
  MOST_WAITING_QUESTIONS,
  QUESTIONS_ACKNOWLEDGED_A_DAY,
} from '@hedgerow/domain/conversations'
import type { Reply } from '@hedgerow/testing/call'
import { linkIn, mailbox, tokenIn } from '@hedgerow/testing/mailbox'
import { expectProblem, messageFor } from '@hedgerow/testing/problems'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { aCustomer, eraseAccount, uniqueEmail } from '#testing/customers.ts'
import { hurry, queueIsEmpty } from '#testing/jobs.ts'
import { BEHIND_PROXY, from } from '#testing/limits.ts'
import { opsSettings, runOps } from '#testing/ops.ts'
import { shopOfFile, startTestShop, type TestShop } from '#testing/test-shop.ts'

const shop = shopOfFile()

const TEXT = 'Does it work on a router?\nMine is a GL.iNet.'
const RECEIVED = 'We received your message'

const aQuestion = <F extends object>(fields: F = {} as F) => ({
  id: randomUUID(),
  name: 'Ada',
  email: uniqueEmail(),
  question: TEXT,
  ...fields,
})

type Shop = Pick<TestShop, 'call'>
const ask = ({ call }: Shop, body: object, headers: Record<string, string> = {}) =>
  call('POST', '/api/v1/contact', { body, headers })
const read = (token: string) => shop.call('POST', '/api/v1/contact/conversation', { body: { token } })
const write = (token: string, text: string, id: string = randomUUID()) =>
  shop.call('POST', '/api/v1/contact/messages', { body: { token, id, text } })
const ops = (...args: string[]) => runOps(opsSettings(shop), 'support', ...args)

const questionsOf = (email: string) =>
  shop.db.selectFrom('conversations').selectAll().where('email', '=', email).execute()
const textsIn = (body: { messages: { text: string }[] }) => body.messages.map(({ text }) => text)

/** One that was asked, and the token of its mailed link. */
const asked = async (fields: object = {}) => {
  const question = aQuestion(fields)
  expect((await ask(shop, question)).status).toBe(201)
  const mail = await mailbox(shop).latest(question.email, RECEIVED)
  return { ...question, mail, token: tokenIn(mail, '/contact/') }
}

describe('a visitor asks', () => {
  test('and the operator is mailed, and can answer by mail', async () => {
    const name = `Ada ${randomUUID().slice(0, 8)}`
    const { email } = await asked({ name })
    const mail = await mailbox(shop).latest(shop.settings.operatorEmail, `Question from ${name}`)
    expect(mail.replyTo).toBe(email)
    expect(mail.text).toContain('without an account')
    expect(mail.text).toContain('> Mine is a GL.iNet.')
  })

  test('and gets a mail with a link, without a word of what was typed', async () => {
    const { mail } = await asked({ name: 'Mallory Evil', question: 'Buy cheap pills now, dear friend' })
    expect(linkIn(mail, '/contact/')).toMatch(/\/contact\/[\w-]{43}$/)
    for (const part of [mail.text, mail.html, mail.subject]) expect(part).not.toMatch(/Mallory|pills/)
    expect(mail.text).toContain('If this was not you')
    expect(mail.replyTo).toBeNull()
  })

  test('and it happens once, however often and at once it is sent', async () => {
    const question = aQuestion()
    const replies = await Promise.all(Array.from({ length: 5 }, () => ask(shop, question)))
    for (const { status, body } of replies) expect([status, body]).toEqual([201, { _id: question.id }])
    await queueIsEmpty(shop)
    expect(await questionsOf(question.email)).toHaveLength(1)
    expect(await mailbox(shop).list(question.email, RECEIVED)).toHaveLength(1)
    for (const other of [{ question: 'Something else entirely' }, { email: uniqueEmail() }, { name: 'Eve' }])
      expectProblem(await ask(shop, { ...question, ...other }), 409)
  })

  test('and is answered the same, whether there is such an account or not', async () => {
    const { email } = await aCustomer(shop)
    const [known, unknown] = await Promise.all([ask(shop, aQuestion({ email })), ask(shop, aQuestion())])
    expect([known.status, unknown.status]).toEqual([201, 201])
    expect(Object.keys(known.body)).toEqual(Object.keys(unknown.body))
  })

  test.each([
    ['name', '', 'Enter your name'],
    ['name', 'x'.repeat(101), 'The name cannot be longer than 100 characters'],
    ['email', '', 'Enter an email we can reply to'],
    ['email', 'ada', 'Enter correct email address'],
    ['question', 'short', 'Write 10 characters or more'],
    ['question', 'x'.repeat(5001), 'The text cannot be longer than 5,000 characters'],
  ])('but not with %s %.20j', async (field, value, message) => {
    const question = aQuestion({ [field]: value })
    expect(messageFor(expectProblem(await ask(shop, question), 422), field)).toBe(message)
  })

  test('but not with more than a form can hold', async () => {
    expectProblem(await ask(shop, aQuestion({ question: 'x'.repeat(70_000) })), 413)
  })

  test('and a card number is not kept', async () => {
    const { token } = await asked({ question: 'My card 4111 1111 1111 1111 was declined' })
    expect(textsIn((await read(token)).body)[0]).not.toContain('1111 1111 1111')
  })
})

describe('the link', () => {
  test('opens its conversation: the answer is read there, and replied to', async () => {
    const { id, email, token } = await asked()
    expect((await ops('reply', id, '--text', 'It does. See the manual.')).code).toBe(0)
    const mail = await mailbox(shop).latest(email, `Re: ${RECEIVED}`)
    expect(mail.text).toContain('It does. See the manual.')
    expect(mail.text).not.toMatch(/GL\.iNet|Ada/)
    expect(tokenIn(mail, '/contact/')).toBe(token)
    expect(mail.replyTo).toBe(shop.settings.operatorEmail)

    const { body } = await read(token)
    expect(body).toMatchObject({ _id: id, kind: 'support', state: 'answered', hasEarlier: false })
    expect(textsIn(body)).toEqual([TEXT, 'It does. See the manual.'])
    expect(Date.parse(body.linkEndsAt) - Date.parse(body.lastMessageAt)).toBe(30 * 86_400_000)

    await ops('close', id)
    const reply = await write(token, 'Thank you.')
    expect([reply.status, reply.body.state]).toEqual([201, 'new'])
    expect(textsIn(reply.body)).toHaveLength(3)
    expect((await ops('show', id)).out).toContain(`Ada <${email}>, without an account`)
  })

  test('takes the same reply once, also at once, and tells the operator once', async () => {
    const name = `Ada ${randomUUID().slice(0, 8)}`
    const { token } = await asked({ name })
    const id = randomUUID()
    const replies = await Promise.all([1, 2, 3].map(() => write(token, 'One more thing.', id)))
    expect(replies.map(({ status }) => status)).toEqual([201, 201, 201])
    expect(textsIn((await read(token)).body)).toHaveLength(2)
    await queueIsEmpty(shop)
    expect(await mailbox(shop).list(shop.settings.operatorEmail, `Re: Question from ${name}`)).toHaveLength(1)
    expectProblem(await write(token, 'Other words.', id), 409)
  })

  test('opens no other conversation', async () => {
    const [mine, other] = [await asked(), await asked()]
    await write(mine.token, 'For my own conversation.')
    expect(textsIn((await read(other.token)).body)).toEqual([TEXT])
    expect((await read(mine.token)).body._id).toBe(mine.id)
    expectProblem(await write(mine.token, 'Taken id', other.id), 409)
  })

  test.each(['nonsense', 'A'.repeat(43)])('%s opens nothing', async (token) => {
    expectProblem(await read(token), 404)
    expectProblem(await write(token, 'Hello'), 404)
  })

  test('is kept as a hash alone, and answers to it are not cached', async () => {
    const { id, token } = await asked()
    const row = await shop.db
      .selectFrom('conversations')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(JSON.stringify({ ...row, link_hash: row.link_hash?.toString('base64url') })).not.toContain(token)
    const { headers } = await read(token)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
  })

  test('opens it until 30 days after the last message', async () => {
    const { id, token } = await asked()
    const age = (days: number) =>
      sql`update conversations set last_message_at = now() - make_interval(days => ${days}) where id = ${id}`.execute(
        shop.db,
      )
    await age(29)
    expect((await read(token)).status).toBe(200)
    await age(30)
    expectProblem(await read(token), 404)
    expectProblem(await write(token, 'Too late'), 404)
    await ops('reply', id, '--text', 'Sorry for the wait.')
    expect((await read(token)).status).toBe(200)
  })

  test('of one address is of no use for the same id under another', async () => {
    const attacker = await aCustomer(shop)
    const { id, token } = await asked({ email: attacker.email })
    await eraseAccount(shop, attacker)
    const victim = await asked({ id })
    expect(victim.token).not.toBe(token)
    expectProblem(await read(token), 404)
  })

  test('takes so many messages before there is an answer', async () => {
    const { id, token } = await asked()
    for (let i = 1; i < MOST_UNANSWERED.ofConversation; i++)
      expect((await write(token, `${i}`)).status).toBe(201)
    expectProblem(await write(token, 'One too many'), 409)
    await ops('reply', id, '--text', 'Slowly, please.')
    expect((await write(token, 'Now it is my turn')).status).toBe(201)
  })
})

describe('in the account of the address', () => {
  const listed = async (token: string) => (await shop.call('GET', '/api/v1/support', { token })).body

  test('the conversation is shown once its link was opened, and replied to', async () => {
    const email = uniqueEmail()
    const { id, token } = await asked({ email: email.toUpperCase() })
    const customer = await aCustomer(shop, { email })
    expect(await listed(customer.token)).toEqual([])
    const body = { id: randomUUID(), text: 'From my profile.' }
    const url = `/api/v1/support/${id}/messages`
    expectProblem(await shop.call('POST', url, { token: customer.token, body }), 404)
    await read(token)
    expect(await listed(customer.token)).toMatchObject([{ _id: id }])
    expect((await shop.call('POST', url, { token: customer.token, body })).status).toBe(201)
    expect(textsIn((await read(token)).body)).toEqual([TEXT, 'From my profile.'])
  })

  test('and in no other', async () => {
    const { id, token } = await asked()
    await read(token)
    const other = await aCustomer(shop)
    expect(await listed(other.token)).toEqual([])
    const body = { id: randomUUID(), text: 'Let me in.' }
    expectProblem(
      await shop.call('POST', `/api/v1/support/${id}/messages`, { token: other.token, body }),
      404,
    )
  })

  test('is in the file with all data, and goes with the account', async () => {
    const customer = await aCustomer(shop)
    const { id, email } = await asked({ email: customer.email })
    const { body } = await shop.call('GET', '/api/v1/user/data', { token: customer.token })
    expect(body.conversations).toMatchObject([{ _id: id, linkOpenedAt: null }])
    const stranger = await asked()
    expect((await eraseAccount(shop, customer)).status).toBe(200)
    expect(await questionsOf(email)).toEqual([])
    expect(await questionsOf(stranger.email)).toHaveLength(1)
  })
})

/** Questions of strangers, an hour old. */
const fill = ({ db }: Pick<TestShop, 'db'>, count: number, isHeld = false) =>
  sql`
    insert into conversations (id, kind, email, name, link_hash, is_held, created_at)
    select gen_random_uuid(), 'support', 'somebody@example.org', 'Ada', sha256((${isHeld}::text || i)::bytea), ${isHeld},
      now() - interval '1 hour'
    from generate_series(1, ${count}::int) as i`.execute(db)

describe('nobody can have the shop mail others at will', () => {
  test('an address gets three acknowledgements a day, however it is written; all questions are kept', async () => {
    const own = await startTestShop(BEHIND_PROXY)
    const email = uniqueEmail()
    const spellings = [email, email.toUpperCase(), email.replace('@', '+1@'), email.replace('@', '+2@')]
    const questions = Array.from({ length: 8 }, (_, i) => aQuestion({ email: spellings[i % 4] }))
    await Promise.all(questions.map((question, i) => ask(own, question, from(`${i + 1}.0.113.7`))))
    await queueIsEmpty(own)
    const mails = await Promise.all(spellings.map((to) => mailbox(own).list(to, RECEIVED)))
    expect(new Set(mails.flat().map(({ id }) => id)).size).toBe(QUESTIONS_ACKNOWLEDGED_A_DAY)
    const list = async () =>
      (await runOps(opsSettings(own), 'support', 'list', '--state', 'new', '--json')).json.rows
    // The operator sees one of them at a time, and answers it by mail all the same.
    for (let left = 8; left > 5; left--) {
      const [shown, ...others] = await list()
      expect(others).toEqual([])
      await runOps(opsSettings(own), 'support', 'reply', shown.id, '--text', 'We answer this one too.')
    }
    await queueIsEmpty(own)
    const answers = await Promise.all(spellings.map((to) => mailbox(own).list(to, `Re: ${RECEIVED}`)))
    expect(new Set(answers.flat().map(({ id }) => id)).size).toBe(3)
  })

  test('a network asks ten times an hour, and a link is written by ten times an hour', async () => {
    const own = await startTestShop({ env: { RATE_LIMIT_SCALE: '1' } })
    const first = aQuestion()
    for (let i = 0; i < 10; i++) expect((await ask(own, i ? aQuestion() : first)).status).toBe(201)
    expectProblem(await ask(own, aQuestion()), 429)
    const token = tokenIn(await mailbox(own).latest(first.email, RECEIVED), '/contact/')
    const reply = () =>
      own.call('POST', '/api/v1/contact/messages', { body: { token, id: randomUUID(), text: 'And?' } })
    for (let i = 0; i < 10; i++) expect((await reply()).status).toBe(201)
    expectProblem(await reply(), 429)
  })

  test('no more wait unopened than a person can read; those that are known are known still', async () => {
    const own = await startTestShop()
    const first = aQuestion()
    // A busy machine may answer that it is later; the rest counts on this one being there.
    await until(async () => (await ask(own, first)).status === 201)
    await fill(own, MOST_WAITING_QUESTIONS - 2)
    const replies = await Promise.all(Array.from({ length: 4 }, () => ask(own, aQuestion())))
    expect(replies.map(({ status }) => status)).toEqual([201, 201, 201, 201])
    expect(replies.filter(({ body }) => body.isHeld)).toHaveLength(3)
    expect((await ask(own, first)).body).toEqual({ _id: first.id })
    await own.db.updateTable('conversations').set({ state: 'closed' }).execute()
    expect((await ask(own, aQuestion())).body).not.toHaveProperty('isHeld')
  })

  test('the form filled with addresses of others keeps no one out: opening the mailed link is enough', async () => {
    const own = await startTestShop()
    await fill(own, MOST_WAITING_QUESTIONS)
    const name = `Ada ${randomUUID().slice(0, 8)}`
    const email = uniqueEmail()
    const [question, another] = [aQuestion({ name, email }), aQuestion({ name, email })]
    for (const one of [question, question, another])
      expect((await ask(own, one)).body).toEqual({ _id: one.id, isHeld: true })
    await queueIsEmpty(own)
    const notices = () => mailbox(own).list(own.settings.operatorEmail, `Question from ${name}`)
    const listed = async () =>
      (await runOps(opsSettings(own), 'support', 'list', '--limit', '1000', '--json')).json.rows
        .map(({ id }: { id: string }) => id)
        .filter((id: string) => id === question.id || id === another.id)
    expect([await notices(), await listed()]).toEqual([[], []])
    const mail = await mailbox(own).latest(email, RECEIVED)
    expect(mail.text).toContain('Open yours with the link below')
    const token = tokenIn(mail, '/contact/')
    const open = () => own.call('POST', '/api/v1/contact/conversation', { body: { token } })
    expect((await Promise.all([open(), open()])).map(({ status }) => status)).toEqual([200, 200])
    await queueIsEmpty(own)
    // All of that address, each once; listed is one at a time.
    expect(await notices()).toHaveLength(2)
    expect(await listed()).toHaveLength(1)
    // A link that was opened before is a proof, too.
    expect((await ask(own, aQuestion({ name, email }))).body.isHeld).toBe(true)
    await open()
    await queueIsEmpty(own)
    expect(await notices()).toHaveLength(3)
  })

  test('nothing that is held makes room for another: its mailed link opens, whatever many networks ask', async () => {
    const own = await startTestShop(BEHIND_PROXY)
    await fill(own, MOST_WAITING_QUESTIONS)
    const honest = aQuestion()
    expect((await ask(own, honest)).body).toEqual({ _id: honest.id, isHeld: true })
    const token = tokenIn(await mailbox(own).latest(honest.email, RECEIVED), '/contact/')
    const askFrom = (address: string) =>
      own.call('POST', '/api/v1/contact', { body: aQuestion(), headers: from(address) })
    const replies = []
    for (let network = 1; network <= 102; network++) replies.push(await askFrom(`${network}.0.113.7`))
    const taken = replies.filter(({ status }) => status === 201)
    expect(taken).toHaveLength(HELD_QUESTIONS_AN_HOUR - 1)
    expect(expectProblem(replies.at(-1) as Reply, 429).body.detail).toMatch(/Log in and write to us/)
    const opened = await own.call('POST', '/api/v1/contact/conversation', { body: { token } })
    expect([opened.status, textsIn(opened.body)]).toEqual([200, [TEXT]])
    // An hour later there is room again, and the honest one is there still.
    await sql`update conversations set created_at = created_at - interval '1 hour'`.execute(own.db)
    expect((await askFrom('150.0.113.7')).status).toBe(201)
  })
})

describe('a question that would be held', () => {
  test('is refused where its link may not be mailed: no one would ever see it', async () => {
    const own = await startTestShop(BEHIND_PROXY)
    await fill(own, MOST_WAITING_QUESTIONS)
    const email = uniqueEmail()
    for (let i = 0; i < QUESTIONS_ACKNOWLEDGED_A_DAY; i++)
      expect((await ask(own, aQuestion({ email: email.replace('@', `+${i}@`) }))).body.isHeld).toBe(true)
    expect(expectProblem(await ask(own, aQuestion({ email })), 429).body.detail).toMatch(/Nothing was sent/)
    expect(await own.db.selectFrom('conversations').where('email', '=', email).execute()).toEqual([])
    await own.db.updateTable('conversations').set({ state: 'closed' }).execute()
    expect((await ask(own, aQuestion({ email }))).status).toBe(201)
  })

  test('uses up no acknowledgement where it is refused, or was sent twice at once', async () => {
    const own = await startTestShop(BEHIND_PROXY)
    await fill(own, MOST_WAITING_QUESTIONS)
    await fill(own, HELD_QUESTIONS_AN_HOUR, true)
    await sql`update conversations set created_at = now() where is_held`.execute(own.db)
    const question = aQuestion()
    for (let i = 0; i < QUESTIONS_ACKNOWLEDGED_A_DAY; i++) expectProblem(await ask(own, question), 429)
    await sql`update conversations set created_at = now() - interval '2 hours'`.execute(own.db)
    const replies = await Promise.all([1, 2, 3].map(() => ask(own, question)))
    expect(replies.map(({ status }) => status)).toEqual([201, 201, 201])
    for (const address of ['1.0.113.7', '2.0.113.7'])
      expect((await ask(own, aQuestion({ email: question.email }), from(address))).status).toBe(201)
    await queueIsEmpty(own)
    expect(await mailbox(own).list(question.email, RECEIVED)).toHaveLength(QUESTIONS_ACKNOWLEDGED_A_DAY)
  })
})

describe('a question', () => {
  test('that is held is deleted when its link is over', async () => {
    const [held, other] = [await asked(), await asked()]
    await sql`update conversations set is_held = (id = ${held.id}), last_message_at = now() - interval '31 days'
      where id in (${held.id}, ${other.id})`.execute(shop.db)
    await hurry(shop, 'tidy-up')
    await expect.poll(() => questionsOf(held.email)).toEqual([])
    expect(await questionsOf(other.email)).toHaveLength(1)
  })

  test('is listed, shown and counted with what customers write', async () => {
    const { id, email } = await asked()
    const { json } = await ops('list', '--state', 'new', '--json')
    expect(json.rows).toContainEqual(expect.objectContaining({ id, customerId: null }))
    expect((await ops('show', id)).out).toContain(`<${email}>, without an account`)
    const overview = await runOps(opsSettings(shop), 'overview')
    expect(overview.out).toMatch(/support/)
  })

  test('is deleted twelve months after its last message', async () => {
    const [old, young] = [await asked(), await asked()]
    await sql`update conversations set last_message_at = now() - make_interval(months => 12, days => 1)
      where id = ${old.id}`.execute(shop.db)
    await hurry(shop, 'tidy-up')
    await expect.poll(() => questionsOf(old.email)).toEqual([])
    expect(await questionsOf(young.email)).toHaveLength(1)
  })
})
