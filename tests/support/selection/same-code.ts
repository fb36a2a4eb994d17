import { transformSync } from 'esbuild'

/** Returns the program without types, comments and whitespace. */
const compiled = (path: string, text: string): string =>
  transformSync(text, {
    loader: path.endsWith('x') ? 'tsx' : 'ts',
    format: 'esm',
    target: 'esnext',
    jsx: 'preserve',
    minifyWhitespace: true,
    legalComments: 'none',
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
  }).code

/** Matches a string that begins with a relative path, for example in the import of a moved file. */
const relativePath = /(['"`])\.{1,2}\/(?:[^'"`]*\/)?([^'"`/]*)\1/g

/**
 * Reports whether two versions of a file behave the same. They do if they differ only in comments, types, whitespace, or the folders of
 * imported files that kept their names (a moved file is compared separately). A version that cannot be parsed counts as different.
 */
export const isSameCode = (path: string, before: string, after: string): boolean => {
  if (before === after) return true
  const text = (version: string): string => compiled(path, version).replaceAll(relativePath, "'$2'")
  try {
    return text(before) === text(after)
  } catch {
    return false
  }
}
