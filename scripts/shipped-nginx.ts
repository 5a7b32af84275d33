import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

type Change = readonly [RegExp, string]

type Site = {
  root: string
  /** For its certificate, its logs and its temporary files. */
  folder: string
  /** Where the shop's processes listen. */
  ports: readonly number[]
  tlsPort: number
  httpPort: number
  /** What else is to differ from the shipped site. */
  changes?: readonly Change[]
}

/** The shipped site, but for what a machine without its host name and certificate has to have changed. */
const localSite = (
  shipped: string,
  { root, folder, ports, tlsPort, httpPort, changes = [] }: Site,
): string => {
  const servers = ports.map((port) => `server 127.0.0.1:${port} max_fails=0;`).join('\n    ')
  const all: readonly Change[] = [
    [/server 127\.0\.0\.1:3000 max_fails=0;/, servers],
    [/^ {4}listen \[::\].*\n/gm, ''],
    [/listen 80;/, `listen 127.0.0.1:${httpPort};`],
    [/listen 443 ssl http2;/, `listen 127.0.0.1:${tlsPort} ssl http2;`],
    [/\/etc\/letsencrypt\/live\/shop\.example\/fullchain\.pem/, `${folder}/cert.pem`],
    [/\/etc\/letsencrypt\/live\/shop\.example\/privkey\.pem/, `${folder}/key.pem`],
    [/\/var\/log\/nginx\/hedgerow\.log/, `${folder}/access.log`],
    [/\/var\/log\/nginx\/hedgerow-error\.log/, `${folder}/site-error.log`],
    [/\/etc\/nginx\/hedgerow-maintenance/g, `${folder}/maintenance`],
    [/\/opt\/hedgerow\/apps/g, `${root}/apps`],
    [/shop\.example/g, '127.0.0.1'],
    ...changes,
  ]
  return all.reduce((text, [from, to]) => {
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

/** Starts nginx with the shipped site before a shop; returns how it is stopped. */
export const startShippedNginx = async (site: Site): Promise<() => Promise<void>> => {
  const { root, folder, tlsPort } = site
  await mkdir(folder, { recursive: true })
  await makeCertificate(folder)
  const shipped = await readFile(join(root, 'deploy/nginx.conf'), 'utf8')
  await writeFile(join(folder, 'site.conf'), localSite(shipped, site))
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((kind) => `${kind}_temp_path ${folder}/${kind};`)
    .join(' ')
  // As root it would become a user who cannot look into a folder of ours.
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  const config = `${user} pid ${folder}/nginx.pid; error_log ${folder}/error.log; events {} http { ${temporary} include ${folder}/site.conf; }`
  await writeFile(join(folder, 'nginx.conf'), config)
  const child: ChildProcess = spawn('nginx', ['-c', join(folder, 'nginx.conf'), '-g', 'daemon off;'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const exit = once(child, 'exit')
  for (let tries = 0; !(await isAnswered(`https://127.0.0.1:${tlsPort}/`)); tries++) {
    if (child.exitCode !== null || tries > 100) throw new Error('nginx does not take the shipped site')
    await pause(100)
  }
  return async () => {
    child.kill('SIGTERM')
    await exit
  }
}
