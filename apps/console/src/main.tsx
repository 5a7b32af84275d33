import 'virtual:brand.css'
import '#app/console.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Console } from '#app/console.tsx'
import { applyTheme } from '#lib/theme.ts'

const root = document.getElementById('root')
if (!root) throw new Error('The document has no #root')

applyTheme()
createRoot(root).render(
  <StrictMode>
    <Console />
  </StrictMode>,
)
