/** What pdfkit leaves to be said of a document that is kept: it writes either PDF/A or PDF/UA, and escapes nothing. */

type Doc = PDFKit.PDFDocument

type Info = Record<string, unknown>

/** What pdfkit has and its types do not tell. */
type WithMetadata = { info: Info; appendXML: (xml: string) => void; _addInfo: () => void }

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

const escapeXml = (text: string): string => text.replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign)

/** A company may be called "Wren & Sons": unescaped, the metadata were no XML. */
export const escapeMetadata = (doc: Doc): void => {
  const inner = doc as unknown as WithMetadata
  const addInfo = inner._addInfo
  inner._addInfo = () => {
    const { info } = inner
    inner.info = Object.fromEntries(
      Object.entries(info).map(([name, value]) => [
        name,
        typeof value === 'string' ? escapeXml(value) : value,
      ]),
    )
    addInfo.call(inner)
    inner.info = info
  }
}

/** PDF/A takes only names in its metadata that it knows or that are explained to it (ISO 19005-3, 6.6.2.3.3). */
const PDFUA_SCHEMA = `
        <rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/"
            xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#">
            <pdfaExtension:schemas>
                <rdf:Bag>
                    <rdf:li rdf:parseType="Resource">
                        <pdfaSchema:schema>PDF/UA Universal Accessibility Schema</pdfaSchema:schema>
                        <pdfaSchema:namespaceURI>http://www.aiim.org/pdfua/ns/id/</pdfaSchema:namespaceURI>
                        <pdfaSchema:prefix>pdfuaid</pdfaSchema:prefix>
                        <pdfaSchema:property>
                            <rdf:Seq>
                                <rdf:li rdf:parseType="Resource">
                                    <pdfaProperty:name>part</pdfaProperty:name>
                                    <pdfaProperty:valueType>Integer</pdfaProperty:valueType>
                                    <pdfaProperty:category>internal</pdfaProperty:category>
                                    <pdfaProperty:description>Part of ISO 14289</pdfaProperty:description>
                                </rdf:li>
                            </rdf:Seq>
                        </pdfaSchema:property>
                    </rdf:li>
                </rdf:Bag>
            </pdfaExtension:schemas>
        </rdf:Description>
        <rdf:Description rdf:about="" xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/">
            <pdfuaid:part>1</pdfuaid:part>
        </rdf:Description>`

const changedAt = (made: Date): string => `
        <rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/">
            <xmp:ModifyDate>${made.toISOString().slice(0, 19)}Z</xmp:ModifyDate>
        </rdf:Description>
`

/** Says of a PDF/A document that it keeps to PDF/UA-1 as well, and when it was last changed, as its other facts do. */
export const declareAccessible = (doc: Doc, made: Date): void =>
  (doc as unknown as WithMetadata).appendXML(`${PDFUA_SCHEMA}${changedAt(made)}`)
