import { buttonLook } from '@hedgerow/ui/button-look.ts'
import { api, type ReplyOf } from '#lib/api.ts'
import { Act } from '#shared/act.tsx'
import { useMay } from '#shared/session.tsx'

type Customer = ReplyOf<'getCustomer'>

const REFRESHED = ['getCustomer', 'listCustomers'] as const

const ResetAct = ({ customer: { id, resetAsked } }: { customer: Customer }) => {
  const params = { customerId: id }
  const shared = { may: 'customers.reset-second-step', tone: 'quiet', refreshes: REFRESHED } as const
  if (resetAsked?.isMine)
    return (
      <Act
        {...shared}
        label="Take the reset back"
        title="Leave the second step as it is?"
        run={() => api.call('withdrawReset', { params })}
        done="Taken back"
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
      done={
        resetAsked ? 'Reset. The owner gets a mail.' : 'Asked. Another operator has to agree within 24 hours.'
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
  const params = { customerId: id }
  const shared = { tone: 'quiet', refreshes: REFRESHED } as const
  return (
    <>
      {!isConfirmed && (
        <Act
          {...shared}
          label="Send the confirmation again"
          title="Send the confirmation mail again?"
          may="customers.help"
          run={() => api.call('resendConsoleConfirmation', { params })}
          done="The mail is on its way. Its link works for 24 hours."
        />
      )}
      <Act
        {...shared}
        label="End sessions"
        title="End every session of this account?"
        may="customers.help"
        verb="End them"
        fields={[
          {
            name: 'password',
            label: 'The password ends, too: a new one has to be chosen by mail',
            kind: 'check',
          },
        ]}
        run={({ password }) =>
          api.call('logOutCustomer', { params, body: { endsPassword: password === 'on' } })
        }
        done="Ended. The owner gets a mail."
      >
        <p>Also every link to its connections, and every log-in under way. The owner is mailed.</p>
      </Act>
      {hasSecondStep && <ResetAct customer={customer} />}
      {may('customers.export') && (
        <a href={`/api/v1/customers/${id}/data`} download className={buttonLook('quiet')}>
          Download their data
        </a>
      )}
      <Act
        {...shared}
        label="Erase"
        title="Erase this account for good?"
        may="customers.erase"
        tone="danger"
        verb="Erase"
        word="erase"
        run={() => api.call('eraseCustomer', { params })}
        done="The account is erased. The customer gets a last mail."
      >
        <p>
          Its connections end at once. Invoices are kept for as long as the law requires. This cannot be
          undone.
        </p>
      </Act>
    </>
  )
}
