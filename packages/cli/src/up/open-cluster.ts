import type { Clock, KubeClient, Random } from '@kerf/runtime'

/** A cluster for `kerf up`, and how to close it. */
export interface OpenCluster {
  /** The name in the title: `sandbox`, `local control plane`, `context production`. */
  readonly name: string
  readonly clock: Clock
  readonly random: Random
  readonly client: KubeClient
  /** The path for KUBECONFIG. */
  readonly kubeconfig: string
  /** Whether this command created the cluster. Then CRDs are installed without asking, and the cluster is deleted at the end. */
  readonly disposable: boolean
  /** Whether the cluster itself starts the pods on simulated nodes; otherwise the provider does. */
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
