import { listCustomers } from '@hedgerow/contract/console/customers'
import { Badge } from '@hedgerow/ui/badge.tsx'
import type { ReplyOf } from '#lib/api.ts'
import { MAIL_WORDS } from '#pages/customers/mail-words.ts'
import { columnsFor, filtersFor } from '#shared/call-list.tsx'
import { List } from '#shared/list.tsx'
import { Page } from '#shared/page.tsx'

type Customer = ReplyOf<'listCustomers'>['rows'][number]

const CustomersPage = () => (
  <Page
    title="Customers"
    lead="Names and addresses stand here masked. Search finds somebody by what they tell you."
  >
    <List<Customer>
      call="listCustomers"
      file="/api/v1/customers.csv"
      caption="Customers"
      keyOf={({ id }) => id}
      linkOf={({ id }) => `/customers/${id}`}
      filters={filtersFor(listCustomers.fields)}
      columns={columnsFor<Customer>(listCustomers.columns, {
        mailReturned: ({ mailReturned }) => mailReturned && MAIL_WORDS[mailReturned],
        isConfirmed: ({ isConfirmed }) => (isConfirmed ? 'yes' : <Badge tone="warning">not yet</Badge>),
      })}
      empty={{ title: 'No customers yet' }}
    />
  </Page>
)

export default CustomersPage
