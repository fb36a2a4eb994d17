import type { HashAnnotations } from '@kerf/provider-kit'
import { AZURE_GROUP } from './label-names.ts'

/** The finalizer of AKSNodeClasses, which stays until their NodeClaims are gone. */
export const NODE_CLASS_FINALIZER = `${AZURE_GROUP}/termination`

/** Upstream's annotations, which a take-over reads (`providers/azure/docs/spec/azure.md#api-object-aksnodeclass`). */
export const azureAnnotations = {
  nodeClassHash: `${AZURE_GROUP}/aksnodeclass-hash`,
  nodeClassHashVersion: `${AZURE_GROUP}/aksnodeclass-hash-version`,
  inPlaceUpdateHash: `${AZURE_GROUP}/in-place-update-hash`,
  machineResourceId: `${AZURE_GROUP}/aks-machine-resource-id`,
} as const

export const nodeClassHashAnnotations: HashAnnotations = {
  hash: azureAnnotations.nodeClassHash,
  version: azureAnnotations.nodeClassHashVersion,
}
