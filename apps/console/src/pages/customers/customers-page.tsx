import { Badge } from '@hedgerow/ui/badge.tsx'
import type { ReplyOf } from '#lib/api.ts'
import { List } from '#shared/list.tsx'
import { Page } from '#shared/page.tsx'
import { Time } from '#shared/time.tsx'

type Customer = ReplyOf<'listCustomers'>['rows'][number]

const YES_NO = [
  ['yes', 'Yes'],
  ['no', 'No'],
] as const

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
      filters={[
        { name: 'confirmed', label: 'Confirmed', kind: 'choice', options: YES_NO },
        { name: 'paid', label: 'Has paid', kind: 'choice', options: YES_NO },
        { name: 'secondStep', label: 'Second step', kind: 'choice', options: YES_NO },
        { name: 'country', label: 'Country', kind: 'text' },
        { name: 'since', label: 'From', kind: 'day' },
        { name: 'until', label: 'Before', kind: 'day' },
      ]}
      columns={[
        { name: 'email', title: 'Email', isName: true, cell: ({ email }) => email },
        { name: 'name', title: 'Name', cell: ({ name }) => name || '–' },
        {
          name: 'createdAt',
          title: 'Since',
          sort: 'createdAt',
          cell: ({ createdAt }) => <Time at={createdAt} as="day" />,
        },
        { name: 'payments', title: 'Payments', isNumber: true, cell: ({ payments }) => payments },
        { name: 'connections', title: 'Connections', isNumber: true, cell: ({ connections }) => connections },
        {
          name: 'isConfirmed',
          title: 'Confirmed',
          cell: ({ isConfirmed }) => (isConfirmed ? 'yes' : <Badge tone="warning">not yet</Badge>),
        },
        { name: 'country', title: 'Country', cell: ({ country }) => country || '–', isExtra: true },
        {
          name: 'hasSecondStep',
          title: 'Second step',
          cell: ({ hasSecondStep }) => (hasSecondStep ? 'yes' : 'no'),
          isExtra: true,
        },
      ]}
      empty={{ title: 'No customers yet' }}
    />
  </Page>
)

export default CustomersPage
