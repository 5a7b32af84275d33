import type { Profile } from '@hedgerow/contract/accounts'
import type { Connection } from '@hedgerow/contract/connections'
import type { CustomerRow } from '#database/tables/accounts.table.ts'

export const presentProfile = (row: CustomerRow, connections: Connection[]): Profile => ({
  _id: row.id,
  name: row.name,
  firstName: row.first_name,
  lastName: row.last_name,
  phone: row.phone,
  addressCountry: row.address_country,
  addressZip: row.address_zip,
  addressCity: row.address_city,
  addressString: row.address_string,
  email: row.email,
  promocode: row.promocode,
  connections,
  version: row.profile_version,
})
