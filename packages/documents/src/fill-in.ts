import type { Brand } from '@hedgerow/brand/brand'
import { ENDED_KEPT_DAYS } from '@hedgerow/domain/nodes'

/**
 * Puts in who runs the shop, and the times that its rules set. Throws for an unknown name, so that no text goes out
 * with a gap.
 */
export const fillIn = (source: string, { name, company }: Brand): string => {
  const values: Readonly<Record<string, string>> = {
    name,
    ...company,
    contact: company.phone ? `${company.email} or call ${company.phone}` : company.email,
    endedKeptDays: String(ENDED_KEPT_DAYS),
  }
  return source.replace(/\{\{(\w+)\}\}/g, (_, key: string) => {
    const value = values[key]
    if (!value) throw new Error(`The legal text asks for {{${key}}}, which is unknown`)
    return value
  })
}
