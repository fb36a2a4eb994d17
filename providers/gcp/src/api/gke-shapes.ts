/** The cluster, as GKE returns it. */
export interface GkeCluster {
  /** 64 hexadecimal digits. */
  readonly id: string
  /** The zones of the cluster's nodes, sorted. */
  readonly zones: readonly string[]
  /** Paths of the network and the subnetwork. Undefined for a cluster without network configuration. */
  readonly network: string | undefined
  readonly subnetwork: string | undefined
  /** The secondary range for the addresses of pods. */
  readonly podRange: string | undefined
  /** Whether nodes have no public address by default. */
  readonly arePrivateNodes: boolean
  /** The release channel in lower case. Undefined for a cluster in no channel. */
  readonly releaseChannel: string | undefined
  /** The version of the control plane, for example `1.35.1-gke.1396002`. */
  readonly version: string
}

export interface GkeNodePool {
  readonly name: string
  /** RUNNING, RUNNING_WITH_ERROR, PROVISIONING, … */
  readonly status: string
}

/** A release channel of GKE. */
export interface ReleaseChannel {
  /** In lower case. */
  readonly name: string
  readonly defaultVersion: string
  readonly validVersions: readonly string[]
}
