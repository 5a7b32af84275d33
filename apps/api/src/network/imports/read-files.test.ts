import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateKeyPair } from '@hedgerow/wireguard/keys'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { checkPeers, type Said } from '#network/imports/check-peers.ts'
import { type FoundFile, ImportFault } from '#network/imports/found.ts'
import { readPeersCsv, withEmails } from '#network/imports/read-peers-csv.ts'
import { readWgEasy } from '#network/imports/read-wg-easy.ts'
import { readWgQuick } from '#network/imports/read-wg-quick.ts'
import { aClient, aServer, wgEasyDatabase, wgEasyJson, wgQuickFile } from '#testing/imports.ts'

const NOW = new Date('2026-11-29T00:00:00Z')
const SAID: Said = { end: new Date('2027-01-31T23:59:59Z'), now: NOW }

const faultsOf = (what: () => unknown): readonly string[] => {
  try {
    what()
  } catch (error) {
    if (error instanceof ImportFault) return error.faults
    throw error
  }
  return []
}

const quick = (text: string) => readWgQuick(Buffer.from(text))
const easy = (text: string) => readWgEasy(Buffer.from(text), '/nowhere')
const check = (file: FoundFile, said: Partial<Said> = {}) => checkPeers(file, { ...SAID, ...said })

describe('files of wg-easy', () => {
  test('up to version 14 give every client that is switched on, with its keys, address and end', () => {
    const server = aServer()
    const clients = [
      aClient('Phone', 2),
      aClient('ada@example.org', 3, { expires: '2026-12-24T00:00:00.000Z' }),
      aClient('Old', 4, { enabled: false }),
      aClient('Over', 5, { expires: '2026-11-01T00:00:00.000Z' }),
    ]
    const { serverKey, pool, peers, leftOut } = check(easy(wgEasyJson(server, clients)))
    expect(serverKey).toBe(server.publicKey)
    expect(pool.ipv4).toBe('10.8.0.0/24')
    expect(pool.ipv6).toMatch(/^fd[0-9a-f]{2}:.+::\/64$/)
    const [phone, ada] = clients
    expect(peers).toEqual([
      expect.objectContaining({
        ...{ name: 'Phone', publicKey: phone?.publicKey, privateKey: phone?.privateKey, position: 2 },
        ...{ presharedKey: phone?.presharedKey, ipv6Position: null, email: null, end: SAID.end },
      }),
      expect.objectContaining({
        publicKey: ada?.publicKey,
        email: 'ada@example.org',
        end: new Date('2026-12-24'),
      }),
    ])
    expect(leftOut).toEqual(['Client 3 (Old): it is switched off there.', 'Client 4 (Over): it has ended.'])
  })

  test('are refused where an end is written otherwise: such a device would never end', () => {
    const text = wgEasyJson(aServer(), [aClient('Phone', 2, { expires: 'END' })]).replace(
      '"END"',
      '1798000000',
    )
    expect(faultsOf(() => check(easy(text)))).toEqual(['Client 1: its end is written like 2026-12-31.'])
  })

  test('of version 15 are a database, in which an IPv6 address may have another place', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'hedgerow-import-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const [file, server] = [join(folder, 'wg-easy.db'), aServer()]
    const v6 = (place: number) => ({ ipv6: `fdcc:ad94:bacf:61a4::cafe:${place}` })
    wgEasyDatabase(file, server, [aClient('Phone', 2, v6(2)), aClient('Laptop', 4, v6(3))])
    const found = check(readWgEasy(await readFile(file), file))
    expect(found).toMatchObject({ serverKey: server.publicKey, port: 51820 })
    expect(found.pool).toEqual({ ipv4: '10.8.0.0/24', ipv6: 'fdcc:ad94:bacf:61a4::cafe:0/112' })
    expect(found.peers.map(({ position, ipv6Position }) => [position, ipv6Position])).toEqual([
      [2, null],
      [4, 3],
    ])
  })

  test('that are none, or of a version that is not known, are refused in words', () => {
    for (const text of [
      '',
      '{',
      '[]',
      '{"server":{}}',
      '{"version":16,"peers":[]}',
      'SQLite format 3\0 and no more',
    ])
      expect(faultsOf(() => easy(text))[0]).toContain('Versions 3 to 14 keep wg0.json')
  })
})

describe('a WireGuard server’s file', () => {
  test('names its peers by what panels write above them, with any ends of lines and a mark at its beginning', () => {
    const server = aServer()
    const clients = [aClient('Phone', 2), aClient('Laptop', 3, { ipv6: 'fd80::3' })]
    const text = wgQuickFile(server, clients).replace('10.8.0.1/24', '10.8.0.1/24, fd80::1/64')
    for (const written of [text, `\ufeff${text.replaceAll('\n', '\r\n')}`]) {
      const { peers, pool, port } = check(quick(written))
      expect(pool).toEqual({ ipv4: '10.8.0.0/24', ipv6: 'fd80::/64' })
      expect(port).toBe(51820)
      expect(peers.map(({ name, position, privateKey }) => [name, position, privateKey])).toEqual([
        ['Phone', 2, null],
        ['Laptop', 3, null],
      ])
    }
    const angristan = text.replace('# Client: Phone (1)', '### Client Phone')
    expect(check(quick(angristan)).peers[0]?.name).toBe('Phone')
    const pivpn = text.replace('# Client: Laptop (2)', '### end Phone ###\n### begin Laptop ###')
    expect(check(quick(pivpn)).peers[1]?.name).toBe('Laptop')
  })

  test('is read at once, however long a comment in it is', () => {
    const text = wgQuickFile(aServer(), [aClient('Phone', 2)])
    for (const long of [`${' '.repeat(300_000)}x`, `${'#'.repeat(300_000)}x`])
      expect(check(quick(text.replace('Phone', `Phone${long}`))).peers[0]?.name).toMatch(/^Phone/)
  })

  test('brings peers without a preshared key, which WireGuard writes as zeros', () => {
    const text = wgQuickFile(aServer(), [aClient('Phone', 2)]).replace(/^PresharedKey.*\n/m, '')
    expect(check(quick(text)).peers[0]?.presharedKey).toBe(`${'A'.repeat(43)}=`)
  })

  test('is taken whole or not at all, and each line that is wrong is named', () => {
    const [one, two] = [aClient('One', 2), aClient('Two', 3)]
    const server = aServer()
    const broken = (change: (text: string) => string) =>
      faultsOf(() => check(quick(change(wgQuickFile(server, [one, two])))))
    expect(broken((text) => text.replace(two.publicKey, one.publicKey))).toEqual([
      'Line 17: its public key is also that of line 11.',
    ])
    expect(broken((text) => text.replace('10.8.0.3/32', '10.8.0.2/32'))).toEqual([
      'Line 17: its IPv4 address is also that of line 11.',
    ])
    expect(broken((text) => text.replace('10.8.0.3/32', '10.9.0.3/32'))).toEqual([
      'Line 17: 10.9.0.3 is no address of the server’s network 10.8.0.0/24.',
    ])
    expect(broken((text) => text.replace('10.8.0.3/32', '10.8.0.3/32, 192.168.7.0/24'))[0]).toContain(
      'Line 17: ',
    )
    expect(broken((text) => text.replace('10.8.0.3/32', '10.8.0.1/32'))[0]).toContain('the node itself has')
    expect(broken((text) => text.replace(two.publicKey, 'nonsense'))[0]).toContain('Line 17: its public key')
    expect(broken((text) => text.replace('ListenPort', 'Jc = 4\nListenPort'))[0]).toContain('AmneziaWG')
    expect(broken((text) => `${text}\nwhat is this`)[0]).toBe(
      'Line 21: it is neither a section nor NAME = VALUE.',
    )
    expect(broken((text) => text.replace(server.privateKey, ''))[0]).toContain('PrivateKey')
  })

  test('never has its private key in what is wrong with it', () => {
    const server = aServer()
    const text = wgQuickFile(server, [aClient('One', 2)])
    for (let cut = 0; cut < text.length; cut += 7) {
      const faults = faultsOf(() => check(quick(text.slice(0, cut) + text.slice(cut + 5))))
      expect(faults.join('\n')).not.toContain(server.privateKey.slice(0, 20))
    }
  })
})

describe('a list of peers', () => {
  const { publicKey: serverKey } = generateKeyPair()
  const read = (text: string, said: Partial<Said> = {}) =>
    check(readPeersCsv(Buffer.from(text)), { serverKey, ipv4: '10.8.0.0/24', ...said })

  test('is read with commas or semicolons, quotes, a mark at its beginning, and its columns in any order', () => {
    const [a, b] = [generateKeyPair(), generateKeyPair()]
    const rows = [
      ['E-mail', 'Name', 'Public key', 'Address', 'End'],
      ['Ada@Example.org', '"Ada’s, phone"', a.publicKey, '10.8.0.2/32', '2026-12-31'],
      ['', 'Router', b.publicKey, '10.8.0.3', ''],
    ]
    for (const sign of [',', ';'])
      for (const mark of ['', '\ufeff']) {
        const { peers } = read(mark + rows.map((row) => row.join(sign)).join('\r\n'))
        expect(peers.map(({ name, email, position }) => [name, email, position])).toEqual([
          ['Ada’s, phone', 'ada@example.org', 2],
          ['Router', null, 3],
        ])
        expect(peers[0]?.end).toEqual(new Date('2026-12-31T23:59:59Z'))
      }
  })

  test('needs the server’s key and network, an end for each, and emails that are some', () => {
    const { publicKey } = generateKeyPair()
    const text = `email,public_key,address,end\nada,${publicKey},10.8.0.2,31.12.2026`
    expect(faultsOf(() => read(text, { serverKey: undefined }))[0]).toContain('--server-key')
    expect(faultsOf(() => read(text, { ipv4: undefined }))[0]).toContain('--ipv4')
    expect(faultsOf(() => read(text))).toEqual([
      'Line 2: its email is not an address that mail can be sent to.',
      'Line 2: its end is written like 2026-12-31.',
    ])
    const endless = `public_key,address\n${publicKey},10.8.0.2`
    expect(faultsOf(() => read(endless, { end: undefined }))[0]).toContain('--days, --end or --never')
    expect(read(endless, { end: null }).peers[0]?.end).toBeNull()
  })

  test('beside another file says whose its devices are', () => {
    const clients = [aClient('Phone', 2), aClient('Laptop', 3), aClient('Laptop', 4)]
    const file = quick(wgQuickFile(aServer(), clients))
    const emails = (text: string) =>
      check(withEmails(file, Buffer.from(text))).peers.map(({ email }) => email)
    const three = `name,address,public_key,email\nPhone,,,a@example.org\n,10.8.0.3,,b@example.org\n,,${clients[2]?.publicKey},c@example.org`
    expect(emails(three)).toEqual(['a@example.org', 'b@example.org', 'c@example.org'])
    expect(faultsOf(() => emails('name,email\nLaptop,a@example.org\nTablet,b@example.org'))).toEqual([
      'Emails, Line 2: more than one device is called Laptop.',
      'Emails, Line 3: it names no device of the file by public key, address or name.',
    ])
  })
})

test('whatever stands in a file, it is read, or refused in words', () => {
  const server = aServer()
  const whole = [
    wgQuickFile(server, [aClient('One', 2), aClient('Two', 3)]),
    wgEasyJson(server, [aClient('One', 2)]),
  ]
  const changed = fc
    .tuple(fc.constantFrom(...whole), fc.nat(1_500), fc.nat(60), fc.string({ unit: 'binary', maxLength: 40 }))
    .map(([text, from, length, put]) => text.slice(0, from) + put + text.slice(from + length))
  fc.assert(
    fc.property(fc.oneof(changed, fc.string({ unit: 'binary', maxLength: 400 })), (text) => {
      for (const read of [quick, easy, (one: string) => readPeersCsv(Buffer.from(one))])
        faultsOf(() => {
          const { peers, pool } = check(read(text), { serverKey: server.publicKey, ipv4: '10.8.0.0/24' })
          // What is taken is right.
          expect(new Set(peers.map(({ position }) => position)).size).toBe(peers.length)
          expect(pool.ipv4).toMatch(/\/\d+$/)
        })
    }),
    { numRuns: 100 },
  )
})
