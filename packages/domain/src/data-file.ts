/** The name of the file with everything held about a customer. */
export const dataFileName = (brandName: string): string => {
  const slug = brandName
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  return `${slug || 'account'}-data.json`
}
