/** A file as the operators' API takes it. */
export const sentFile = (file: File): Promise<{ name: string; base64: string }> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => {
      const [, base64 = ''] = String(reader.result).split(',')
      resolve({ name: file.name, base64 })
    }
    reader.onerror = () => reject(new Error(`${file.name} could not be read. Please choose it again.`))
    reader.readAsDataURL(file)
  })
