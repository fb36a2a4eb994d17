import type { HashAnnotations } from '@kerf/provider-kit'

/**
 * The names that the two public Karpenter providers for Oracle Cloud use, and Kerf's own names
 * (`providers/oci/docs/spec/oci.md#two-upstream-providers`).
 */

/** The API group of OciNodeClass, the kind of zoom/karpenter-oci. */
export const COMMUNITY_GROUP = 'karpenter.k8s.oracle'
/** The API group of OCINodeClass, the kind of oracle/karpenter-provider-oci. */
export const ORACLE_GROUP = 'oci.oraclecloud.com'

/** The public provider whose rules apply to a node class. The API group of the class determines it. */
export type Upstream = 'community' | 'oracle'

const community = <const Name extends string>(name: Name): `${typeof COMMUNITY_GROUP}/${Name}` =>
  `${COMMUNITY_GROUP}/${name}`
const oracle = <const Name extends string>(name: Name): `${typeof ORACLE_GROUP}/${Name}` => `${ORACLE_GROUP}/${name}`

/** The labels of nodes of an OciNodeClass. */
export const communityLabels = {
  nodeClass: community('ocinodeclass'),
  shape: community('instance-shape-name'),
  /** vCPU */
  cpu: community('instance-cpu'),
  /** MiB */
  memory: community('instance-memory'),
  gpu: community('instance-gpu'),
  gpuDescription: community('instance-gpu-description'),
  /** Gbps times 1024 */
  networkBandwidth: community('instance-network-bandwidth'),
  maxVnics: community('instance-max-vnics'),
  isFlexible: community('is-flexible'),
} as const

/** The labels of nodes of an OCINodeClass. The last four exist only with the value `true`. */
export const oracleLabels = {
  nodeClass: oracle('ocinodeclass'),
  shape: oracle('instance-shape'),
  faultDomain: oracle('fault-domain'),
  reservationId: oracle('capacity-reservation-id'),
  gpu: oracle('gpu-shape'),
  bareMetal: oracle('baremetal-shape'),
  denseIo: oracle('denseio-shape'),
  flexible: oracle('flex-shape'),
} as const

/** The capacity type of preemptible instances, by upstream provider. */
export const PREEMPTIBLE: Readonly<Record<Upstream, 'preemptible' | 'spot'>> = {
  community: 'preemptible',
  oracle: 'spot',
}

/** The annotations with the hash of a node class, by upstream provider. */
export const hashAnnotations: Readonly<Record<Upstream, HashAnnotations>> = {
  community: { hash: community('ocinodeclass-hash'), version: community('ocinodeclass-hash-version') },
  oracle: { hash: oracle('nodeclass-hash'), version: oracle('nodeclass-hash-version') },
}

/** Returns the upstream provider of a node class, or undefined for a class of another cloud. */
export const upstreamOfGroup = (group: string): Upstream | undefined =>
  group === COMMUNITY_GROUP ? 'community' : group === ORACLE_GROUP ? 'oracle' : undefined
