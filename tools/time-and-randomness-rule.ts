import { isTest, lineAt, type SourceFile, withoutComments } from './source-files.ts'

const folders = [
  'packages/apis/',
  'packages/engine/',
  'packages/runtime/',
  'packages/controllers/',
  'providers/',
  'packages/sandbox/',
  'tests/support/builders/',
]

/** The files that wrap the system's clock and randomness for all other code. */
const atTheSource: ReadonlySet<string> = new Set([
  'packages/runtime/src/clock/system-clock.ts',
  'packages/runtime/src/random/system-random.ts',
  // Secrets must not come from a source of randomness that may be seeded.
  'packages/runtime/src/random/secret-token.ts',
  // The virtual clock waits until pending promises have settled before it advances its time.
  'packages/runtime/src/clock/virtual-clock.ts',
])

const forbidden = [
  /\bDate\.now\b/g,
  /\bnew Date\(\s*\)/g,
  /(?<![.\w])(?:globalThis\.)?set(?:Timeout|Interval|Immediate)\(/g,
  /'node:timers(?:\/promises)?'/g,
  /\bMath\.random\b/g,
  /\bperformance\.now\b/g,
  /\bprocess\.hrtime\b/g,
  /\brandomUUID\b/g,
  /\brandomBytes\b/g,
  /\bgetRandomValues\b/g,
]

/** Returns one line for each use of the wall clock or of randomness outside the composition root (`packages/cli/`), which injects both. */
export const timeAndRandomnessProblems = (files: readonly SourceFile[]): readonly string[] =>
  files
    .filter(({ path }) => folders.some((folder) => path.startsWith(folder)) && !isTest(path) && !atTheSource.has(path))
    .flatMap(({ path, text }) => {
      const code = withoutComments(text)
      return forbidden.flatMap((pattern) =>
        [...code.matchAll(pattern)].map(
          (match) =>
            `${path}:${lineAt(code, match.index)} ${match[0].replace('(', '')}: take it from the Clock or Random that is passed in`,
        ),
      )
    })
