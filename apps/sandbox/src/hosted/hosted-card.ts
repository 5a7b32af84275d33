import { randomUUID } from 'node:crypto'
import { accountOf, CARD_FIELDS, type Card, checkExpiry } from '#card/card-sale.ts'
import { planFor } from '#card/test-cards.ts'
import type { Gateway } from '#gateway/gateway.ts'
import type { PageQuery } from '#hosted/page-query.ts'
import { saleFrom } from '#hosted/page-sale.ts'
import { checkFields } from '#v2/field-rules.ts'
import { startSale } from '#v2/new-sale.ts'

const asText = (value: unknown): string => (typeof value === 'string' ? value : '')

/** What was typed. Throws where it is no card. */
export const cardOf = ({ pan, card_holder, month, year, cvv }: Record<string, unknown>): Card => {
  const card = {
    pan: asText(pan).replaceAll(' ', ''),
    card_holder: asText(card_holder),
    month: Number(asText(month)),
    year: Number(asText(year)) + (Number(asText(year)) < 100 ? 2000 : 0),
    cvv: asText(cvv),
  }
  checkFields({ card }, CARD_FIELDS)
  checkExpiry(card, new Date())
  return card
}

/** The page itself asks whatever a bank would: what is left of a test card is how it ends. Returns whether it is paid. */
export const takeCard = (gateway: Gateway, query: PageQuery, card: Card, ip: string): boolean => {
  const { code } = planFor(card.pan)
  startSale(gateway, saleFrom(gateway, query, ip), randomUUID(), {
    method: 'card',
    account: accountOf(card),
    plan: { actions: [], code },
  })
  return code === '0'
}
