import type { SourceFile } from './source-files.ts'

/** The lines that git puts around what it could not merge; a line of equal signs alone also underlines a heading. */
const MARK = /^(?:<{7} |>{7} |\|{7} )/

/** What a merge left open in a file. */
export const conflictMarkProblems = (files: readonly SourceFile[]): readonly string[] =>
  files.flatMap(({ path, text }) =>
    text
      .split('\n')
      .flatMap((line, index) =>
        MARK.test(line) ? [`${path}:${index + 1}: a conflict of a merge is left: ${line.slice(0, 40)}`] : [],
      ),
  )
