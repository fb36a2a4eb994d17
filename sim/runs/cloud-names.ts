import type { KubeObject, NodePool } from '@kerf/apis'
import type { SimulatedRun } from './simulated-run.ts'

/** The names that a cloud has for its node class, zones and instance types. */
export interface CloudNames {
  readonly nodeClassRef: NodePool['spec']['template']['spec']['nodeClassRef']
  readonly zones: readonly [string, string]
  /** Two types that are not the smallest. */
  readonly types: readonly [string, string]
}

const simulated: CloudNames = {
  nodeClassRef: { group: 'karpenter.kwok.sh', kind: 'KWOKNodeClass', name: 'default' },
  zones: ['test-zone-a', 'test-zone-b'],
  types: ['c-4x-amd64-linux', 'm-4x-amd64-linux'],
}

const cloudNames: Readonly<Record<SimulatedRun['cloud'], CloudNames>> = {
  kwok: simulated,
  simulated,
  aws: {
    nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
    zones: ['us-east-1a', 'us-east-1b'],
    types: ['c5.large', 'm5.xlarge'],
  },
}

export const cloudNamesOf = (cloud: SimulatedRun['cloud']): CloudNames => cloudNames[cloud]

/** The NodePool with the node class of a cloud. */
export const poolOn = (cloud: SimulatedRun['cloud'], pool: NodePool): NodePool => ({
  ...pool,
  spec: {
    ...pool.spec,
    template: {
      ...pool.spec.template,
      spec: { ...pool.spec.template.spec, nodeClassRef: cloudNamesOf(cloud).nodeClassRef },
    },
  },
})

/** The same for any object: only NodePools change. */
export const objectOn = (cloud: SimulatedRun['cloud'], object: KubeObject): KubeObject =>
  object.kind === 'NodePool' ? poolOn(cloud, object as NodePool) : object
