import type { KubeObject } from '@kerf/apis'
import type { RepeatedKeyLine } from './yaml-documents.ts'

/** An object and its position in a file. */
export interface Manifest {
  readonly object: KubeObject
  readonly file: string
  /** 1-based number of the line on which the document starts. It is 0 for objects from a live cluster. */
  readonly line: number
  /** Keys that occur more than once in the document. The object has the last value of each key. */
  readonly repeatedKeys?: readonly RepeatedKeyLine[]
}
