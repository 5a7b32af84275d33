import { randomUUID } from 'node:crypto'
import { mailbox } from '@hedgerow/testing/mailbox'
import { expectProblem, messageFor } from '@hedgerow/testing/problems'
import { describe, expect, test } from 'vitest'
import { conversationsForExport } from '#people/conversations/conversations.service.ts'
import { aCustomer } from '#testing/customers.ts'
import { queueIsEmpty } from '#testing/jobs.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()

const TEXT = 'The tunnel drops every night\nat about eleven.'

const INSTANT = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/)

const FORMS = [
  {
    path: '/api/v1/applications',
    field: 'commentary',
    kind: 'application',
    toOperator: 'White label application from',
    toCustomer: 'We received your application',
  },
  {
    path: '/api/v1/support',
    field: 'problem',
    kind: 'support',
    toOperator: 'Support message from',
    toCustomer: 'We received your message',
  },
] as const

const operator = () => shop.settings.operatorEmail

describe.each(FORMS)('POST $path', ({ path, field, kind, toOperator, toCustomer }) => {
  const aBody = (given: object = {}) => ({ id: randomUUID(), name: 'Ada', [field]: TEXT, ...given })
  const send = (token: string | undefined, body: object = aBody()) => shop.call('POST', path, { token, body })
  const conversationsOf = (id: string) => conversationsForExport(shop, id)
  const textsOf = async (id: string) =>
    (await conversationsOf(id)).flatMap(({ messages }) => messages.map(({ text }) => text))
  const mails = async (name: string, email: string) => ({
    toOperator: await mailbox(shop).list(operator(), `${toOperator} ${name}`),
    toCustomer: await mailbox(shop).list(email, toCustomer),
  })
  /** A name of one's own, by which the operator's mail is found among the others. */
  const aName = () => `Ada ${randomUUID().slice(0, 8)}`

  test('keeps the words, and answers with their number', async () => {
    const customer = await aCustomer(shop)
    const body = aBody({ name: '  Ada Lovelace ', [field]: `\n ${TEXT}\r\nYours  ` })
    const reply = await send(customer.token, body)
    expect([reply.status, reply.body]).toEqual([201, { _id: body.id }])
    expect(await conversationsOf(customer.id)).toEqual([
      {
        _id: body.id,
        kind,
        name: 'Ada Lovelace',
        state: 'new',
        createdAt: INSTANT,
        lastMessageAt: INSTANT,
        hasEarlier: false,
        linkOpenedAt: null,
        isHeld: false,
        messages: [{ _id: body.id, author: 'customer', text: `${TEXT}\nYours`, createdAt: INSTANT }],
      },
    ])
  })

  test('mails the operator, whose answer goes to the customer', async () => {
    const [customer, name] = [await aCustomer(shop), aName()]
    await send(customer.token, aBody({ name }))
    const mail = await mailbox(shop).latest(operator(), `${toOperator} ${name}`)
    expect(mail).toMatchObject({ to: operator(), replyTo: customer.email })
    expect(mail.text).toContain(`${name} (${customer.email}) wrote on`)
    expect(mail.text).toContain('> The tunnel drops every night\n> at about eleven.')
    expect(mail.html).toContain('The tunnel drops every night<br>at about eleven.')
  })

  test('tells the customer that it has arrived, with the words', async () => {
    const customer = await aCustomer(shop)
    await send(customer.token)
    const mail = await mailbox(shop).latest(customer.email, toCustomer)
    expect(mail.replyTo).toBeNull()
    expect(mail.text).toContain('Hello Ada,')
    expect(mail.text).toContain('We will')
    expect(mail.text).toContain('> at about eleven.')
    expect(mail.html).toContain('at about eleven.')
  })

  test.each([
    ['name', undefined, 'Enter your name'],
    ['name', '', 'Enter your name'],
    ['name', '   ', 'Enter your name'],
    ['name', 7, 'Enter your name'],
    ['name', 'a'.repeat(101), 'The name cannot be longer than 100 characters'],
    ['name', 'Ada\r\nBcc: all@example.org', 'The name contains characters that cannot be used'],
    ['name', '\u200b\u2060', 'Enter your name'],
    [
      'name',
      'Free at www.evil.example',
      'A name cannot contain a web or email address. Put a space after a full stop',
    ],
    ['name', 'Ada\u202egro', 'The name contains characters that cannot be used'],
    [field, undefined, 'Write a few words'],
    [field, '', 'Write a few words'],
    [field, ' \n ', 'Write a few words'],
    [field, 7, 'Write a few words'],
    [field, 'too short', 'Write 10 characters or more'],
    [field, ` ${'\u202e'.repeat(20)} short `, 'Write 10 characters or more'],
    [field, 'a'.repeat(5001), 'The text cannot be longer than 5,000 characters'],
    [field, '😀'.repeat(9), 'Write 10 characters or more'],
  ])('refuses %s %.30j: %s', async (name, value, message) => {
    const customer = await aCustomer(shop)
    const reply = expectProblem(await send(customer.token, aBody({ [name]: value })), 422)
    expect(messageFor(reply, name)).toBe(message)
    expect(await conversationsOf(customer.id)).toEqual([])
  })

  test.each([
    ['name', 'A'],
    ['name', 'a'.repeat(100)],
    [field, 'ten chars.'],
    [field, 'é'.repeat(5000)],
    [field, '😀'.repeat(10)],
    [field, '😀'.repeat(5000)],
    [field, 'أهلا وسهلا بكم'],
  ])('takes %s %.30j', async (name, value) => {
    const { token } = await aCustomer(shop)
    expect((await send(token, aBody({ [name]: value }))).status).toBe(201)
  })

  test('leaves out what is invisible in the text, and keeps its lines', async () => {
    const customer = await aCustomer(shop)
    await send(customer.token, aBody({ [field]: 'One\u0000 two\u202e\r\nthree\u001b\tfour \ud83d five' }))
    expect(await textsOf(customer.id)).toEqual(['One two\nthree\tfour  five'])
  })

  test('lets no HTML, header or line of ours be made by what is typed', async () => {
    const customer = await aCustomer(shop)
    const name = `<b>${randomUUID()}</b>`
    const text = '<script>alert(1)</script>\nBcc: all@example.org\n-- \nHedgerow: pay here'
    await send(customer.token, aBody({ name, [field]: text }))
    const operators = await mailbox(shop).latest(operator(), `${toOperator} ${name}`)
    for (const mail of [operators, await mailbox(shop).latest(customer.email, toCustomer)]) {
      expect(mail.html).not.toMatch(/<script|<b>/)
      expect(mail.html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
      expect(mail.text).toContain('> Bcc: all@example.org\n> -- \n> Hedgerow: pay here')
    }
    expect(await mailbox(shop).list('all@example.org', '')).toEqual([])
  })

  test('pressed twice is one conversation, with one answer and one mail to each', async () => {
    const [customer, name] = [await aCustomer(shop), aName()]
    const body = aBody({ name })
    const replies = [await send(customer.token, body), await send(customer.token, body)]
    expect(replies.map(({ status, text }) => [status, text])).toEqual(
      Array(2).fill([201, `{"_id":"${body.id}"}`]),
    )
    await queueIsEmpty(shop)
    expect(await conversationsOf(customer.id)).toHaveLength(1)
    const { toOperator, toCustomer } = await mails(name, customer.email)
    expect([toOperator.length, toCustomer.length]).toEqual([1, 1])
  })

  test('pressed many times at once is one conversation', async () => {
    const [customer, name] = [await aCustomer(shop), aName()]
    const body = aBody({ name })
    const replies = await Promise.all(Array.from({ length: 8 }, () => send(customer.token, body)))
    expect(replies.map(({ status }) => status)).toEqual(Array(8).fill(201))
    await queueIsEmpty(shop)
    expect(await conversationsOf(customer.id)).toHaveLength(1)
    expect((await mails(name, customer.email)).toOperator).toHaveLength(1)
  })

  test('refuses the number of other words, and keeps the first ones', async () => {
    const customer = await aCustomer(shop)
    const body = aBody()
    await send(customer.token, body)
    expectProblem(await send(customer.token, { ...body, [field]: 'Something else entirely' }), 409)
    expect(await textsOf(customer.id)).toEqual([TEXT])
  })

  test("refuses the number of another customer's words, though they are the same", async () => {
    const [ada, eve] = [await aCustomer(shop), await aCustomer(shop)]
    const body = aBody()
    await send(ada.token, body)
    expectProblem(await send(eve.token, body), 409)
    expect(await conversationsOf(eve.id)).toEqual([])
    await queueIsEmpty(shop)
    expect(await mailbox(shop).list(eve.email, '')).toEqual([])
  })

  test.each([undefined, '', 'nonsense', 7])('refuses the number %j', async (id) => {
    expectProblem(await send((await aCustomer(shop)).token, aBody({ id })), 422)
  })

  test('refuses what is larger than anyone writes', async () => {
    const { token } = await aCustomer(shop)
    expectProblem(await send(token, aBody({ [field]: 'a'.repeat(70_000) })), 413)
  })

  test('is for customers', async () => {
    expectProblem(await send(undefined), 401)
  })

  test('is forgotten with the account', async () => {
    const customer = await aCustomer(shop)
    await send(customer.token)
    await queueIsEmpty(shop)
    await shop.db.deleteFrom('customers').where('id', '=', customer.id).execute()
    expect(await conversationsOf(customer.id)).toEqual([])
  })
})
