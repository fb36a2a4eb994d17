import type { KubeObject } from '@kerf/apis'
import type { RepeatedKeyLine } from './yaml-documents.ts'

/** An object and where it stands, for messages. */
export interface Manifest {
  readonly object: KubeObject
  readonly file: string
  /** 1-based line of the document's start, where the format has lines. */
  readonly line: number
  /** Fields of the document that are there twice; the object has their last values. */
  readonly repeatedKeys?: readonly RepeatedKeyLine[]
}
