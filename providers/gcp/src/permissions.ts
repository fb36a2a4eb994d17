import { karpenterKinds, kinds } from '@kerf/apis'
import { garbageCollectionPermissions } from '@kerf/provider-kit'
import { may, mirrors, type Permission } from '@kerf/runtime'
import { CLIENT_SIGNER, SERVING_SIGNER, signerKind, signingRequestKind } from './csr/signing-request.ts'
import { gceNodeClassKind } from './node-class/gce-node-class.ts'

/** The permissions on the API server that the provider needs. */
export const gcpPermissions: readonly Permission[] = [
  ...garbageCollectionPermissions,
  may(['get', 'list', 'watch'], gceNodeClassKind, 'reading the launch configuration of instances'),
  may(['patch'], gceNodeClassKind, 'the finalizer and the hash used to detect drift'),
  may(['patch'], gceNodeClassKind, 'the images that were found, and the conditions', { subresource: 'status' }),
  mirrors(karpenterKinds.NodeClaim, 'finding the NodeClaims of instances'),
  may(['get', 'patch', 'delete'], karpenterKinds.NodeClaim, 'hashes, and instances that Compute Engine takes back'),
  mirrors(signingRequestKind, 'the certificate signing requests of kubelets'),
  may(['patch'], signingRequestKind, 'approving the certificates of kubelets on launched instances', {
    subresource: 'approval',
    unseen: 'the sandbox serves no certificate requests',
  }),
  may(['approve'], signerKind, 'approving the certificates of kubelets on launched instances', {
    names: [CLIENT_SIGNER, SERVING_SIGNER],
    unseen: 'the API server checks it when an approval is written',
  }),
  mirrors(karpenterKinds.NodePool, 'finding NodePools whose instance types cannot attach the disks of their class'),
  mirrors(kinds.Node, 'which Nodes the instances have, and which instances Compute Engine takes back'),
]
