/** The one place that spells the brand. A reseller changes the look, the name and the company here, or by BRAND_* variables. */
export type Palette = Readonly<{
  paper: string
  surface: string
  ink: string
  quietInk: string
  line: string
  outline: string
  hedge: string
  blossom: string
  berry: string
  straw: string
}>

type SocialLink = Readonly<{ name: 'GitHub' | 'Mastodon' | 'X'; url: string }>

export type Brand = Readonly<{
  name: string
  tagline: string
  /** What it is for, in one sentence, before anything has a name: the home page begins with it. */
  promise: string
  description: string
  company: Readonly<{
    legalName: string
    number: string
    registeredOffice: string
    vatNumber: string
    email: string
    /** Empty: there is none to be shown. */
    phone: string
  }>
  social: readonly SocialLink[]
  colours: Readonly<{ light: Palette; dark: Palette }>
}>

/** All of it that is read. */
export type Words = Omit<Brand, 'colours'>

export const wordsOf = ({ colours: _, ...words }: Brand): Words => words

/** Shipped company details are plainly placeholders; production refuses to start while they stand. */
export const DEFAULT_BRAND: Brand = {
  name: 'Hedgerow',
  tagline: 'Private internet, by the day',
  promise: 'Use hotel and airport Wi-Fi in private.',
  description: 'Timed WireGuard connections from a small British firm, priced by the day',
  company: {
    legalName: 'Example Hedgerow Limited',
    number: '00000000',
    registeredOffice: '1 Example Street, Exampleton, EX1 1EX, England',
    vatNumber: 'GB000000000',
    email: 'hello@hedgerow.example',
    phone: '+44 20 7946 0000',
  },
  social: [
    { name: 'Mastodon', url: 'https://mastodon.example/@hedgerow' },
    { name: 'GitHub', url: 'https://github.example/hedgerow' },
    { name: 'X', url: 'https://x.example/hedgerow' },
  ],
  colours: {
    light: {
      paper: '#FBF9F4',
      surface: '#FFFFFF',
      ink: '#14231B',
      quietInk: '#4A5A50',
      line: '#DDD8CC',
      outline: '#767F77',
      hedge: '#1E5B3F',
      blossom: '#F6E9E3',
      berry: '#A32A25',
      straw: '#8A5A00',
    },
    dark: {
      paper: '#0F1713',
      surface: '#17221C',
      ink: '#ECEFE8',
      quietInk: '#A9B5AC',
      line: '#2B3A32',
      outline: '#76847B',
      hedge: '#7FC7A0',
      blossom: '#2A211D',
      berry: '#F0857E',
      straw: '#E3B45C',
    },
  },
}

type Environment = Readonly<Record<string, string | undefined>>

/** The variable of each link. */
export const SOCIAL_VARIABLES = {
  Mastodon: 'BRAND_SOCIAL_MASTODON',
  GitHub: 'BRAND_SOCIAL_GITHUB',
  X: 'BRAND_SOCIAL_X',
} as const satisfies Record<SocialLink['name'], string>

/** An address of another kind, which the settings refuse, is on no page. */
export const isSocialUrl = (text: string): boolean => /^https:\/\/./.test(text) && URL.canParse(text)

const socialFrom = (env: Environment): SocialLink[] =>
  DEFAULT_BRAND.social.flatMap(({ name }) => {
    const url = env[SOCIAL_VARIABLES[name]] ?? ''
    return isSocialUrl(url) ? [{ name, url }] : []
  })

/** The brand with what the environment overrides; an empty variable counts as unset. */
export const brandFrom = (env: Environment): Brand => {
  const { company } = DEFAULT_BRAND
  // The example company's telephone and links belong to no one else.
  const isExample = !env.BRAND_COMPANY || env.BRAND_COMPANY === company.legalName
  const social = socialFrom(env)
  return {
    ...DEFAULT_BRAND,
    name: env.BRAND_NAME || DEFAULT_BRAND.name,
    tagline: env.BRAND_TAGLINE || DEFAULT_BRAND.tagline,
    promise: env.BRAND_PROMISE || DEFAULT_BRAND.promise,
    description: env.BRAND_DESCRIPTION || DEFAULT_BRAND.description,
    company: {
      legalName: env.BRAND_COMPANY || company.legalName,
      number: env.BRAND_COMPANY_NUMBER || company.number,
      registeredOffice: env.BRAND_REGISTERED_OFFICE || company.registeredOffice,
      vatNumber: env.BRAND_VAT_NUMBER || company.vatNumber,
      email: env.BRAND_EMAIL || company.email,
      phone: env.BRAND_PHONE || (isExample ? company.phone : ''),
    },
    social: social.length > 0 || !isExample ? social : DEFAULT_BRAND.social,
  }
}
