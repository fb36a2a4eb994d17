import type { Upstream } from '../names.ts'

/** Prefixes of the shapes that Oracle's provider launches as preemptible instances (its shape metadata file of April 2026). */
const ORACLE_PREEMPTIBLE = [
  ...['VM.DenseIO1.4', 'VM.DenseIO1.8', 'VM.DenseIO1.16', 'VM.DenseIO2.8', 'VM.DenseIO2.16', 'VM.DenseIO2.24'],
  ...[
    'VM.Standard.A1.Flex',
    'VM.Standard.A4.Flex',
    'VM.Standard.E3.Flex',
    'VM.Standard.E4.Flex',
    'VM.Standard.E5.Flex',
  ],
  ...['VM.Standard.E6.Flex', 'VM.Standard3.Flex', 'VM.Optimized3.Flex', 'VM.GPU2.1', 'VM.GPU3.1', 'VM.GPU3.2'],
  ...['VM.GPU3.4', 'VM.Standard2.1', 'VM.Standard2.2', 'VM.Standard2.4', 'VM.Standard2.8', 'VM.Standard2.16'],
  'VM.Standard2.24',
]

/** The shapes that support compute clusters (Oracle's shape metadata file of April 2026). */
const COMPUTE_CLUSTER: ReadonlySet<string> = new Set([
  ...['BM.GPU.A100-v2.8', 'BM.GPU.H100.8', 'BM.GPU4.8', 'BM.HPC2.36', 'BM.Optimized3.36', 'BM.GPU.GB200.4'],
])

/** The default prefixes in the settings for OciNodeClasses. */
export const COMMUNITY_PREEMPTIBLE: readonly string[] = [
  ...['VM.Standard1', 'VM.Standard.B1', 'VM.Standard2', 'VM.Standard3.Flex', 'VM.Standard.E2', 'VM.Standard.E3.Flex'],
  ...['VM.Standard.E4.Flex', 'VM.Standard.E5.Flex', 'VM.Standard.E6.Flex', 'VM.Standard.A1.Flex'],
  ...['VM.Standard.A4.Flex', 'VM.DenseIO1', 'VM.DenseIO2', 'VM.GPU2', 'VM.GPU3', 'VM.Optimized3.Flex'],
]
export const COMMUNITY_NOT_PREEMPTIBLE: readonly string[] = ['VM.Standard.E2.1.Micro']

export const canBeInComputeCluster = (shape: string): boolean => COMPUTE_CLUSTER.has(shape)

/** The shapes that can be preemptible instances of an OciNodeClass, as name prefixes. */
export interface PreemptibleShapes {
  readonly included: readonly string[]
  readonly excluded: readonly string[]
}

/** Returns whether a shape can be a preemptible instance. */
export const canBePreemptible = (
  shape: string,
  upstream: Upstream,
  { included, excluded }: PreemptibleShapes,
): boolean => {
  const begins = (prefixes: readonly string[]) => prefixes.some((prefix) => shape.startsWith(prefix))
  return upstream === 'oracle' ? begins(ORACLE_PREEMPTIBLE) : begins(included) && !begins(excluded)
}
