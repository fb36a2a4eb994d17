import { isTest, lineAt, type SourceFile, withoutComments } from './source-files.ts'

interface OneSource {
  readonly pattern: RegExp
  /** The one file that may. */
  readonly source: string
  readonly instead: string
}

/** What is safe only because it is done in one place. */
const rules: readonly OneSource[] = [
  {
    pattern: /\bcreate(?:Secure)?Server\(/g,
    source: 'runtime/src/serving/http-server.ts',
    instead: 'use HttpServer: what clients send is taken care of there',
  },
  {
    // `Random` may be seeded, and then gives the same on every machine.
    pattern: /\b\w*(?:token|secret|password|credential)\w*\b[^\n]*\brandom\.(?:text|uuid|uint32|next)\(/gi,
    source: 'runtime/src/random/secret-token.ts',
    instead: 'secrets come from secretToken()',
  },
]

/** Programs of the repository that nobody is given. */
const ownUse = ['test/', 'bench/', 'sim/']

/** Servers and secrets that are made past the one place for them. One line each. */
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
