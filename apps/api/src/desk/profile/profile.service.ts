import type { Profile } from '@hedgerow/contract/accounts'
import type { SaveProfileRequest } from '@hedgerow/contract/profile'
import { OUR_MESSAGES } from '@hedgerow/domain/messages'
import type { Updateable } from 'kysely'
import { presentProfile } from '#desk/profile/profile.present.ts'
import { swapPassword, updateProfile } from '#desk/profile/profile.queries.ts'
import { listConnections } from '#network/connections/connections.service.ts'
import { deleteUnusedLinks } from '#people/accounts/accounts.service.ts'
import { asksSecondStep } from '#people/accounts/ask-again.ts'
import { findCustomer } from '#people/accounts/customers.ts'
import { hashPassword, isPassword, namesOfShop, refuseGuessable } from '#people/passwords/passwords.ts'
import { recordEvent } from '#people/security-events/security-events.ts'
import { type Caller, requireProof } from '#people/sessions/recent-proof.ts'
import { deleteSessions, forgetSessions, lockSessions } from '#people/sessions/sessions.service.ts'
import { endLinksOf } from '#people/share-links/share-links.ts'
import { hashToken } from '#platform/crypto/tokens.ts'
import type { CustomersTable } from '#platform/database/tables/accounts.table.ts'
import type { With } from '#platform/dependencies.ts'
import { invalidField, Problem } from '#platform/http/problems.ts'
import { addJob } from '#platform/queue/add-job.ts'

export { deleteOldFarewells } from '#desk/profile/profile.queries.ts'

const columnsOf = (fields: SaveProfileRequest): Updateable<CustomersTable> => {
  const columns = {
    name: fields.name,
    first_name: fields.firstName,
    last_name: fields.lastName,
    phone: fields.phone,
    address_country: fields.addressCountry,
    address_city: fields.addressCity,
    address_zip: fields.addressZip,
    address_string: fields.addressString,
  }
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined))
}

/** Throws 'not-signed-in' for an account that was erased meanwhile. */
export const getProfile = async (
  deps: With<'db' | 'keyCipher' | 'settings'>,
  customerId: string,
): Promise<Profile> => {
  const customer = await findCustomer(deps.db, customerId)
  if (!customer) throw new Problem('not-signed-in')
  return presentProfile(customer, await listConnections(deps, customer.id))
}

/** Throws 'profile-changed' when there is a newer save than the one that this one starts from. */
export const saveProfile = async (
  deps: With<'db' | 'keyCipher' | 'settings'>,
  customerId: string,
  { version, ...fields }: SaveProfileRequest,
): Promise<Profile> => {
  const row = await updateProfile(deps.db, customerId, columnsOf(fields), version)
  if (row) return presentProfile(row, await listConnections(deps, customerId))
  throw new Problem((await findCustomer(deps.db, customerId)) ? 'profile-changed' : 'not-signed-in')
}

/**
 * Returns the account's e-mail. The session that asks for it goes on, every other one ends. A wrong old password is a field that was refused, not a
 * 401: that would end the session too.
 */
export const changePassword = async (
  { db, sessions, settings, log, meters }: With<'db' | 'log' | 'meters' | 'sessions' | 'settings'>,
  { customerId, sessionToken }: Caller,
  { password, newPassword }: { password: string; newPassword: string },
): Promise<string> => {
  const customer = await findCustomer(db, customerId)
  if (!customer) throw new Problem('not-signed-in')
  if (asksSecondStep(customer)) await requireProof({ db }, { sessionToken })
  await refuseGuessable(newPassword, 'newPassword', [...namesOfShop(settings), customer.email, customer.name])
  const wrong = invalidField('password', OUR_MESSAGES.oldPasswordWrong)
  if (!(await isPassword(password, customer.password_hash))) {
    await recordEvent({ db, log, meters }, customerId, 'ask-again-failed')
    throw wrong
  }
  const newHash = await hashPassword(newPassword)
  const own = hashToken(sessionToken)
  const ended = await db.transaction().execute(async (trx) => {
    if (!(await swapPassword(trx, customerId, customer.password_hash, newHash))) throw wrong
    await deleteUnusedLinks(trx, customerId, ['reset'])
    await addJob(trx, 'mail-password-changed', { customerId })
    // One that has ended meanwhile changes nothing; one that has another token by now would end itself.
    if (!(await lockSessions(trx, customerId, own))) throw new Problem('not-signed-in')
    const ended = await deleteSessions(trx, customerId, own)
    await endLinksOf(trx, customerId)
    await recordEvent({ db: trx, log, meters }, customerId, 'password-changed')
    return ended
  })
  forgetSessions({ sessions }, ended)
  return customer.email
}
