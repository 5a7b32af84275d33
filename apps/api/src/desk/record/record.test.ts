import { randomUUID } from 'node:crypto'
import { expectProblem } from '@hedgerow/testing/problems'
import { describe, expect, test } from 'vitest'
import { recordIntent } from '#people/operators/operator-actions.ts'
import { anOperator, consoleOfFile } from '#testing/console.ts'

const { shop, ask } = await consoleOfFile()

const deed = async (command: string, subject: string = randomUUID()) => {
  const intent = { who: 'ada@console', command, arguments: {}, subject }
  const end = await recordIntent({ db: shop.db }, intent)
  await end('done')
  return subject
}

describe('the record of what operators did', () => {
  test('comes a page at a time, the newest first, and none twice or left out', async () => {
    const owner = await anOperator(shop.db)
    const command = `page ${randomUUID()}`
    for (let n = 0; n < 5; n++) await deed(command)
    const seen: string[] = []
    let after: string | null = ''
    do {
      const query = new URLSearchParams({ command, rows: '2', ...(after ? { after } : {}) })
      const { status, body } = await ask(owner, 'GET', `/api/v1/record?${query}`)
      expect(status).toBe(200)
      seen.push(...body.rows.map(({ id }: { id: string }) => id))
      after = body.next
    } while (after)
    expect(new Set(seen).size).toBe(5)
    expect(seen).toHaveLength(5)
  })

  test('says what an act was done with in the words of its form, without what was not ticked', async () => {
    const [owner, subject] = [await anOperator(shop.db), randomUUID()]
    const acts = [
      ['refund', { paymentId: subject, amountMinor: '300', because: 'not-working', isAgain: false }],
      ['support reply', { closes: true }],
      ['something older', { dueAt: '2026-11-28', to: '1b671a64-40d5-491e-99b0-da01ff1f3341' }],
    ] as const
    for (const [command, given] of acts) {
      const end = await recordIntent(
        { db: shop.db },
        { who: 'ada@quill', command, arguments: given, subject },
      )
      await end('done')
    }
    const { body } = await ask(owner, 'GET', `/api/v1/record?sort=at&subject=${subject}`)
    expect(body.rows.map(({ details }: { details: string }) => details)).toEqual([
      'Amount: 3.00, Reason: It did not work',
      'Close the conversation too',
      'To: 1b671a64, Due at: 2026-11-28',
    ])
  })

  test('is found by what it was done to, and saved as a file', async () => {
    const viewer = await anOperator(shop.db, 'viewer')
    const subject = await deed('refund', '=1+1')
    const query = new URLSearchParams({ subject })
    const { body } = await ask(viewer, 'GET', `/api/v1/record?${query}`)
    expect(body.rows).toMatchObject([{ command: 'refund', subject: '=1+1', outcome: 'done' }])
    const file = await ask(viewer, 'GET', `/api/v1/record.csv?${query}&columns=command,subject`)
    expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(file.text).toContain("What,To what\r\nrefund,'=1+1\r\n")
  })

  test('is narrowed by who it was, with the host or without, by a command and by its first word', async () => {
    const who = `ada-${randomUUID()}@quill`
    for (const command of ['rate set', 'node drain']) {
      const end = await recordIntent({ db: shop.db }, { who, command, arguments: {}, subject: 'EUR' })
      await end('done')
    }
    const owner = await anOperator(shop.db)
    const commandsOf = async (query: Record<string, string>) => {
      const { body } = await ask(owner, 'GET', `/api/v1/record?${new URLSearchParams({ who, ...query })}`)
      return body.rows.map(({ command }: { command: string }) => command)
    }
    expect(await commandsOf({})).toEqual(['node drain', 'rate set'])
    expect(await commandsOf({ who: who.replace('@quill', ''), command: 'node' })).toEqual(['node drain'])
    expect(await commandsOf({ command: 'rate set', subject: 'EUR' })).toEqual(['rate set'])
    expect(await commandsOf({ command: 'nod' })).toEqual([])
    expect(await commandsOf({ until: '2020-01-01T00:00:00Z' })).toEqual([])
  })

  test('is refused to nobody, and to a role that may not see it', async () => {
    expectProblem(await ask(undefined, 'GET', '/api/v1/record'), 401)
    expectProblem(await ask(await anOperator(shop.db, 'support'), 'GET', '/api/v1/record'), 403)
    expectProblem(await ask({ session: 'x'.repeat(43) }, 'GET', '/api/v1/record'), 401)
  })

  test.each([
    ['rows=0', 'rows'],
    ['rows=100000', 'rows'],
    ['sort=password', 'sort'],
    ['since=yesterday', 'since'],
  ])('refuses %s', async (query, field) => {
    const owner = await anOperator(shop.db)
    const { body } = await ask(owner, 'GET', `/api/v1/record?${query}`)
    expect(body).toMatchObject({ status: 422, errors: [{ path: field }] })
  })

  test.each(['nonsense', Buffer.from('["a","b"]').toString('base64url'), 'W10'])(
    'refuses the page after %s',
    async (after) => {
      const owner = await anOperator(shop.db)
      expectProblem(await ask(owner, 'GET', `/api/v1/record?after=${after}`), 422)
    },
  )

  test('names the columns where one is asked for that it has not', async () => {
    const owner = await anOperator(shop.db)
    const { body } = await ask(owner, 'GET', '/api/v1/record.csv?columns=who,secret')
    expect(body).toMatchObject({ status: 422, detail: expect.stringMatching(/no column secret/) })
  })
})
