import type { Clock, KubeClient, Random } from '@kerf/runtime'

/** A cluster for `kerf up`, and how to close it. */
export interface OpenCluster {
  /** The name to show in the title: `sandbox`, `local control plane` or `context production`. */
  readonly name: string
  readonly clock: Clock
  readonly random: Random
  readonly client: KubeClient
  /** The path of the cluster's kubeconfig, to which users set KUBECONFIG. */
  readonly kubeconfig: string
  /** Whether this command created the cluster. If so, CRDs are installed without asking, and the cluster is deleted at the end. */
  readonly disposable: boolean
  /** Whether the cluster itself starts pods on simulated nodes. Otherwise the provider starts them. */
  readonly playsKubelets: boolean
  close(): Promise<void>
}

export interface OpenOptions {
  readonly port: number
  readonly speed: number
  readonly seed: number
  readonly kubeconfig?: string
  readonly context?: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Shows a line about a slow step. */
  progress(line: string): void
}
