import { deflateSync } from 'node:zlib'

type Doc = PDFKit.PDFDocument

/** What pdfkit has and its types do not tell. */
type Content = {
  buffer: Uint8Array[]
  compress: boolean
  data: Record<string, unknown>
  write: (line: string) => void
  finalize: () => void
}
type Writing = { _offset: number; _write: (data: string | Uint8Array) => void; page: { content: Content } }

/** The next levels take twice as long for a twentieth less. */
const DEFLATE = { level: 3 }

/** Makes bytes of a page's lines when it ends, all at once; pdfkit does of each by itself. */
const gatherLines = ({ page: { content } }: Writing): void => {
  let lines = ''
  content.write = (line) => {
    lines += `${line}\n`
  }
  const finalize = content.finalize.bind(content)
  content.finalize = () => {
    content.buffer = [deflateSync(Buffer.concat([...content.buffer, Buffer.from(lines, 'latin1')]), DEFLATE)]
    content.compress = false
    content.data.Filter = 'FlateDecode'
    finalize()
  }
}

/**
 * Gathers what a document writes; to be called before anything is put on its first page. A stream with each line by itself
 * takes longer than laying the lines out. When the document has ended, one reading gives the whole.
 */
export const gatherOutput = (doc: Doc): void => {
  const writing = doc as unknown as Writing
  const pieces: Uint8Array[] = [doc.read()]
  let lines = ''
  const endLines = () => {
    pieces.push(Buffer.from(lines, 'latin1'))
    lines = ''
  }
  writing._write = (data) => {
    if (data instanceof Uint8Array) {
      endLines()
      pieces.push(data)
      writing._offset += data.length
    } else {
      lines += `${data}\n`
      writing._offset += data.length + 1
    }
  }
  gatherLines(writing)
  doc.on('pageAdded', () => gatherLines(writing))
  const push = doc.push.bind(doc)
  // All that pdfkit still pushes by itself is the end.
  doc.push = (end) => {
    endLines()
    push(Buffer.concat(pieces))
    return push(end)
  }
}
