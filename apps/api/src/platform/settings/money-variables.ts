import { isCountry } from '@hedgerow/domain/countries'
import type { AccountPart } from '@hedgerow/domain/running-settings'
import { isStatementDescriptor } from '@hedgerow/domain/statement-descriptor'
import { VAT_SCHEMES } from '@hedgerow/domain/vat'
import type { Environment } from '@hedgerow/settings/read-variables'
import * as v from '@hedgerow/settings/variables'
import { ACCOUNT_PARTS, readAccountPart } from '#platform/settings/bank-account.ts'
import {
  cardUrl,
  given,
  isPlainToOthers,
  isProductionIn,
  mustInProduction,
} from '#platform/settings/environment.ts'
import { isWeakSecret } from '#platform/settings/weak-secrets.ts'

const isOssNumber = (number: string) => /^EU\d{9}$/.test(number)

const gateSecret = (env: Environment) =>
  v.secret.check(
    mustInProduction(
      env,
      (secret) => !isWeakSecret(secret),
      'must be the secret that the gateway gave you: this one is too short, or comes from an example',
    ),
  )

const isSet = (env: Environment, name: string) => Boolean(env[name]?.trim())

/** A shop with another gateway may have none of this one's settings. What is set in part is a mistake. */
const hasNoGate = (env: Environment): boolean =>
  isSet(env, 'STRIPE_KEY') &&
  isProductionIn(env) &&
  !['GATE_URL', 'GATE_PROJECT_ID', 'GATE_SECRET'].some((name) => isSet(env, name))

const ofGate = <Value, Default>(
  env: Environment,
  name: string,
  form: v.Form<Value>,
  inDevelopment: Default,
) => (hasNoGate(env) ? v.optional(name, form) : given(env, name, form, inDevelopment))

/** In development, what the sandbox uses by itself when nothing else is said. */
export const gateVariables = (env: Environment) => ({
  sandboxPort: v.withDefault('SANDBOX_PORT', v.port, 3001),
  gateUrl: ofGate(env, 'GATE_URL', cardUrl(env), undefined),
  projectId: ofGate(env, 'GATE_PROJECT_ID', v.wholeNumber(1, 4_294_967_295), 57123),
  secret: ofGate(env, 'GATE_SECRET', gateSecret(env), 'sandbox-secret'),
  threeDs: v.withDefault('GATE_3DS_FLOW', v.choice(['basic', 'extended']), 'basic'),
  /** Where the customer types the card: into our form, or on the gateway's Payment Page. */
  cardForm: v.withDefault('CARD_FORM', v.choice(['own', 'hosted']), 'own'),
  pageUrl:
    env.CARD_FORM?.trim() === 'hosted'
      ? given(env, 'PAYMENT_PAGE_URL', cardUrl(env), undefined)
      : v.optional('PAYMENT_PAGE_URL', cardUrl(env)),
})

const stripeSecret = (env: Environment, prefix: string, what: string) =>
  v.text.check(
    mustInProduction(
      env,
      (secret) => new RegExp(`^${prefix}[A-Za-z0-9_]{16,}$`).test(secret) && !isWeakSecret(secret),
      `must be ${what}`,
    ),
  )

/** A second gateway, for cards. Without a key there is none. */
export const stripeVariables = (env: Environment) => ({
  stripeKey: v.optional(
    'STRIPE_KEY',
    stripeSecret(env, '(sk|rk)_(live|test)_', 'a secret or restricted key of Stripe’s'),
  ),
  /** Of its webhook, two of them while one is rolled. */
  stripeWebhookSecrets: v.list(
    'STRIPE_WEBHOOK_SECRETS',
    stripeSecret(env, 'whsec_', 'what Stripe shows for the webhook'),
    [],
  ),
  /** For a sandbox. */
  stripeUrl: v.optional('STRIPE_URL', cardUrl(env)),
})

/** The operator's own BTCPay Server, for bitcoin. Without its address there is none. */
export const btcpayVariables = (env: Environment) => {
  const secret = v.secret.check(
    mustInProduction(env, (value) => !isWeakSecret(value), 'is too short, or comes from an example'),
  )
  return {
    btcpayUrl: v.optional('BTCPAY_URL', cardUrl(env)),
    btcpayStore: v.optional('BTCPAY_STORE', v.text),
    btcpayKey: v.optional('BTCPAY_KEY', secret),
    /** Of its webhook, two of them while one is replaced. */
    btcpayWebhookSecrets: v.list('BTCPAY_WEBHOOK_SECRETS', secret, []),
  }
}

/** What a customer reads of a payment at the bank. */
export const statementVariables = (env: Environment, brandName: string) => {
  const guess = brandName.toUpperCase()
  return {
    /** As agreed with the gateway: undefined, and nothing is said of it, where a guess might be wrong. */
    statementDescriptor: v.withDefault(
      'STATEMENT_DESCRIPTOR',
      v.text.check(
        v.must(
          isStatementDescriptor,
          "must be 5 to 22 Latin letters, digits, blanks or signs of . , & * ' / + # - with a letter among them, as card statements show it",
        ),
      ),
      !isProductionIn(env) && isStatementDescriptor(guess) ? guess : undefined,
    ),
  }
}

/** The gateway's reporting interface, which has an account of its own (papers: operations with fees, balances, chargebacks). */
export const dataVariables = (env: Environment) => ({
  dataUrl: v.optional('DATA_API_URL', cardUrl(env)),
  dataToken: v.optional('DATA_API_TOKEN', v.secret),
  dataSecret: v.optional(
    'DATA_API_SECRET',
    v.secret.check(
      mustInProduction(
        env,
        (secret) => !isWeakSecret(secret),
        'must be the key that the gateway gave you: this one is too short, or comes from an example',
      ),
    ),
  ),
})

/** Which tax a sale owes, and who is asked about it. */
export const vatVariables = (env: Environment) => ({
  /** Where nothing is sold to, by codes of ISO 3166: sanctions, or a tax that the shop is not registered for. */
  refusedCountries: v.list(
    'REFUSED_COUNTRIES',
    v.text.check(v.must(isCountry, (code) => `: ${code} is no country’s code, like DE`)),
    [],
  ),
  vatScheme: v.withDefault('VAT_SCHEME', v.choice(VAT_SCHEMES), 'uk'),
  /** The company's own number in the One Stop Shop. */
  ossNumber: v.optional('OSS_VAT_NUMBER', v.text.check(v.must(isOssNumber, 'must be EU and nine digits'))),
  /** Where VAT numbers are looked up. */
  viesUrl: v.optional(
    'VIES_URL',
    v
      .baseUrl(v.HTTP)
      .check(
        mustInProduction(
          env,
          (address) => !isPlainToOthers(address),
          'must begin with https:// in production',
        ),
      ),
  ),
  /** A header in which a trusted proxy tells the country of the customer's network. */
  countryHeader: v.optional(
    'COUNTRY_HEADER',
    v.text.check(
      v.must((name) => /^[\w-]{1,64}$/.test(name), 'must be the name of a header'),
      v.must(
        () => Boolean(env.TRUSTED_PROXIES?.trim()),
        'needs TRUSTED_PROXIES: anybody else could say where they are',
      ),
    ),
  ),
})

const accountPart = (name: string, part: AccountPart) =>
  v.optional(
    name,
    v.text.check(v.must((typed) => readAccountPart(part, typed) !== undefined, ACCOUNT_PARTS[part].fault)),
  )

/** The account that partners are paid from, unless the running settings have another one. */
export const payoutVariables = {
  payoutIban: accountPart('PAYOUT_IBAN', 'iban'),
  payoutBic: accountPart('PAYOUT_BIC', 'bic'),
  payoutSortCode: accountPart('PAYOUT_SORT_CODE', 'sort-code'),
  payoutAccount: accountPart('PAYOUT_ACCOUNT', 'account-number'),
}
