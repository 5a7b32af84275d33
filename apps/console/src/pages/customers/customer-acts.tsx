import {
  eraseCustomer,
  letCustomerBuy,
  logOutCustomer,
  resendConsoleConfirmation,
  withdrawReset,
} from '@hedgerow/contract/console/customers'
import { api, type ReplyOf } from '#lib/api.ts'
import { Act } from '#shared/act.tsx'
import { CallAct } from '#shared/call-act.tsx'
import { SaveButton } from '#shared/save-button.tsx'
import { useMay } from '#shared/session.tsx'

type Customer = ReplyOf<'getCustomer'>

const REFRESHED = ['getCustomer', 'listCustomers'] as const

const ResetAct = ({ customer: { id, resetAsked } }: { customer: Customer }) => {
  const params = { customerId: id }
  const shared = { may: 'customers.reset-second-step', tone: 'quiet', refreshes: REFRESHED } as const
  if (resetAsked?.isMine)
    return (
      <CallAct
        call="withdrawReset"
        endpoint={withdrawReset}
        label="Take the reset back"
        params={params}
        refreshes={REFRESHED}
      />
    )
  return (
    <Act
      {...shared}
      label={resetAsked ? 'Agree to the reset' : 'Reset the second step'}
      title={
        resetAsked ? `Agree with ${resetAsked.by} to reset the second step?` : 'Ask to reset the second step?'
      }
      verb={resetAsked ? 'Agree' : 'Ask'}
      run={() => api.call('resetSecondStep', { params })}
      done={(answer) =>
        (answer as ReplyOf<'resetSecondStep'>).outcome === 'reset'
          ? 'Reset. The owner gets a mail.'
          : 'Asked. Another operator has to agree within 24 hours.'
      }
    >
      <p>
        It takes two operators. Then passkeys, app and recovery codes are forgotten, and every session ends.
        Be sure that it is the owner who asks: by what only they know, not by a mail alone.
      </p>
    </Act>
  )
}

/** How a customer is helped, and what their data are asked for. */
export const CustomerActs = ({ customer }: { customer: Customer }) => {
  const { id, isConfirmed, hasSecondStep } = customer
  const may = useMay()
  const act = { params: { customerId: id }, refreshes: REFRESHED }
  return (
    <>
      {!isConfirmed && (
        <CallAct
          call="resendConsoleConfirmation"
          endpoint={resendConsoleConfirmation}
          label="Send the confirmation again"
          {...act}
        />
      )}
      <CallAct call="letCustomerBuy" endpoint={letCustomerBuy} label="Let them buy again" {...act} />
      <CallAct
        call="logOutCustomer"
        endpoint={logOutCustomer}
        label="End sessions"
        verb="End all"
        sends={{ withoutSecondStep: false }}
        {...act}
      />
      {hasSecondStep && <ResetAct customer={customer} />}
      {may('customers.export') && (
        <SaveButton
          name={`customer-${id}.json`}
          read={() => api.call('exportCustomer', { params: { customerId: id } })}
        >
          Download their data
        </SaveButton>
      )}
      <CallAct
        call="eraseCustomer"
        endpoint={eraseCustomer}
        label="Erase"
        tone="danger"
        word="erase"
        {...act}
      />
    </>
  )
}
