import { isTest, lineAt, type SourceFile, withoutComments } from './source-files.ts'

interface OneSource {
  readonly pattern: RegExp
  /** The only file that may contain the pattern. */
  readonly source: string
  readonly instead: string
}

/** Operations that are safe only because a single file performs them. */
const rules: readonly OneSource[] = [
  {
    pattern: /\bcreate(?:Secure)?Server\(/g,
    source: 'packages/runtime/src/serving/http-server.ts',
    instead: 'use HttpServer: what clients send is taken care of there',
  },
  {
    // A seeded `Random` returns the same numbers on every machine, so secrets must not come from it.
    pattern: /\b\w*(?:token|secret|password|credential)\w*\b[^\n]*\brandom\.(?:text|uuid|uint32|next)\(/gi,
    source: 'packages/runtime/src/random/secret-token.ts',
    instead: 'secrets come from secretToken()',
  },
]

/** Folders of programs that are not shipped. */
const ownUse = ['tests/']

/** Returns one line for each place that creates a server or a secret outside the file that is responsible for it. */
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
