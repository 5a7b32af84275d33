import { randomBytes } from 'node:crypto'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import addressparser from 'nodemailer/lib/addressparser/index.js'
import { describe, expect, test } from 'vitest'
import { readSettings } from '#platform/settings.ts'
import { aFolder, faultsOf, KEY, PRODUCTION } from '#testing/production-settings.ts'

const REQUIRED = Object.keys(PRODUCTION).filter((name) => name !== 'NODE_ENV')

describe('settings', () => {
  test('have the defaults of development', () => {
    const settings = readSettings({ DATA_DIR: aFolder() })
    expect(settings).toMatchObject({
      isProduction: false,
      host: '127.0.0.1',
      port: 3000,
      publicUrl: 'http://localhost:3000',
      databaseUrl: undefined,
      smtpUrl: 'smtp://localhost:2525',
      gate: { url: 'http://localhost:3001' },
      metricsPort: 9464,
      rateLimitScale: 1,
      nodeReachCheck: 'on',
    })
    expect(settings.keyEncryptionKey).toHaveLength(32)
  })

  test('follow PORT and SANDBOX_PORT', () => {
    const settings = readSettings({ PORT: '4000', SANDBOX_PORT: '4001', KEY_ENCRYPTION_KEY: KEY })
    expect([settings.publicUrl, settings.gate?.url]).toEqual([
      'http://localhost:4000',
      'http://localhost:4001',
    ])
  })

  test('take an empty variable as unset', () => {
    expect(readSettings({ PORT: '', HOST: '', PUBLIC_URL: '', KEY_ENCRYPTION_KEY: KEY }).port).toBe(3000)
  })

  test('leave no slash at the end of an address', () => {
    const env = { PUBLIC_URL: 'https://shop.example//', KEY_ENCRYPTION_KEY: KEY }
    expect(readSettings(env).publicUrl).toBe('https://shop.example')
  })

  test.each(['Hedgerow', 'Wren: the VPN', 'Wren (UK), Ltd; [private]', 'The "Wren" \\ <VPN> @home'])(
    'have mails come from %s and the company’s address while MAIL_FROM is unset',
    (name) => {
      const { mailFrom, brand } = readSettings({ BRAND_NAME: name, KEY_ENCRYPTION_KEY: KEY })
      expect(addressparser(mailFrom)).toEqual([{ name, address: brand.company.email }])
    },
  )

  test('make the key of development once, for their owner’s eyes only', () => {
    const DATA_DIR = aFolder()
    const [first, second] = [readSettings({ DATA_DIR }), readSettings({ DATA_DIR })]
    expect(first.keyEncryptionKey.equals(second.keyEncryptionKey)).toBe(true)
    const file = join(DATA_DIR, 'key-encryption-key')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readFileSync(file, 'utf8').trim()).toBe(first.keyEncryptionKey.toString('base64'))
  })

  test('never replace a kept key that is damaged', () => {
    const DATA_DIR = aFolder()
    writeFileSync(join(DATA_DIR, 'key-encryption-key'), 'damaged\n')
    expect(faultsOf({ DATA_DIR })).toEqual([expect.stringMatching(/key-encryption-key .*backup/)])
  })

  test.each([
    [undefined, 100],
    ['0', 0],
    ['5', 500],
    ['2.5', 250],
    ['0.29', 29],
    ['10000', 1_000_000],
  ])('read PARTNER_MINIMUM_SPEND=%s as minor units', (PARTNER_MINIMUM_SPEND, minor) => {
    const env = { KEY_ENCRYPTION_KEY: KEY, ...(PARTNER_MINIMUM_SPEND ? { PARTNER_MINIMUM_SPEND } : {}) }
    expect(readSettings(env).partnerMinimumSpend).toBe(minor)
  })

  test.each([
    ['PORT', 'http', /^PORT must be a whole number from 0 to 65535, not "http"$/],
    ['PORT', '65536', /^PORT must/],
    ['PORT', '-1', /^PORT must/],
    ['PORT', '80.5', /^PORT must/],
    ['METRICS_PORT', 'x', /^METRICS_PORT must/],
    ['BACKUP_DIR', 'backups', /^BACKUP_DIR must be a whole path like .*, not "backups"$/],
    ['BACKUP_KEEP', '0', /^BACKUP_KEEP must/],
    ['SANDBOX_PORT', 'x', /^SANDBOX_PORT must/],
    ['RATE_LIMIT_SCALE', '-1', /^RATE_LIMIT_SCALE must be a number/],
    ['RATE_LIMIT_SCALE', 'x', /^RATE_LIMIT_SCALE must/],
    [
      'PARTNER_MINIMUM_SPEND',
      '-1',
      /^PARTNER_MINIMUM_SPEND must be an amount like 2\.50, from 0 to 10000, not "-1"$/,
    ],
    ['PARTNER_MINIMUM_SPEND', '1.005', /^PARTNER_MINIMUM_SPEND must/],
    ['PARTNER_MINIMUM_SPEND', '10000.01', /^PARTNER_MINIMUM_SPEND must/],
    ['PUBLIC_URL', 'shop.example', /^PUBLIC_URL must/],
    ['PUBLIC_URL', 'ftp://shop.example', /^PUBLIC_URL must/],
    ['GATE_URL', 'gate', /^GATE_URL must/],
    ['GATE_PROJECT_ID', '0', /^GATE_PROJECT_ID must/],
    ['SMTP_URL', 'http://mail.example', /^SMTP_URL must/],
    ['SMTP_URL', 'postmark://api.postmarkapp.com', /^SMTP_URL must have its keys/],
    ['SMTP_URL', 'ses://KEY@email.eu-west-2.amazonaws.com', /^SMTP_URL must have its keys/],
    ['SMTP_URL', 'ses://KEY:se%zz@email.eu-west-2.amazonaws.com', /^SMTP_URL must have its keys/],
    ['DATABASE_URL', 'mysql://db', /^DATABASE_URL must/],
    ['KEY_ENCRYPTION_KEY', 'short', /^KEY_ENCRYPTION_KEY must be 32 bytes/],
    ['KEY_ENCRYPTION_KEY', randomBytes(31).toString('base64'), /^KEY_ENCRYPTION_KEY must be 32 bytes/],
    ['LOG_LEVEL', 'loud', /^LOG_LEVEL must be one of/],
    ['TRUSTED_PROXIES', 'proxy.example', /^TRUSTED_PROXIES/],
    ['NODE_REACH_CHECK', 'ipv6', /^NODE_REACH_CHECK must be one of on, ipv4, off/],
    ['ISSUER_ORIGINS', 'bank', /^ISSUER_ORIGINS must/],
    ['ASSETS_KEPT_DAYS', '0', /^ASSETS_KEPT_DAYS must be a whole number from 1 to 365/],
    ['STOP_NOTICE_SECONDS', '9', /^STOP_NOTICE_SECONDS must be a whole number from 0 to 8/],
  ])('refuse %s=%s in one line', (name, value, line) => {
    expect(faultsOf({ KEY_ENCRYPTION_KEY: KEY, [name]: value })).toEqual([expect.stringMatching(line)])
  })

  test('name everything that is wrong at once', () => {
    const faults = faultsOf({ KEY_ENCRYPTION_KEY: KEY, PORT: 'x', SMTP_URL: 'x', LOG_LEVEL: 'x' })
    expect(faults).toHaveLength(3)
  })

  test('never print a secret that is wrong', () => {
    const faults = faultsOf({
      KEY_ENCRYPTION_KEY: 'my secret key',
      DATABASE_URL: 'mysql://me:my%20password@db',
    })
    expect(faults.join()).not.toMatch(/my secret key|password/)
  })
})

describe('settings of production', () => {
  test('are taken when nothing is missing', () => {
    expect(faultsOf(PRODUCTION)).toEqual([])
    expect(readSettings(PRODUCTION).warnings).toEqual([])
    expect(
      readSettings({
        ...PRODUCTION,
        HOST: '0.0.0.0',
        HOST_ALLOW_PLAINTEXT: 'on',
        RATE_LIMIT_SCALE: '1000',
      }).warnings,
    ).toEqual([
      expect.stringMatching(/^RATE_LIMIT_SCALE is 1000/),
      expect.stringMatching(/^HOST_ALLOW_PLAINTEXT is on, and HOST is 0\.0\.0\.0/),
    ])
    expect(readSettings(PRODUCTION)).toMatchObject({ isProduction: true, gate: { projectId: 42 } })
  })

  test.each(REQUIRED)('are refused without %s, in one line that names it', (name) => {
    expect(faultsOf({ ...PRODUCTION, [name]: undefined })).toEqual([expect.stringContaining(name)])
  })

  test('name every missing variable, one line each', () => {
    const faults = faultsOf({ NODE_ENV: 'production' })
    expect(faults).toHaveLength(REQUIRED.length)
    for (const name of REQUIRED) expect(faults.filter((line) => line.startsWith(`${name} `))).toHaveLength(1)
  })

  test.each(['0', '1.5', 'x', '-1'])('refuse the project %s', (GATE_PROJECT_ID) => {
    expect(faultsOf({ ...PRODUCTION, GATE_PROJECT_ID })).toEqual([
      expect.stringMatching(/^GATE_PROJECT_ID must/),
    ])
  })

  test.each(['PUBLIC_URL', 'GATE_URL'])('refuse a %s without TLS that is not on this machine', (name) => {
    expect(faultsOf({ ...PRODUCTION, [name]: 'http://pay.example' })).toEqual([
      expect.stringMatching(`^${name} must begin with https://`),
    ])
    expect(faultsOf({ ...PRODUCTION, [name]: 'http://127.0.0.1:3001' })).toEqual([])
  })

  test('want the address of the Payment Page, with TLS, only where cards are typed there', () => {
    const HOSTED = { ...PRODUCTION, CARD_FORM: 'hosted' }
    expect(faultsOf(HOSTED)).toEqual([expect.stringMatching(/^PAYMENT_PAGE_URL is required/)])
    expect(faultsOf({ ...HOSTED, PAYMENT_PAGE_URL: 'http://page.example/payment' })).toEqual([
      expect.stringMatching(/^PAYMENT_PAGE_URL must begin with https/),
    ])
    const PAGE = { PAYMENT_PAGE_URL: 'https://page.example/payment' }
    expect(readSettings({ ...HOSTED, ...PAGE })).toMatchObject({
      cardForm: 'hosted',
      issuerOrigins: ['https:'],
    })
    const listed = readSettings({ ...HOSTED, ...PAGE, ISSUER_ORIGINS: 'https://acs.example' })
    expect(listed.issuerOrigins).toEqual(['https://acs.example', 'https://page.example'])
    expect(faultsOf({ ...PRODUCTION, CARD_FORM: 'frame' })).toEqual(['CARD_FORM must be own or hosted'])
  })

  test('let customers be sent to a gateway without TLS only where it is on this machine, for a rehearsal', () => {
    const rehearsal = { ...PRODUCTION, GATE_URL: 'http://localhost:3001' }
    expect(readSettings(PRODUCTION).issuerOrigins).toEqual(['https:'])
    expect(readSettings(rehearsal).issuerOrigins).toEqual(['https:', 'http://localhost:3001'])
  })

  test('give notice of a stop, which tests and development need not wait for', () => {
    expect(readSettings(PRODUCTION).stopNoticeSeconds).toBe(3)
    expect(readSettings({ KEY_ENCRYPTION_KEY: KEY }).stopNoticeSeconds).toBe(0)
  })

  test('take no Payment Page for granted, and let customers be sent to one that is set', () => {
    expect(readSettings(PRODUCTION).gate?.pageUrl).toBe('')
    expect(readSettings({ KEY_ENCRYPTION_KEY: KEY }).gate?.pageUrl).toBe('http://localhost:3001/payment')
    const listed = readSettings({
      ...PRODUCTION,
      PAYMENT_PAGE_URL: 'https://page.example/payment',
      ISSUER_ORIGINS: 'https://bank.example',
    })
    expect(listed.issuerOrigins).toEqual(['https://bank.example', 'https://page.example'])
  })

  test('send copies of backups to a bucket where its address, its keys and the folder are set', () => {
    const given = {
      BACKUP_DIR: '/var/lib/hedgerow-backups',
      BACKUP_S3: 'https://s3.eu-west-2.amazonaws.com/hedge/shop/',
      BACKUP_S3_KEY: 'AKIAEXAMPLE',
      BACKUP_S3_SECRET: 'wJalrXUtnFEMI/K7MDENG',
    }
    expect(readSettings({ ...PRODUCTION, ...given }).bucket).toMatchObject({
      url: 'https://s3.eu-west-2.amazonaws.com/hedge/shop',
      region: undefined,
    })
    for (const [name, fault] of [
      ['BACKUP_DIR', /needs BACKUP_DIR/],
      ['BACKUP_S3_KEY', /belong together/],
      ['BACKUP_S3_SECRET', /belong together/],
    ] as const)
      expect(faultsOf({ ...PRODUCTION, ...given, [name]: '' })).toEqual([expect.stringMatching(fault)])
    for (const url of [
      'https://s3.eu-west-2.amazonaws.com',
      'http://s3.example/hedge',
      'https://s3.example/hedge?x=1',
      'https://me:secret@s3.example/hedge',
      'https://s3.example/hedge/a b',
      's3://hedge/shop',
    ])
      expect(faultsOf({ ...PRODUCTION, ...given, BACKUP_S3: url }), url).toEqual([
        expect.stringMatching(/^BACKUP_S3 must/),
      ])
  })

  test('have a BTCPay Server where its address, store, key and webhook’s secrets are set', () => {
    expect(readSettings(PRODUCTION).btcpay).toBeNull()
    const given = {
      BTCPAY_URL: 'https://btcpay.example',
      BTCPAY_STORE: '9CiNzKoANXxmk5ayZngSXrHTiVvvgCrwrpFQd4m2K776',
      BTCPAY_KEY: '68f17eb7c6bd7fbd4b2d2ae4d3c5a2b1e9d8c7f6',
      BTCPAY_WEBHOOK_SECRETS: '4nD8sLqPz7VxWc2RtYb6, 6mD8sLqPz7VxWc2RtYb6',
    }
    const { btcpay, issuerOrigins } = readSettings({
      ...PRODUCTION,
      ...given,
      ISSUER_ORIGINS: 'https://acs.example',
    })
    expect(btcpay).toMatchObject({ url: 'https://btcpay.example', store: given.BTCPAY_STORE })
    expect(btcpay?.webhookSecrets).toHaveLength(2)
    expect(issuerOrigins).toEqual(['https://acs.example', 'https://btcpay.example'])
    for (const name of ['BTCPAY_URL', 'BTCPAY_STORE', 'BTCPAY_KEY', 'BTCPAY_WEBHOOK_SECRETS'] as const) {
      const { [name]: _, ...others } = given
      expect(faultsOf({ ...PRODUCTION, ...others })).toEqual([expect.stringMatching(/belong together/)])
    }
    expect(faultsOf({ ...PRODUCTION, ...given, BTCPAY_URL: 'http://btcpay.example' })).toHaveLength(1)
    expect(faultsOf({ ...PRODUCTION, ...given, BTCPAY_KEY: 'sandbox-btcpay-key' })).toHaveLength(1)
  })

  test('may leave the Gate out where Stripe is set, but not half of it', () => {
    const { GATE_URL, GATE_PROJECT_ID, GATE_SECRET, ...others } = PRODUCTION
    const withoutGate = {
      ...others,
      STRIPE_KEY: 'rk_live_4eC39HqLyjWDarjtT1zdp7dc',
      STRIPE_WEBHOOK_SECRETS: 'whsec_5WbX5kEWLlfzsGNjH64I8lOO',
    }
    expect(readSettings(withoutGate)).toMatchObject({ gate: null, carriers: { card: 'stripe' } })
    expect(faultsOf(others)).toHaveLength(3)
    expect(faultsOf({ ...withoutGate, GATE_URL })).toHaveLength(2)
    expect(faultsOf({ ...withoutGate, GATE_URL, GATE_PROJECT_ID })).toHaveLength(1)
    expect(readSettings({ ...withoutGate, GATE_URL, GATE_PROJECT_ID, GATE_SECRET }).carriers.card).toBe(
      'gate',
    )
  })

  test('have Stripe where its key and its webhook’s secrets are set, which are in the form of Stripe’s', () => {
    expect(readSettings(PRODUCTION).stripe).toBeNull()
    const keys = {
      STRIPE_KEY: 'rk_live_4eC39HqLyjWDarjtT1zdp7dc',
      STRIPE_WEBHOOK_SECRETS: 'whsec_5WbX5kEWLlfzsGNjH64I8lOO, whsec_6WbX5kEWLlfzsGNjH64I8lOO',
    }
    const { stripe, issuerOrigins } = readSettings({
      ...PRODUCTION,
      ...keys,
      ISSUER_ORIGINS: 'https://acs.example',
    })
    expect(stripe).toMatchObject({ url: 'https://api.stripe.com', key: keys.STRIPE_KEY })
    expect(stripe?.webhookSecrets).toHaveLength(2)
    expect(issuerOrigins).toEqual(['https://acs.example', 'https://checkout.stripe.com'])
    for (const name of ['STRIPE_KEY', 'STRIPE_WEBHOOK_SECRETS'] as const) {
      expect(faultsOf({ ...PRODUCTION, [name]: keys[name] })).toEqual([
        expect.stringMatching(/^STRIPE_KEY and STRIPE_WEBHOOK_SECRETS belong together/),
      ])
      for (const value of ['sk_test_sandbox', 'pk_live_4eC39HqLyjWDarjtT1zdp7dc', 'whsec_sandbox'])
        expect(faultsOf({ ...PRODUCTION, ...keys, [name]: value })).toEqual([
          expect.stringMatching(`^${name} `),
        ])
    }
    expect(faultsOf({ ...PRODUCTION, ...keys, STRIPE_URL: 'http://stripe.example' })).toHaveLength(1)
    const development = readSettings({ KEY_ENCRYPTION_KEY: KEY })
    expect(development.stripe).toMatchObject({ url: 'http://localhost:3001', key: 'sk_test_sandbox' })
  })

  test('never fall back on the sandbox’s secret', () => {
    expect(readSettings(PRODUCTION).gate?.secret).toBe(PRODUCTION.GATE_SECRET)
    expect(faultsOf({ ...PRODUCTION, GATE_SECRET: '' })).toHaveLength(1)
  })

  const lineOf = (name: string, value: string) => {
    const faults = faultsOf({ ...PRODUCTION, [name]: value })
    expect(faults.every((line) => line.startsWith(name))).toBe(true)
    return faults.length
  }

  test.each([
    'postgres://hedgerow@db.example/shop',
    'postgres://hedgerow@10.0.0.5/shop',
    'postgres://hedgerow@db.example/shop?ssl=true',
    'postgres://hedgerow@db.example/shop?sslmode=disable',
    'postgres://hedgerow@db.example/shop?sslmode=prefer',
    'postgres://hedgerow@db.example/shop?sslmode=require',
    'postgres://hedgerow@db.example/shop?sslmode=no-verify',
    'postgres://hedgerow@db.example/shop?sslmode=verify-full&sslmode=disable',
    'postgres://hedgerow@db.example/shop?ssl%6dode=verify-full',
    'postgres://hedgerow@db.example/shop?sslmode=verify-full&application_name=a b',
    'postgres://127.0.0.1/shop?host=db.example',
    'postgres://127.0.0.1/shop?host=127.0.0.1&host=db.example',
    'postgres://localhost.example/shop',
  ])('refuse a database that may be spoken to without TLS, or with any server: %s', (url) => {
    expect(lineOf('DATABASE_URL', url)).toBe(1)
    const allowed = readSettings({ ...PRODUCTION, DATABASE_URL: url, DATABASE_ALLOW_PLAINTEXT: 'on' })
    expect(allowed.warnings).toEqual([expect.stringContaining('DATABASE_ALLOW_PLAINTEXT is on')])
  })

  test.each([
    'postgres://hedgerow@db.example/shop?sslmode=verify-full',
    'postgresql://db.example/shop?sslrootcert=/etc/ca.pem&sslmode=verify-full',
    'postgres://127.0.0.1:5432/shop',
    'postgres://LOCALHOST/shop',
    'postgres://[::1]/shop',
    'postgres:///shop?host=/var/run/postgresql',
    'postgres://%2Fvar%2Frun%2Fpostgresql/shop',
    'postgres:///shop',
  ])('take a database on this machine, or with a certificate that is checked: %s', (url) => {
    expect(lineOf('DATABASE_URL', url)).toBe(0)
  })

  test.each(['0.0.0.0', '::', '10.0.0.5', 'shop.internal'])(
    'refuse to be spoken to without TLS from another machine: HOST=%s',
    (host) => {
      expect(lineOf('HOST', host)).toBe(1)
      const allowed = readSettings({ ...PRODUCTION, HOST: host, HOST_ALLOW_PLAINTEXT: 'on' })
      expect(allowed.warnings).toEqual([expect.stringMatching(/^HOST_ALLOW_PLAINTEXT is on/)])
    },
  )

  test('tell no other machine what the shop earns, unless that is allowed', () => {
    expect(lineOf('METRICS_HOST', '0.0.0.0')).toBe(1)
    const allowed = { ...PRODUCTION, METRICS_HOST: '0.0.0.0', HOST_ALLOW_PLAINTEXT: 'on' }
    expect(readSettings(allowed).metricsHost).toBe('0.0.0.0')
    expect(readSettings(PRODUCTION).metricsHost).toBe('127.0.0.1')
  })

  test.each(['127.0.0.1', '::1', 'localhost'])('listen on this machine: HOST=%s', (host) => {
    expect(lineOf('HOST', host)).toBe(0)
    expect(faultsOf({ KEY_ENCRYPTION_KEY: KEY, HOST: '0.0.0.0' })).toEqual([])
  })

  test('take an address without a host for where PGHOST leads, as the driver does', () => {
    const env = { ...PRODUCTION, DATABASE_URL: 'postgres:///shop', PGHOST: 'db.example' }
    expect(faultsOf(env)).toHaveLength(1)
  })

  test.each([
    'smtp://mail.example?ignoreTLS=true',
    'smtp://mail.example?requireTLS=false',
    'smtps://mail.example?secured=true',
    'smtps://mail.example?tls.rejectUnauthorized=false',
    'smtp://mail.example?service=Maildev',
  ])('refuse a mail server whose address turns TLS off: %s', (url) => {
    expect(lineOf('SMTP_URL', url)).toBe(1)
    expect(faultsOf({ ...PRODUCTION, SMTP_URL: url, SMTP_ALLOW_PLAINTEXT: 'on' })).toEqual([])
  })

  test('have STARTTLS demanded of every mail server but one on this machine', () => {
    const urlOf = (SMTP_URL: string, env = {}) => readSettings({ ...PRODUCTION, SMTP_URL, ...env }).smtpUrl
    expect(urlOf('smtp://me:pass@mail.example:587')).toBe('smtp://me:pass@mail.example:587?requireTLS=true')
    expect(urlOf('SMTP://mail.example')).toMatch(/requireTLS=true/)
    expect(urlOf('smtp://127.0.0.1:25')).toBe('smtp://127.0.0.1:25')
    expect(urlOf('smtp://mail.example', { SMTP_ALLOW_PLAINTEXT: 'on' })).toBe('smtp://mail.example')
  })

  test('say what card statements show only where the operator has said it', () => {
    expect(readSettings(PRODUCTION).statementDescriptor).toBeUndefined()
    const set = { ...PRODUCTION, STATEMENT_DESCRIPTOR: ' HEDGEROW*VPN ' }
    expect(readSettings(set).statementDescriptor).toBe('HEDGEROW*VPN')
    expect(faultsOf({ ...PRODUCTION, STATEMENT_DESCRIPTOR: 'HDGR' })).toEqual([
      expect.stringMatching(/^STATEMENT_DESCRIPTOR must be 5 to 22 Latin letters/),
    ])
  })

  test('warn of VAT numbers that no register confirms', () => {
    const oss = { ...PRODUCTION, VAT_SCHEME: 'oss', OSS_VAT_NUMBER: 'EU372000001' }
    expect(readSettings(oss).warnings).toEqual([
      expect.stringMatching(/^VIES_URL is not set: any VAT number/),
    ])
    expect(readSettings({ ...oss, VIES_URL: 'https://vies.example' }).warnings).toEqual([])
  })

  test('warn of mail without TLS, and of limits that are off', () => {
    expect(readSettings(PRODUCTION).warnings).toEqual([])
    const env = { ...PRODUCTION, SMTP_ALLOW_PLAINTEXT: 'on', RATE_LIMIT_SCALE: '0' }
    expect(readSettings(env).warnings).toEqual([
      expect.stringContaining('SMTP_ALLOW_PLAINTEXT is on'),
      expect.stringContaining('RATE_LIMIT_SCALE is 0'),
    ])
  })

  test.each([
    'sandbox-secret',
    'a long secret',
    'secret',
    'x9Kd72mQp',
    'aaaaaaaaaaaaaaaaaaaaaaaa',
    'sandbox-secret-sandbox-secret',
    'change-me-change-me-change-me',
  ])('refuse the gateway’s secret %s, which is short or published', (secret) => {
    expect(lineOf('GATE_SECRET', secret)).toBe(1)
    expect(faultsOf({ GATE_SECRET: secret, KEY_ENCRYPTION_KEY: KEY })).toEqual([])
  })

  test.each(['secret', 'hedgerow', 'change-me', 'Password1'])(
    'refuse the password %s of an example',
    (password) => {
      const [database, mail] = [
        `postgres://hedgerow:${password}@127.0.0.1/shop`,
        `smtps://hedgerow:${password}@mail.example`,
      ]
      expect(lineOf('DATABASE_URL', database)).toBe(1)
      expect(lineOf('SMTP_URL', mail)).toBe(1)
      expect(faultsOf({ DATABASE_URL: database, SMTP_URL: mail, KEY_ENCRYPTION_KEY: KEY })).toEqual([])
      expect(faultsOf({ ...PRODUCTION, DATABASE_URL: database, SMTP_URL: mail }).join()).not.toContain(
        `:${password}@`,
      )
    },
  )

  test('take an address whose password is its own, or which has none', () => {
    for (const address of ['postgres://hedgerow:x9Kd%zz72@127.0.0.1/shop', 'postgres://127.0.0.1/shop'])
      expect(lineOf('DATABASE_URL', address)).toBe(0)
  })

  const WEAK_KEYS: [string, Buffer][] = [
    ['of equal bytes', Buffer.alloc(32, 7)],
    ['of zeros', Buffer.alloc(32)],
    ['that was typed', Buffer.from('correct horse battery staple 12!')],
    ['that was typed in Cyrillic', Buffer.from('правильныйпароль')],
    ['that is counted up', Buffer.from(Array.from({ length: 32 }, (_, index) => index + 0xc0))],
    ['of eight bytes, four times', Buffer.concat(Array(4).fill(randomBytes(8)))],
  ]

  test.each(WEAK_KEYS)('refuse a key %s', (_, key) => {
    expect(key).toHaveLength(32)
    expect(lineOf('KEY_ENCRYPTION_KEY', key.toString('base64'))).toBe(1)
  })

  test('take a key that was drawn, whichever it is', () => {
    for (let i = 0; i < 300; i++)
      expect(lineOf('KEY_ENCRYPTION_KEY', randomBytes(32).toString('base64'))).toBe(0)
  })

  test('refuse pages of banks without TLS, and certificates that are not checked', () => {
    expect(lineOf('ISSUER_ORIGINS', 'http://acs.example')).toBe(1)
    expect(lineOf('NODE_TLS_REJECT_UNAUTHORIZED', '0')).toBe(1)
    expect(lineOf('NODE_TLS_REJECT_UNAUTHORIZED', '1')).toBe(0)
  })
})

test.each([
  '0.0.0.0/0',
  '0.0.0.0/0.0.0.0',
  '0.0.0.0/1',
  '64.0.0.0/4',
  '::/0',
  '2000::/3',
  '::ffff:0:0/96',
  '::/1',
])('proxies are not believed that may be anyone: %s', (network) => {
  const env = { KEY_ENCRYPTION_KEY: KEY, TRUSTED_PROXIES: network }
  expect(faultsOf(env)).toEqual([`TRUSTED_PROXIES: "${network}" is so wide that it includes strangers`])
})
