import { randomUUID } from 'node:crypto'
import { chanceOf } from '#demo/chance.ts'
import type { Person } from '#demo/people.ts'
import type { Customer, World } from '#demo/world.ts'
import { countReferralVisit } from '#partners/partnership/partnership.service.ts'
import { recordLogIn } from '#people/security-events/security-events.ts'
import { startSession } from '#people/sessions/sessions.service.ts'
import { newReadableCode } from '#platform/crypto/tokens.ts'
import { runAs } from '#platform/instrumentation/work-context.ts'

/** They never open the mailed link. */
const UNCONFIRMED = 0.06
const BY_PARTNER = 0.36
const COUNTRY_NAMES = new Intl.DisplayNames(['en-GB'], { type: 'region' })
const WITH_SESSION = 0.5

/** One hash for all of them: what it costs to make is what keeps passwords safe, and 2,000 of it are minutes. */
let sharedHash = ''
export const sharePassword = (hash: string): void => {
  sharedHash = hash
}

/** The calls of someone's browser: where sessions and events are noted with where they come from. */
export const byBrowserOf = <T>({ address, userAgent }: Person, work: () => Promise<T>): Promise<T> =>
  runAs({ requestId: randomUUID(), caller: { address, userAgent } }, work)

/** A few bring most: each next one half as many. */
const drawPartner = ({ seed, partners }: World, number: number): Customer | undefined => {
  const chance = chanceOf(seed, `partner of ${number}`)
  if (partners.length === 0 || !chance.is(BY_PARTNER)) return undefined
  return chance.weigh(partners.map((partner, at) => [1 / (at + 1) ** 1.3, partner] as const))
}

/** Opens an account, as signing up does but for the hash and the mail. Undefined: nobody ever confirmed it. */
export const signUp = async (world: World, person: Person): Promise<Customer | undefined> => {
  const { deps, seed } = world
  const chance = chanceOf(seed, `sign-up ${person.number}`)
  const partner = drawPartner(world, person.number)
  const isByLink = partner !== undefined && chance.is(0.6)
  if (isByLink)
    for (let visit = chance.between(1, 4); visit > 0; visit--)
      await countReferralVisit(deps, partner.promocode)
  const isConfirmed = !chance.is(UNCONFIRMED)
  const row = {
    id: randomUUID(),
    email: person.email,
    name: `${person.first} ${person.last}`,
    ...(person.street ? { first_name: person.first, last_name: person.last } : {}),
    phone: person.phone,
    address_country: person.street ? (COUNTRY_NAMES.of(person.country.code) ?? '') : '',
    address_zip: person.zip,
    address_city: person.town,
    address_string: person.street,
    promocode: newReadableCode(10),
    referred_by: isByLink ? partner.id : null,
    password_hash: sharedHash,
    confirmed_at: isConfirmed ? new Date(Date.now() + 1) : null,
  }
  await deps.db.insertInto('customers').values(row).execute()
  world.customers++
  if (!isConfirmed) return undefined
  const customer: Customer = {
    ...person,
    id: row.id,
    promocode: row.promocode,
    partner: isByLink ? undefined : partner,
  }
  if (chance.is(WITH_SESSION))
    await byBrowserOf(person, async () => {
      await startSession(deps.db, row, { isByPassword: true })
      await recordLogIn(deps, customer.id, true)
    })
  return customer
}
