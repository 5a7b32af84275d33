import type { Connection } from '@hedgerow/contract/connections'
import { OBFUSCATED_LOCATION } from '@hedgerow/domain/file-form'
import { FILTERS, type WireFilter } from '@hedgerow/domain/filters'
import { Button } from '@hedgerow/ui/button.tsx'
import { FieldLine } from '@hedgerow/ui/form/field-line.tsx'
import { Select } from '@hedgerow/ui/form/select.tsx'
import { useToast } from '@hedgerow/ui/toast.tsx'
import { messageOf } from '@hedgerow/web/message-of.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useShownConnection } from '#features/connections/use-shown-connection.ts'
import { api } from '#lib/api.ts'

/** What a connection has switched on, and a location cannot do. */
const lackingWords = (without: readonly WireFilter[] = []): string => {
  const labels = FILTERS.filter(({ wire }) => without.includes(wire)).map(({ label }) => label.toLowerCase())
  return labels.length > 0 ? ` (now without ${labels.join(' and ')})` : ''
}

type MoveConnectionProps = { connection: Connection; onMoved: () => void }

/** Shown only where there is somewhere to go. */
export const MoveConnection = ({ connection, onMoved }: MoveConnectionProps) => {
  const { _id, location, sharedAt, hasOwnKey } = connection
  const params = { connectionId: _id }
  const queryKey = ['locations', _id]
  const toast = useToast()
  const queryClient = useQueryClient()
  const changeShown = useShownConnection()
  const [wanted, setWanted] = useState(location._id)
  const { data: locations = [] } = useQuery({
    queryKey,
    queryFn: ({ signal }) => api.call('listLocations', { params, signal }),
  })
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: () => api.call('moveConnection', { params, body: { location: wanted } }),
    onSuccess: (moved) => {
      changeShown(_id, moved)
      toast(`Moved to ${moved.location.name}`)
      onMoved()
    },
    // What was refused may be gone by now.
    onSettled: () => queryClient.invalidateQueries({ queryKey }),
  })
  if (locations.length < 2) return null
  const next = locations.find((one) => one._id === wanted)
  const isOther = next?.isObfuscated !== locations.find((one) => one.isCurrent)?.isObfuscated
  const withApp = isOther
    ? `, with the ${next?.isObfuscated ? 'AmneziaWG app, 2.0.0 or newer' : 'WireGuard app'}`
    : ''
  return (
    <section>
      <FieldLine
        field={
          <Select
            label="Location"
            hint={
              hasOwnKey
                ? `Your key stays. We then show what else to change on your device${withApp}.`
                : `After a move you scan a new code${withApp}.${sharedAt ? ' Its link ends.' : ''}`
            }
            value={wanted}
            error={error && !isPending ? messageOf(error) : undefined}
            onChange={(event) => {
              reset()
              setWanted(event.target.value)
            }}
          >
            {locations.map(({ _id: id, name, without, isObfuscated }) => (
              <option key={id} value={id}>
                {`${name}${isObfuscated ? `, ${OBFUSCATED_LOCATION.label}` : ''}${lackingWords(without)}`}
              </option>
            ))}
          </Select>
        }
        button={
          <Button
            variant="outline"
            disabled={wanted === location._id}
            busy={isPending}
            onClick={() => mutate()}
          >
            Move
          </Button>
        }
      />
    </section>
  )
}
