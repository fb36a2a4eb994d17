import type { HashAnnotations } from '@kerf/provider-kit'
import { GCP_GROUP } from './label-names.ts'

/** The finalizer of node classes. */
export const NODE_CLASS_FINALIZER = `${GCP_GROUP}/termination`

/** The annotations with the hash of a node class, on the class and on its NodeClaims. */
export const nodeClassHashAnnotations: HashAnnotations = {
  hash: `${GCP_GROUP}/gcenodeclass-hash`,
  version: `${GCP_GROUP}/gcenodeclass-hash-version`,
}
