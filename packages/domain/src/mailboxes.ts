import { composed } from './composed.ts'
import { plainCode } from './pasted.ts'

/** An address that mail can be sent to, its host in letters of ASCII: 'ada@xn--mller-kva.xn--p1ai'. */
export const EMAIL =
  /^(?!\.)(?!.*\.\.)[A-Za-z0-9_'+\-.]*[A-Za-z0-9_+-]@(?:[A-Za-z0-9][A-Za-z0-9-]*\.)+(?:[A-Za-z]{2,}|xn--[A-Za-z0-9-]+)$/

/** A provider whose addresses can be written in several ways that all reach one mailbox. */
type Provider = {
  /** The first is the one that is counted. Who has a name at one of them has it at all. */
  domains: readonly string[]
  /** What may stand anywhere in the name, and changes nothing. */
  ignored?: RegExp
}

/**
 * Sources: support.google.com/mail/answer/7436150 (dots, googlemail.com); proton.me/support/addresses-and-aliases (pm.me,
 * protonmail.com; dots, hyphens and underscores); support.apple.com/en-us/111747 (me.com, mac.com);
 * yandex.com/support/mail (domains; dots and hyphens are one).
 */
const PROVIDERS: readonly Provider[] = [
  { domains: ['gmail.com', 'googlemail.com'], ignored: /\./g },
  { domains: ['proton.me', 'protonmail.com', 'protonmail.ch', 'pm.me'], ignored: /[._-]/g },
  { domains: ['icloud.com', 'me.com', 'mac.com'] },
  { domains: ['yandex.ru', 'yandex.com', 'yandex.by', 'yandex.kz', 'ya.ru'], ignored: /[.-]/g },
]

/** At these, what stands before the host names a mailbox, and the name before the @ is free. */
const SUBDOMAIN_PROVIDERS = ['fastmail.com', 'fastmail.fm']

/** In letters of ASCII, as names are looked up; as it is where it is no host's name. */
const hostOf = (domain: string): string => {
  const plain = domain.replace(/[。｡]/g, '.').replace(/\.+$/, '')
  const url = `http://${plain}`
  return /[/?#:\\\s]/.test(plain) || !URL.canParse(url) ? plain : new URL(url).hostname.replace(/\.+$/, '')
}

/** An address as it is kept and looked up, however it was typed or pasted: 'ada@Müller.de' is 'ada@xn--mller-kva.de'. */
export const plainEmail = (typed: string): string => {
  const plain = plainCode(typed)
  const at = plain.lastIndexOf('@')
  // A host of ASCII stays as it was written.
  return at < 0 || !/\P{ASCII}/u.test(plain.slice(at))
    ? plain
    : plain.slice(0, at + 1) + hostOf(plain.slice(at + 1))
}

const writtenOf = (email: string): string => composed(composed(email, 'NFKC').toLowerCase(), 'NFKC').trim()

/**
 * Returns by what name all the ways to write the address of one mailbox are counted: 'Ada.L+shop@GoogleMail.com' is
 * 'adal@gmail.com'. For counting only: providers differ, and it says nothing of whose an address is. What is no address is
 * returned in lower case.
 */
export const mailboxOf = (email: string): string => {
  const written = writtenOf(email)
  const at = written.lastIndexOf('@')
  if (at < 0) return written
  const host = hostOf(written.slice(at + 1))
  const parent = SUBDOMAIN_PROVIDERS.find((one) => host.endsWith(`.${one}`))
  const name = parent ? host.slice(0, -parent.length - 1) : written.slice(0, at)
  const provider = PROVIDERS.find(({ domains }) => domains.includes(host))
  // A name may begin with the sign: what would leave nothing stays.
  const untagged = name.split('+')[0] || name
  const plain = provider?.ignored ? untagged.replace(provider.ignored, '') || untagged : untagged
  return `${plain}@${provider?.domains[0] ?? parent ?? host}`
}

/**
 * Returns by what name mails are counted that anyone can have sent to an address: those to the mailbox by its plain name, to
 * its tagged addresses, and to its other spellings apart. Filling one of the three keeps no mail from the others.
 */
export const spellingOf = (email: string): string => {
  const [written, mailbox] = [writtenOf(email), mailboxOf(email)]
  if (written === mailbox) return mailbox
  return `${mailbox} ${written.includes('+') ? 'tagged' : 'respelt'}`
}
