import { openDispute } from '@hedgerow/contract/console/disputes'
import {
  cancelConsolePayment,
  settleConsolePayment,
  settleOverpayment,
} from '@hedgerow/contract/console/payments'
import { Button } from '@hedgerow/ui/button.tsx'
import { Dialog } from '@hedgerow/ui/dialog.tsx'
import { Notice } from '@hedgerow/ui/page/notice.tsx'
import { Table } from '@hedgerow/ui/table.tsx'
import { useToast } from '@hedgerow/ui/toast.tsx'
import { messageOf } from '@hedgerow/web/message-of.ts'
import { useState } from 'react'
import { api, type ReplyOf } from '#lib/api.ts'
import { sumText } from '#lib/format.ts'
import { CallAct } from '#shared/call-act.tsx'
import { Loaded } from '#shared/loaded.tsx'
import { useMay } from '#shared/session.tsx'
import { Time } from '#shared/time.tsx'
import { useData } from '#shared/use-data.ts'

type Report = ReplyOf<'getPayment'>
type Props = { payment: Report }

const REFRESHED = ['getPayment', 'listPayments', 'getToday'] as const

/** What would go back and end if it were cancelled now. */
const Foreseen = ({ paymentId }: { paymentId: string }) => {
  const query = useData('previewConsoleCancel', {
    params: { paymentId },
    querystring: { isLateAllowed: 'true' },
  })
  return (
    <Loaded query={query} lines={2}>
      {(seen) => (
        <p>
          Asked for now, {seen.currency} {seen.refund.toFixed(2)} would go back
          {seen.isByHand && ' (by hand: its payment system returns nothing by itself)'}. The last moment is{' '}
          <Time at={seen.until} />.{' '}
          {seen.connections.map(({ _id, name, endsAt, endsAtOnce }) => (
            <span key={_id}>
              {name} ends {endsAtOnce ? 'at once' : <Time at={endsAt} />}.{' '}
            </span>
          ))}
        </p>
      )}
    </Loaded>
  )
}

/** For a customer who asked by mail or by phone. */
export const CancelAct = ({ payment: { id, status, cancelledAt } }: Props) =>
  status === 'Success' && !cancelledAt ? (
    <CallAct
      call="cancelConsolePayment"
      endpoint={cancelConsolePayment}
      label="Cancel the purchase"
      verb="Cancel the purchase"
      params={{ paymentId: id }}
      refreshes={REFRESHED}
    >
      <Foreseen paymentId={id} />
      <p>What it bought ends, and what was not used goes back.</p>
    </CallAct>
  ) : null

/** For one that does not end by itself. */
export const SettleAct = ({ payment: { id, status } }: Props) =>
  status === 'Success' ? null : (
    <CallAct
      call="settleConsolePayment"
      endpoint={settleConsolePayment}
      label="Settle"
      verb="Settle"
      params={{ paymentId: id }}
      says={({ outcome }: ReplyOf<'settleConsolePayment'>) =>
        outcome === 'settled' ? 'Settled' : 'Ended as the gateway says'
      }
      refreshes={REFRESHED}
    >
      <p>
        Say it when you know from the gateway’s dashboard or from the bank. The gateway is asked first, and
        its answer counts.
      </p>
    </CallAct>
  )

/** More came than was due, and the operator has given it back, or may keep it. */
export const OverAct = ({ payment: { id, over, overSettledAt } }: Props) =>
  over && !overSettledAt ? (
    <CallAct
      call="settleOverpayment"
      endpoint={settleOverpayment}
      label="Settle the overpayment"
      verb="Record"
      params={{ paymentId: id }}
      refreshes={REFRESHED}
    >
      <p>
        The customer paid {sumText(over)} too much. Give it back in BTCPay: in the invoice choose Refund,
        Overpaid amount, and email the customer the link.
      </p>
    </CallAct>
  ) : null

/** A card holder's bank wants money back. Bitcoin has no bank. */
export const DisputeAct = ({ payment: { id, left, method } }: Props) =>
  left.minor > 0 &&
  method !== 'crypto' && (
    <CallAct
      call="openDispute"
      endpoint={openDispute}
      label="Record a dispute"
      verb="Record"
      params={{ paymentId: id }}
      refreshes={[...REFRESHED, 'listDisputes']}
    >
      <p>The gateway has taken the money, or will. Until it is decided, it cannot be refunded.</p>
    </CallAct>
  )

type Comparison = ReplyOf<'comparePayment'>

/** Asks the gateway how it stands there. Changes nothing. */
export const CompareAct = ({ payment: { id } }: Props) => {
  const toast = useToast()
  const [found, setFound] = useState<Comparison>()
  const [isBusy, setBusy] = useState(false)
  const compare = async () => {
    setBusy(true)
    try {
      setFound(await api.call('comparePayment', { params: { paymentId: id } }))
    } catch (error) {
      toast(messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  const may = useMay()
  if (!may('payments.refund')) return null
  return (
    <>
      <Button variant="quiet" busy={isBusy} onClick={() => void compare()}>
        Compare with the gateway
      </Button>
      <Dialog open={found !== undefined} onClose={() => setFound(undefined)} title="What the gateway says">
        {found?.differences === null && (
          <Notice kind="warning">The gateway gave no answer. Try again in a moment.</Notice>
        )}
        {found?.differences?.length === 0 && <Notice kind="done">It agrees with the shop.</Notice>}
        {found?.differences && found.differences.length > 0 && (
          <Table
            caption="Differences"
            isShort
            keyOf={({ what }) => what}
            rows={found.differences}
            columns={[
              { header: 'What', isName: true, cell: ({ what }) => what },
              { header: 'Here', cell: ({ here }) => here },
              { header: 'There', cell: ({ there }) => there },
            ]}
          />
        )}
      </Dialog>
    </>
  )
}
