import { ownValue } from '@kerf/apis'
import type { NodeRecognition } from '@kerf/provider-contract'

/** The label key, and the taint key, of OKE's preemptible instances. */
const PREEMPTIBLE = 'oci.oraclecloud.com/oke-is-preemptible'

/** How Kerf recognises nodes of Oracle Cloud. Their labels do not identify the OKE node pool. */
export const recognisedNodes: NodeRecognition = {
  isProviderId: (providerID) => /^(?:oci:\/\/)?ocid1\.instance\./.test(providerID),
  exampleProviderId: 'ocid1.instance.oc1.phx.aaaaexample',
  capacityTypeOf: (labels) =>
    ownValue(labels, 'karpenter.sh/capacity-type') ?? (ownValue(labels, PREEMPTIBLE) === 'true' ? 'spot' : undefined),
  groupOf: () => undefined,
}
