import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { create } from 'xmlbuilder2'
import { allAt, readXml, textAt, XmlFault } from '#partners/payout-files/read-xml.ts'

describe('reading XML', () => {
  test('takes elements, prefixes, attributes, entities and comments', () => {
    const root = readXml(
      '\uFEFF<?xml version="1.0"?>\n<!-- a > b --><p:Document xmlns:p="urn:x"><p:A Ccy="EUR" d=\'>"\'> 1 &amp; &#50;&#x33; </p:A><B/><!--x--><A>2</A></p:Document>\n',
    )
    expect(root.name).toBe('Document')
    expect(textAt(root, 'A')).toBe('1 & 23')
    expect(allAt(root, 'A').map(({ attributes }) => ({ ...attributes }))).toEqual([
      { Ccy: 'EUR', d: '>"' },
      {},
    ])
    expect(textAt(root, 'B')).toBeUndefined()
    expect(textAt(root, 'C', 'D')).toBeUndefined()
  })

  test.each([
    ['an entity of its own', '<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>'],
    ['a file from elsewhere', '<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>'],
    ['an unknown entity', '<a>&x;</a>'],
    ['an entity named as what every object has', '<a>&toString;</a>'],
    ['a bare ampersand', '<a>x & y</a>'],
    ['no character', '<a>&#0;</a>'],
    ['half of a pair', '<a>&#xD800;</a>'],
    ['CDATA', '<a><![CDATA[x]]></a>'],
    ['an end that is missing', '<a><b></a>'],
    ['an end too many', '<a></a></b>'],
    ['two documents', '<a/><b/>'],
    ['text around it', '<a/>x'],
    ['an attribute twice', '<a x="1" x="2"/>'],
    ['an attribute without quotes', '<a x=1/>'],
    ['a tag that does not end', '<a'],
    ['a comment that does not end', '<a/><!-- '],
    ['no name', '<1/>'],
    ['nothing', ''],
    ['no XML', 'hello'],
    ['a character that XML has not', '<a>\0</a>'],
    ['an entity without an end', '<a>&amp</a>'],
    ['a bottomless nest', '<a>'.repeat(100_000)],
  ])('refuses %s', (_, xml) => expect(() => readXml(xml)).toThrow(XmlFault))

  test('gives back what another program has written', () => {
    const text = fc
      .string({ unit: 'grapheme', maxLength: 40 })
      .filter((one) => one.trim() !== '' && !/[\p{C}\u{FFFE}\u{FFFF}]/u.test(one))
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 5 }), (texts) => {
        const xml = create({ Document: { T: texts.map((one) => ({ '@a': one, '#': one })) } }).end({
          prettyPrint: true,
        })
        const read = allAt(readXml(xml), 'T')
        expect(read.map((one) => one.text)).toEqual(texts)
        expect(read.map(({ attributes }) => attributes.a)).toEqual(texts)
      }),
    )
  })

  test('takes no longer than its length', () => {
    const xml = `<r>${'<e><f>abc</f><g q="1">2</g></e>'.repeat(100_000)}</r>`
    expect(allAt(readXml(xml), 'e')).toHaveLength(100_000)
  }, 20_000)
})
