import { transformSync } from 'esbuild'

/** The program without types, comments and blank space. */
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

/** A string that begins like a relative path: where a moved file is imported from. */
const relativePath = /(['"`])\.{1,2}\/(?:[^'"`]*\/)?([^'"`/]*)\1/g

/**
 * Reports whether two versions of a file run alike: they differ in comments, types or blank space only, or in the folders that
 * they import files of the same name from (a file that moved is compared by itself). A text that cannot be read differs.
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
