import { DISPUTE_STATUSES } from '@hedgerow/domain/dispute-status'
import { Badge } from '@hedgerow/ui/badge.tsx'
import { buttonLook } from '@hedgerow/ui/button-look.ts'
import { Link } from 'wouter'
import { api, type ReplyOf } from '#lib/api.ts'
import { sumText } from '#lib/format.ts'
import { DisputeHints, FetchDisputesAct } from '#pages/disputes/dispute-hints.tsx'
import { Act } from '#shared/act.tsx'
import { List } from '#shared/list.tsx'
import { Money } from '#shared/money.tsx'
import { Page } from '#shared/page.tsx'
import { Time } from '#shared/time.tsx'

type Dispute = ReplyOf<'listDisputes'>['rows'][number]

const TONES = { open: 'warning', won: 'good', lost: 'bad' } as const
const WORDS = [
  ['answered', 'The gateway has our answer'],
  ['won', 'It was won: the money is back'],
  ['lost', 'It was lost: the money is gone'],
] as const
const VATS = [
  ['credit-note', 'A credit note'],
  ['bad-debt', 'A bad debt'],
] as const
const CONNECTIONS = [
  ['end', 'End'],
  ['keep', 'Stay'],
] as const

const Acts = ({ dispute }: { dispute: Dispute }) => (
  <span className="flex flex-wrap justify-end gap-1">
    <a href={`/api/v1/disputes/${dispute.id}/evidence`} download className={buttonLook('quiet', 'px-3')}>
      Evidence
    </a>
    {dispute.status !== 'lost' && (
      <Act
        label="Say how it stands"
        title={`How does the dispute of ${sumText(dispute.sum)} stand?`}
        may="disputes.change"
        tone="quiet"
        fields={[
          { name: 'word', label: 'It is so that', kind: 'choice', options: WORDS },
          {
            name: 'vat',
            label: 'If lost, in the books',
            kind: 'choice',
            options: VATS,
            first: 'credit-note',
          },
          {
            name: 'connections',
            label: 'If lost, its connections',
            kind: 'choice',
            options: CONNECTIONS,
            isOptional: true,
          },
        ]}
        run={({ word, vat, connections }) =>
          api.call('sayOfDispute', {
            params: { disputeId: dispute.id },
            body: {
              word: word as 'won',
              vat: vat as 'bad-debt',
              connections: (connections || undefined) as undefined,
            },
          })
        }
        done="Recorded"
        refreshes={['listDisputes', 'getPayment', 'getToday']}
      >
        <p>What is lost is final: the money is booked as given back, and the customer gets a mail.</p>
      </Act>
    )}
  </span>
)

/** What card holders' banks want back; those that want an answer first. */
const DisputesPage = () => (
  <Page
    title="Disputes"
    lead="The evidence is about a person: send it to the gateway only, then delete it."
    actions={<FetchDisputesAct />}
  >
    <DisputeHints />
    <List<Dispute>
      call="listDisputes"
      file="/api/v1/disputes.csv"
      caption="Disputes"
      keyOf={({ id }) => id}
      filters={[
        {
          name: 'status',
          label: 'Status',
          kind: 'choice',
          options: DISPUTE_STATUSES.map((one) => [one, one]),
        },
      ]}
      columns={[
        {
          name: 'sum',
          title: 'Sum',
          cell: ({ sum, paymentId }) => (
            <Link to={`/payments/${paymentId}`} className="link">
              <Money of={sum} />
            </Link>
          ),
        },
        {
          name: 'status',
          title: 'Status',
          cell: ({ status }) => <Badge tone={TONES[status]}>{status}</Badge>,
        },
        { name: 'reason', title: 'Reason', cell: ({ reason }) => reason ?? '–' },
        {
          name: 'openedAt',
          title: 'Opened',
          sort: 'openedAt',
          cell: ({ openedAt }) => <Time at={openedAt} as="day" />,
        },
        {
          name: 'respondBy',
          title: 'Answer by',
          sort: 'respondBy',
          cell: ({ status, respondBy, answeredAt }) => {
            if (status !== 'open') return '–'
            return answeredAt ? 'answered' : <Time at={respondBy} as="ago" />
          },
        },
        { name: 'acts', title: '', cell: (dispute) => <Acts dispute={dispute} />, isAct: true },
      ]}
      empty={{ title: 'No disputes', text: 'When a card holder’s bank wants money back, it is kept here.' }}
    />
  </Page>
)

export default DisputesPage
