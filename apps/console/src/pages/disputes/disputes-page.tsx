import * as disputes from '@hedgerow/contract/console/disputes'
import { Badge } from '@hedgerow/ui/badge.tsx'
import { Link } from 'wouter'
import { api, type ReplyOf } from '#lib/api.ts'
import { DisputeHints, FetchDisputesAct } from '#pages/disputes/dispute-hints.tsx'
import { SchemeMonths } from '#pages/disputes/scheme-months.tsx'
import { CallAct } from '#shared/call-act.tsx'
import { columnsFor, filtersFor } from '#shared/call-list.tsx'
import { List } from '#shared/list.tsx'
import { Money } from '#shared/money.tsx'
import { Page } from '#shared/page.tsx'
import { SaveButton } from '#shared/save-button.tsx'
import { useMay } from '#shared/session.tsx'

type Dispute = ReplyOf<'listDisputes'>['rows'][number]

const TONES = { open: 'warning', won: 'good', lost: 'bad', reversed: 'good' } as const
const REFRESHED = ['listDisputes', 'getPayment', 'getToday'] as const

const Acts = ({ dispute: { id, status } }: { dispute: Dispute }) => {
  const act = { params: { disputeId: id }, refreshes: REFRESHED }
  const may = useMay()
  return (
    <span className="flex flex-wrap justify-end gap-1">
      {may('disputes.change') && (
        <SaveButton
          name={`evidence-${id}.pdf`}
          read={() => api.call('disputeEvidence', { params: { disputeId: id } })}
        >
          Evidence
        </SaveButton>
      )}
      {status === 'open' && (
        <>
          <CallAct
            call="answerDispute"
            endpoint={disputes.answerDispute}
            label="Answered"
            verb="Record"
            {...act}
          />
          <CallAct call="winDispute" endpoint={disputes.winDispute} label="Won" verb="Record" {...act} />
          <CallAct call="loseDispute" endpoint={disputes.loseDispute} label="Lost" verb="Record" {...act} />
        </>
      )}
      {status === 'lost' && (
        <CallAct
          call="reverseDispute"
          endpoint={disputes.reverseDispute}
          label="Reversed"
          verb="Record"
          {...act}
        />
      )}
    </span>
  )
}

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
      filters={filtersFor(disputes.listDisputes.fields)}
      columns={[
        ...columnsFor<Dispute>(disputes.listDisputes.columns, {
          sum: ({ sum, paymentId }) => (
            <Link to={`/payments/${paymentId}`} className="link">
              <Money of={sum} />
            </Link>
          ),
          status: ({ status }) => <Badge tone={TONES[status]}>{status}</Badge>,
        }),
        { name: 'acts', title: '', cell: (dispute) => <Acts dispute={dispute} />, isAct: true },
      ]}
      empty={{ title: 'No disputes', text: 'When a card holder’s bank wants money back, it is kept here.' }}
    />
    <SchemeMonths />
  </Page>
)

export default DisputesPage
