import { COUNTRY_CODES } from '@hedgerow/domain/countries'
import { VAT_MESSAGES } from '@hedgerow/domain/vat-numbers'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  aMethods,
  enterCard,
  openOrder,
  openPlan,
  PAY_BLIK,
  PAY_ORDER,
  PAY_PLAN,
  PAYMENT,
  PLAN_PATH,
  payByCard,
  press,
} from '#testing/checkouts.tsx'
import { anItem, anOrder, aProfile, LAYER } from '#testing/fixtures.ts'
import { closeShop, fill, leavePage, openShopAs, tick } from '#testing/open-shop.tsx'
import { stubServer } from '#testing/server.ts'

let server: ReturnType<typeof stubServer>
const assign = vi.fn()
const speaks = (language: string) => vi.spyOn(navigator, 'language', 'get').mockReturnValue(language)
const zone = (timeZone: string | undefined) =>
  vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockReturnValue({ timeZone } as never)

beforeAll(async () => {
  await import('#features/checkout/sale-place-fields.tsx')
  await import('#features/checkout/vat-note.tsx')
})
beforeEach(() => {
  server = stubServer()
  server.answers('paymentMethods', 200, { ...aMethods(), asksCountry: true })
  vi.spyOn(window.location, 'assign').mockImplementation(assign)
  zone('Europe/Berlin')
  speaks('en-GB')
})
afterEach(() => {
  closeShop()
  assign.mockReset()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const country = () => screen.getByLabelText<HTMLSelectElement>('Country')
const choose = (code: string) => fireEvent.change(country(), { target: { value: code } })
const main = () => screen.getByRole('main').textContent
const says = (line: string) => waitFor(() => expect(main()).toContain(line))

const CHECKOUTS = [
  {
    of: 'an order',
    open: openOrder,
    call: 'payByCard',
    payButton: PAY_ORDER,
    answer: { paymentId: PAYMENT },
  },
  { of: 'a plan', open: openPlan, call: 'payPlanByCard', payButton: PAY_PLAN, answer: { _id: PAYMENT } },
] as const

describe.each(CHECKOUTS)(
  'the checkout of $of in a shop that asks for the country',
  ({ open, call, payButton, answer }) => {
    test('guesses it, says what of the price is VAT, and sends it', async () => {
      server.answers(call, 200, answer as never)
      await open(server)
      await waitFor(() => expect(country().value).toBe('DE'))
      await says('Includes VAT of Germany, 19%. You pay once. Nothing renews by itself.')
      await payByCard(payButton)
      await waitFor(() => expect(server.callsOf(call)[0]?.body).toMatchObject({ country: 'DE' }))
      expect(server.callsOf(call)[0]?.body).not.toHaveProperty('vatNumber')
    })

    test('says so again as it is changed, with the same price', async () => {
      await open(server)
      await waitFor(() => expect(country().value).toBe('DE'))
      for (const [code, line] of [
        ['FI', 'Includes VAT of Finland, 25.5%.'],
        ['NL', 'Includes VAT of the Netherlands, 21%.'],
        ['MC', 'Includes VAT of France, 20%.'],
        ['GB', 'Includes VAT of the United Kingdom, 20%.'],
        ['US', 'No VAT: outside the United Kingdom and the EU.'],
      ] as const) {
        choose(code)
        await says(line)
        expect(screen.getByRole('button', { name: payButton })).toBeTruthy()
      }
    })

    test('takes the VAT number of a business in the EU, and of no one else', async () => {
      server.answers(call, 200, answer as never)
      await open(server)
      await waitFor(() => expect(country().value).toBe('DE'))
      fill('VAT number', 'DE 123 456 789')
      await says('No VAT: reverse charge.')
      choose('GB')
      await waitFor(() => expect(screen.queryByLabelText('VAT number')).toBeNull())
      await says('Includes VAT of the United Kingdom, 20%.')
      choose('DE')
      expect((await screen.findByLabelText<HTMLInputElement>('VAT number')).value).toBe('DE 123 456 789')
      fill('Name of the business', 'Ada & Söhne GmbH')
      fill('Address of the business', 'Hauptstr. 7\n10115 Berlin')
      await payByCard(payButton)
      await waitFor(() =>
        expect(server.callsOf(call)[0]?.body).toMatchObject({
          country: 'DE',
          vatNumber: 'DE 123 456 789',
          company: 'Ada & Söhne GmbH',
          companyAddress: 'Hauptstr. 7\n10115 Berlin',
        }),
      )
    })

    test('shows a refused number at its field, and loses nothing', async () => {
      const message = VAT_MESSAGES.numberUnknown
      server.refuses(call, 422, message, { errors: [{ path: 'vatNumber', message }] })
      await open(server)
      await waitFor(() => expect(country().value).toBe('DE'))
      fill('VAT number', 'DE123456200')
      await payByCard(payButton)
      await screen.findByText(message)
      // What is refused takes nothing off.
      await says('Includes VAT of Germany, 19%.')
      const number = screen.getByLabelText<HTMLInputElement>('VAT number')
      await waitFor(() => expect(document.activeElement).toBe(number))
      expect(number.closest('details')?.open).toBe(true)
      expect(number.value).toBe('DE123456200')
      expect(screen.getByLabelText<HTMLInputElement>('Card number').value).toBe('4314 2200 0000 0056')
      fill('VAT number', 'DE123456789')
      await waitFor(() => expect(screen.queryByText(message)).toBeNull())
    })

    test('shows what is missing of the business at its fields, and keeps what was typed', async () => {
      const errors = [
        { path: 'company', message: VAT_MESSAGES.company },
        { path: 'companyAddress', message: VAT_MESSAGES.addressLong },
      ]
      server.refuses(call, 422, 'Please check what you have entered.', { errors })
      await open(server)
      await waitFor(() => expect(country().value).toBe('DE'))
      fill('VAT number', 'DE123456789')
      fill('Address of the business', 'a\nb\nc\nd\ne\nf\ng')
      await payByCard(payButton)
      for (const { message } of errors) await screen.findByText(message)
      const name = screen.getByLabelText('Name of the business')
      await waitFor(() => expect(document.activeElement).toBe(name))
      expect(name.closest('details')?.open).toBe(true)
      expect(screen.getByLabelText<HTMLTextAreaElement>('Address of the business').value).toContain('d\ne')
      expect(screen.getByLabelText<HTMLInputElement>('VAT number').value).toBe('DE123456789')
    })

    test('asks for it where nothing tells', async () => {
      zone('UTC')
      speaks('en')
      server.refuses(call, 422, VAT_MESSAGES.country, {
        errors: [{ path: 'country', message: VAT_MESSAGES.country }],
      })
      await open(server)
      expect((await screen.findByLabelText<HTMLSelectElement>('Country')).value).toBe('')
      await says('Prices include VAT.')
      await payByCard(payButton)
      await screen.findByText(VAT_MESSAGES.country, { selector: '[id$="-error"] *' })
      await waitFor(() => expect(document.activeElement).toBe(country()))
      choose('SE')
      await says('Includes VAT of Sweden, 25%.')
      expect(screen.queryByRole('option', { name: VAT_MESSAGES.country })).toBeNull()
    })

    test('asks nothing where the shop does not', async () => {
      server.answers('paymentMethods', 200, aMethods())
      server.answers(call, 200, answer as never)
      await open(server)
      await payByCard(payButton)
      await waitFor(() => expect(server.callsOf(call)).toHaveLength(1))
      expect(server.callsOf(call)[0]?.body).not.toHaveProperty('country')
      expect(screen.queryByLabelText('Country')).toBeNull()
      expect(main()).toContain('Prices include VAT. You pay once. Nothing renews by itself.')
    })
  },
)

describe('the country', () => {
  test.each([
    ['as the profile says, in whatever words', 'österreich', 'Europe/Berlin', 'de-DE', 'AT'],
    ['as the profile says in English', 'Ireland', 'Europe/Berlin', 'de-DE', 'IE'],
    ['as the clock says, whatever the browser’s language', '', 'Europe/Helsinki', 'en-US', 'FI'],
    ['as the clock says, if the profile says nothing that is known', 'Narnia', 'Europe/Paris', 'en', 'FR'],
    ['as the clock of a region with a tax of its own says', '', 'Atlantic/Canary', 'es-ES', 'IC'],
    ['as the language says, if the clock says nothing', '', 'UTC', 'pt-BR', 'BR'],
  ])('is guessed %s', async (_, addressCountry, timeZone, spoken, code) => {
    zone(timeZone)
    speaks(spoken)
    const order = anOrder()
    server.answers('getOrder', 200, order)
    await openShopAs(aProfile({ addressCountry }), server, `/checkout/${order.orderId}`)
    await screen.findByLabelText('Country')
    await waitFor(() => expect(country().value).toBe(code))
    expect(country().options).toHaveLength(COUNTRY_CODES.length)
  })

  test('and the number are still there after an attempt', async () => {
    await openPlan(server)
    await waitFor(() => expect(country().value).toBe('DE'))
    choose('FR')
    fill('VAT number', 'FR12123456789')
    fill('Name of the business', 'Ada SARL')
    fill('Address of the business', '1 rue Ada')
    leavePage()
    server.answers('listLayers', 200, [LAYER])
    server.answers('listItems', 200, [anItem()])
    await openShopAs(aProfile(), server, PLAN_PATH)
    await screen.findByLabelText('Country')
    await waitFor(() => expect(country().value).toBe('FR'))
    expect(screen.getByLabelText<HTMLInputElement>('VAT number').value).toBe('FR12123456789')
    expect(screen.getByLabelText<HTMLInputElement>('Name of the business').value).toBe('Ada SARL')
    expect(screen.getByLabelText<HTMLTextAreaElement>('Address of the business').value).toBe('1 rue Ada')
  })

  test.each([
    ['Open Banking', 'payByOpenBanking', PAY_ORDER],
    ['Blik', 'payByBlik', PAY_BLIK],
    ['Card', 'payByCard', PAY_ORDER],
  ] as const)('goes along with %s', async (tab, call, payButton) => {
    server.answers('listBanks', 200, [])
    server.answers(call, 200, { paymentId: PAYMENT })
    await openOrder(server)
    await waitFor(() => expect(country().value).toBe('DE'))
    choose('PL')
    fireEvent.click(screen.getByRole('tab', { name: tab }))
    if (tab === 'Card') enterCard()
    else {
      fill('First name', 'Ada')
      fill('Last name', 'Lovelace')
      tick(/I accept/)
    }
    await press(payButton)
    await waitFor(() => expect(server.callsOf(call)[0]?.body).toMatchObject({ country: 'PL' }))
    expect(country().value).toBe('PL')
  })
})
