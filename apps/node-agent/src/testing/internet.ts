import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { createServer } from 'node:http'
import { createServer as createListener } from 'node:net'

/**
 * The internet of a test, in a namespace of its own: says "the internet" over HTTP, and much more at /large, takes TCP on the other ports
 * given, and as a name server tells everyone that every name is here, but those that begin with "rebind-", which are at the
 * address that follows in hexadecimal, also by a hint of their HTTPS record, those that begin with "alias.", which are aliases of "ads" beside them, and those that begin with "silent", whose
 * own name servers never answer. Started without DNS it is just a host.
 */
const IPV4 = [203, 0, 113, 10]
const IPV6 = [0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10]
/** The label, and where in the question the rest of the name is. */
const BESIDE_IT = [3, ...Buffer.from('ads'), 0xc0, 18]
/** Longer than a test: what is remembered stays. */
const TTL_S = 200
const TYPE_A = 1
const TYPE_NS = 2
const TYPE_CNAME = 5
const TYPE_AAAA = 28
const TYPE_HTTPS = 65

/** Refers to six servers, others for each name: one that was tried in vain so often is not asked again. */
const referral = (id: Buffer, question: Buffer): Buffer => {
  const names = [0, 1, 2, 3, 4, 5].map((n) => [2, 0x6e, 0x30 + n, 0xc0, 12])
  const servers = names.flatMap((name) => [
    0xc0,
    12,
    0,
    TYPE_NS,
    0,
    1,
    0,
    0,
    0,
    TTL_S,
    0,
    name.length,
    ...name,
  ])
  const addresses = names.flatMap((name) => [
    ...[...name, 0, TYPE_A, 0, 1, 0, 0, 0, TTL_S, 0, 4],
    ...[192, 0, 2, randomInt(1, 255)],
  ])
  const header = [...id, 0x80, 0, 0, 1, 0, 0, 0, names.length, 0, names.length]
  return Buffer.concat([Buffer.from(header), question, Buffer.from([...servers, ...addresses])])
}

const answer = (query: Buffer): Buffer => {
  let end = 12
  while (query[end]) end += (query[end] ?? 0) + 1
  const question = query.subarray(12, end + 5)
  if (query.toString('latin1', 13, 19) === 'silent') return referral(query.subarray(0, 2), question)
  const type = query.readUInt16BE(end + 1)
  const given = /^rebind-(\w+)/.exec(query.toString('latin1', 13, end))?.[1]
  const isAlias = query.toString('latin1', 12, 18) === '\x05alias'
  const hint = given && type === TYPE_HTTPS ? Buffer.from(given, 'hex') : undefined
  const hinted = hint && [0, 1, 0, 0, hint.length === 4 ? 4 : 6, 0, hint.length, ...hint]
  const own = type === TYPE_A ? IPV4 : type === TYPE_AAAA ? IPV6 : undefined
  const address = own && given ? Buffer.from(given, 'hex') : own
  const data = isAlias ? BESIDE_IT : (address ?? hinted)
  const header = Buffer.from([...query.subarray(0, 2), 0x84, 0, 0, 1, 0, data ? 1 : 0, 0, 0, 0, 0])
  const record = data
    ? Buffer.from([0xc0, 12, 0, isAlias ? TYPE_CNAME : type, 0, 1, 0, 0, 0, TTL_S, 0, data.length, ...data])
    : ''
  return Buffer.concat([header, question, Buffer.from(record)])
}

const [withDns, ...ports] = process.argv.slice(2)
if (withDns === 'dns') {
  const dns = createSocket('udp4')
  dns.on('message', (query, from) => dns.send(answer(query), from.port, from.address))
  dns.bind(53)
}
for (const port of ports) {
  if (port === '80')
    createServer(({ url }, response) =>
      response.end(url === '/large' ? Buffer.alloc(20_000) : 'the internet'),
    ).listen(80)
  // What it gets it throws away, and echoes one byte for each piece.
  else
    createListener((socket) =>
      socket.on('data', () => socket.write('.')).on('error', () => undefined),
    ).listen(Number(port))
}
process.send?.('ready')
