import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '@hedgerow/embedded-postgres/ports'
import { startPostgres } from '@hedgerow/embedded-postgres/start'
import { startBenchShop } from '../../bench/shop.ts'
import { buildPages } from '../build-pages.ts'

export type SecurityShop = {
  /** Without TLS, straight to the shop. */
  url: string
  /** The port where TLS would end; nginx listens there once it is started. */
  tlsPort: number
  /** A session of a customer who has nothing yet. */
  token: string
  startProxy: () => Promise<void>
  stop: () => Promise<void>
}

/** The shipped site, but for what a machine without its host name and certificate has to have changed. */
const localSite = (
  shipped: string,
  folder: string,
  port: number,
  tlsPort: number,
  httpPort: number,
): string => {
  const changes: [RegExp, string][] = [
    [/server 127\.0\.0\.1:3000;/, `server 127.0.0.1:${port};`],
    [/^ {4}listen \[::\].*\n/gm, ''],
    [/listen 80;/, `listen 127.0.0.1:${httpPort};`],
    [/listen 443 ssl http2;/, `listen 127.0.0.1:${tlsPort} ssl http2;`],
    [/\/etc\/letsencrypt\/live\/shop\.example\/fullchain\.pem/, `${folder}/cert.pem`],
    [/\/etc\/letsencrypt\/live\/shop\.example\/privkey\.pem/, `${folder}/key.pem`],
    [/\/var\/log\/nginx\/hedgerow\.log/, `${folder}/access.log`],
    [/shop\.example/g, '127.0.0.1'],
  ]
  return changes.reduce((text, [from, to]) => {
    if (!new RegExp(from.source, 'm').test(text))
      throw new Error(`deploy/nginx.conf has no ${from.source} any more`)
    return text.replace(from, to)
  }, shipped)
}

const makeCertificate = (folder: string): Promise<void> =>
  new Promise((made, failed) => {
    const files = ['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'cert.pem')]
    const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '90']
    const args = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...files, ...subject]
    const child = spawn('openssl', args, { stdio: 'ignore' })
    child.on('error', failed)
    child.on('exit', (code) => (code === 0 ? made() : failed(new Error(`openssl ended with ${code}`))))
  })

const isAnswered = (url: string) =>
  fetch(url).then(
    () => true,
    ({ cause }: { cause?: { code?: string } }) => cause?.code !== 'ECONNREFUSED',
  )

const startNginx = async (folder: string, site: string, url: string): Promise<ChildProcess> => {
  await writeFile(join(folder, 'site.conf'), site)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((kind) => `${kind}_temp_path ${folder}/${kind};`)
    .join(' ')
  const config = `pid ${folder}/nginx.pid; error_log ${folder}/error.log; events {} http { ${temporary} include ${folder}/site.conf; }`
  await writeFile(join(folder, 'nginx.conf'), config)
  const child = spawn('nginx', ['-c', join(folder, 'nginx.conf'), '-g', 'daemon off;'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  for (let tries = 0; !(await isAnswered(url)); tries++) {
    if (child.exitCode !== null || tries > 100) throw new Error('nginx does not take the shipped site')
    await pause(100)
  }
  return child
}

/** The whole shop as it stands behind its proxy: an https address, real database, sandbox, pages. */
export const startSecurityShop = async (root: string, scratch: string): Promise<SecurityShop> => {
  await buildPages(root)
  const folder = join(scratch, 'shop')
  await mkdir(folder, { recursive: true })
  const [tlsPort, httpPort] = [await freePort(), await freePort()]
  const postgres = await startPostgres({ dataDir: folder })
  const env = { PUBLIC_URL: `https://127.0.0.1:${tlsPort}`, TRUSTED_PROXIES: '127.0.0.1' }
  const shop = await startBenchShop(postgres.url, folder, 1, env)
  let nginx: ChildProcess | undefined
  return {
    url: `http://127.0.0.1:${shop.port}`,
    tlsPort,
    token: shop.tokens[0] ?? '',
    startProxy: async () => {
      if (nginx) return
      await makeCertificate(folder)
      const shipped = await readFile(join(root, 'deploy/nginx.conf'), 'utf8')
      const site = localSite(shipped, folder, shop.port, tlsPort, httpPort)
      nginx = await startNginx(folder, site, `https://127.0.0.1:${tlsPort}/`)
    },
    stop: async () => {
      nginx?.kill('SIGTERM')
      await shop.stop()
      await postgres.stop()
    },
  }
}
