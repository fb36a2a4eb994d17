import type { KubeObject } from '@kerf/apis'

/** An object and where it stands, for messages. */
export interface Manifest {
  readonly object: KubeObject
  readonly file: string
  /** 1-based line of the document's start, where the format has lines. */
  readonly line: number
}
