import * as z from 'zod/mini'

/**
 * Whom a sale is to, for its tax. Needed, and read, only where the shop asks for it (see `asksCountry` of the payment methods):
 * elsewhere anything here means nothing, and a client that sends it is not refused for it. So the shop checks them itself.
 */
export const saleTo = {
  country: z
    .optional(z.unknown())
    .check(
      z.describe(
        'The customer’s country, ISO 3166-1 alpha-2: needed where `asksCountry` is there, else ignored',
      ),
    ),
  vatNumber: z
    .optional(z.unknown())
    .check(
      z.describe(
        'VAT number of a business in the EU, with or without its country’s prefix: text; ignored as `country` is',
      ),
    ),
  company: z
    .optional(z.unknown())
    .check(z.describe('Name of the business: text; needed with `vatNumber`, else ignored')),
  companyAddress: z
    .optional(z.unknown())
    .check(z.describe('Its address, in lines of text; needed with `vatNumber`, else ignored')),
}
export type SaleTo = { country?: unknown; vatNumber?: unknown; company?: unknown; companyAddress?: unknown }
