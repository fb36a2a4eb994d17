import { ownValue } from '@kerf/apis'
import type { NodeRecognition } from '@kerf/provider-contract'

/** The label, and the key of the taint, of preemptible instances of OKE. */
const PREEMPTIBLE = 'oci.oraclecloud.com/oke-is-preemptible'

/** How to recognise nodes of Oracle Cloud. Their labels do not name a node pool of OKE. */
export const recognisedNodes: NodeRecognition = {
  isProviderId: (providerID) => /^(?:oci:\/\/)?ocid1\.instance\./.test(providerID),
  exampleProviderId: 'ocid1.instance.oc1.phx.aaaaexample',
  capacityTypeOf: (labels) =>
    ownValue(labels, 'karpenter.sh/capacity-type') ?? (ownValue(labels, PREEMPTIBLE) === 'true' ? 'spot' : undefined),
  groupOf: () => undefined,
}
