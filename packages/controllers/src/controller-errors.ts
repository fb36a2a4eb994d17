import { defineErrors, entry } from '@kerf/runtime'

const AGAIN = 'no action required: Kerf decides again with the current state of the cluster'

/** Errors that a reconciliation throws. The controller logs them with their code and retries. */
export const controllerErrors = defineErrors('controllers', {
  InstanceNotEnded: entry({
    when: 'The provider did not find something that it needs to terminate the instance of a NodeClaim.',
    text: (e: { claim: string }) => `terminating the instance of nodeclaim ${e.claim} failed`,
    next: 'see the cause in the log; Kerf retries',
    example: { claim: 'general-x7k2p' },
  }),
  NoNodePools: entry({
    when: 'Nodes were about to be disrupted, but no NodePool can launch replacements.',
    text: (_none: object) => 'no nodepools found',
    next: AGAIN,
    example: {},
  }),
  NodeUnreadable: entry({
    when: 'The node, its NodeClaim or a pod on it cannot be read.',
    text: (e: { node: string }) => `node ${e.node}, or a pod on it, cannot be read`,
    next: 'see the log for the object and the error',
    example: { node: 'general-x7k2p' },
  }),
  NodeBeingDisrupted: entry({
    when: 'Another command already disrupts the node.',
    text: (e: { node: string }) => `node ${e.node} is already being disrupted`,
    next: AGAIN,
    example: { node: 'general-x7k2p' },
  }),
  NodeGone: entry({
    when: 'The Node or its NodeClaim was deleted before Kerf could disrupt it.',
    text: (e: { node: string }) => `node ${e.node} was deleted`,
    next: AGAIN,
    example: { node: 'general-x7k2p' },
  }),
  NodePoolGone: entry({
    when: 'The NodePool was deleted after Kerf had decided to launch a node from it.',
    text: (e: { pool: string }) => `nodepool ${e.pool} was deleted`,
    next: AGAIN,
    example: { pool: 'general' },
  }),
  NodePoolLimit: entry({
    when: 'Limits of the NodePool, or nodes launched meanwhile, leave no capacity for the planned node.',
    text: (e: { pool: string; exceeded: string }) => `nodepool ${e.pool}: ${e.exceeded}`,
    next: 'raise spec.limits of the NodePool, or wait until nodes are removed',
    example: { pool: 'general', exceeded: 'limit on nodes is reached' },
  }),
  CeilingReached: entry({
    when: 'A ceiling of the ClusterPolicy leaves too little for the node, because other nodes were launched meanwhile or the ceiling was lowered.',
    text: (e: { exceeded: string }) => `clusterpolicy default: ${e.exceeded}`,
    next: 'raise spec.ceilings of the ClusterPolicy, or wait until nodes are removed',
    example: { exceeded: 'the ceiling on nodes is reached' },
  }),
  NoFreeName: entry({
    when: 'Every generated name for a NodeClaim was in use.',
    text: (e: { pool: string }) => `no unused name found for a nodeclaim of nodepool ${e.pool}`,
    next: 'no action required: Kerf generates other names',
    example: { pool: 'general' },
  }),
  BufferUnresolved: entry({
    when: 'The pod template, the workload or a limit of a CapacityBuffer cannot be used.',
    text: (e: { buffer: string; problem: string }) => `capacitybuffer ${e.buffer}: ${e.problem}`,
    next: 'correct the CapacityBuffer; its ReadyForProvisioning condition has the same message',
    example: { buffer: 'shop/spare', problem: 'podtemplate web does not exist' },
  }),
})
