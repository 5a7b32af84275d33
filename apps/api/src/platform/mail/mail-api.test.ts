import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { createMailer } from '#platform/mail/mailer.ts'
import { aMailProvider, type MailCall } from '#testing/mail-provider.ts'

const mailerAt = (smtpUrl: string) =>
  createMailer({ smtpUrl, mailFrom: 'Shop <shop@shop.example>', publicUrl: 'https://shop.example' })

const MAIL = {
  ...{
    to: 'ada@example.org',
    replyTo: 'help@shop.example',
    subject: 'Zażółć',
    text: 'Hello',
    html: '<p>Hello</p>',
  },
  ...{ key: 'one', threadKey: 'first' },
  attachments: [{ filename: 'wren.conf', content: '[Interface]', contentType: 'text/plain' }],
}

test('a mail goes by Postmark’s API as it is, with its own id and untracked', async () => {
  const { host, calls } = await aMailProvider()
  await mailerAt(`postmark://token-of-ours@${host}`).send(MAIL)
  expect(calls).toMatchObject([
    { method: 'POST', url: '/email', headers: { 'x-postmark-server-token': 'token-of-ours' } },
  ])
  expect(JSON.parse(calls[0]?.body ?? '')).toMatchObject({
    From: 'Shop <shop@shop.example>',
    To: 'ada@example.org',
    ReplyTo: 'help@shop.example',
    Subject: 'Zażółć',
    TextBody: 'Hello',
    HtmlBody: '<p>Hello</p>',
    Headers: expect.arrayContaining([
      { Name: 'Message-ID', Value: '<one@shop.example>' },
      { Name: 'X-PM-KeepID', Value: 'true' },
      { Name: 'In-Reply-To', Value: '<first@shop.example>' },
      { Name: 'Auto-Submitted', Value: 'auto-generated' },
    ]),
    Attachments: [{ Name: 'wren.conf', Content: 'W0ludGVyZmFjZV0=', ContentType: 'text/plain' }],
    TrackOpens: false,
    TrackLinks: 'None',
  })
})

test('a mail goes by SES’s API as one message, signed for its region', async () => {
  const { host, calls } = await aMailProvider()
  await mailerAt(`ses://KEY:secret%2Fword@${host}/?region=eu-west-2`).send(MAIL)
  const [{ method, url, headers, body } = { body: '{}' } as MailCall] = calls
  expect([method, url]).toEqual(['POST', '/v2/email/outbound-emails'])
  expect(headers.authorization).toMatch(
    /^AWS4-HMAC-SHA256 Credential=KEY\/\d{8}\/eu-west-2\/ses\/aws4_request, SignedHeaders=/,
  )
  const { Destination, Content } = JSON.parse(body)
  expect(Destination).toEqual({ ToAddresses: ['ada@example.org'] })
  const message = Buffer.from(Content.Raw.Data, 'base64').toString()
  for (const part of [
    /^From: Shop <shop@shop.example>\r$/m,
    /^Message-ID: <one@shop.example>\r$/im,
    /filename=wren.conf/,
  ])
    expect(message).toMatch(part)
})

describe('what a provider does not take', () => {
  test.each([
    [
      'an address that takes none',
      422,
      { ErrorCode: 406, Message: 'ada@example.org is inactive' },
      true,
      false,
    ],
    ['a sender that is not ours', 422, { ErrorCode: 400, Message: 'shop@shop.example' }, false, false],
    ['a message', 400, { message: 'ada@example.org' }, false, false],
    ['the credentials', 401, { ErrorCode: 10, Message: 'token' }, false, true],
    ['too many', 429, {}, false, true],
    ['anything', 503, {}, false, true],
  ])('%s is told apart, and names nobody', async (_, status, answer, isRefused, isAway) => {
    const { host } = await aMailProvider(status, answer)
    const error: unknown = await mailerAt(`postmark://token@${host}`)
      .send(MAIL)
      .catch((refused: unknown) => refused)
    expect(error).toMatchObject({ name: 'MailNotTaken', isRefused, isAway })
    expect(inspect(error, { depth: 9, showHidden: true })).not.toMatch(/ada|token|shop@/i)
  })

  test.each(['postmark://token@', 'ses://KEY:secret@'])(
    'and whether it is there is asked by what needs the log-in: %s',
    async (address) => {
      const there = await aMailProvider()
      const not = await aMailProvider(403)
      const query = address.startsWith('ses') ? '/?region=eu-west-2' : ''
      expect(await mailerAt(`${address}${there.host}${query}`).isThere()).toBe(true)
      expect(await mailerAt(`${address}${not.host}${query}`).isThere()).toBe(false)
      expect(there.calls).toMatchObject([{ method: 'GET' }])
    },
  )
})
