import { expect, test } from 'vitest'
import { parseHmrcRates } from '#accounting/books/hmrc-rates.ts'

const HEADS = 'Country/Territories,Currency,Currency Code,Currency Units per £1,Start date,End date'
const read = (text: string | Buffer) => parseHmrcRates(Buffer.from(text as string), ['EUR'])

test('the file that HMRC publishes is read by the names of its columns', () => {
  const file =
    `\uFEFF${HEADS}\r\n"Abu Dhabi",Dirham,AED,4.8765,01/10/2026,31/10/2026\r\nEurozone,Euro,EUR,1.1564,01/10/2026,31/10/2026\r\n` +
    `"Indonesia","Rupiah",IDR,"21,765.5",01/10/2026,31/10/2026\r\n`
  expect(read(file)).toEqual([{ currency: 'EUR', day: '2026-10-01', rateMicro: 1_156_400 }])
  // Columns in another order, and the pound's sign as another program has saved it.
  const other = 'Currency Code,End Date,Start Date,Currency Units per \xa31\nEUR,30/11/2026,01/11/2026,1.16\n'
  expect(read(Buffer.from(other, 'latin1'))).toEqual([
    { currency: 'EUR', day: '2026-11-01', rateMicro: 1_160_000 },
  ])
})

test.each([
  ['', /The file is empty/],
  ['Country,Rate\nEurozone,1.15\n', /no column for ‘code’ among ‘Country’, ‘Rate’\./],
  [`${HEADS}\nUSA,Dollar,USD,1.34,01/10/2026,31/10/2026\n`, /has no rate of EUR/],
  [
    `${HEADS}\nEurozone,Euro,EUR,1.1x,01/10/2026,31/10/2026\n`,
    /Line 2, column ‘Currency Units per £1’: ‘1\.1x’ is no rate/,
  ],
  [
    `${HEADS}\nUSA,Dollar,USD,1.34,01/10/2026,31/10/2026\nEurozone,Euro,EUR,1.15,31/12/2025,31/12/2025\n`,
    /Line 3, column ‘Start date’/,
  ],
  [`${HEADS}\nEurozone,Euro,EUR,1.15,01/10/2026,30/10/2026\n`, /column ‘End date’/],
  [
    `${HEADS}\nEurozone,Euro,EUR,1.15,01/10/2026,31/10/2026\nItaly,Euro,EUR,1.16,01/10/2026,31/10/2026\n`,
    /two rates of EUR/,
  ],
  [`${HEADS}\nEurozone,Euro\n`, /has no rate of EUR/],
  [`${HEADS}\n"Eurozone,Euro\n`, /is no CSV/],
])('no rate is read from a file that is none: %#', (text, fault) => {
  expect(() => read(text)).toThrow(fault)
})
