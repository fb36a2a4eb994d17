import type { SourceFile } from './source-files.ts'

/** Matches the marker lines of a git conflict, except the line of equal signs, which can also underline a heading. */
const MARK = /^(?:<{7} |>{7} |\|{7} )/

/** Returns one line for each conflict marker in the files. */
export const conflictMarkProblems = (files: readonly SourceFile[]): readonly string[] =>
  files.flatMap(({ path, text }) =>
    text
      .split('\n')
      .flatMap((line, index) =>
        MARK.test(line) ? [`${path}:${index + 1}: a conflict of a merge is left: ${line.slice(0, 40)}`] : [],
      ),
  )
