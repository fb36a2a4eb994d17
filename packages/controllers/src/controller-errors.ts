import { defineErrors, entry } from '@kerf/runtime'

const AGAIN = 'nothing: Kerf decides again with the cluster as it is now'

/** Errors of reconciliations. The log shows them with their code, and the controller tries again. */
export const controllerErrors = defineErrors('controllers', {
  InstanceNotEnded: entry({
    when: 'The provider did not find something that it needs to end the instance of a NodeClaim.',
    text: (e: { claim: string }) => `ending the instance of nodeclaim ${e.claim} failed`,
    next: 'read the cause in the log; Kerf tries again',
    example: { claim: 'general-x7k2p' },
  }),
  NoNodePools: entry({
    when: 'Nodes were to be disrupted, and no NodePool can launch replacements any more.',
    text: (_none: object) => 'no nodepools found',
    next: AGAIN,
    example: {},
  }),
  NodeUnreadable: entry({
    when: 'The node, its NodeClaim or a pod on it cannot be read.',
    text: (e: { node: string }) => `node ${e.node}, or a pod on it, cannot be read`,
    next: 'look in the log for the object and the error',
    example: { node: 'general-x7k2p' },
  }),
  NodeBeingDisrupted: entry({
    when: 'Another command disrupts the node already.',
    text: (e: { node: string }) => `node ${e.node} is being disrupted already`,
    next: AGAIN,
    example: { node: 'general-x7k2p' },
  }),
  NodeGone: entry({
    when: 'The Node or its NodeClaim was deleted before Kerf could disrupt it.',
    text: (e: { node: string }) => `node ${e.node} is gone`,
    next: AGAIN,
    example: { node: 'general-x7k2p' },
  }),
  NodePoolGone: entry({
    when: 'The NodePool was deleted after Kerf decided to launch a node of it.',
    text: (e: { pool: string }) => `nodepool ${e.pool} is gone`,
    next: AGAIN,
    example: { pool: 'general' },
  }),
  NodePoolLimit: entry({
    when: 'Limits of the NodePool, or nodes launched meanwhile, leave no capacity for the node that Kerf decided to launch.',
    text: (e: { pool: string; exceeded: string }) => `nodepool ${e.pool}: ${e.exceeded}`,
    next: 'raise spec.limits of the NodePool, or wait until nodes have left',
    example: { pool: 'general', exceeded: 'limit on nodes is reached' },
  }),
  NoFreeName: entry({
    when: 'Every name that Kerf drew for a NodeClaim was taken.',
    text: (e: { pool: string }) => `found no free name for a nodeclaim of nodepool ${e.pool}`,
    next: 'nothing: Kerf draws other names',
    example: { pool: 'general' },
  }),
  BufferUnresolved: entry({
    when: 'The pod template, the workload or a limit of a CapacityBuffer cannot be used.',
    text: (e: { buffer: string; problem: string }) => `capacitybuffer ${e.buffer}: ${e.problem}`,
    next: 'correct the CapacityBuffer; its condition ReadyForProvisioning has the same message',
    example: { buffer: 'shop/spare', problem: 'podtemplate web does not exist' },
  }),
})
