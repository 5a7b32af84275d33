import type { Connection } from '@hedgerow/contract/connections'
import { formatLocalDay } from '@hedgerow/domain/dates'
import { KEYS_EVERY_DAYS, keysEveryWords, NOTICE_DAYS, renewalsBegin } from '@hedgerow/domain/key-renewal'
import { Button } from '@hedgerow/ui/button.tsx'
import { FieldLine } from '@hedgerow/ui/form/field-line.tsx'
import { Select } from '@hedgerow/ui/form/select.tsx'
import { useToast } from '@hedgerow/ui/toast.tsx'
import { isDeclined } from '@hedgerow/web/is-declined.ts'
import { messageOf } from '@hedgerow/web/message-of.ts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useShownConnection } from '#features/connections/use-shown-connection.ts'
import { api } from '#lib/api.ts'

const hintOf = ({ keyRenewal, areKeysWaiting }: Connection, isSaved: boolean): string => {
  if (isSaved && areKeysWaiting)
    return 'New keys are waiting for your device. The old ones work until it has the new code or file, and we make no others until then.'
  if (isSaved && keyRenewal?.nextOn) {
    const notice = NOTICE_DAYS[keyRenewal.everyDays]
    return `Next on ${formatLocalDay(renewalsBegin(keyRenewal.nextOn))}. We will email you ${notice === 1 ? 'a day' : `${notice} days`} before, and when the new code is there.`
  }
  return 'Your device needs the new code or file each time, and its old one works until then. A device that fetches its file from an address does this by itself.'
}

/** Keys that we make anew every so many days. */
export const RenewKeys = ({ connection }: { connection: Connection }) => {
  const { _id, keyRenewal } = connection
  const saved = keyRenewal?.everyDays ?? null
  const toast = useToast()
  const changeShown = useShownConnection()
  const [wanted, setWanted] = useState(saved)
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: () =>
      api.call('saveConnection', { params: { connectionId: _id }, body: { keysEveryDays: wanted } }),
    onSuccess: ({ keyRenewal: renewal, areKeysWaiting }) => {
      changeShown(_id, { keyRenewal: renewal, areKeysWaiting })
      toast(renewal ? `Keys are renewed ${keysEveryWords(renewal.everyDays)}` : 'Keys are no longer renewed')
    },
  })
  const problem = error && !isPending && !isDeclined(error) ? messageOf(error) : undefined
  return (
    <section>
      <FieldLine
        field={
          <Select
            label="Renew keys"
            hint={hintOf(connection, wanted === saved)}
            value={wanted ?? ''}
            error={problem}
            onChange={({ target }) => {
              reset()
              setWanted(KEYS_EVERY_DAYS.find((days) => String(days) === target.value) ?? null)
            }}
          >
            <option value="">Only when I make new ones</option>
            {KEYS_EVERY_DAYS.map((days) => (
              <option key={days} value={days}>
                {`Every ${days} days`}
              </option>
            ))}
          </Select>
        }
        button={
          <Button variant="outline" disabled={wanted === saved} busy={isPending} onClick={() => mutate()}>
            Save
          </Button>
        }
      />
    </section>
  )
}
