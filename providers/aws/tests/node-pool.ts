import type { NodePool } from '@kerf/apis'
import { spreadPool } from '../../../tests/integration/story/spread-objects.ts'

/** Returns a NodePool for the EC2NodeClass `default`, with spot and on-demand capacity, that removes empty nodes immediately. */
export const nodePool = (changes: Partial<NodePool['spec']> = {}): NodePool =>
  spreadPool({ group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' }, changes)
