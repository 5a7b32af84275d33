import type { DatabaseSync } from 'node:sqlite'
import { WIREGUARD_KEY } from '@hedgerow/domain/public-keys'
import { publicKeyOf } from '@hedgerow/wireguard/keys'
import { type FoundFile, type FoundPeer, ImportFault } from '#network/imports/found.ts'

/** Columns and fields are read as whatever they are; what is neither text nor number counts as missing. */
type Unknown = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
/** Says it only where it is there. */
const optional = <K extends string>(name: K, value: unknown) => {
  const text = textOf(value)
  return (text === '' ? {} : { [name]: text }) as Partial<Record<K, string>>
}

const UNKNOWN =
  'This is no file of wg-easy that is known here. Versions 3 to 14 keep wg0.json, and 15 keeps wg-easy.db.'

const serverKeyOf = (privateKey: string): string => {
  if (!WIREGUARD_KEY.test(privateKey))
    throw new ImportFault(['The server’s private key is missing, or is no WireGuard key.'])
  return publicKeyOf(privateKey)
}

type Client = Unknown & {
  where: string
  isOn: boolean
  addresses: readonly string[]
  end: unknown
  psk: unknown
}

const withClients = (server: FoundFile['server'], clients: readonly Client[]): FoundFile => {
  const on = clients.filter(({ isOn }) => isOn)
  const nameOf = (client: Client) => textOf(client.name)
  return {
    ...(server ? { server } : {}),
    peers: on.map(
      (client): FoundPeer => ({
        where: client.where,
        name: nameOf(client),
        publicKey: textOf(client.publicKey),
        addresses: client.addresses,
        ...optional('privateKey', client.privateKey),
        ...optional('presharedKey', client.psk),
        ...optional('end', client.end),
      }),
    ),
    leftOut: clients
      .filter(({ isOn }) => !isOn)
      .map((client) => `${client.where} (${nameOf(client).slice(0, 60)}): it is switched off there.`),
  }
}

/** Versions before 15. */
const readJson = (bytes: Buffer): FoundFile => {
  let config: unknown
  try {
    config = JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    throw new ImportFault([UNKNOWN])
  }
  if (!isObject(config) || !isObject(config.server) || !isObject(config.clients))
    throw new ImportFault([UNKNOWN])
  const address = textOf(config.server.address)
  const clients = Object.values(config.clients).map((value, at): Client => {
    const client = isObject(value) ? value : {}
    return {
      ...client,
      where: `Client ${at + 1}`,
      isOn: client.enabled !== false,
      addresses: [textOf(client.address)].filter(Boolean),
      // Forks call it by these.
      end: client.expiredAt ?? client.expireAt ?? client.expiresAt,
      psk: client.preSharedKey,
    }
  })
  return withClients(
    {
      publicKey: serverKeyOf(textOf(config.server.privateKey)),
      // Its network is always the /24 around it.
      networks: address === '' ? [] : [`${address}/24`],
    },
    clients,
  )
}

const SQLITE = Buffer.from('SQLite format 3\0')
const INTERFACE_TABLES = ['interfaces_table', 'interface_table']

/** Version 15. `file`: the same on the disk, since SQLite reads files. */
const readDatabase = (file: string): FoundFile => {
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite')
  let db: DatabaseSync | undefined
  try {
    db = new DatabaseSync(file, { readOnly: true })
    const tables = db.prepare("select name from sqlite_master where type = 'table'").all() as {
      name: string
    }[]
    const table = INTERFACE_TABLES.find((name) => tables.some((one) => one.name === name))
    if (!table || !tables.some(({ name }) => name === 'clients_table')) throw new ImportFault([UNKNOWN])
    const servers = db.prepare(`select * from ${table} limit 2`).all() as Unknown[]
    const [server] = servers
    if (!server || servers.length > 1)
      throw new ImportFault([
        `One server is brought at a time; this file has ${servers.length === 0 ? 'none' : 'more'}.`,
      ])
    const rows = db.prepare('select * from clients_table order by id limit 65536').all() as Unknown[]
    const networks = [server.ipv4_cidr, server.ipv6_cidr].map(textOf).filter(Boolean)
    return withClients(
      {
        publicKey: serverKeyOf(textOf(server.private_key)),
        networks,
        ...(typeof server.port === 'number' ? { port: server.port } : {}),
      },
      rows.map(
        (row, at): Client => ({
          name: row.name,
          publicKey: row.public_key,
          privateKey: row.private_key,
          psk: row.pre_shared_key,
          where: `Client ${at + 1}`,
          isOn: row.enabled !== 0,
          addresses: [row.ipv4_address, row.ipv6_address].map(textOf).filter(Boolean),
          end: row.expires_at,
        }),
      ),
    )
  } catch (error) {
    if (error instanceof ImportFault) throw error
    throw new ImportFault([`${UNKNOWN} (${String((error as Error).message).slice(0, 100)})`])
  } finally {
    db?.close()
  }
}

/** What wg-easy keeps, of any version from 3 on. `file`: where it lies. Throws an ImportFault. */
export const readWgEasy = (bytes: Buffer, file: string): FoundFile =>
  bytes.subarray(0, SQLITE.length).equals(SQLITE) ? readDatabase(file) : readJson(bytes)
