import type { CurrencyCode } from '@hedgerow/domain/money'
import { toMajor } from '@hedgerow/domain/money'
import { type Choice, totalMinor, toWireFeatures } from '@hedgerow/domain/pricing'
import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { useLocation } from 'wouter'
import { calculatorPath } from '#features/orders/choice-params.ts'
import { api } from '#lib/api.ts'
import type { LeaveOptions } from '#lib/navigation.ts'
import { locationsQuery, type Place } from '#shared/locations-query.ts'
import { pricesQuery, usePrices } from '#shared/prices-query.ts'
import { ORDERS_KEY } from '#shared/purchase-queries.ts'

type Ordered = { choice: Choice; currency: CurrencyCode; renew: readonly string[]; place: Place }

/** Orders a choice and goes on to its checkout. */
export const useCreateOrder = () => {
  const [, navigate] = useLocation()
  const prices = usePrices()
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: ({ choice, currency, renew, place }: Ordered) =>
      api.call('createOrder', {
        body: {
          days: choice.days,
          connections: choice.connections,
          features: toWireFeatures(choice.features),
          currency,
          total: toMajor(totalMinor(choice, prices)),
          ...(renew.length > 0 ? { renew: [...renew] } : {}),
          ...place,
        },
      }),
    onSuccess: ({ orderId }, { choice, currency, renew, place }, _started, { client }) => {
      // The list of orders does not know this one.
      void client.invalidateQueries({ queryKey: ORDERS_KEY })
      // A customer who comes back from the checkout finds what they chose.
      const options: LeaveOptions = { leftAs: calculatorPath(choice, currency, renew, place.location) }
      navigate(`/checkout/${orderId}`, options)
    },
    onError: (_error, _ordered, _started, { client }) => {
      // A location may have filled up, or a price have changed.
      void client.invalidateQueries({ queryKey: locationsQuery.queryKey })
      void client.invalidateQueries({ queryKey: pricesQuery.queryKey })
      ordered.current = false
    },
  })
  // Two presses may come before the first one is rendered; a double click makes one order.
  const ordered = useRef(false)
  const create = (choice: Choice, currency: CurrencyCode, renew: readonly string[], place: Place) => {
    if (ordered.current) return
    ordered.current = true
    mutate({ choice, currency, renew, place })
  }
  return { create, isBusy: isPending || isSuccess, error }
}
