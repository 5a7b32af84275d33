import { describe, expect, test } from 'vitest'
import { notingRefusals, readReturnedMails } from '#people/accounts/returned-mails.ts'
import { type Mailer, MailNotTaken } from '#platform/mail/mailer.ts'
import { aCustomer } from '#testing/customers.ts'
import { aMailProvider } from '#testing/mail-provider.ts'
import { opsSettings, runOps } from '#testing/ops.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()

const lookAt = (smtpUrl: string) =>
  readReturnedMails({ db: shop.db, settings: { ...shop.settings, smtpUrl } })

/** The customers with whom operators see that mails do not get through, and how. */
const listed = async (): Promise<[string, string][]> =>
  (await runOps(opsSettings(shop), 'customer', 'list', '--mail', 'returned', '--json')).json.rows
    .map(({ id, mailReturned }: { id: string; mailReturned: string }) => [id, mailReturned])
    .toSorted()

const idOf = async ({ email }: { email: string }) =>
  (await shop.db.selectFrom('customers').select('id').where('email', '=', email).executeTakeFirstOrThrow()).id

describe('a customer to whom mails do not get through', () => {
  test('is told by Postmark, shown to operators and in the customer’s own data, until the address is another', async () => {
    const [bounced, complained] = [await aCustomer(shop), await aCustomer(shop)]
    const { host, calls } = await aMailProvider(200, {
      TotalCount: 3,
      Bounces: [
        { Email: bounced.email.toUpperCase(), Type: 'HardBounce' },
        { Email: complained.email, Type: 'HardBounce' },
        { Email: complained.email, Type: 'SpamComplaint' },
        { Email: complained.email, Type: 'Blocked' },
        { Email: 'nobody@example.org', Type: 'HardBounce' },
      ],
    })
    await lookAt(`postmark://token@${host}`)
    await lookAt(`postmark://token@${host}`)
    expect(calls[0]).toMatchObject({
      url: expect.stringMatching(/^\/bounces\?count=500&offset=0&inactive=true&fromdate=\d{4}-\d\d-\d\d$/),
      headers: { 'x-postmark-server-token': 'token' },
    })
    const all = [
      [await idOf(bounced), 'bounced'],
      [await idOf(complained), 'complained'],
    ].toSorted()
    expect(await listed()).toEqual(all)
    expect(await shop.db.selectFrom('returned_mails').selectAll().execute()).toHaveLength(2)
    const data = await shop.call('GET', '/api/v1/user/data', { token: bounced.token })
    expect(data.body.account.mailReturned).toEqual({ how: 'bounced', at: expect.any(String) })

    const others = shop.db.updateTable('customers').set({ email: 'other@example.org' })
    await others.where('email', '=', bounced.email).execute()
    await lookAt(shop.settings.smtpUrl)
    expect(await listed()).toEqual(all.filter(([, how]) => how === 'complained'))
    await shop.db.deleteFrom('returned_mails').execute()
  })

  test('is told by SES', async () => {
    const [one, other] = [await aCustomer(shop), await aCustomer(shop)]
    const { host, calls } = await aMailProvider(200, {
      SuppressedDestinationSummaries: [
        { EmailAddress: one.email, Reason: 'BOUNCE' },
        { EmailAddress: other.email, Reason: 'COMPLAINT' },
      ],
    })
    await lookAt(`ses://KEY:secret@${host}?region=eu-west-2`)
    expect(calls[0]).toMatchObject({
      url: expect.stringMatching(/^\/v2\/email\/suppression\/addresses\?PageSize=500&StartDate=[\dT%A-]+Z$/),
      headers: { authorization: expect.stringContaining('Credential=KEY/') },
    })
    const all = [
      [await idOf(one), 'bounced'],
      [await idOf(other), 'complained'],
    ].toSorted()
    expect(await listed()).toEqual(all)
    const later = await aMailProvider(200, {
      SuppressedDestinationSummaries: [{ EmailAddress: other.email, Reason: 'BOUNCE' }],
    })
    await lookAt(`ses://KEY:secret@${later.host}?region=eu-west-2`)
    expect(await listed(), 'and who complained stays one who did').toEqual(all)
    await shop.db.deleteFrom('returned_mails').execute()
  })

  test('is told by a mail server that refuses the address, and not by one that is away', async () => {
    const one = await aCustomer(shop)
    const failing = (fault: object): Mailer =>
      ({
        send: () => Promise.reject(new MailNotTaken(fault)),
      }) as never
    const send = (fault: object) =>
      notingRefusals(failing(fault), shop.db).send({
        ...{ to: one.email, subject: 'Hello', text: '', html: '', key: 'one' },
      })
    await expect(send({ code: 'ECONNREFUSED', command: 'CONN' })).rejects.toThrow(MailNotTaken)
    expect(await listed()).toEqual([])
    const refusal = { code: 'EENVELOPE', command: 'RCPT TO', responseCode: 550 }
    await expect(send(refusal)).rejects.toThrow(MailNotTaken)
    expect(await listed()).toEqual([[await idOf(one), 'refused']])
    await shop.db.deleteFrom('returned_mails').execute()
  })

  test.each([
    [401, { Message: 'No such token' }],
    [200, { Bounces: 'none' }],
  ])('is left as it was by a provider that answers %s with no list', async (status, answer) => {
    const { host } = await aMailProvider(status, answer)
    await expect(lookAt(`postmark://token@${host}`)).rejects.toThrow('without Bounces')
  })
})
