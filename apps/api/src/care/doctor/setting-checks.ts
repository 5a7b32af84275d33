import { accessSync, constants } from 'node:fs'
import { DEFAULT_BRAND } from '@hedgerow/brand/brand'
import type { Check } from '#care/doctor/check.ts'
import { ok, problem, warning } from '#platform/doctor/finding.ts'
import type { Settings } from '#platform/settings.ts'

/** Names that no network leads to, and telephone numbers kept for stories. */
const EXAMPLE_NAME = /\.(?:example|test|invalid)$|(?:^|\.)example\.(?:com|net|org)$/i
const EXAMPLE_PHONE = /^(?:\+?44|0)(?:20 ?7946|161 ?496|7700 ?900|1632 ?960)/

const isExamplePhone = (phone: string): boolean => EXAMPLE_PHONE.test(phone.replace(/[()-]/g, ''))

export const isExampleAddress = (address: string): boolean => {
  const host = address.includes('@')
    ? (address.split('@').at(-1) ?? '').replace(/>$/, '')
    : URL.parse(address)?.hostname
  return EXAMPLE_NAME.test(host ?? '')
}

/** What customers read that came with the program. */
export const placeholdersIn = ({ brand, mailFrom, operatorEmail, publicUrl }: Settings): string[] => {
  const { company, social } = brand
  const shipped = DEFAULT_BRAND.company
  const isShipped = (name: keyof typeof company) => company[name] === shipped[name]
  return [
    ...(isShipped('phone') || isExamplePhone(company.phone) ? [`BRAND_PHONE (${company.phone})`] : []),
    ...(isShipped('legalName') ? ['BRAND_COMPANY'] : []),
    ...(isShipped('number') || /^(\d)\1+$|^12345678$/.test(company.number) ? ['BRAND_COMPANY_NUMBER'] : []),
    ...(isShipped('registeredOffice') ? ['BRAND_REGISTERED_OFFICE'] : []),
    ...(isShipped('vatNumber') ? ['BRAND_VAT_NUMBER'] : []),
    ...(isExampleAddress(company.email) ? [`BRAND_EMAIL (${company.email})`] : []),
    ...(isExampleAddress(mailFrom) ? ['MAIL_FROM'] : []),
    ...(isExampleAddress(operatorEmail) ? ['OPERATOR_EMAIL'] : []),
    ...(isExampleAddress(publicUrl) ? [`PUBLIC_URL (${publicUrl})`] : []),
    ...social
      .filter(({ url }) => isExampleAddress(url))
      .map(({ name, url }) => `the link to ${name} (${url})`),
  ]
}

/** Node.js tells its standard error alone, and then trusts nobody more. */
const unreadAuthorities = (file = process.env.NODE_EXTRA_CA_CERTS) => {
  try {
    if (file) accessSync(file, constants.R_OK)
    return []
  } catch {
    return [
      problem(
        `NODE_EXTRA_CA_CERTS names ${file}, which cannot be read: certificates of that authority are refused`,
        'Put the file there, readable by the shop’s user, and restart the shop.',
      ),
    ]
  }
}

export const settingChecks: readonly Check[] = [
  {
    name: 'settings',
    isCheap: true,
    look: async ({ settings: { isProduction, warnings, trustedProxies } }) => [
      ...(isProduction
        ? [ok('NODE_ENV is production')]
        : [warning('this is a development shop', 'Set NODE_ENV=production where customers buy.')]),
      ...unreadAuthorities(),
      ...warnings.map((says) => warning(says, 'Change the setting unless you know why it is so.')),
      ...(isProduction && trustedProxies.length === 0
        ? [
            warning(
              'TRUSTED_PROXIES is not set: every customer seems to come from the proxy, and limits count them as one',
              'Name the proxy’s address.',
            ),
          ]
        : []),
    ],
  },
  {
    name: 'placeholders',
    isCheap: true,
    look: async ({ settings }) => {
      const found = placeholdersIn(settings)
      if (found.length === 0) return ok('no example of a company, telephone number or link is shown')
      const finding = settings.isProduction ? problem : warning
      return finding(
        `examples are shown to customers: ${found.join(', ')}`,
        'Set your own, and have the pages say it: docs/running.md#brand',
      )
    },
  },
]
