import type { KubeObject } from '@kerf/apis'
import type { RepeatedKeyLine } from './yaml-documents.ts'

/** An object and its position in a file, for messages. */
export interface Manifest {
  readonly object: KubeObject
  readonly file: string
  /** 1-based line where the document starts, if the format has lines. */
  readonly line: number
  /** Keys that occur more than once in the document. The object has their last values. */
  readonly repeatedKeys?: readonly RepeatedKeyLine[]
}
