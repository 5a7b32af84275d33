import { hasPdfTools, readPdf } from '@hedgerow/testing/documents'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { refund } from '#testing/credit-notes.ts'
import { aCustomer } from '#testing/customers.ts'
import { postpone } from '#testing/jobs.ts'
import { aPurchase } from '#testing/payments.ts'
import { startTestShop, type TestShop } from '#testing/test-shop.ts'

/** A shop of the One Stop Shop, in which the round that issues invoices is an hour away. */
const aSlowShop = async (): Promise<TestShop> => {
  const shop = await startTestShop({ env: { OSS_VAT_NUMBER: 'EU372123456' } })
  await postpone(shop, 'issue-invoices')
  return shop
}

const textOf = async (shop: TestShop, token: string, path: string) =>
  (await readPdf((await shop.call('GET', path, { token })).bytes)).text

describe.skipIf(!hasPdfTools)('an invoice, and the credit note that takes a part of it off, say', () => {
  test.each([
    [
      'whose tax it is, and under which number it is declared',
      sql`vat_country = 'FI', bank_country = 'FI', network_country = 'SE'`,
      ['VAT of Finland, 25.5%, included €6.10', 'One Stop Shop number EU372123456', 'Net €23.90'],
      ['VAT of Finland, 25.5%, included €2.03', 'One Stop Shop number EU372123456'],
    ],
    [
      'that a business elsewhere accounts for it',
      sql`vat_country = 'NL', vat_number = 'NL123456789B01', vat_number_standing = 'valid'`,
      [
        'VAT, reverse charge €0.00',
        'VAT number NL123456789B01',
        'Reverse charge: the customer accounts',
        'Net €30.00',
      ],
      ['VAT, reverse charge €0.00', 'VAT number NL123456789B01', 'Net credited €10.00'],
    ],
    [
      'that none is owed',
      sql`vat_country = 'CH'`,
      ['Outside the scope of UK VAT.', 'Net €30.00'],
      ['Outside the scope of UK VAT.', 'Net credited €10.00'],
    ],
  ])('%s', async (_, facts, onInvoice, onNote) => {
    const shop = await aSlowShop()
    const customer = await aCustomer(shop)
    await shop.call('PUT', '/api/v1/user', {
      token: customer.token,
      body: {
        firstName: '李',
        lastName: '小龍',
        addressString: 'Mannerheimintie 1',
        addressCity: 'Helsinki',
      },
    })
    const { paymentId, order } = await aPurchase(shop, {}, {}, customer)
    await sql`update payments set ${facts} where id = ${paymentId}`.execute(shop.db)
    const invoice = await textOf(shop, customer.token, `/api/v1/orders/${order.orderId}/invoice`)
    for (const part of [...onInvoice, '李 小龍', 'Mannerheimintie 1']) expect(invoice).toContain(part)
    const { id } = await refund(shop, paymentId, '10.00')
    const note = await textOf(shop, customer.token, `/api/v1/refunds/${id}/credit-note`)
    for (const part of [...onNote, '李 小龍', 'Total credited €10.00']) expect(note).toContain(part)
    if (!onInvoice[1]?.includes('One Stop')) expect(invoice + note).not.toContain('EU372123456')
  })
})
