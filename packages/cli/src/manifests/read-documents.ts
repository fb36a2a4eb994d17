import { parseDocuments } from './parse-manifests.ts'
import { type ReadOptions, readTexts } from './read-manifests.ts'

/** A document in a file. It may be something other than a manifest. */
export interface FoundDocument {
  readonly value: unknown
  readonly file: string
  /** 1-based number of the line on which it starts. */
  readonly line?: number
}

/**
 * Returns every document in the files and directories, in order. `-` means standard input. Reads YAML and JSON, and gzip files of
 * either.
 *
 * @throws ManifestError if a file cannot be read
 */
export const readDocuments = async (
  paths: readonly string[],
  options: Pick<ReadOptions, 'stdin' | 'recursive'> = {},
): Promise<readonly FoundDocument[]> => {
  const found: FoundDocument[] = []
  for await (const { text, file } of readTexts(paths, options))
    found.push(...parseDocuments(text, file).map(({ value, line }) => ({ value, file, line })))
  return found
}
