import type { Profile } from '@hedgerow/contract/accounts'
import type { Connection } from '@hedgerow/contract/connections'
import type { CustomerRow } from '#platform/database/tables/accounts.table.ts'
import type { Page } from '#platform/http/list-page.ts'

export const presentProfile = (row: CustomerRow, { rows, next }: Page<Connection>): Profile => ({
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
  connections: rows,
  ...(next === null ? {} : { nextConnections: next }),
  version: row.profile_version,
})
