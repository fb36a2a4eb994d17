import { isTest, lineAt, type SourceFile, withoutComments } from './source-files.ts'

interface OneSource {
  readonly pattern: RegExp
  /** The only file that may use it. */
  readonly source: string
  readonly instead: string
}

/** Operations that are safe only because one file performs them. */
const rules: readonly OneSource[] = [
  {
    pattern: /\bcreate(?:Secure)?Server\(/g,
    source: 'packages/runtime/src/serving/http-server.ts',
    instead: 'use HttpServer: what clients send is taken care of there',
  },
  {
    // `Random` may be seeded, and then gives the same on every machine.
    pattern: /\b\w*(?:token|secret|password|credential)\w*\b[^\n]*\brandom\.(?:text|uuid|uint32|next)\(/gi,
    source: 'packages/runtime/src/random/secret-token.ts',
    instead: 'secrets come from secretToken()',
  },
]

/** Programs of the repository that are not shipped. */
const ownUse = ['tests/']

/** Returns the places that create servers or secrets outside the file for them. One line each. */
export const oneSourceProblems = (files: readonly SourceFile[]): readonly string[] =>
  files
    .filter(({ path }) => !isTest(path) && !ownUse.some((folder) => path.startsWith(folder)))
    .flatMap(({ path, text }) => {
      const code = withoutComments(text)
      return rules
        .filter(({ source }) => source !== path)
        .flatMap(({ pattern, instead }) =>
          [...code.matchAll(pattern)].map(({ index }) => `${path}:${lineAt(code, index)} ${instead}`),
        )
    })
