import { GOODWILL_CAUSES, type GoodwillCause } from '@hedgerow/domain/goodwill'
import { api } from '#lib/api.ts'
import { counted, timeText } from '#lib/format.ts'
import { Act, Mistyped } from '#shared/act.tsx'
import { wholeOf } from '#shared/typed.ts'

type GiveDaysProps = { connection: { id: string; name: string; expiresAt: string | null } }

/** Days for nothing, once: the same number again has to be meant. */
export const GiveDaysAct = ({ connection: { id, name, expiresAt } }: GiveDaysProps) =>
  expiresAt !== null && (
    <Act
      label="Add days"
      title={`Add days to ${name}?`}
      may="connections.give-days"
      tone="quiet"
      verb="Add days"
      fields={[
        { name: 'days', label: 'Days', kind: 'number' },
        { name: 'because', label: 'Reason', kind: 'choice', options: Object.entries(GOODWILL_CAUSES) },
        { name: 'again', label: 'The same number of days once more is meant', kind: 'check' },
      ]}
      run={async ({ days, because, again }) => {
        const whole = wholeOf('days', days)
        const { isNew, expiresAt: end } = await api.call('extendConsoleConnection', {
          params: { connectionId: id },
          body: { days: whole, because: because as GoodwillCause, isAgain: again === 'on' },
        })
        if (!isNew)
          throw new Mistyped(
            'days',
            `${counted(whole, 'day')} were already added within the last day. It ends on ${timeText(end)}. If you mean it once more, tick the box.`,
          )
        return end
      }}
      done={(end) => `Days added. It ends on ${timeText(String(end))}`}
      refreshes={['getConsoleConnection', 'listConsoleConnections', 'getCustomer']}
    >
      <p>
        They are free: no payment, no invoice. The customer sees on their connection that the shop added them.
      </p>
    </Act>
  )
