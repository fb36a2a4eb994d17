import { formatLabels, type NodeLabels, parseLabels } from './label-text.ts'

const OWNED = ['--max-pods=', '--node-labels=', '--register-with-taints=']
const LABELS = '--node-labels='

const wordsOf = (text: string): readonly string[] => text.split(/\s+/).filter((word) => word !== '')

/** Returns the labels with which the nodes of the source node pool register. */
export const labelsInArgs = (source: string): NodeLabels =>
  parseLabels(
    wordsOf(source)
      .find((word) => word.startsWith(LABELS))
      ?.slice(LABELS.length) ?? '',
  )

/**
 * Returns the kubelet arguments of the source, with the maximum number of pods, the labels and the taints replaced by those of the node.
 */
export const kubeletArgs = (
  source: string,
  {
    maxPods,
    labels,
    taints,
  }: { readonly maxPods: number; readonly labels: NodeLabels; readonly taints: readonly string[] },
): string =>
  [
    ...wordsOf(source).filter((word) => !OWNED.some((owned) => word.startsWith(owned))),
    `--max-pods=${maxPods}`,
    `${LABELS}${formatLabels(labels)}`,
    `--register-with-taints=${taints.join(',')}`,
  ].join(' ')
