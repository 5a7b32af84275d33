import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { OF_A_PROCESS } from '@hedgerow/api/database/connections-needed'
import { readSettings } from '@hedgerow/api/settings'
import { SHIPPED_LEGAL_DATE } from '@hedgerow/domain/legal-texts'
import { DCLinter } from 'dclint'
import { describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { isThere } from './browser.ts'

const DEPLOY = fileURLToPath(new URL('../deploy/', import.meta.url))
const read = (path: string): string => readFileSync(join(DEPLOY, path), 'utf8')

type Container = {
  image: string
  command?: string[]
  securityContext: Record<string, unknown>
}
type Pod = { securityContext: Record<string, unknown>; containers: Container[] }
type Manifest = {
  apiVersion: string
  kind: string
  metadata: { name: string }
  data?: Record<string, string>
  stringData?: Record<string, string>
  spec?: { template?: { spec: Pod } }
}
type Kustomization = { resources: string[]; images: { name: string; newTag: string }[] }

const FOLDERS = ['kubernetes', 'kubernetes/migrate']
const manifestFiles = FOLDERS.flatMap((folder) =>
  readdirSync(join(DEPLOY, folder))
    .filter((name) => name.endsWith('.yaml') && name !== 'kustomization.yaml')
    .map((name) => `${folder}/${name}`),
)
const manifests = manifestFiles.flatMap((file) =>
  parseAllDocuments(read(file)).map((document) => ({ file, manifest: document.toJS() as Manifest })),
)
const kustomizations = FOLDERS.map((folder) => parse(read(`${folder}/kustomization.yaml`)) as Kustomization)
const pods = manifests.flatMap(({ file, manifest }) => {
  const pod = manifest.spec?.template?.spec
  return pod ? [{ file, pod }] : []
})

const variablesOf = (kind: string): Record<string, string> => {
  const { data, stringData } = manifests.find(({ manifest }) => manifest.kind === kind)?.manifest ?? {}
  return { ...data, ...stringData }
}

type Model = { validate: () => void }
type Models = Record<string, new (manifest: Manifest) => Model>

/** What an example leaves to the operator. */
const FILLED_IN = {
  LEGAL_REVIEWED: SHIPPED_LEGAL_DATE,
  BRAND_COMPANY: 'Quickset Limited',
  BRAND_REGISTERED_OFFICE: '7 Lane End, York, England',
  DATABASE_URL: 'postgres://hedgerow:x9Kd72mQp@db.example/hedgerow?sslmode=verify-full',
  SMTP_URL: 'smtps://user:x9Kd72mQp@mail.example:465',
  GATE_SECRET: '9f8e7d6c5b4a39281706f5e4d3c2b1a0',
  KEY_ENCRYPTION_KEY: 'q0mBAz0H8E6U4Z1nGZ3m9n2Yq1v5b7w9s0d3f6h8j2k=',
}

/** What the shop looks for in its environment. */
const readNames = (env: Record<string, string>): Set<string> => {
  const names = new Set<string>()
  const note = (name: string | symbol) => names.add(String(name))
  readSettings(
    new Proxy(env, {
      get: (target, name) => {
        note(name)
        return target[String(name)]
      },
      getOwnPropertyDescriptor: (target, name) => {
        note(name)
        return Reflect.getOwnPropertyDescriptor(target, name)
      },
    }),
  )
  return names
}

describe('the files for Kubernetes', () => {
  test.each(manifests)('$file is as the schema of its kind wants it', async ({ manifest }) => {
    const models = (await import(`kubernetes-models/${manifest.apiVersion}`)) as Models
    const Kind = models[manifest.kind]
    expect(Kind, manifest.kind).toBeDefined()
    if (Kind) expect(() => new Kind(manifest).validate()).not.toThrow()
  })

  test('are all applied but the example of secrets, the shop and what migrates for it by one version', () => {
    const applied = kustomizations.flatMap(({ resources }, at) =>
      resources.map((name) => `${FOLDERS[at]}/${name}`),
    )
    expect([...applied, 'kubernetes/secrets.example.yaml'].sort()).toEqual(manifestFiles.sort())
    const [shop, migration] = kustomizations
    expect(migration?.images).toEqual(shop?.images)
  })

  test('say how many connections the database has to allow while all pods and that of an upgrade run', () => {
    const text = read('kubernetes/autoscaler.yaml')
    const { maxReplicas } = (parse(text) as { spec: { maxReplicas: number } }).spec
    const shop = parse(read('kubernetes/deployment.yaml')) as {
      spec: { strategy: { rollingUpdate: { maxSurge: number } } }
    }
    const pods = maxReplicas + shop.spec.strategy.rollingUpdate.maxSurge
    expect(text).toContain(`up to ${OF_A_PROCESS} connections`)
    expect(text).toContain(`these ${pods} want`)
    // PostgreSQL keeps three for superusers.
    const [, wanted] = /max_connections of (\d+)/.exec(text) ?? []
    expect(Number(wanted)).toBeGreaterThanOrEqual(pods * OF_A_PROCESS + 3)
  })

  test('have settings that the shop takes in production, and no others', () => {
    const [plain, secret] = [variablesOf('ConfigMap'), variablesOf('Secret')]
    const names = readNames({ ...plain, ...secret, ...FILLED_IN })
    for (const name of [...Object.keys(plain), ...Object.keys(secret)]) expect(names).toContain(name)
    expect(
      Object.keys(plain)
        .filter((name) => /SECRET|KEY|PASSWORD|_URL$/.test(name))
        .sort(),
    ).toEqual(['CONSOLE_URL', 'GATE_URL', 'PUBLIC_URL'])
  })

  test.each(pods)('$file: no container is root’s, may become it, or writes to its image', ({ pod }) => {
    expect(pod.securityContext).toMatchObject({
      runAsNonRoot: true,
      seccompProfile: { type: 'RuntimeDefault' },
    })
    for (const { securityContext } of pod.containers)
      expect(securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      })
  })
})

describe('the file for compose', () => {
  const RULES = { 'service-keys-order': 0, 'services-alphabetical-order': 0, 'require-quotes-in-ports': 0 }
  const file = join(DEPLOY, 'compose/compose.yaml')

  test('is as the schema of compose wants it', () => {
    const linter = new DCLinter({ rules: RULES } as never)
    const found = linter.lintFiles([file], false) as { messages: { type: string }[] }[]
    const messages = found.flatMap((one) => one.messages)
    expect(messages.filter(({ type }) => type === 'error')).toEqual([])
  })

  test('has settings that the shop takes in production beside those of its file', () => {
    const { services } = parse(read('compose/compose.yaml')) as {
      services: { shop: { environment: Record<string, string>; read_only: boolean } }
    }
    const { environment, read_only } = services.shop
    const ofFile = { ...variablesOf('ConfigMap'), ...FILLED_IN, METRICS_HOST: '' }
    const names = readNames({ ...ofFile, ...environment })
    for (const name of Object.keys(environment)) expect(names).toContain(name)
    expect(read_only).toBe(true)
  })
})

describe('the sites for nginx', () => {
  test('call each zone by its key, so that a reload with another key is taken', () => {
    const zones = [...read('nginx.conf').matchAll(/^limit_\w+_zone \$(\w+) zone=(\w+):/gm)]
    expect(zones).toHaveLength(5)
    for (const [, key = '', name] of zones)
      expect(name).toMatch(new RegExp(`_by_${key.replace('hedgerow_', '')}$`))
  })

  test('use the zones that there are', () => {
    const text = read('nginx.conf')
    const used = [...`${text}${read('nginx-console.conf')}`.matchAll(/limit_(?:req zone=|conn )(\w+)/g)]
    for (const [, name] of used) expect(text).toContain(` zone=${name}:`)
  })
})

test.skipIf(!isThere('nft') || process.getuid?.() !== 0)('the firewall’s rules are taken by nft', () => {
  const page = readFileSync(join(DEPLOY, '../docs/firewall.md'), 'utf8')
  const [, rules] = /```nft\n([^`]*)```/.exec(page) ?? []
  const { status, stderr } = spawnSync('nft', ['-c', '-f', '-'], { input: rules, encoding: 'utf8' })
  expect(stderr).toBe('')
  expect(status).toBe(0)
})
