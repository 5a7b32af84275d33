import { describe, expect, test } from 'vitest'
import { dispute } from '#testing/disputes.ts'
import { aPurchase } from '#testing/payments.ts'
import { shopOfFile, startTestShop } from '#testing/test-shop.ts'

const shop = shopOfFile()
const NOBODY = '00000000-0000-4000-8000-000000000000'

/** Every command that is a call of the contract is made in the same way: what one shows, all show. */
describe('ops dispute', () => {
  test('records, lists and shows, for people and for programs', async () => {
    const { paymentId } = await aPurchase(shop)
    const opened = await dispute(
      shop,
      'open',
      paymentId,
      '--reason',
      '10.4',
      '--respond-by',
      '2026-11-27',
      '--json',
    )
    expect(opened.json).toMatchObject({
      isNew: true,
      dispute: {
        paymentId,
        sum: { minor: 3000, currency: 'EUR' },
        status: 'open',
        respondBy: '2026-11-27T23:59:59.999Z',
      },
    })
    const { id } = opened.json.dispute
    expect((await dispute(shop, 'open', paymentId)).out).toMatch(
      /^Already recorded: nothing was changed\.\nDispute +[\w-]{36}\n/,
    )
    expect((await dispute(shop, 'list')).out).toMatch(
      /^DISPUTE +CHARGED BACK +STATUS .*\n[\w-]{36} +€30\.00 +open +10\.4 /,
    )
    const shown = await dispute(shop, 'show', id)
    expect([shown.err, shown.out]).toEqual(['', expect.stringMatching(/\nGroup +fraud\n/)])
    expect(shown.out).toMatch(/\nReason +10\.4\nIn words +Other fraud, card absent\n/)
    const lost = await dispute(shop, 'lost', id, '--vat', 'bad-debt', '--yes')
    expect([lost.code, lost.out]).toEqual([0, expect.stringMatching(/^Recorded\.\n(.*\n)*VAT +bad-debt\n/)])
    const { by, does } = await shop.db
      .selectFrom('operator_actions')
      .select(['who as by', 'command as does'])
      .where('subject', '=', id)
      .executeTakeFirstOrThrow()
    expect([by, does]).toEqual([expect.stringMatching(/.@./), 'dispute lost'])
  })

  test('refuses with 1 what the services refuse, and with 2 what is typed wrongly', async () => {
    const { paymentId } = await aPurchase(shop)
    const unasked = await dispute(shop, 'won', NOBODY)
    expect([unasked.code, unasked.err]).toEqual([1, expect.stringContaining('To go ahead, add --yes.')])
    const nobody = await dispute(shop, 'won', NOBODY, '--yes')
    expect([nobody.code, nobody.err]).toEqual([1, 'There is no such dispute.\n'])
    for (const args of [
      ['--reason', 'a b'],
      ['--respond-by', 'soon'],
      ['--amount', '-3'],
      ['--respond-by', '2031-01-01'],
    ])
      expect((await dispute(shop, 'open', paymentId, ...args)).code, args.join(' ')).toBe(2)
    expect((await dispute(shop, 'show', 'mine')).err).toBe('There is no dispute mine.\n')
  })

  test('lists those that want an answer before those that have ended, as a file too', async () => {
    const own = await startTestShop()
    const [first, second] = [await aPurchase(own), await aPurchase(own)]
    const lost = (await dispute(own, 'open', first.paymentId, '--json')).json.dispute.id
    await dispute(own, 'lost', lost, '--yes')
    const open = (await dispute(own, 'open', second.paymentId, '--respond-by', '2027-11-01', '--json')).json
    const { rows } = (await dispute(own, 'list', '--json')).json
    expect(rows.map(({ id }: { id: string }) => id)).toEqual([open.dispute.id, lost])
    const { out } = await dispute(own, 'list', '--csv', '--status', 'lost')
    expect(out.split('\r\n')).toEqual([
      expect.stringMatching(/^\uFEFF?Dispute,charged,chargedCurrency,/),
      expect.stringMatching(`^${lost},30.00,EUR,lost`),
      '',
    ])
  })
})
