import { isTest, lineAt, type SourceFile, withoutComments } from './source-files.ts'

const isProduct = (path: string): boolean => /^(?:packages|providers)\/.*\/src\//.test(path) && !isTest(path)

/**
 * Returns each place of product code that throws a plain `Error`, or passes one to a promise or a result. One line each. A user who sees
 * such an error has no code to search for, and a reader of the code does not know whether a user can see it.
 */
export const plainErrorProblems = (files: readonly SourceFile[]): readonly string[] =>
  files
    .filter(({ path }) => isProduct(path))
    .flatMap(({ path, text }) => {
      const code = withoutComments(text)
      return [...code.matchAll(/(?:\bthrow |\breject\(|\berror: )new Error\(/g)].map(
        (match) =>
          `${path}:${lineAt(code, match.index)} a plain Error has no code: use an error of defineErrors if a user can see it, ProblemError if the caller adds the code, InvariantError for a programming error`,
      )
    })
