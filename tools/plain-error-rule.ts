import { isTest, lineAt, type SourceFile, withoutComments } from './source-files.ts'

const isProduct = (path: string): boolean => /^(?:packages|providers)\/.*\/src\//.test(path) && !isTest(path)

/**
 * Returns one line for each place in product code that throws a plain `Error`, or passes one to a promise or a result. If a user sees such
 * an error, there is no code to search for, and readers of the source cannot tell whether a user can see it.
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
