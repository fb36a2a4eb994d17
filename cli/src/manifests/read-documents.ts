import { parseDocuments } from './parse-manifests.ts'
import { type ReadOptions, readTexts } from './read-manifests.ts'

/** A document of a file that need not be a manifest. */
export interface FoundDocument {
  readonly value: unknown
  readonly file: string
  /** 1-based line of its start. */
  readonly line?: number
}

/**
 * Every document of the files and directories, in order; `-` is the standard input. YAML, JSON, and each of them gzipped.
 *
 * @throws ManifestError for what cannot be read
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
