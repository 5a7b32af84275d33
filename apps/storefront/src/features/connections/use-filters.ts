import type { Connection } from '@hedgerow/contract/connections'
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useShownConnection } from '#features/connections/use-shown-connection.ts'
import { api } from '#lib/api.ts'

export type WireFilter = keyof Connection['filters']

type Press = { filter: WireFilter; isOn: boolean; number: number }
type Pressed = Partial<Record<WireFilter, Press>>

/**
 * The filters as they were pressed, and what the server makes of it: a press shows at once and is taken back where it
 * fails. Presses are sent one after the other, so that the last one stays.
 */
export const useFilters = ({ _id, filters }: Connection) => {
  const changeShown = useShownConnection()
  const [pressed, setPressed] = useState<Pressed>({})
  const presses = useRef(0)
  const { mutate, error, isPending } = useMutation({
    scope: { id: `filters-${_id}` },
    mutationFn: ({ filter, isOn }: Press) =>
      api.call('saveConnection', {
        params: { connectionId: _id },
        body: { filters: { [filter]: isOn } },
      }),
    onSuccess: (saved) => changeShown(_id, { filters: saved.filters }),
    // What was pressed after it still waits for its own answer.
    onSettled: (_saved, _error, { filter, number }) =>
      setPressed((last) => (last[filter]?.number === number ? { ...last, [filter]: undefined } : last)),
  })
  return {
    isOn: (filter: WireFilter) => pressed[filter]?.isOn ?? filters[filter],
    press: (filter: WireFilter, isOn: boolean) => {
      const press = { filter, isOn, number: ++presses.current }
      setPressed((last) => ({ ...last, [filter]: press }))
      mutate(press)
    },
    problem: isPending ? null : error,
  }
}
