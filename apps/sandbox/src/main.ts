import { startSandbox } from '#app.ts'
import { readSettings, SettingsError } from '#settings.ts'

const start = async (): Promise<void> => {
  const sandbox = await startSandbox(readSettings(process.env))
  const { url, smtpPort } = sandbox
  console.log(`Sandbox: pages and gateway at ${url}, inbox at ${url}/mail, SMTP on port ${smtpPort}`)
  process.send?.({ ready: true, url, smtpPort })

  let isStopping = false
  const stop = () => {
    // A second Ctrl+C means it.
    if (isStopping) process.exit(1)
    isStopping = true
    void sandbox.close().then(() => process.exit(0))
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  // Started by another program: it ends with that one.
  process.on('disconnect', stop)
}

start().catch((error: Error) => {
  console.error(error instanceof SettingsError ? `sandbox: ${error.message}` : error)
  process.exit(1)
})
