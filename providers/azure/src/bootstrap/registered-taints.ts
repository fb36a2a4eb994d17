import { type NodeClaim, type Taint, taints } from '@kerf/apis'

/** Returns the taints with which a new node registers. The core removes the last of them, the unregistered taint. */
export const registeredTaints = ({ spec }: Pick<NodeClaim, 'spec'>): readonly Taint[] => {
  const own = [...(spec.taints ?? []), ...(spec.startupTaints ?? [])]
  return own.some(({ key }) => key === taints.unregistered.key) ? own : [...own, taints.unregistered]
}

/** Returns a taint in the format of kubelet and AKS. */
export const taintText = ({ key, value, effect }: Taint): string =>
  `${key}${value === undefined || value === '' ? '' : `=${value}`}:${effect}`
