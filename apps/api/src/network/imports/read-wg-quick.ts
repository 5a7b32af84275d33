import { WIREGUARD_KEY } from '@hedgerow/domain/public-keys'
import { publicKeyOf } from '@hedgerow/wireguard/keys'
import { endWith, type FoundFile, type FoundPeer, ImportFault } from '#network/imports/found.ts'
import { CsvFault, decodeText } from '#platform/csv/read-csv.ts'

const SETTING = /^([A-Za-z0-9]+)\s*=\s*(.*)$/
/** A server with these speaks another protocol. */
const AMNEZIAWG = /^(?:jc|jmin|jmax|s[1-4]|h[1-4]|i[1-5])$/
/** What panels and scripts write before a peer's name: '# Client: Phone (4)', '### Client Phone', '### begin Phone ###'. */
const BEFORE_NAME = /^(?:client:?|begin|peer:?|name\s*[:=])\s+/i
const ID_AFTER_NAME = /\s+\((?:\d+|[0-9a-f-]{36})\)$/i
const IS_END = /^end\s/i
/** Of longer ones the end is no name's, and each blank of it would be looked at from each other. */
const LONGEST_COMMENT = 300

/** Undefined for what only says that something is over. */
const nameIn = (comment: string): string | undefined => {
  const text = comment.replace(/^[#;\s]+|[#\s]+$/g, '')
  return IS_END.test(text) || text === ''
    ? undefined
    : text.replace(BEFORE_NAME, '').replace(ID_AFTER_NAME, '')
}

type Section = { line: number; comment: string; settings: Map<string, string> }

const listOf = (text = ''): string[] =>
  text
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean)

const sectionsIn = (text: string): { sections: { kind: string; section: Section }[]; faults: string[] } => {
  const sections: { kind: string; section: Section }[] = []
  const faults: string[] = []
  let comment = ''
  for (const [at, whole] of text.split(/\r\n|\n|\r/).entries()) {
    const hash = whole.search(/[#]/)
    const line = (hash < 0 ? whole : whole.slice(0, hash)).trim()
    const current = sections.at(-1)?.section
    if (line === '') {
      const name = hash < 0 ? undefined : nameIn(whole.slice(hash, hash + LONGEST_COMMENT))
      if (name === undefined) continue
      // Some write the name below the heading.
      if (current && current.settings.size === 0 && current.comment === '') current.comment = name
      else comment = name
      continue
    }
    const [, kind] = /^\[([A-Za-z]+)\]$/.exec(line) ?? []
    const [, key = '', value = ''] = SETTING.exec(line) ?? []
    if (kind !== undefined) {
      sections.push({ kind: kind.toLowerCase(), section: { line: at + 1, comment, settings: new Map() } })
      comment = ''
    } else if (!current || key === '')
      faults.push(`Line ${at + 1}: it is neither a section nor NAME = VALUE.`)
    else {
      const name = key.toLowerCase()
      const before = current.settings.get(name)
      const isList = name === 'address' || name === 'allowedips'
      if (before !== undefined && !isList && name in ONLY_ONCE)
        faults.push(`Line ${at + 1}: ${key} stands twice in one section.`)
      current.settings.set(name, before !== undefined && isList ? `${before}, ${value}` : value)
    }
  }
  return { sections, faults }
}

const ONLY_ONCE = { privatekey: true, publickey: true, presharedkey: true, listenport: true }

const textOf = (bytes: Buffer): string => {
  try {
    return decodeText(bytes)
  } catch (error) {
    throw error instanceof CsvFault
      ? new ImportFault(['The file is no text: it is not one of a WireGuard server.'])
      : error
  }
}

/** A WireGuard server's file, as wg-quick reads it. Throws an ImportFault. */
export const readWgQuick = (bytes: Buffer): FoundFile => {
  const { sections, faults } = sectionsIn(textOf(bytes))
  const interfaces = sections.filter(({ kind }) => kind === 'interface').map(({ section }) => section)
  const [server] = interfaces
  if (!server || interfaces.length > 1)
    throw new ImportFault([
      ...faults.slice(0, 5),
      `A WireGuard server’s file has one section [Interface]; this one has ${interfaces.length === 0 ? 'none' : interfaces.length}.`,
    ])
  for (const { kind, section } of sections)
    if (kind !== 'interface' && kind !== 'peer')
      faults.push(`Line ${section.line}: a section [${kind.slice(0, 40)}] is not known.`)
  if ([...server.settings.keys()].some((name) => AMNEZIAWG.test(name)))
    faults.push('This server speaks AmneziaWG, which cannot be brought: its devices need its own parameters.')
  const privateKey = server.settings.get('privatekey') ?? ''
  if (!WIREGUARD_KEY.test(privateKey))
    faults.push(`Line ${server.line}: PrivateKey is missing, or is no WireGuard key.`)
  const port = server.settings.get('listenport')
  if (port !== undefined && !/^\d{1,5}$/.test(port))
    faults.push(`Line ${server.line}: ListenPort is no port.`)
  endWith(faults)
  const peers = sections
    .filter(({ kind }) => kind === 'peer')
    .map(({ section: { line, comment, settings } }): FoundPeer => {
      const presharedKey = settings.get('presharedkey')
      return {
        where: `Line ${line}`,
        name: comment,
        publicKey: settings.get('publickey') ?? '',
        ...(presharedKey === undefined ? {} : { presharedKey }),
        addresses: listOf(settings.get('allowedips')),
      }
    })
  return {
    server: {
      publicKey: publicKeyOf(privateKey),
      networks: listOf(server.settings.get('address')),
      ...(port === undefined ? {} : { port: Number(port) }),
    },
    peers,
    leftOut: [],
  }
}
