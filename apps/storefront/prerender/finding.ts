/** For search engines: what is there, and what is not for them. */
export const robotsTxt = (publicUrl: string) => `User-agent: *
Disallow: /api/
Disallow: /checkout/
Disallow: /payment/
Disallow: /profile

Sitemap: ${new URL('/sitemap.xml', publicUrl).href}
`

export const sitemapXml = (
  publicUrl: string,
  paths: readonly string[],
) => `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${paths.map((path) => `  <url><loc>${new URL(path, publicUrl).href}</loc></url>`).join('\n')}
</urlset>
`
