import { crc32, deflateSync } from 'node:zlib'
import { QR } from '@hedgerow/domain/connections'
import encodeQr from 'qr'

const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
/** Light modules around the code. */
const MARGIN = 2

const LEVELS = { M: 'medium' } as const

/** A part of a file: how long it is, its name, its content, and a sum of both. */
const part = (type: string, data: Buffer): Buffer => {
  const named = Buffer.concat([Buffer.from(type), data])
  const whole = Buffer.alloc(4 + named.length + 4)
  whole.writeUInt32BE(data.length)
  named.copy(whole, 4)
  whole.writeUInt32BE(crc32(named), 4 + named.length)
  return whole
}

/** A text as a QR code in a PNG, black on white, a bit a pixel: as large as in the profile, and each module as large as another. */
export const qrImage = (text: string): Buffer => {
  const modules = encodeQr(text, 'raw', { ecc: LEVELS[QR.level], border: MARGIN })
  const scale = Math.floor(QR.size / modules.length)
  const before = Math.floor((QR.size - modules.length * scale) / 2)
  const moduleAt = (pixel: number) => Math.floor((pixel - before) / scale)
  const bitOf = (line: readonly boolean[], pixel: number) => (line[moduleAt(pixel)] ? 0 : 0x80 >> (pixel & 7))
  const byteOf = (line: readonly boolean[], place: number) => {
    let byte = 0
    for (let pixel = place * 8; pixel < place * 8 + 8; pixel++) byte |= bitOf(line, pixel)
    return byte
  }
  // Each row begins with the kind of its filter: none.
  const rowOf = (line: readonly boolean[]) =>
    Buffer.from([0, ...Array.from({ length: Math.ceil(QR.size / 8) }, (_, place) => byteOf(line, place))])
  const [lines, margin] = [modules.map(rowOf), rowOf([])]
  const rows = Array.from({ length: QR.size }, (_, y) => lines[moduleAt(y)] ?? margin)
  const header = Buffer.alloc(13)
  header.writeUInt32BE(QR.size, 0)
  header.writeUInt32BE(QR.size, 4)
  // A bit a pixel; the rest says grey, and nothing special.
  header[8] = 1
  return Buffer.concat([
    SIGNATURE,
    part('IHDR', header),
    part('IDAT', deflateSync(Buffer.concat(rows), { level: 9 })),
    part('IEND', Buffer.alloc(0)),
  ])
}
