import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bacsPayee } from '#partners/payout-files/payee.ts'
import {
  ColumnsFault,
  columnsOf,
  type ListedPayment,
  namesPayer,
  writePaymentList,
} from '#partners/payout-files/payment-list.ts'

const PAYER = { name: "Pip's Example Hedgerow Limited", sortCode: '001122', accountNumber: '00112233' }
const ADA: ListedPayment = {
  name: 'Ada Lovelace',
  sortCode: '010203',
  accountNumber: '00005678',
  reference: 'P7K3QX2MD4RS',
  amountMinor: 25_005,
}

const listed = (columns: string, payments: readonly ListedPayment[] = [ADA]) =>
  writePaymentList({ executionDay: '2026-11-04', payer: PAYER, payments }, columnsOf(columns))

describe('the list of payments', () => {
  test('has titles, and keeps leading zeros', () => {
    expect(listed('generic')).toBe(
      'name,sort_code,account_number,amount,reference\r\nAda Lovelace,010203,00005678,250.05,P7K3QX2MD4RS\r\n',
    )
  })

  test('is laid out as a bureau’s preset has it', () => {
    expect(listed('paygate')).toBe(
      '010203,00005678,Ada Lovelace,250.05,99,001122,00112233,Pips Example Hedge,P7K3QX2MD4RS,04/11/2026\r\n',
    )
  })

  test('stands in the right letters of a spreadsheet', () => {
    const [row = []] = parse(listed('coutts')) as string[][]
    const inColumn = (letters: string) =>
      row[[...letters].reduce((place, letter) => place * 26 + letter.charCodeAt(0) - 64, 0) - 1]
    expect(['D', 'M', 'Q', 'S', 'Y', 'AE', 'AG', 'AK'].map(inColumn)).toEqual([
      '01',
      '00112200112233',
      '250.05',
      '04112026',
      '010203',
      '00005678',
      'Ada Lovelace',
      'P7K3QX2MD4RS',
    ])
    expect(row).toHaveLength(37)
    expect(row.filter(Boolean)).toHaveLength(8)
  })

  test('takes columns in any order, with titles of the bank’s own', () => {
    const columns = 'Betreff=reference, sort_code,account_number,,Pence=pence,"=x"'
    expect(listed(columns)).toBe('Betreff,,,,Pence,\r\nP7K3QX2MD4RS,010203,00005678,,25005,=x\r\n')
  })

  test.each([
    ['sort_code,iban', /no column “iban”/],
    ['sort_code,toString', /no column “toString”/],
    ['sort_code,account_number,amount', /lack reference/],
    ['account_number,amount,reference', /lack sort_code/],
    ['sort_code,account_number,reference', /lack amount/],
    [`sort_code,account_number,amount,reference${','.repeat(60)}`, /More than 60/],
  ])('refuses %s', (columns, message) => {
    expect(() => columnsOf(columns)).toThrow(ColumnsFault)
    expect(() => columnsOf(columns)).toThrow(message)
  })

  test('needs the payer’s account where it names it', () => {
    expect(['generic', 'paygate', 'coutts'].map((one) => namesPayer(columnsOf(one)))).toEqual([
      false,
      true,
      true,
    ])
  })

  test('has no cell that a spreadsheet runs, whatever the name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 60 }), (accountHolder) => {
        const payee = bacsPayee({ accountHolder, sortCode: '010203', accountNumber: '00005678' })
        if (typeof payee === 'string') return
        const [, row = []] = parse(listed('generic', [{ ...ADA, ...payee }])) as string[][]
        expect(row).toHaveLength(5)
        expect(row[0]?.length).toBeLessThanOrEqual(18)
        for (const cell of row) expect(cell).toMatch(/^[A-Za-z0-9][A-Za-z0-9.&/ -]*$/)
      }),
      { numRuns: 1000 },
    )
  })

  test('pays a British IBAN by the sort code and the account in it, and no other', () => {
    const accountHolder = 'Ada'
    expect(bacsPayee({ accountHolder, iban: 'GB33BUKB20201555555555' })).toEqual({
      name: 'Ada',
      sortCode: '202015',
      accountNumber: '55555555',
    })
    expect(bacsPayee({ accountHolder, iban: 'DE89370400440532013000' })).toBe('foreign-account')
    expect(bacsPayee({ accountHolder: '…', iban: 'GB33BUKB20201555555555' })).toBe('unwritable-name')
  })
})
