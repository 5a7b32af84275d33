import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** No other kind of code: random modules of a QR code look, now and then, like the bars of another kind. */
const ONLY_QR = ['-Sdisable', '-Sqrcode.enable']

/** The bytes, as text, of the QR code in the picture of that file. Needs zbarimg, which `npm test` installs. */
export const readQrCode = async (file: string): Promise<string> =>
  (await run('zbarimg', ['--raw', '--quiet', '--nodbus', ...ONLY_QR, '-Sbinary', file])).stdout
