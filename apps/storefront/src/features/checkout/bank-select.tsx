import type { Bank } from '@hedgerow/contract/payment-actions'
import { BANK_COUNTRIES } from '@hedgerow/domain/bank-countries'
import { Button } from '@hedgerow/ui/button.tsx'
import { Select } from '@hedgerow/ui/form/select.tsx'
import { Notice } from '@hedgerow/ui/page/notice.tsx'
import { Skeleton } from '@hedgerow/ui/page/skeleton.tsx'
import type { ComponentProps } from 'react'

type BankSelectProps = {
  /** Those that can pay in the order's currency; undefined until they are known. */
  banks: readonly Bank[] | undefined
  list: { isError: boolean; isFetching: boolean; refetch: () => unknown }
  /** Nothing can be paid without a choice made here. */
  isNeeded: boolean
  control: Omit<ComponentProps<typeof Select>, 'label'>
}

/** In the order in which the list names them. By hand: Map.groupBy is too new for some phones. */
const byCountry = (banks: readonly Bank[]) =>
  [...new Set(banks.map(({ country }) => country))].map((country) => ({
    country,
    there: banks.filter((bank) => bank.country === country),
  }))

/** The banks by country. Without a list it can mostly be paid all the same: the bank is then chosen on the next page. */
export const BankSelect = ({ banks, list, isNeeded, control }: BankSelectProps) => {
  // None: that of the order's currency is not to be had, though others are.
  if (banks ? banks.length === 0 : list.isError) {
    return (
      <Notice kind={isNeeded ? 'warning' : 'info'} title="The list of banks did not load">
        <p>
          {isNeeded
            ? 'Try again, or pay another way.'
            : 'Try again, or continue without it and choose your bank on the next page.'}
        </p>
        <Button variant="outline" className="mt-3" busy={list.isFetching} onClick={() => void list.refetch()}>
          Try again
        </Button>
      </Notice>
    )
  }
  // As high as what comes in its place.
  if (!banks) return <Skeleton label="Loading the banks" lines={3} className="min-h-25" />
  return (
    <Select label="Your bank" {...control}>
      <option value="">Choose your bank</option>
      {byCountry(banks).map(({ country, there }) => (
        <optgroup key={country} label={BANK_COUNTRIES[country]?.name ?? country}>
          {there.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </optgroup>
      ))}
    </Select>
  )
}
