// The rule sets for safety alone; layout and style are biome's. Its packages are in the checker's own folder.
import { createRequire } from 'node:module'

const load = createRequire(`${process.env.ESLINT_FOLDER}/`)
const plugin = (name) => {
  const module = load(name)
  return module.default ?? module
}

export default [
  { ignores: ['**/node_modules/**', '**/dist/**', '**/dist-ssr/**', '**/*.test.*', '**/testing/**'] },
  plugin('eslint-plugin-security').configs.recommended,
  plugin('eslint-plugin-no-unsanitized').configs.recommended,
  plugin('eslint-plugin-regexp').configs['flat/recommended'],
  {
    files: ['**/*.{ts,tsx,mjs}'],
    languageOptions: {
      parser: load('@typescript-eslint/parser'),
      parserOptions: { ecmaFeatures: { jsx: true } },
    },
  },
]
