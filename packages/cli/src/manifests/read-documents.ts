import { parseDocuments } from './parse-manifests.ts'
import { type ReadOptions, readTexts } from './read-manifests.ts'

/** A document of a file that need not contain manifests. */
export interface FoundDocument {
  readonly value: unknown
  readonly file: string
  /** 1-based line where it starts. */
  readonly line?: number
}

/**
 * Returns every document of the files and directories, in order. `-` is the standard input. Reads YAML and JSON, also gzipped.
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
