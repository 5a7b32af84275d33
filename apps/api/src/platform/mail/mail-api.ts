/** Mails by a provider's API, for servers whose host closes the ports of SMTP: Postmark's, and Amazon SES's. */
import { buffer } from 'node:stream/consumers'
import { send as call, postJson } from '@hedgerow/io/post-json'
import { isLoopback } from '@hedgerow/settings/hosts'
import type { SendMailOptions, Transport } from 'nodemailer'

type Message = Parameters<Transport['send']>[0]
type Answer = { status: number; text: string }
type Returned = { email: string; kind: 'bounced' | 'complained' }
type Provider = {
  post: (message: Message, signal: AbortSignal) => Promise<Answer>
  /** Asks something that needs the credentials and changes nothing. */
  look: (signal: AbortSignal) => Promise<Answer>
  /** To whom it sends nothing any more since then, because it came back or was unwanted. */
  listReturned: (since: Date, signal: AbortSignal) => Promise<Returned[]>
}

/** Of a provider's answer only what we read of it; a list that is none is a fault. */
const rowsIn = ({ status, text }: Answer, name: string): Record<string, unknown>[] => {
  const list = status === 200 && (JSON.parse(text) as Record<string, unknown>)[name]
  if (!Array.isArray(list)) throw new Error(`the mail API answered ${status} without ${name}`)
  return list
}

const TIMEOUT_MS = 20_000
/** Of one look: what is beyond comes with the next ones, or is a provider's trouble that the checks tell of. */
const MOST_RETURNED = 500

/** Without TLS only where it does not leave this machine. */
const originOf = ({ host, hostname }: URL): string => `${isLoopback(hostname) ? 'http' : 'https'}://${host}`

const base64 = (content: unknown) => Buffer.from(content as string | Buffer).toString('base64')

const headersOf = ({ messageId, inReplyTo, references, headers }: SendMailOptions) =>
  Object.entries({
    'Message-ID': messageId,
    'X-PM-KeepID': 'true',
    'In-Reply-To': inReplyTo,
    References: references,
    ...headers,
  }).flatMap(([Name, value]) => (value ? [{ Name, Value: String(value) }] : []))

/** postmark://TOKEN@api.postmarkapp.com */
const postmark = (address: URL): Provider => {
  const headers = {
    accept: 'application/json',
    'x-postmark-server-token': decodeURIComponent(address.username),
  }
  return {
    post: ({ data }, signal) => {
      const body = {
        From: data.from,
        To: data.to,
        ReplyTo: data.replyTo,
        Subject: data.subject,
        TextBody: data.text,
        HtmlBody: data.html,
        Headers: headersOf(data),
        Attachments: data.attachments?.map(({ filename, content, contentType }) => ({
          Name: filename,
          Content: base64(content),
          ContentType: contentType,
        })),
        TrackOpens: false,
        TrackLinks: 'None',
      }
      return postJson(`${originOf(address)}/email`, JSON.stringify(body), { headers, signal })
    },
    look: (signal) => call(`${originOf(address)}/server`, { method: 'GET', headers, signal }),
    listReturned: async (since, signal) => {
      const path = `/bounces?count=${MOST_RETURNED}&offset=0&inactive=true&fromdate=${since.toISOString().slice(0, 10)}`
      const answer = await call(`${originOf(address)}${path}`, { method: 'GET', headers, signal })
      return rowsIn(answer, 'Bounces').map(({ Email, Type }) => ({
        email: String(Email),
        kind: Type === 'SpamComplaint' ? 'complained' : 'bounced',
      }))
    },
  }
}

/** ses://KEY:SECRET@email.eu-west-2.amazonaws.com */
const ses = (address: URL): Provider => {
  const region = address.searchParams.get('region') ?? address.hostname.split('.')[1]
  const ask = async (method: string, path: string, signal: AbortSignal, body?: string): Promise<Answer> => {
    const { AwsV4Signer } = await import('aws4fetch')
    const url = `${originOf(address)}${path}`
    const { headers } = await new AwsV4Signer({
      ...{ method, url, service: 'ses' },
      ...(region ? { region } : {}),
      ...(body ? { body, headers: { 'content-type': 'application/json' } } : {}),
      accessKeyId: decodeURIComponent(address.username),
      secretAccessKey: decodeURIComponent(address.password),
    }).sign()
    return call(url, { method, headers: Object.fromEntries(headers), signal, ...(body ? { body } : {}) })
  }
  return {
    post: async ({ data, message }, signal) => {
      const Data = base64(await buffer(message.createReadStream()))
      const body = { Destination: { ToAddresses: [data.to] }, Content: { Raw: { Data } } }
      return ask('POST', '/v2/email/outbound-emails', signal, JSON.stringify(body))
    },
    look: (signal) => ask('GET', '/v2/email/account', signal),
    listReturned: async (since, signal) => {
      const query = new URLSearchParams({
        PageSize: String(MOST_RETURNED),
        StartDate: since.toISOString().replace(/\.\d+/, ''),
      })
      const answer = await ask('GET', `/v2/email/suppression/addresses?${query}`, signal)
      return rowsIn(answer, 'SuppressedDestinationSummaries').map(({ EmailAddress, Reason }) => ({
        email: String(EmailAddress),
        kind: Reason === 'COMPLAINT' ? 'complained' : 'bounced',
      }))
    },
  }
}

/** Postmark's codes: this address takes none any more, or is no address; this sender is not ours. */
const REFUSED = [300, 406]
const SENDER = [400, 401]

/** In the words of SMTP, which all else knows. The provider's own name addresses. */
const faultOf = ({ status, text }: Answer) => {
  if (status === 401 || status === 403) return { code: 'EAUTH', responseCode: 535 }
  if (status === 429 || status >= 500) return { code: 'EPROTOCOL', responseCode: 421 }
  const said = Number(/"ErrorCode":\s*(\d+)/.exec(text)?.[1])
  if (REFUSED.includes(said)) return { code: 'EENVELOPE', command: 'RCPT TO', responseCode: 550 }
  if (SENDER.includes(said)) return { code: 'EENVELOPE', command: 'MAIL FROM', responseCode: 550 }
  return { code: 'EMESSAGE', command: 'DATA', responseCode: 554 }
}

const must = (answer: Answer): void => {
  if (answer.status !== 200) throw Object.assign(new Error('The mail API refused'), faultOf(answer))
}

/** Its own code says nothing to whoever reads it in a log. */
const inTime = (error: Error): never => {
  throw error.name === 'TimeoutError' ? Object.assign(new Error('late'), { code: 'ETIMEDOUT' }) : error
}

const providerOf = (address: URL): Provider =>
  address.protocol === 'ses:' ? ses(address) : postmark(address)

export const listReturned = (address: URL, since: Date): Promise<Returned[]> =>
  providerOf(address).listReturned(since, AbortSignal.timeout(TIMEOUT_MS))

export const mailApi = (address: URL): Transport => {
  const provider = providerOf(address)
  const within = () => AbortSignal.timeout(TIMEOUT_MS)
  return {
    name: address.protocol.slice(0, -1),
    version: '1',
    send: (message, done) => {
      provider
        .post(message, within())
        .then(must, inTime)
        .then(() => done(null, { envelope: message.message.getEnvelope(), messageId: '' }), done)
    },
    verify: () => provider.look(within()).then(must, inTime),
  }
}
