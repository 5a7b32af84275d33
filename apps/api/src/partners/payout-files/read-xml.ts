/** An element as banks write it: a name without its prefix, attributes, and either elements or a text. */
export type XmlElement = {
  name: string
  attributes: Readonly<Record<string, string>>
  children: XmlElement[]
  text: string
}

export class XmlFault extends Error {
  override name = 'XmlFault'
}

const DEEPEST = 64
const MOST_ELEMENTS = 2_000_000

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }
/** Characters that XML 1.0 has. */
const isAllowed = (code: number): boolean =>
  code === 9 ||
  code === 10 ||
  code === 13 ||
  (code >= 0x20 && code <= 0xd7ff) ||
  (code >= 0xe000 && code <= 0xfffd) ||
  (code >= 0x10000 && code <= 0x10ffff)

const decoded = (text: string): string => {
  if (!text.includes('&')) return text
  // Before they are all found: of twenty million that is no small list.
  if (/&(?![^;&]{1,10};)/.test(text))
    throw new XmlFault('It holds an entity, which a bank’s file does not need.')
  return text.replace(/&([^;&]{0,10})(;?)/g, (_, name: string, end: string) => {
    const number = /^#(?:x([\da-fA-F]{1,6})|(\d{1,7}))$/.exec(name)
    const code = number ? Number.parseInt(number[1] ?? number[2] ?? '', number[1] ? 16 : 10) : -1
    const character = isAllowed(code) ? String.fromCodePoint(code) : ENTITIES[name]
    if (end === '' || character === undefined || !(number || Object.hasOwn(ENTITIES, name)))
      throw new XmlFault('It holds an entity, which a bank’s file does not need.')
    return character
  })
}

const NOT_XML = /[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u

const NAME = /^[\p{L}_][\p{L}\p{N}._-]*(?::[\p{L}_][\p{L}\p{N}._-]*)?$/u
const ATTRIBUTE = /\s+([^\s=<>"'/]+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/y

const localName = (name: string): string => {
  if (!NAME.test(name)) throw new XmlFault(`“${name.slice(0, 40)}” is no name of an element.`)
  return name.slice(name.indexOf(':') + 1)
}

const readTag = (inside: string): { raw: string; element: XmlElement } => {
  const raw = inside.split(/\s/, 1)[0] ?? ''
  const attributes = new Map<string, string>()
  let at = raw.length
  while (inside.slice(at).trim() !== '') {
    ATTRIBUTE.lastIndex = at
    const match = ATTRIBUTE.exec(inside)
    const [, key = ''] = match ?? []
    if (!match || attributes.has(key)) throw new XmlFault(`The tag of ${raw.slice(0, 40)} cannot be read.`)
    attributes.set(key, decoded(match[2] ?? match[3] ?? ''))
    at = ATTRIBUTE.lastIndex
  }
  return {
    raw,
    element: { name: localName(raw), attributes: Object.fromEntries(attributes), children: [], text: '' },
  }
}

/** Where a tag ends: a '>' may stand in an attribute's value. */
const endOfTag = (xml: string, from: number): number => {
  let quote = ''
  for (let at = from; at < xml.length; at++) {
    const one = xml[at] ?? ''
    if (quote) quote = one === quote ? '' : quote
    else if (one === '"' || one === "'") quote = one
    else if (one === '>') return at
    else if (one === '<') break
  }
  throw new XmlFault('A tag does not end.')
}

const skipTo = (xml: string, end: string, from: number): number => {
  const at = xml.indexOf(end, from)
  if (at === -1) throw new XmlFault('A comment or an instruction does not end.')
  return at + end.length
}

/**
 * The root of a document, read strictly and in one pass. Nothing is expanded or fetched: a document type, entities of its
 * own and CDATA, of which a bank's messages have none, are refused. Throws an XmlFault.
 */
export const readXml = (xml: string): XmlElement => {
  if (NOT_XML.test(xml)) throw new XmlFault('It holds characters that no XML has.')
  const open: { raw: string; element: XmlElement }[] = []
  let root: XmlElement | undefined
  let count = 0
  let at = xml.startsWith('\uFEFF') ? 1 : 0
  const takeText = (text: string) => {
    const inside = open.at(-1)
    if (inside) inside.element.text += decoded(text)
    else if (text.trim() !== '') throw new XmlFault('There is text outside of the document.')
  }
  while (at < xml.length) {
    const next = xml.indexOf('<', at)
    takeText(next === -1 ? xml.slice(at) : xml.slice(at, next))
    if (next === -1) break
    if (xml.startsWith('<!--', next)) at = skipTo(xml, '-->', next + 4)
    else if (xml.startsWith('<?', next)) at = skipTo(xml, '?>', next + 2)
    else if (xml.startsWith('<!', next))
      throw new XmlFault('It has a document type or CDATA, which a bank’s file does not need.')
    else {
      const end = endOfTag(xml, next + 1)
      const inside = xml.slice(next + 1, end)
      at = end + 1
      if (inside.startsWith('/')) {
        const closed = open.pop()
        if (closed?.raw !== inside.slice(1).trimEnd())
          throw new XmlFault(`</${inside.slice(1, 41)}> ends nothing that is open.`)
        continue
      }
      const isEmpty = inside.endsWith('/')
      const tag = readTag(isEmpty ? inside.slice(0, -1) : inside)
      const parent = open.at(-1)
      if (parent) parent.element.children.push(tag.element)
      else if (root) throw new XmlFault('There is more than one document in it.')
      else root = tag.element
      if (++count > MOST_ELEMENTS || open.length >= DEEPEST)
        throw new XmlFault('It is too large, or too deep, for a bank’s file.')
      if (!isEmpty) open.push(tag)
    }
  }
  if (!root || open.length > 0) throw new XmlFault('The document does not end.')
  return root
}

/** All elements by a path of names. */
export const allAt = (element: XmlElement, ...path: string[]): XmlElement[] => {
  const [first, ...rest] = path
  if (first === undefined) return [element]
  return element.children.filter(({ name }) => name === first).flatMap((child) => allAt(child, ...rest))
}

/** The text of the first element at a path; undefined where there is none, or nothing in it. */
export const textAt = (element: XmlElement, ...path: string[]): string | undefined =>
  allAt(element, ...path)[0]?.text.trim() || undefined
