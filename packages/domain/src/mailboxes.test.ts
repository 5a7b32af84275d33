import fc from 'fast-check'
import { expect, test } from 'vitest'
import { EMAIL, mailboxOf, plainEmail, spellingOf } from './mailboxes.ts'

test.each([
  ['ada@example.org', 'ada@example.org'],
  [' Ada@Example.ORG ', 'ada@example.org'],
  ['ada+240@example.org', 'ada@example.org'],
  ['ada+a+b@example.org', 'ada@example.org'],
  ['ada@example.org.', 'ada@example.org'],
  ['ada@BÜCHER.example', 'ada@xn--bcher-kva.example'],
  ['ada@xn--bcher-kva.example', 'ada@xn--bcher-kva.example'],
  ['ada@bücher。example', 'ada@xn--bcher-kva.example'],
  ['A.d.a+x@gmail.com', 'ada@gmail.com'],
  ['ada@googlemail.com', 'ada@gmail.com'],
  ['a.da@example.org', 'a.da@example.org'],
  ['a_d-a@pm.me', 'ada@proton.me'],
  ['ada@me.com', 'ada@icloud.com'],
  ['a-da@ya.ru', 'ada@yandex.ru'],
  ['shop@ada.fastmail.com', 'ada@fastmail.com'],
  ['shop@ada+x.fastmail.com', 'ada@fastmail.com'],
  ['𝐀da＋tag＠example．org', 'ada@example.org'],
  ['+@example.org', '+@example.org'],
  ['not an address', 'not an address'],
  ['ada@', 'ada@'],
])('%s is counted as %s', (email, mailbox) => {
  expect(mailboxOf(email)).toBe(mailbox)
})

const aName = fc.stringMatching(/^[a-z][a-z0-9]{0,20}$/)
const aHost = fc.stringMatching(/^[a-z]{1,10}\.(org|com|example)$/)
const aTag = fc.stringMatching(/^[a-z0-9+._-]{0,20}$/)

test('tag, case and a full stop at the end never make another mailbox, at any host', () => {
  fc.assert(
    fc.property(aName, aHost, aTag, (name, host, tag) => {
      const plain = mailboxOf(`${name}@${host}`)
      expect(mailboxOf(`${name}+${tag}@${host}`)).toBe(plain)
      expect(mailboxOf(`${name}@${host}`.toUpperCase())).toBe(plain)
      expect(mailboxOf(`${name}@${host}.`)).toBe(plain)
    }),
  )
})

test('two names at a host that is no provider of ours are two mailboxes', () => {
  fc.assert(
    fc.property(aName, aName, (one, other) => {
      const isSame = mailboxOf(`${one}@example.org`) === mailboxOf(`${other}@example.org`)
      expect(isSame).toBe(one === other)
    }),
  )
})

test('a mailbox is its own mailbox', () => {
  fc.assert(
    fc.property(fc.emailAddress(), (email) => {
      expect(mailboxOf(mailboxOf(email))).toBe(mailboxOf(email))
    }),
  )
})

test('nothing that is given throws', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(mailboxOf(text)).toBeTypeOf('string')
    }),
  )
})

test.each([
  ['Ada@example.org', 'ada@example.org'],
  ['ada+1@example.org', 'ada@example.org tagged'],
  ['ada＋2@example.org', 'ada@example.org tagged'],
  ['adal@gmail.com', 'adal@gmail.com'],
  ['ada.l@gmail.com', 'adal@gmail.com respelt'],
  ['adal@googlemail.com', 'adal@gmail.com respelt'],
  ['ada.l+1@gmail.com', 'adal@gmail.com tagged'],
  ['shop@ada.fastmail.com', 'ada@fastmail.com respelt'],
])('mails to %s are counted as those to %s', (email, spelling) => {
  expect(spellingOf(email)).toBe(spelling)
})

test.each([
  ['ada@müller.de', 'ada@xn--mller-kva.de'],
  ['Ada@MÜLLER.de', 'Ada@xn--mller-kva.de'],
  ['ada@mu\u0308ller.de', 'ada@xn--mller-kva.de'],
  ['ada@пример.рф', 'ada@xn--e1afmkfd.xn--p1ai'],
  ['ada@xn--e1afmkfd.xn--p1ai', 'ada@xn--e1afmkfd.xn--p1ai'],
  ['ada@例え。jp', 'ada@xn--r8jz45g.jp'],
  ['ａｄａ＠ｅｘａｍｐｌｅ．ｏｒｇ', 'ada@example.org'],
  [' \u202Aada\u200B@exam\u00ADple.org\u202C', 'ada@example.org'],
  ['Ada.L+x@Example.ORG', 'Ada.L+x@Example.ORG'],
])('%s is the address %s', (typed, plain) => {
  expect(plainEmail(typed)).toBe(plain)
  expect(EMAIL.test(plain)).toBe(true)
})

test.each([
  '',
  'ada',
  'ada@',
  'ada@mü ller.de',
  'ada@mü/ller.de',
  'ä@müller.de',
  'ada@münchen',
  'a..b@example.org',
])('%j is no address', (typed) => {
  expect(EMAIL.test(plainEmail(typed))).toBe(false)
})
