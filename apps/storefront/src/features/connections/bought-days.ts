import type { Connection } from '@hedgerow/contract/connections'
import { DEFAULT_CHOICE } from '@hedgerow/domain/pricing'

/** For how long it was bought last: an extension counts as all of it. */
export const boughtDays = ({ lastBought }: Pick<Connection, 'lastBought'>): number =>
  lastBought?.days ?? DEFAULT_CHOICE.days
