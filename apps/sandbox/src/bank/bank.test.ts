import { expect, test } from 'vitest'
import { startTestSandbox } from '#testing/merchant.ts'

const give = async (text: string, decision = 'paid') => {
  const { url } = await startTestSandbox()
  const body = new FormData()
  body.set('file', new File([text], 'payments'))
  body.set('decision', decision)
  const reply = await fetch(`${url}/bank/answer`, { method: 'POST', body })
  return { status: reply.status, name: reply.headers.get('content-disposition'), text: await reply.text() }
}

const transfer = (reference: string, amount: string) =>
  `<CdtTrfTxInf><PmtId><EndToEndId>${reference}</EndToEndId></PmtId><Amt><InstdAmt Ccy="EUR">${amount}</InstdAmt></Amt></CdtTrfTxInf>`

const SEPA = `<Document><GrpHdr><MsgId>B7K3QX2MD</MsgId></GrpHdr>${transfer('P7K3QX2MD4RS', '250.05')}${transfer('P8K3QX2MD4RS', '1.00')}</Document>`

test('answers a SEPA file with a status of each transfer', async () => {
  const { name, text } = await give(SEPA, 'first-refused')
  expect(name).toBe('attachment; filename="answer-B7K3QX2MD.xml"')
  expect(text.match(/<TxSts>\w+|<OrgnlEndToEndId>\w+|<Cd>\w+|"EUR">[\d.]+/g)).toEqual([
    ...['<OrgnlEndToEndId>P7K3QX2MD4RS', '<TxSts>RJCT', '<Cd>AC04', '"EUR">250.05'],
    ...['<OrgnlEndToEndId>P8K3QX2MD4RS', '<TxSts>ACSC', '"EUR">1.00'],
  ])
})

test.each([
  ['name,sort_code,account_number,amount,reference\r\nAda,010203,00005678,250.05,P7K3QX2MD4RS\r\n'],
  ['010203,00005678,Ada,250.05,99,001122,00112233,Pips,P7K3QX2MD4RS,04/11/2026\r\n'],
])('answers a list, whatever its layout: %s', async (list) => {
  expect((await give(list)).text).toBe(
    'reference,amount,currency,status,bank_reference\r\nP7K3QX2MD4RS,250.05,GBP,Completed,BANK-P7K3QX2MD4RS\r\n',
  )
})

test.each(['', 'GIF89a', '<MsgId>B7K3QX2MD</MsgId>', '"><script>'])(
  'says that %j holds no payments',
  async (text) => {
    const reply = await give(text)
    expect([reply.status, reply.text.includes('No payments were found')]).toEqual([400, true])
  },
)
