import { type NodeClaim, type Taint, taints } from '@kerf/apis'

/** The taints that a new node is registered with. The core takes the last one off. */
export const registeredTaints = ({ spec }: Pick<NodeClaim, 'spec'>): readonly Taint[] => {
  const own = [...(spec.taints ?? []), ...(spec.startupTaints ?? [])]
  return own.some(({ key }) => key === taints.unregistered.key) ? own : [...own, taints.unregistered]
}

/** As kubelets and AKS take it. */
export const taintText = ({ key, value, effect }: Taint): string =>
  `${key}${value === undefined || value === '' ? '' : `=${value}`}:${effect}`
