import type { SourceFile } from './source-files.ts'

/** The lines of git's conflict markers. A line of only equal signs is left out, because it can also underline a heading. */
const MARK = /^(?:<{7} |>{7} |\|{7} )/

/** Returns the conflict markers in a file. */
export const conflictMarkProblems = (files: readonly SourceFile[]): readonly string[] =>
  files.flatMap(({ path, text }) =>
    text
      .split('\n')
      .flatMap((line, index) =>
        MARK.test(line) ? [`${path}:${index + 1}: a conflict of a merge is left: ${line.slice(0, 40)}`] : [],
      ),
  )
