import anyAscii from 'any-ascii'
import { type Chance, chanceOf } from '#demo/chance.ts'
import { COUNTRIES, type Country, wordsOf } from '#demo/words/countries.ts'

/** Someone who comes to the shop, and what they do it with. */
export type Person = {
  /** Counts them, from 0. */
  number: number
  first: string
  last: string
  email: string
  country: Country
  /** Empty where they never filled it in. */
  phone: string
  street: string
  zip: string
  town: string
  /** Of those that are shared by whole providers (RFC 6598), so that it is nobody's. */
  address: string
  userAgent: string
  pan: string
}

type Named = Pick<Person, 'first' | 'last' | 'country'>

const BROWSERS = [
  [30, 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/150.0.0.0 Safari/537.36'],
  [22, 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) Version/19.1 Mobile/15E148 Safari/604.1'],
  [18, 'Mozilla/5.0 (Linux; Android 16; Pixel 9) AppleWebKit/537.36 Chrome/150.0.0.0 Mobile Safari/537.36'],
  [12, 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/19.1 Safari/605.1.15'],
  [10, 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'],
  [8, 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0'],
] as const

/** First six digits that card networks keep for tests. */
const CARDS = [
  [5, '400000'],
  [4, '411111'],
  [3, '424242'],
  [4, '555555'],
  [3, '520082'],
  [2, '222300'],
] as const

const digits = (chance: Chance, count: number) =>
  Array.from({ length: count }, () => chance.below(10)).join('')

const inAddress = (name: string) =>
  anyAscii(name)
    .toLowerCase()
    .replaceAll(/[^a-z]/g, '')

/** Where someone has it already, with a year of birth, as people do. */
const emailOf = (chance: Chance, { first, last, country }: Named, taken: ReadonlySet<string>): string => {
  const [one, other] = [inAddress(first), inAddress(last)]
  const name = chance.weigh([
    [5, `${one}.${other}`],
    [2, `${one}${other}`],
    [2, `${one.slice(0, 1)}.${other}`],
    [1, `${other}.${one}`],
  ])
  const host = chance.pick(wordsOf(country.mail))
  const plain = `${name}@${host}`
  if (!taken.has(plain)) return plain
  for (;;) {
    const dated = `${name}${chance.between(1958, 2007)}${chance.pick(['', '', 'x', '_'])}@${host}`
    if (!taken.has(dated)) return dated
  }
}

const homeOf = (chance: Chance, { streets, towns }: Country) => {
  const [zip = '', town = ''] = chance.pick(towns.split('|')).split(':')
  return { street: `${chance.between(1, 140)} ${chance.pick(streets.split('|'))}`, zip, town }
}

/** `taken`: addresses that others have; this one's is added. */
export const drawPerson = (seed: number, number: number, taken: Set<string>): Person => {
  const chance = chanceOf(seed, `person ${number}`)
  const country = chance.weigh(COUNTRIES.map((one) => [one.often, one] as const))
  const [first, last] = [chance.pick(wordsOf(country.first)), chance.pick(wordsOf(country.last))]
  const email = emailOf(chance, { first, last, country }, taken)
  taken.add(email)
  const home = chance.is(0.55) ? homeOf(chance, country) : { street: '', zip: '', town: '' }
  return {
    number,
    first,
    last,
    email,
    country,
    phone: chance.is(0.3) ? country.dial + digits(chance, 9) : '',
    ...home,
    address: `100.${chance.between(64, 127)}.${chance.below(256)}.${chance.between(1, 254)}`,
    userAgent: chance.weigh(BROWSERS),
    pan: chance.weigh(CARDS) + digits(chance, 10),
  }
}
