import { type FoundFile, type FoundPeer, ImportFault } from '#network/imports/found.ts'
import { CsvFault, decodeText, readRows } from '#platform/csv/read-csv.ts'
import { cellOf, readTable } from '#platform/csv/read-table.ts'

const SYNONYMS = {
  email: ['email', 'e_mail', 'mail', 'email_address'],
  name: ['name', 'client', 'device', 'peer'],
  publicKey: ['public_key', 'publickey', 'key'],
  address: ['address', 'addresses', 'ip', 'ip_address', 'allowed_ips', 'allowedips'],
  end: ['end', 'ends', 'expires', 'expires_at', 'expiry', 'until'],
  presharedKey: ['preshared_key', 'presharedkey', 'pre_shared_key', 'psk'],
} as const
type Field = keyof typeof SYNONYMS

const read = (bytes: Buffer, required: readonly Field[]): FoundPeer[] => {
  try {
    const table = readTable<Field>(readRows(decodeText(bytes)), {
      synonyms: SYNONYMS,
      required,
      map: new Map(),
    })
    return table.rows.map((row): FoundPeer => {
      const cell = (field: Field) => cellOf(table, row, field)
      const [email, end, presharedKey] = [cell('email'), cell('end'), cell('presharedKey')]
      return {
        where: `Line ${row.line}`,
        name: cell('name'),
        publicKey: cell('publicKey'),
        addresses: cell('address')
          .split(/[\s,;]+/)
          .filter(Boolean),
        ...(email === '' ? {} : { email }),
        ...(end === '' ? {} : { end }),
        ...(presharedKey === '' ? {} : { presharedKey }),
      }
    })
  } catch (error) {
    throw error instanceof CsvFault ? new ImportFault(error.faults) : error
  }
}

/** A list of peers: public key and address, and where they are known email, name, end and preshared key. Throws an ImportFault. */
export const readPeersCsv = (bytes: Buffer): FoundFile => ({
  peers: read(bytes, ['publicKey', 'address']),
  leftOut: [],
})

const plain = (address: string) => address.split('/')[0] ?? ''

/**
 * Says whose the peers of another file are, by a list of emails beside it: by public key, by address, or else by name. Throws an
 * ImportFault for a line that means none of them, or that means several.
 */
export const withEmails = (file: FoundFile, bytes: Buffer): FoundFile => {
  const faults: string[] = []
  const said = new Map<FoundPeer, FoundPeer>()
  const index = (keysOf: (peer: FoundPeer) => readonly string[]) =>
    Map.groupBy(
      file.peers.flatMap((peer) => keysOf(peer).map((key) => ({ key, peer }))),
      ({ key }) => key,
    )
  const byKey = index(({ publicKey }) => [publicKey])
  const byAddress = index(({ addresses }) => addresses.map(plain))
  const byName = index(({ name }) => [name])
  for (const line of read(bytes, ['email'])) {
    const found =
      (line.publicKey && byKey.get(line.publicKey)) ||
      (line.addresses[0] && byAddress.get(plain(line.addresses[0]))) ||
      (line.name && byName.get(line.name)) ||
      []
    const [one] = found
    if (!one)
      faults.push(`Emails, ${line.where}: it names no device of the file by public key, address or name.`)
    else if (found.length > 1)
      faults.push(`Emails, ${line.where}: more than one device is called ${line.name.slice(0, 60)}.`)
    else if (said.has(one.peer)) faults.push(`Emails, ${line.where}: its device stands above already.`)
    else said.set(one.peer, line)
  }
  if (faults.length > 0) throw new ImportFault(faults.slice(0, 20))
  return {
    ...file,
    peers: file.peers.map((peer) => {
      const { email, end } = said.get(peer) ?? {}
      return { ...peer, ...(email === undefined ? {} : { email }), ...(end === undefined ? {} : { end }) }
    }),
  }
}
